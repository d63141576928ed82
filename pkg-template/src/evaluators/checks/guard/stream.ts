/** Checks a stream while it is read. */

import { inPlace, OpenEvalsError } from "../../../core/errors.js";
import { watchOf } from "../combining/combination.js";
import { type Source, SourceText } from "./source.js";
import { failureOf, type Guard, type GuardFailure, replacementOf, verdict } from "./verdict.js";
import { WatchedText } from "./watch.js";

/** A stream that is checked while it is read. */
export interface GuardedStream<Stream> {
  /**
   * The stream to pass on: the whole source, or its clean part followed by the text of `onFail`. The source is read
   * only as this stream is read. An error of the source is an error of this stream; cancelling it cancels the source.
   */
  answer: Stream;
  /** Whether the answer is complete and all checks passed. Resolves at the end; never rejects. */
  ok: Promise<boolean>;
  /**
   * The checks that failed or threw; the key `answer` says why the answer ended early. Resolves when the stream has
   * ended or was cancelled; never rejects.
   */
  failures: Promise<GuardFailure[]>;
}

/** Makes a stream that passes on the clean part of the source. */
export function guardStream(answer: Source<unknown>, guard: Guard): GuardedStream<unknown> {
  const reading = new GuardedReading(answer, guard);
  // No read-ahead.
  const stream = new ReadableStream<string | Uint8Array>(reading, { highWaterMark: 0 });
  const { failures } = reading;
  return { answer: iterable(stream), ok: failures.then(({ length }) => length === 0), failures };
}

type Controller = ReadableStreamDefaultController<string | Uint8Array>;

/** The underlying source of the guarded stream. */
class GuardedReading {
  /** Resolves with the failures at the end. */
  readonly failures: Promise<GuardFailure[]>;
  readonly #source: SourceText;
  readonly #guard: Guard;
  readonly #text: WatchedText;
  /** Aborts checks whose result is no longer needed. */
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

  /** Checks the whole text once it is complete. */
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
    // The stream is closed already: checks that are only reported must not delay it.
    late.then(this.#settle);
  }

  /** Ends the stream with the replacement of the rest. */
  async #cut(controller: Controller, failures: GuardFailure[]): Promise<void> {
    this.#checking.abort();
    this.#leave(failures[0]?.comment);
    const replacement = await replacementOf(this.#guard, failures, this.#text.sent);
    if (this.#isCancelled) return;
    if (replacement) controller.enqueue(this.#source.chunkOf(replacement));
    controller.close();
    this.#settle(failures);
  }

  /** Cancels the source without waiting for it. */
  #leave(reason: unknown): void {
    this.#source.cancel(reason).catch(() => {});
  }
}

/** Makes the stream async iterable in runtimes without that, such as Safari. */
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
