/** A stream that is checked while it is read. */

import { inPlace, OpenEvalsError } from "../../../core/errors.js";
import { watchOf } from "../combining/combination.js";
import { type Source, SourceText } from "./source.js";
import { failureOf, type Guard, type GuardFailure, replacementOf, verdict } from "./verdict.js";
import { WatchedText } from "./watch.js";

/** A stream that is checked while it is read. */
export interface GuardedStream<Stream> {
  /**
   * The stream to hand on: all of the source, or what is clean of it and then what `onFail` gives. Nothing is read from the
   * source before somebody reads this one. It fails as the source fails; cancelling it cancels the source.
   */
  answer: Stream;
  /** Whether the whole answer was there, and all checks passed. Known at the end; never rejects. */
  ok: Promise<boolean>;
  /**
   * The checks that failed, or could not tell; with the key `answer`, why the answer did not come to its end. Known when the
   * stream has been read to its end or was cancelled; never rejects.
   */
  failures: Promise<GuardFailure[]>;
}

/** Makes a stream that hands on what is clean of the source. It reads from that as it is read itself. */
export function guardStream(answer: Source<unknown>, guard: Guard): GuardedStream<unknown> {
  const reading = new GuardedReading(answer, guard);
  // Nothing is read ahead.
  const stream = new ReadableStream<string | Uint8Array>(reading, { highWaterMark: 0 });
  const { failures } = reading;
  return { answer: iterable(stream), ok: failures.then(({ length }) => length === 0), failures };
}

type Controller = ReadableStreamDefaultController<string | Uint8Array>;

/** What stands behind the stream. */
class GuardedReading {
  /** What fails; resolves at the end. */
  readonly failures: Promise<GuardFailure[]>;
  readonly #source: SourceText;
  readonly #guard: Guard;
  readonly #text: WatchedText;
  /** Fires when nobody waits for checks any more. */
  readonly #checking = new AbortController();
  #settle!: (failures: GuardFailure[]) => void;
  #isCancelled = false;

  constructor(answer: Source<unknown>, guard: Guard) {
    this.#source = new SourceText(answer);
    this.#guard = guard;
    this.#text = new WatchedText(guard);
    this.failures = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  async pull(controller: Controller): Promise<void> {
    try {
      while (!this.#isCancelled) {
        if (this.#text.failures.length) return await this.#cut(controller, this.#text.failures);
        const { text, isLast } = await this.#source.next();
        if (this.#isCancelled) return;
        const clean = text && this.#text.take(text);
        if (clean) controller.enqueue(this.#source.chunkOf(clean));
        if (isLast && !this.#text.failures.length) return await this.#finish(controller);
        if (clean) return;
      }
    } catch (thrown) {
      this.#leave(thrown);
      this.#settle([failureOf("answer", inPlace("answer", thrown))]);
      throw thrown;
    }
  }

  async cancel(reason: unknown): Promise<void> {
    this.#isCancelled = true;
    this.#checking.abort();
    const error = new OpenEvalsError("aborted", "The answer was not read to its end.", { cause: reason });
    this.#settle([failureOf("answer", error)]);
    await this.#source.cancel(reason);
  }

  /** Has all of the text checked, once it is there. */
  async #finish(controller: Controller): Promise<void> {
    const isEarly = (check: Guard["checks"][number]) => this.#guard.holds || watchOf(check) !== undefined;
    const verdictOn = (checks: Guard["checks"]) =>
      verdict(this.#guard, checks, this.#text.whole, this.#checking.signal);
    const late = verdictOn(this.#guard.checks.filter((check) => !isEarly(check)));
    const failures = await verdictOn(this.#guard.checks.filter(isEarly));
    if (this.#isCancelled) return;
    if (failures.length) return this.#cut(controller, failures);
    const rest = this.#text.rest();
    if (rest) controller.enqueue(this.#source.chunkOf(rest));
    controller.close();
    // Whoever reads need not wait for what is only reported.
    late.then(this.#settle);
  }

  /** Ends the stream with what takes the place of the rest. */
  async #cut(controller: Controller, failures: GuardFailure[]): Promise<void> {
    this.#checking.abort();
    this.#leave(failures[0]?.comment);
    const replacement = await replacementOf(this.#guard, failures, this.#text.sent);
    if (this.#isCancelled) return;
    if (replacement) controller.enqueue(this.#source.chunkOf(replacement));
    controller.close();
    this.#settle(failures);
  }

  /** Leaves the source. Nobody waits for what comes of it. */
  #leave(reason: unknown): void {
    this.#source.cancel(reason).catch(() => {});
  }
}

/** The stream, also where streams are no async iterables yet, as in Safari. */
function iterable(stream: ReadableStream): ReadableStream {
  if ((stream as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator]) return stream;
  return Object.assign(stream, {
    async *[Symbol.asyncIterator]() {
      const reader = stream.getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return;
          yield value;
        }
      } finally {
        await reader.cancel();
        reader.releaseLock();
      }
    },
  });
}
