/**
 * The engine: an instance of the WebAssembly module, which is expendable. A trap, a stack overflow or a failed
 * allocation ends it. Each running call then fails with an error, and the next call gets a new instance.
 */

import type { glue } from "../../openevals.js";
import { fromEngine, invalidInput, OpenEvalsError, reasonOf } from "../errors.js";
import { whole } from "../input/counts.js";

/** Starts an instance of a binary, for the functions and classes that its bindings export. */
export type Glue = typeof glue;

/** An object in the memory of the engine, which lives until it is freed. */
interface Owned {
  free(): void;
}

/**
 * The number of objects of a class that are kept. If there are more, the oldest is dropped, and made again on its next
 * use.
 */
const MAX_KEPT = 256;

/** An idle engine with more memory than this is replaced, because WebAssembly memory never shrinks. */
const LARGE_MEMORY = 64 * 2 ** 20;

/** After calls with less input than this, in characters, the memory is not checked. */
const LARGE_INPUT = 1_000_000;

/** The largest input of a call, in characters. Checked before anything is passed to the engine. */
const MAX_INPUT = 200_000_000;

/** One instance and its running calls. Call the functions and classes of its bindings only within `run` or `wait`. */
export class Engine {
  readonly #glue: Glue;
  #instance: ReturnType<Glue["start"]> | undefined;
  readonly #onEnd: (held: readonly unknown[]) => void;
  /** Rejects each call that waits in the engine. */
  readonly #waiting = new Set<() => void>();
  readonly #kept = new Map<object, Map<string, Owned>>();
  #hasEnded = false;
  /** The error that ended the engine, until `#fail` has handled it. Without stack space, that takes a second attempt. */
  #unhandled: { error: unknown } | undefined;
  /** The error that ended the engine. */
  #cause: unknown;

  /** @param onEnd Called once the engine can no longer be used, with the values that its instance held. */
  constructor(glue: Glue, onEnd: (held: readonly unknown[]) => void) {
    this.#glue = glue;
    this.#onEnd = onEnd;
  }

  /** Sets the instance, which is made with the imports of the bindings. */
  start(instance: WebAssembly.Instance): void {
    this.#instance = this.#glue.start(
      instance,
      () => this.isUsable,
      (error) => this.#fail(error),
    );
  }

  /** Whether the engine accepts calls. */
  get isUsable(): boolean {
    if (this.#unhandled) this.#fail(this.#unhandled.error);
    return !this.#hasEnded;
  }

  /**
   * Makes a call. Throws errors of the engine as {@link OpenEvalsError}.
   *
   * @param task Its name in messages.
   * @param size The size of the input, in characters.
   */
  run<T>(task: string, size: number, call: (engine: Engine) => T): T {
    if (!this.isUsable) throw this.#failure(`while ${task} began`);
    if (size > MAX_INPUT) throw tooLarge(task, size);
    let result: T;
    try {
      result = call(this);
    } catch (error) {
      // An assignment works even if no stack is left to call a function.
      this.#unhandled = { error };
      const converted = fromEngine(error);
      if (!(converted instanceof OpenEvalsError)) {
        this.#fail(error);
        throw this.#failure(inTask(task, size));
      }
      this.#unhandled = undefined;
      throw converted;
    }
    if (this.#hasEnded) throw this.#failure(inTask(task, size));
    if (size > LARGE_INPUT) this.#replaceIfLarge();
    return result;
  }

  /**
   * Makes a call that waits for something, such as a model. Throws its errors unchanged.
   *
   * @param call Gets `own`, which registers an object of this call, to be freed at its end.
   */
  async wait<T>(
    task: string,
    size: number,
    call: (own: <Object extends Owned>(object: Object) => Object) => Promise<T>,
  ): Promise<T> {
    const owned: Owned[] = [];
    const own = <Object extends Owned>(object: Object): Object => {
      owned.push(object);
      return object;
    };
    let rejectCall = () => {};
    try {
      return await new Promise<T>((resolve, reject) => {
        rejectCall = () => reject(this.#failure(`while ${task} waited`));
        this.#waiting.add(rejectCall);
        this.run(task, size, () => call(own)).then(resolve, reject);
      });
    } finally {
      this.#waiting.delete(rejectCall);
      this.#free(owned);
    }
  }

  /** Returns the object of a configuration, and makes it on first use. Call it only within `run` or `wait`. */
  keep<Kept extends Owned, Config extends string>(type: new (config: Config) => Kept, config: Config): Kept {
    let kept = this.#kept.get(type);
    if (!kept) {
      kept = new Map();
      this.#kept.set(type, kept);
    }
    let object = kept.get(config);
    if (!object) {
      object = new type(config);
      for (const [oldest, first] of kept) {
        if (kept.size < MAX_KEPT) break;
        kept.delete(oldest);
        // A running call keeps the object that it uses.
        first.free();
      }
      kept.set(config, object);
    }
    return object as Kept;
  }

  #free(owned: readonly Owned[]): void {
    if (!this.isUsable) return;
    try {
      for (const object of owned) object.free();
      this.#replaceIfLarge();
    } catch (error) {
      // The result of the call remains valid.
      this.#fail(error);
    }
  }

  /**
   * Ends the engine if it is idle and its memory is large. It waits for a timer, so that callers that have just loaded the
   * engine can still make their calls.
   */
  #replaceIfLarge(): void {
    const isDue = () => !this.#waiting.size && (this.#instance?.memoryBytes() as number) > LARGE_MEMORY;
    if (!isDue()) return;
    try {
      setTimeout(() => isDue() && this.#end());
    } catch {
      // Workers have no timers outside of requests. A later call ends it.
    }
  }

  /** Rejects all waiting calls, and ends the engine. Called again if it could not finish. */
  #fail(error: unknown): void {
    if (this.#hasEnded && !this.#unhandled) return;
    this.#unhandled = { error };
    this.#cause = error;
    for (const rejectCall of this.#waiting) {
      this.#waiting.delete(rejectCall);
      rejectCall();
    }
    this.#end();
  }

  #end(): void {
    this.#hasEnded = true;
    this.#kept.clear();
    this.#onEnd(this.#instance?.stop() ?? []);
    // Frees its memory even if a caller still has the engine.
    this.#instance = undefined;
    this.#unhandled = undefined;
  }

  #failure(when: string): OpenEvalsError {
    const message = `The engine failed ${when}: ${reasonOf(this.#cause)}. The next call gets a new one.`;
    return new OpenEvalsError("engine_failed", message, { cause: this.#cause });
  }
}

const tooLarge = (task: string, size: number): OpenEvalsError =>
  invalidInput(`${task} takes at most ${whole(MAX_INPUT)} characters, and got ${whole(size)}. Pass less`);

const inTask = (task: string, size: number): string =>
  `in ${task}${size > 0 ? `, with ${whole(size)} characters of input` : ""}`;
