/**
 * Loads a binary as an engine. The module is compiled once, on first use. One instance serves all calls until it fails
 * or grows too large; then the next call gets a fresh one.
 */

import { OpenEvalsError, reasonOf } from "../errors.js";
import { Engine, type Glue } from "./engine.js";
import { type BinarySource, failedToLoad } from "./sources.js";

/** Loads one binary. */
export class Loader {
  readonly #source: BinarySource;
  readonly #glue: Glue;
  readonly #onDrop: (held: unknown) => void;
  #compiled: WebAssembly.Module | undefined;
  #loading: Promise<Engine> | undefined;
  #current: Engine | undefined;

  /** @param onDrop Called with each value that an engine held when it ended. */
  constructor(source: BinarySource, glue: Glue, onDrop: (held: unknown) => void = () => {}) {
    this.#source = source;
    this.#glue = glue;
    this.#onDrop = onDrop;
  }

  /** The engine, if it is loaded; see {@link load}. */
  get loaded(): Engine | undefined {
    return this.#current?.isUsable ? this.#current : undefined;
  }

  /**
   * The engine. Concurrent first calls share one load; after a failure, the next call tries again. Use the engine
   * before the next `await`: after it, another instance may have replaced it.
   */
  async load(): Promise<Engine> {
    for (;;) {
      this.#loading ??= this.#start().catch((error: unknown) => {
        this.#loading = undefined;
        throw error;
      });
      const loading = this.#loading;
      const engine = await loading;
      if (engine.isUsable) return engine;
      if (this.#loading === loading) this.#loading = undefined;
    }
  }

  /**
   * Loads the engine if necessary, and makes a call, see {@link Engine.run}.
   *
   * @param task Its name in messages.
   * @param size The size of the input, in characters.
   */
  async run<T>(task: string, size: number, call: (engine: Engine) => T): Promise<T> {
    const engine = this.loaded ?? (await this.load());
    return engine.run(task, size, call);
  }

  async #start(): Promise<Engine> {
    if (typeof WebAssembly === "undefined") throw withoutWebAssembly(this.#source.file);
    const binary = this.#compiled ?? (await this.#source.find());
    const engine = new Engine(this.#glue, (held) => {
      held.forEach(this.#onDrop);
      if (this.#current !== engine) return;
      this.#current = undefined;
      this.#loading = undefined;
    });
    try {
      // A module may come from another realm, so `instanceof` does not work.
      const made: object = await WebAssembly.instantiate(binary as BufferSource, this.#glue.imports());
      if ("instance" in made) {
        this.#compiled = (made as WebAssembly.WebAssemblyInstantiatedSource).module;
        engine.start(made.instance as WebAssembly.Instance);
      } else {
        this.#compiled = binary as WebAssembly.Module;
        engine.start(made as WebAssembly.Instance);
      }
    } catch (error) {
      const what = `${this.#source.file} did not compile or start`;
      throw failedToLoad(isForbidden(error) ? `${what}: ${FORBIDDEN}` : what, error);
    }
    this.#current = engine;
    return engine;
  }
}

const withoutWebAssembly = (file: string): OpenEvalsError =>
  new OpenEvalsError(
    "load_failed",
    `This runtime, like React Native's Hermes, lacks WebAssembly, which ${file} needs. ` +
      "Use a server or openevals-wasm/checks.",
  );

/** Whether the page's policy is the reason: Firefox says "blocked by CSP", Chromium and Safari name the directive. */
const isForbidden = (error: unknown): boolean =>
  /content security policy|unsafe-eval|blocked by csp/i.test(reasonOf(error));

const FORBIDDEN = "the Content-Security-Policy forbids WebAssembly; add 'wasm-unsafe-eval' to its script-src";
