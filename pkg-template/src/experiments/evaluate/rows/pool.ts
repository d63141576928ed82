/** Many at a time, but not more than allowed. */

import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { Turns } from "../turns.js";

/**
 * Work that is under way, so much at a time. After a failure nothing new is begun, and what is under way is finished
 * before the failure is thrown.
 */
export class Pool {
  readonly #limit: number;
  #underWay = 0;
  readonly #turns = new Turns();
  #failure: { error: unknown } | undefined;
  /** Goes on with whoever waits for work to end. */
  #ended = () => {};

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Begins work. Answers whether there is to be more, at once if there is room for it. */
  add(work: () => Promise<void>): true | Promise<boolean> {
    this.#underWay++;
    work().then(this.#end, this.#fail);
    const hasRoom = this.#underWay < this.#limit && !this.#failure;
    return hasRoom && !this.#turns.isDue ? true : this.#wait();
  }

  async #wait(): Promise<boolean> {
    while (this.#underWay >= this.#limit) await this.#change();
    if (this.#failure) return false;
    if (this.#turns.isDue) await this.#turns.give();
    return true;
  }

  /** How much is under way. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Waits for all that is under way. */
  async finish(): Promise<void> {
    while (this.#underWay > 0) await this.#change();
    if (this.#failure) throw this.#failure.error;
  }

  /** Takes note of what the source of the work failed with. */
  fail(error: unknown): void {
    this.#failure ??= { error };
  }

  readonly #end = (): void => {
    this.#underWay--;
    this.#ended();
  };

  readonly #fail = (error: unknown): void => {
    this.fail(error);
    this.#end();
  };

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended = resolve;
    });
  }
}

/**
 * The result of the work, unless the signal fires first, which rejects with its reason. What is under way then is left
 * to itself.
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) throw signal.reason;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** What ends work that its signal has stopped, with the reason. `what` stands at the beginning of a sentence. */
export function stoppedBy({ reason }: AbortSignal, what: string): OpenEvalsError {
  const isError = typeof Object(reason).message === "string";
  const why =
    reason === undefined
      ? ""
      : `: ${isError || typeof reason === "string" ? reasonOf(reason) : show(reason)}`;
  return new OpenEvalsError("aborted", `${what} was stopped by its signal${why}`, { cause: reason });
}
