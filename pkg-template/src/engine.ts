/** The WebAssembly engine: loaded on first use, once. */

import * as bindings from "./bindings.js";
import { OpenEvalsError } from "./errors.js";
import type { WasmSource } from "./types.js";

/** The functions and classes of the engine. */
export type Engine = typeof bindings.engine;

/** Where the binary comes from: asked on first use, and again after a failure. */
type Source = () => WasmSource | PromiseLike<WasmSource>;

let source: Source | undefined;
let loading: Promise<Engine> | undefined;
let engine: Engine | undefined;

/** For `init()`. A load that is under way goes on: a second one beside it would start the engine twice. */
export function useModule(newSource: Source): void {
  source = newSource;
}

/** For entry points: how their runtime finds the binary, unless `init()` has said where it is. */
export function useModuleByDefault(newSource: Source): void {
  source ??= newSource;
}

/** The engine, if it is there already: spares the hot evaluators a turn of the event loop. */
export const loadedEngine = (): Engine | undefined => engine;

/** The engine. Concurrent first calls share one load; after a failure the next call tries again. */
export function loadEngine(): Promise<Engine> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Engine> {
  if (!source) {
    throw new OpenEvalsError(
      "load_failed",
      "The WebAssembly engine has no source yet: call init() from openevals-wasm/slim with the bytes or the module " +
        "of openevals-wasm/openevals.wasm before the first evaluator.",
    );
  }
  let module: WasmSource;
  try {
    module = await source();
  } catch (error) {
    if (error instanceof OpenEvalsError) throw error;
    throw failedToLoad("The source of the WebAssembly engine failed", error);
  }
  try {
    // A module may come from another realm, so what was made is told apart by its form.
    const made: object = await WebAssembly.instantiate(module as BufferSource, bindings.imports());
    bindings.start(
      "instance" in made ? (made.instance as WebAssembly.Instance) : (made as WebAssembly.Instance),
    );
  } catch (error) {
    throw failedToLoad("What should be openevals.wasm could not be compiled or started", error);
  }
  engine = bindings.engine;
  return engine;
}

function failedToLoad(what: string, cause: unknown): OpenEvalsError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new OpenEvalsError("load_failed", `${what}: ${message}`, { cause });
}
