/**
 * The engine: an instance of the WebAssembly module, which is expendable. A trap, a stack that overflows or memory that
 * runs out ends it, and with it the calls that are in it, each with an error of its own. The next call gets a fresh one.
 */

import type { glue } from "../../openevals.js";
import { fromEngine, OpenEvalsError, reasonOf } from "../errors.js";

/** Starts an instance of a binary, for the functions and classes that its bindings export. */
export type Glue = typeof glue;

/** An object in the memory of the engine, which lives until it is freed. */
interface Owned {
  free(): void;
}

/** How many objects of a class are kept at most; the oldest makes room, and is made again when it is needed. */
const MOST_KEPT = 256;

/** An engine whose memory has grown beyond this is replaced once it is idle: memory of WebAssembly never shrinks. */
const LARGE_MEMORY = 64 * 2 ** 20;

/** Below this much input, in characters, the size of the memory is not checked after a call. */
const LARGE_INPUT = 1_000_000;

/** How much goes into one call, in characters: known before anything crosses. */
const MOST_INPUT = 200_000_000;

/**
 * One instance, and what is under way in it. The functions and classes of its bindings are only to be called within `run` or
 * `wait`.
 */
export class Engine {
  readonly #glue: Glue;
  #instance: ReturnType<Glue["start"]> | undefined;
  readonly #ended: (held: readonly unknown[]) => void;
  /** Rejects each call that waits in the engine. */
  readonly #waiting = new Set<() => void>();
  readonly #kept = new Map<object, Map<string, Owned>>();
  #isGone = false;
  /** The error that ended the engine, until it is dealt with: without stack left, that may take a second attempt. */
  #broken: { error: unknown } | undefined;
  /** The error that ended the engine. */
  #cause: unknown;

  /** @param ended Is called with what the engine held, when it cannot be used any longer. */
  constructor(glue: Glue, ended: (held: readonly unknown[]) => void) {
    this.#glue = glue;
    this.#ended = ended;
  }

  /** Takes the instance, which can only be made with the imports of the bindings. */
  start(instance: WebAssembly.Instance): void {
    this.#instance = this.#glue.start(
      instance,
      () => this.isUsable,
      (error) => this.#fail(error),
    );
  }

  /** Whether calls can be made. */
  get isUsable(): boolean {
    if (this.#broken) this.#fail(this.#broken.error);
    return !this.#isGone;
  }

  /**
   * Makes a call. What the engine finds wrong is thrown as {@link OpenEvalsError}.
   *
   * @param task What messages call it.
   * @param size How much goes in, in characters.
   */
  run<T>(task: string, size: number, call: () => T): T {
    if (!this.isUsable) throw this.#failure(`while ${task} began`);
    if (size > MOST_INPUT) throw tooLarge(task, size);
    let result: T;
    try {
      result = call();
    } catch (error) {
      // An assignment works even where the stack is at its end, and no function can be called.
      this.#broken = { error };
      const known = fromEngine(error);
      if (!(known instanceof OpenEvalsError)) {
        this.#fail(error);
        throw this.#failure(inTask(task, size));
      }
      this.#broken = undefined;
      throw known;
    }
    if (this.#isGone) throw this.#failure(inTask(task, size));
    if (size > LARGE_INPUT) this.#replaceIfLarge();
    return result;
  }

  /**
   * Makes a call that waits for something, such as a model. What it rejects with is thrown unchanged.
   *
   * @param call Gets `own`, which takes what is made for this call only: it is freed in the end.
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
    let tell = () => {};
    try {
      return await new Promise<T>((resolve, reject) => {
        tell = () => reject(this.#failure(`while ${task} waited in it`));
        this.#waiting.add(tell);
        this.run(task, size, () => call(own)).then(resolve, reject);
      });
    } finally {
      this.#waiting.delete(tell);
      this.#free(owned);
    }
  }

  /** An object for a configuration, made when it is first asked for. Only to be called within `run` or `wait`. */
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
        if (kept.size < MOST_KEPT) break;
        kept.delete(oldest);
        // A call that is using it keeps it for as long.
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

  /** Ends an engine whose memory is large once it is idle. Calls that already have it are made first, so that none of them fails. */
  #replaceIfLarge(): void {
    const isDue = () => !this.#waiting.size && (this.#instance?.memoryBytes() as number) > LARGE_MEMORY;
    if (!isDue()) return;
    try {
      setTimeout(() => isDue() && this.#end());
    } catch {
      // Workers have no timers outside of requests. A later call ends it.
    }
  }

  /** May be called again if it could not finish. */
  #fail(error: unknown): void {
    if (this.#isGone && !this.#broken) return;
    this.#broken = { error };
    this.#cause = error;
    for (const tell of this.#waiting) {
      this.#waiting.delete(tell);
      tell();
    }
    this.#end();
  }

  #end(): void {
    this.#isGone = true;
    this.#kept.clear();
    this.#ended(this.#instance?.stop() ?? []);
    // Frees its memory even if a caller still has the engine.
    this.#instance = undefined;
    this.#broken = undefined;
  }

  #failure(when: string): OpenEvalsError {
    const message = `The engine failed ${when}: ${reasonOf(this.#cause)}. The next call gets a fresh one.`;
    return new OpenEvalsError("engine_failed", message, { cause: this.#cause });
  }
}

const tooLarge = (task: string, size: number): OpenEvalsError => {
  const [most, much] = [MOST_INPUT, size].map((count) => count.toLocaleString("en"));
  const message = `${task} takes at most ${most} characters at once, and got ${much}. Pass less.`;
  return new OpenEvalsError("invalid_input", message);
};

const inTask = (task: string, size: number): string =>
  size > 0 ? `in ${task}, with ${size.toLocaleString("en")} characters of input` : `in ${task}`;
