/**
 * From a binary to an engine. The module is compiled once, when it is first used; one instance of it serves all calls,
 * until it has failed, or grown too large: then the next call gets a fresh one.
 */

import { OpenEvalsError, reasonOf } from "../errors.js";
import { Engine, type Glue } from "./engine.js";
import { type BinarySource, failedToLoad } from "./sources.js";

/** Loads one binary. */
export class Loader {
  readonly #source: BinarySource;
  readonly #glue: Glue;
  readonly #dropped: (held: unknown) => void;
  #compiled: WebAssembly.Module | undefined;
  #loading: Promise<Engine> | undefined;
  #current: Engine | undefined;

  /** @param dropped Is called with everything that an engine held when it ended. */
  constructor(source: BinarySource, glue: Glue, dropped: (held: unknown) => void = () => {}) {
    this.#source = source;
    this.#glue = glue;
    this.#dropped = dropped;
  }

  /** The engine, if there is one. Only good until the next `await`. */
  get loaded(): Engine | undefined {
    return this.#current?.isUsable ? this.#current : undefined;
  }

  /**
   * The engine. Concurrent first calls share one load; after a failure the next call tries again. The engine is only
   * good until the next `await`: by then, another instance may have taken its place.
   */
  async load(): Promise<Engine> {
    for (;;) {
      this.#loading ??= this.#start().catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
      const mine = this.#loading;
      const engine = await mine;
      if (engine.isUsable) return engine;
      if (this.#loading === mine) this.#loading = undefined;
    }
  }

  /**
   * Makes a call, see {@link Engine.run}.
   *
   * @param task What messages call it.
   * @param size How much goes in, in characters.
   */
  async run<T>(task: string, size: number, call: () => T): Promise<T> {
    const engine = this.loaded ?? (await this.load());
    return engine.run(task, size, call);
  }

  async #start(): Promise<Engine> {
    if (typeof WebAssembly === "undefined") throw withoutWebAssembly(this.#source.file);
    const module = this.#compiled ?? (await this.#source.find());
    const engine = new Engine(this.#glue, (held) => {
      held.forEach(this.#dropped);
      if (this.#current !== engine) return;
      this.#current = undefined;
      this.#loading = undefined;
    });
    try {
      // A module may come from another realm, so `instanceof` does not work.
      const made: object = await WebAssembly.instantiate(module as BufferSource, this.#glue.imports());
      if ("instance" in made) {
        this.#compiled = (made as WebAssembly.WebAssemblyInstantiatedSource).module;
        engine.start(made.instance as WebAssembly.Instance);
      } else {
        this.#compiled = module as WebAssembly.Module;
        engine.start(made as WebAssembly.Instance);
      }
    } catch (error) {
      const what = `${this.#source.file} could not be compiled or started`;
      throw failedToLoad(isForbidden(error) ? `${what}: ${FORBIDDEN}` : what, error);
    }
    this.#current = engine;
    return engine;
  }
}

const withoutWebAssembly = (file: string): OpenEvalsError =>
  new OpenEvalsError(
    "load_failed",
    `This engine, such as React Native's Hermes, has no WebAssembly, which ${file} needs. Evaluate on a server, or use ` +
      "openevals-wasm/checks.",
  );

/** Whether the page's policy is the reason: Firefox says "blocked by CSP", Chromium and Safari name the directive. */
const isForbidden = (error: unknown): boolean =>
  /content security policy|unsafe-eval|blocked by csp/i.test(reasonOf(error));

const FORBIDDEN =
  "the Content-Security-Policy of the page forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src";
