/** A batch at its provider. */

import { OpenEvalsError } from "../../../core/errors.js";
import { withoutStop } from "../../../core/full-stop.js";
import { pauseFor } from "../../../core/platform/pause.js";
import { TIMEOUTS_MS } from "../../../models/chat/providers/endpoint.js";
import { type Connection, isRetryable, pauseBefore, UnusableAnswer } from "./connection.js";
import { AGAIN, gone, incomplete, isNotFound, nameOf } from "./failures.js";
import type { BatchOptions } from "./options.js";
import type { BatchQuestions } from "./parts.js";
import type { BatchState } from "./state.js";
import type { BatchApi, Result, Status, Submission } from "./types.js";

/** The time limit for cancelling a batch, in milliseconds. */
const CANCEL_MS = 5000;

/** The shortest time for reading the batch of a killed process, whose answers are paid for, in milliseconds. */
const MIN_READ_MS = 60_000;

const POLL_MS = 15_000;
const TIME_LIMIT_MS = 25 * 3_600_000;

/** What the batches of an experiment have in common. */
export interface BatchRun {
  options: BatchOptions;
  state: BatchState;
  /** Ends the wait for answers. */
  signal: AbortSignal;
  /** Ends submissions. */
  abandoned: AbortSignal;
}

/** The outcomes of the questions of a finished batch, and the error of those that are damaged or missing. */
export interface BatchResults {
  results: ReadonlyMap<string, Result>;
  unread?: OpenEvalsError | undefined;
}

/** Submits a batch, waits for it and reads its results. */
export class ActiveBatch {
  readonly api: BatchApi;
  readonly connection: Connection;
  readonly submission: Submission;
  /** Whether an earlier process submitted it. */
  readonly isEarlier: boolean;
  /** The number of answered questions, as reported by the provider. */
  answered = 0;
  /** Whether the provider may have it although its id is unknown. */
  mayExist = false;
  /** Whether it was cancelled after its time limit. */
  isCancelled = false;
  readonly #run: BatchRun;

  constructor(
    api: BatchApi,
    connection: Connection,
    submission: Submission,
    isEarlier: boolean,
    run: BatchRun,
  ) {
    const limit = run.options.timeLimitMs ?? TIME_LIMIT_MS;
    const until = Math.max(
      Date.parse(submission.createdAt) + limit,
      Date.now() + Math.min(limit, MIN_READ_MS),
    );
    const answers = submission.requests.length + 1;
    this.api = api;
    this.connection = connection.within({ until, answers, signal: run.abandoned });
    this.submission = submission;
    this.isEarlier = isEarlier;
    this.#run = run;
  }

  /** Submits it. Before a second attempt, it looks for the batch of the first. */
  async submit(entries: readonly string[]): Promise<void> {
    const { api, connection, submission } = this;
    for (let attempt = 1; submission.batch === undefined; attempt++) {
      try {
        submission.batch = await api.submit(connection, submission, entries);
      } catch (error) {
        if (this.#isLate) throw this.#tooLate("was not submitted");
        await this.#pauseAfter(error, attempt);
        // The batch may have arrived anyway. If that is unknown, it stays in the state.
        await this.find().catch(() => {
          throw error;
        });
      }
    }
  }

  /** Looks for a batch that may have been submitted, but has no known id. Returns whether there is one. */
  async find(): Promise<boolean> {
    const { api, connection, submission } = this;
    const known = this.#run.state.submissions.flatMap(({ batch }) => batch ?? []);
    const found = await api.find(connection, submission, new Set(known));
    if (!found) return false;
    Object.assign(submission, found);
    await this.#run.state.save();
    return true;
  }

  /**
   * Polls until it is over. Cancels it after its time limit.
   *
   * @param report Is called after each answer.
   */
  async waitFor(report: () => void): Promise<Status> {
    const { api, connection, submission } = this;
    const { options, signal } = this.#run;
    const { pollMs = POLL_MS } = options;
    const began = Date.parse(submission.createdAt);
    let failure = "";
    for (;;) {
      let pauseMs = pollMs;
      try {
        const status = await api.status(connection, submission.batch as string);
        failure = "";
        this.answered = status.answered;
        report();
        if (status.isOver) return status;
      } catch (error) {
        if (isNotFound(error)) throw gone(nameOf(submission), error);
        // A batch can take a day, in which the network may be down for a while, or a proxy answers with its own page.
        const mayPass = error instanceof UnusableAnswer || (await isRetryable(error));
        if (signal.aborted || !mayPass) throw error;
        if (error instanceof UnusableAnswer) failure = ` (${withoutStop(error.message)})`;
        pauseMs = Math.max(pollMs, await pauseBefore(1, error));
      }
      if (Date.now() - began >= this.#timeLimitMs) {
        this.isCancelled = await this.cancel().then(
          () => true,
          () => false,
        );
        const end = this.isCancelled ? "was cancelled" : "could not be cancelled";
        throw this.#tooLate("is not done", `, and ${end}${failure}`);
      }
      await this.#pause(pauseMs);
      if (signal.aborted) throw new OpenEvalsError("aborted", "The experiment has ended.");
    }
  }

  /** Reads the outcomes of questions. All are read before any is used, since duplicates have to be equal. */
  async results(status: Status, questions: BatchQuestions): Promise<BatchResults> {
    const { api, connection, submission } = this;
    const isAll = (results: ReadonlyMap<string, Result>) => results.size === questions.size;
    // Results of a failed batch are not answers.
    if (status.problem !== undefined) return { results: new Map() };
    for (let attempt = 1; ; attempt++) {
      const results = new Map<string, Result>();
      const missing = new Set(submission.requests);
      try {
        for await (const result of api.results(connection, submission.batch as string, status)) {
          missing.delete(result.id);
          if (!questions.has(result.id)) continue;
          const other = results.get(result.id);
          const isSame = !other || JSON.stringify(other) === JSON.stringify(result);
          results.set(result.id, isSame ? result : { id: result.id, problem: "two answers that differ" });
        }
        const count = submission.requests.length - missing.size;
        // A batch of another application has none of our answers.
        const isOthers = submission.isGuess && count === 0;
        if (isAll(results) || status.end !== undefined || isOthers) return { results };
        return {
          results,
          unread: incomplete(submission, count, this.#run.state.isKept && !this.isEarlier),
        };
      } catch (thrown) {
        const error = isNotFound(thrown)
          ? gone(`A file with the results of the batch ${submission.batch} of ${submission.provider}`, thrown)
          : thrown;
        // The answers that could be read are paid for.
        if (results.size && (error instanceof UnusableAnswer || isNotFound(error)))
          return isAll(results) ? { results } : { results, unread: error };
        if (this.#isLate) throw this.#tooLate("has results that could not be read");
        await this.#pauseAfter(error, attempt);
      }
    }
  }

  /** Cancels it at the provider. */
  async cancel(): Promise<void> {
    const { batch } = this.submission;
    if (batch !== undefined) await this.api.cancel(this.#withOwnLimit, batch);
  }

  /** Deletes what was uploaded for it, if that succeeds soon. */
  async discard(): Promise<void> {
    await this.api.discard?.(this.#withOwnLimit, this.submission).catch(() => {});
  }

  /** A connection with its own time limit, for work after the deadline. */
  get #withOwnLimit(): Connection {
    return this.connection.within({ until: Date.now() + CANCEL_MS, answers: 1 });
  }

  get #timeLimitMs(): number {
    return this.#run.options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  get #isLate(): boolean {
    return Date.now() >= this.connection.until;
  }

  #tooLate(what: string, action = ""): OpenEvalsError {
    const { batch, provider } = this.submission;
    const name = batch ? nameOf(this.submission) : `A batch of ${provider}`;
    return new OpenEvalsError(
      "timeout",
      `${name} ${what} after ${this.#timeLimitMs} ms (batch.timeLimitMs)${action}. ${AGAIN}.`,
    );
  }

  /** Pauses before the next attempt. Throws the error if there is none. */
  async #pauseAfter(error: unknown, attempt: number): Promise<void> {
    const isLast = attempt > this.connection.maxRetries;
    if (isLast || this.#run.signal.aborted || !(await isRetryable(error))) throw error;
    const pauseMs = await pauseBefore(attempt, error);
    // As for a direct request: a longer pause means a daily limit.
    if (pauseMs >= TIMEOUTS_MS.chat) throw error;
    await this.#pause(pauseMs);
  }

  #pause(ms: number): Promise<void> {
    return pauseFor(this.connection.atMost(ms), this.#run.signal);
  }
}
