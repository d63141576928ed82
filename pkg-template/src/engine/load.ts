/**
 * Where the engine comes from. The module is compiled once, when an evaluator is first used; one instance of it serves all
 * calls, until it has failed, or grown too large: then the next call gets a fresh one.
 */

import { OpenEvalsError } from "../errors.js";
import type { WasmSource } from "../types.js";
import { Engine } from "./engine.js";

/** Where the binary comes from: asked on first use, and again after a failure. */
type Source = () => WasmSource | PromiseLike<WasmSource>;

let source: Source | undefined;
let compiled: WebAssembly.Module | undefined;
let loading: Promise<Engine> | undefined;
let current: Engine | undefined;

/** For `init()`. A load that is under way goes on: a second one beside it would start the engine twice. */
export function useModule(newSource: Source): void {
  source = newSource;
}

/** For entry points: how their runtime finds the binary, unless `init()` has said where it is. */
export function useModuleByDefault(newSource: Source): void {
  source ??= newSource;
}

/** The engine, if there is one: spares the hot evaluators a turn of the event loop. Only good until the next `await`. */
export const loadedEngine = (): Engine | undefined => (current?.isUsable ? current : undefined);

/**
 * The engine. Concurrent first calls share one load; after a failure the next call tries again. What comes of it is only
 * good until the next `await`: by then, another instance may have taken its place.
 */
export async function loadEngine(): Promise<Engine> {
  for (;;) {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    const mine = loading;
    const engine = await mine;
    if (engine.isUsable) return engine;
    if (loading === mine) loading = undefined;
  }
}

async function load(): Promise<Engine> {
  const module = compiled ?? (await find());
  const engine = new Engine(() => {
    if (current !== engine) return;
    current = undefined;
    loading = undefined;
  });
  try {
    // A module may come from another realm, so what was made is told apart by its form.
    const made: object = await WebAssembly.instantiate(module as BufferSource, engine.imports);
    if ("instance" in made) {
      compiled = (made as WebAssembly.WebAssemblyInstantiatedSource).module;
      engine.start(made.instance as WebAssembly.Instance);
    } else {
      compiled = module as WebAssembly.Module;
      engine.start(made as WebAssembly.Instance);
    }
  } catch (error) {
    throw failedToLoad("What should be openevals.wasm could not be compiled or started", error);
  }
  current = engine;
  return engine;
}

async function find(): Promise<WasmSource> {
  if (!source) {
    throw new OpenEvalsError(
      "load_failed",
      "The WebAssembly engine has no source yet: call init() from openevals-wasm/slim with the bytes or the module " +
        "of openevals-wasm/openevals.wasm before the first evaluator.",
    );
  }
  try {
    return await source();
  } catch (error) {
    if (error instanceof OpenEvalsError) throw error;
    throw failedToLoad("The source of the WebAssembly engine failed", error);
  }
}

function failedToLoad(what: string, cause: unknown): OpenEvalsError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new OpenEvalsError("load_failed", `${what}: ${message}`, { cause });
}
