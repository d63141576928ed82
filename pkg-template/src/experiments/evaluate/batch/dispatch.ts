/** Submits questions in batches and returns their answers. */

import { OpenEvalsError, reasonOf, reworded } from "../../../core/errors.js";
import { withoutStop, withStop } from "../../../core/full-stop.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { pauseFor } from "../../../core/platform/pause.js";
import { uuid } from "../../../core/platform/uuid.js";
import { TIMEOUTS_MS } from "../../../models/chat/providers/endpoint.js";
import { anthropic } from "./anthropic.js";
import { type Connection, isRetryable, pauseBefore, UnusableAnswer } from "./connection.js";
import { google } from "./google.js";
import { openai } from "./openai.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import { type BatchPart, type BatchQuestions, batchParts } from "./parts.js";
import type { BatchState } from "./state.js";
import type { BatchApi, BatchQuestion, Result, Status, Submission } from "./types.js";

/** The providers with batches. */
const APIS: Record<string, BatchApi> = { openai, anthropic, "google-genai": google };

/** Whether batches of a provider are supported. */
export const hasBatches = (provider: string): boolean => Object.hasOwn(APIS, provider);

/** The time limit for cancelling a batch, in milliseconds. */
const CANCEL_MS = 5000;

/** The longest wait of a cancellation for a batch that is being submitted, in milliseconds. */
const SUBMIT_MS = 1000;

/** The shortest time for reading the batch of a killed process, whose answers are paid for, in milliseconds. */
const MIN_READ_MS = 60_000;

const POLL_MS = 15_000;
const TIME_LIMIT_MS = 25 * 3_600_000;

/** A submitted batch. */
interface ActiveBatch {
  api: BatchApi;
  connection: Connection;
  submission: Submission;
  /** The number of answered questions, as reported by the provider. */
  answered: number;
  /** Whether the provider may have it although its id is unknown. */
  mayExist: boolean;
}

/** Submits questions in batches, waits for the batches, and answers the questions. */
export class Dispatch {
  readonly #options: BatchOptions;
  readonly #state: BatchState;
  readonly #report: (progress: BatchProgress) => void;
  readonly #signal: AbortSignal;
  /** Batches that can still be cancelled. */
  readonly #active = new Set<ActiveBatch>();
  /** Batches that are finished. */
  readonly #settled = new Set<Submission>();
  /** Running submissions, which a cancellation waits for. */
  readonly #sending = new Set<Promise<unknown>>();
  /** Ends the submissions that a cancellation does not wait for any longer. */
  readonly #abandoning = new AbortController();
  readonly #counts: BatchProgress = { asked: 0, submitted: 0, answered: 0 };

  /** @param signal Ends the wait. */
  constructor(
    options: BatchOptions,
    state: BatchState,
    report: (progress: BatchProgress) => void,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#state = state;
    this.#report = report;
    this.#signal = signal;
  }

  /** Counts a question that is not sent yet. */
  note(): void {
    this.#counts.asked++;
    this.#notify();
  }

  /** Sends questions, grouped by model. Never rejects: each question is answered or fails. */
  async send(questions: readonly BatchQuestion[]): Promise<void> {
    const groups = new Map<string, BatchQuestions>();
    for (const question of questions) {
      const { provider, model, connection, id } = question;
      // A batch of OpenAI has only one model.
      const group = JSON.stringify([provider, connection.account, model]);
      const known = groups.get(group) ?? new Map();
      groups.set(group, known.set(id, question));
    }
    await Promise.all([...groups.values()].map((group) => this.#sendGroup(group)));
  }

  /**
   * Cancels the running batches and removes them from the state. If that fails, they stay active, like those that may have been
   * created.
   */
  async cancel(): Promise<void> {
    const deadline = new Deadline(SUBMIT_MS);
    await deadline.race(Promise.allSettled(this.#sending));
    deadline.stop();
    this.#abandoning.abort();
    await Promise.allSettled(this.#sending);
    const cancelled = [...this.#active].map(async (batch) => {
      const { api, connection, submission } = batch;
      if (batch.mayExist) return;
      if (submission.batch !== undefined) await api.cancel(withOwnLimit(connection), submission.batch);
      this.#active.delete(batch);
      await this.#state.remove(submission);
      await discard(batch);
    });
    await Promise.allSettled(cancelled);
  }

  /** What to do about batches that could not be cancelled; `undefined` if there are none. */
  remaining(): string | undefined {
    const active = [...this.#active];
    const known = active.flatMap(({ submission: { batch, provider } }) =>
      batch === undefined ? [] : [`${batch} of ${provider}`],
    );
    const unknown = active
      .filter(({ mayExist }) => mayExist)
      .map(({ submission: { provider, createdAt, key } }) => `at ${provider} (${createdAt}, ${key})`);
    const texts = [];
    if (known.length)
      texts.push(
        `These batches could not be cancelled, and may still cost money: ${known.join(", ")}. Cancel them at the provider.`,
      );
    if (unknown.length)
      texts.push(
        `A request to create a batch got no usable answer, so there may be one that costs money: ${unknown.join(", ")}. Cancel it at the provider${this.#state.isKept ? ", or run the experiment again, which continues it" : ""}.`,
      );
    return texts.length ? texts.join(" ") : undefined;
  }

  /** Removes finished batches from the state. Unread batches and those of other experiments stay. */
  async finish(): Promise<void> {
    for (const submission of this.#settled) await this.#state.remove(submission);
  }

  /** A batch with its deadline. */
  #activeBatch(api: BatchApi, connection: Connection, submission: Submission): ActiveBatch {
    const limit = this.#timeLimitMs;
    const until = Math.max(
      Date.parse(submission.createdAt) + limit,
      Date.now() + Math.min(limit, MIN_READ_MS),
    );
    const answers = submission.requests.length + 1;
    const bounded = connection.within({ until, answers, signal: this.#abandoning.signal });
    return { api, connection: bounded, submission, answered: 0, mayExist: false };
  }

  get #timeLimitMs(): number {
    return this.#options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  /** Continues the batches of earlier runs with questions for a model, and submits the other questions. */
  async #sendGroup(questions: BatchQuestions): Promise<void> {
    const [first] = questions.values();
    if (!first) return;
    const { provider, connection } = first;
    const api = APIS[provider] as BatchApi;
    const left = new Map(questions);
    const followed: Promise<void>[] = [];
    try {
      for (const submission of this.#state.holding(left)) {
        const batch = this.#activeBatch(api, connection, submission);
        if (await this.#wasSubmitted(batch)) followed.push(this.#resume(batch, left));
      }
      for (const part of batchParts(api, [...left.values()], this.#options.maxRequests)) {
        followed.push(this.#submit(api, connection, part));
      }
    } catch (error) {
      for (const question of left.values()) question.fail(notSubmitted(error));
    }
    await Promise.all(followed);
  }

  /** Whether an earlier batch has arrived at the provider. If not, the state forgets it. */
  async #wasSubmitted(batch: ActiveBatch): Promise<boolean> {
    if (batch.submission.batch !== undefined || (await this.#recover(batch))) return true;
    await this.#state.remove(batch.submission);
    return false;
  }

  /** Answers the questions of an earlier batch, which are taken out of `left`. */
  #resume(batch: ActiveBatch, left: BatchQuestions): Promise<void> {
    const own: BatchQuestions = new Map();
    for (const id of batch.submission.requests) {
      const question = left.get(id);
      if (question) own.set(id, question);
      left.delete(id);
    }
    this.#counts.submitted += own.size;
    return this.#follow(batch, own, true);
  }

  /** Submits a batch and answers its questions. */
  async #submit(api: BatchApi, connection: Connection, part: BatchPart): Promise<void> {
    const { questions, entries } = part;
    const requests = [...questions.keys()];
    const [{ provider }] = questions.values() as Iterable<BatchQuestion> as [BatchQuestion];
    const submission: Submission = {
      provider,
      key: `openevals-${uuid()}`,
      createdAt: new Date().toISOString(),
      requests,
    };
    const batch = this.#activeBatch(api, connection, submission);
    try {
      const sending = this.#submitOrForget(batch, entries);
      this.#sending.add(sending);
      await sending.finally(() => this.#sending.delete(sending));
    } catch (error) {
      for (const question of questions.values()) question.fail(notSubmitted(error));
      return;
    }
    this.#counts.submitted += questions.size;
    await this.#follow(batch, questions);
  }

  /** Submits a batch. If that fails, but it may have arrived, it stays active, and the next process looks for it. */
  async #submitOrForget(batch: ActiveBatch, entries: readonly string[]): Promise<void> {
    try {
      await this.#state.add(batch.submission);
      await this.#submitOnce(batch, entries);
    } catch (error) {
      if (error instanceof UnusableAnswer || (await isRetryable(error))) {
        const { api, submission } = batch;
        // A refusal is an answer. An API with files has no batch before its questions are uploaded.
        const isRefused = asOurError(error).status !== undefined;
        batch.mayExist = !isRefused && (!api.discard || submission.file !== undefined);
        this.#active.add(batch);
      } else {
        await this.#state.remove(batch.submission).catch(() => {});
        await discard(batch);
      }
      throw error;
    }
  }

  /** Submits a batch. Before a second attempt, it looks for the batch of the first. */
  async #submitOnce(batch: ActiveBatch, entries: readonly string[]): Promise<void> {
    const { api, connection, submission } = batch;
    for (let attempt = 1; submission.batch === undefined; attempt++) {
      try {
        submission.batch = await api.submit(connection, submission, entries);
      } catch (error) {
        if (isLate(batch)) throw this.#tooLate(batch, "was not submitted");
        await this.#pauseAfter(error, attempt, batch);
        // The batch may have arrived anyway. If that is unknown, it stays in the state.
        await this.#recover(batch).catch(() => {
          throw error;
        });
      }
    }
    this.#active.add(batch);
    await this.#state.save();
  }

  /** Looks for a batch that may have been submitted, but has no known id. */
  async #recover({ api, connection, submission }: ActiveBatch): Promise<boolean> {
    const known = this.#state.submissions.flatMap(({ batch }) => batch ?? []);
    const found = await api.find(connection, submission, new Set(known));
    if (!found) return false;
    Object.assign(submission, found);
    await this.#state.save();
    return true;
  }

  /**
   * Waits for a batch, and answers its questions or fails them.
   *
   * @param isEarlier Whether another process submitted it.
   */
  async #follow(batch: ActiveBatch, questions: BatchQuestions, isEarlier = false): Promise<void> {
    const { connection, submission } = batch;
    const id = submission.batch as string;
    this.#active.add(batch);
    try {
      const status = await this.#waitFor(batch, id);
      const { count, unread } = await this.#deliver(batch, id, status, questions, isEarlier);
      // The batch belongs to another application, or an earlier process cancelled it before all was answered.
      const isOthers = submission.isGuess && count === 0;
      const isUnread = unread !== undefined && !isNotFound(unread);
      const isIncomplete = isEarlier && !isUnread && status.problem === undefined && status.end !== "expired";
      if ((isOthers || isIncomplete) && questions.size > 0) return await this.#askAgain(batch, questions);
      const problem = status.problem && (await connection.clean(status.problem));
      for (const question of questions.values()) {
        question.fail(unread ?? unanswered(`The batch ${id} of ${question.provider}`, status.end, problem));
      }
    } catch (error) {
      // The provider deletes batches after a while, and so can the user.
      if (isEarlier && isNotFound(error)) return await this.#askAgain(batch, questions);
      for (const question of questions.values()) question.fail(asOurError(error));
    }
    this.#notify();
  }

  /** Forgets a batch that will not answer these questions, and asks them again. */
  async #askAgain(batch: ActiveBatch, questions: BatchQuestions): Promise<void> {
    this.#settle(batch);
    await this.#state.remove(batch.submission).catch(() => {});
    this.#counts.submitted -= questions.size;
    await this.#sendGroup(questions);
  }

  /** Polls until a batch is over, and returns its status. */
  async #waitFor(batch: ActiveBatch, id: string): Promise<Status> {
    const { api, connection, submission } = batch;
    const { pollMs = POLL_MS } = this.#options;
    const began = Date.parse(submission.createdAt);
    let failure = "";
    for (;;) {
      let pauseMs = pollMs;
      try {
        const status = await api.status(connection, id);
        failure = "";
        batch.answered = status.answered;
        this.#notify();
        if (status.isOver) return status;
      } catch (error) {
        if (isNotFound(error)) throw gone(`The batch ${id} of ${submission.provider}`, error);
        // A batch can take a day, in which the network may be down for a while, or a proxy answers with its own page.
        const mayPass = error instanceof UnusableAnswer || (await isRetryable(error));
        if (this.#signal.aborted || !mayPass) throw error;
        if (error instanceof UnusableAnswer) failure = ` (${withoutStop(error.message)})`;
        pauseMs = Math.max(pollMs, await pauseBefore(1, error));
      }
      if (Date.now() - began >= this.#timeLimitMs) {
        const end = (await this.#giveUp(batch)) ? "was cancelled" : "could not be cancelled";
        throw this.#tooLate(batch, "is not done", `, and ${end}${failure}`);
      }
      await this.#pause(pauseMs, batch);
      if (this.#signal.aborted) throw new OpenEvalsError("aborted", "The experiment has ended.");
    }
  }

  /** Answers the questions that have an answer. Returns their number, and the error of results that are damaged or incomplete. */
  async #deliver(
    batch: ActiveBatch,
    id: string,
    status: Status,
    questions: BatchQuestions,
    isEarlier: boolean,
  ) {
    const { results, unread } = await this.#results(batch, id, status, questions, isEarlier);
    const { connection, submission } = batch;
    const name = `The batch ${id} of ${submission.provider}`;
    // Before the last answer, because the experiment may end with it. Unread answers are paid for: the next process reads them once
    // more.
    if (!unread || isEarlier || !this.#state.isKept) {
      this.#settle(batch);
      await discard(batch);
    }
    batch.answered = 0;
    for (const [of, result] of results) {
      // It is asked again.
      if (isEarlier && "end" in result && result.end === "cancelled") continue;
      const question = questions.get(of);
      questions.delete(of);
      this.#counts.answered++;
      if ("status" in result) question?.answer(result.status, JSON.stringify(result.body));
      else if ("end" in result) question?.fail(unanswered(name, result.end, undefined));
      else {
        const problem = await connection.clean(result.problem);
        const message = `${name} has an error instead of an answer: ${withStop(problem)}`;
        question?.fail(new OpenEvalsError("provider_error", message));
      }
    }
    return { count: results.size, unread };
  }

  /** The outcomes of the questions. All are read first, since duplicates have to be equal. */
  async #results(
    batch: ActiveBatch,
    id: string,
    status: Status,
    questions: BatchQuestions,
    isEarlier: boolean,
  ): Promise<{ results: Map<string, Result>; unread?: OpenEvalsError | undefined }> {
    const { api, connection, submission } = batch;
    const isAll = (results: ReadonlyMap<string, Result>) => results.size === questions.size;
    // Results of a failed batch are not answers.
    if (status.problem !== undefined) return { results: new Map() };
    for (let attempt = 1; ; attempt++) {
      const results = new Map<string, Result>();
      const missing = new Set(submission.requests);
      try {
        for await (const result of api.results(connection, id, status)) {
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
        return { results, unread: this.#incomplete(submission, count, isEarlier) };
      } catch (thrown) {
        const error = isNotFound(thrown)
          ? gone(`A file with the results of the batch ${id} of ${submission.provider}`, thrown)
          : thrown;
        // The answers that could be read are paid for.
        if (results.size && (error instanceof UnusableAnswer || isNotFound(error)))
          return isAll(results) ? { results } : { results, unread: error };
        if (isLate(batch)) throw this.#tooLate(batch, "has results that could not be read");
        await this.#pauseAfter(error, attempt, batch);
      }
    }
  }

  /** The error of a finished batch whose results have only `count` answers. */
  #incomplete({ batch, provider, requests }: Submission, count: number, isEarlier: boolean): OpenEvalsError {
    const isForgotten = isEarlier || !this.#state.isKept;
    const next = isForgotten
      ? AGAIN
      : "Run the experiment again: batch.stateFile keeps the batch, so its results are read again";
    const found = `its results have ${count} of ${requests.length} answers`;
    return new OpenEvalsError(
      "provider_error",
      `The batch ${batch} of ${provider} has no answer to this question: ${found}. ${next}.`,
    );
  }

  /** Cancels a batch after its time limit. Returns whether that succeeded; otherwise, it stays in the state. */
  async #giveUp(batch: ActiveBatch): Promise<boolean> {
    const { api, connection, submission } = batch;
    try {
      await api.cancel(withOwnLimit(connection), submission.batch as string);
    } catch {
      return false;
    }
    this.#settle(batch);
    await discard(batch);
    return true;
  }

  /** Marks a batch as finished. */
  #settle(batch: ActiveBatch): void {
    this.#active.delete(batch);
    this.#settled.add(batch.submission);
  }

  #tooLate({ submission: { batch = "", provider } }: ActiveBatch, what: string, action = ""): OpenEvalsError {
    const name = batch ? `The batch ${batch} of ${provider}` : `A batch of ${provider}`;
    return new OpenEvalsError(
      "timeout",
      `${name} ${what} after ${this.#timeLimitMs} ms (batch.timeLimitMs)${action}. ${AGAIN}.`,
    );
  }

  /** Pauses before the next attempt. Throws the error if there is none. */
  async #pauseAfter(error: unknown, attempt: number, batch: ActiveBatch): Promise<void> {
    const isLast = attempt > batch.connection.maxRetries;
    if (isLast || this.#signal.aborted || !(await isRetryable(error))) throw error;
    const pauseMs = await pauseBefore(attempt, error);
    // As for a direct request: a longer pause means a daily limit.
    if (pauseMs >= TIMEOUTS_MS.chat) throw error;
    await this.#pause(pauseMs, batch);
  }

  #pause(ms: number, { connection }: ActiveBatch): Promise<void> {
    return pauseFor(connection.atMost(ms), this.#signal);
  }

  #notify(): void {
    let { answered } = this.#counts;
    for (const batch of this.#active) answered += batch.answered;
    this.#report({ ...this.#counts, answered });
  }
}

const AGAIN = "Run the experiment again; with a cache, only unanswered questions are asked";

function unanswered(batch: string, end: Status["end"], problem: string | undefined): OpenEvalsError {
  if (problem !== undefined) {
    const reason = withoutStop(problem);
    return new OpenEvalsError(
      "provider_error",
      `${batch} failed: ${reason}. Fix the cause and run the experiment again.`,
    );
  }
  if (end === "expired") {
    return new OpenEvalsError("timeout", `${batch} expired before this question was answered. ${AGAIN}.`);
  }
  return new OpenEvalsError(
    "provider_error",
    `${batch} was cancelled before this question was answered. ${AGAIN}.`,
  );
}

const isNotFound = (error: unknown): error is OpenEvalsError =>
  error instanceof OpenEvalsError && error.status === 404;

/** The error for something that the provider had before. */
const gone = (what: string, error: OpenEvalsError): OpenEvalsError =>
  reworded(
    error,
    `${what} no longer exists: it was deleted, or the provider keeps it for a shorter time. ${withStop(error.message)} ${AGAIN}.`,
  );

const isLate = ({ connection }: ActiveBatch): boolean => Date.now() >= connection.until;

/** A connection with its own time limit, for work after the deadline of a batch. */
const withOwnLimit = (connection: Connection): Connection =>
  connection.within({ until: Date.now() + CANCEL_MS, answers: 1 });

/** Deletes what was uploaded for a batch, if that succeeds soon. */
const discard = async ({ api, connection, submission }: ActiveBatch): Promise<void> => {
  await api.discard?.(withOwnLimit(connection), submission).catch(() => {});
};

/** The error of questions that could not be submitted. */
function notSubmitted(thrown: unknown): OpenEvalsError {
  const error = asOurError(thrown);
  return isNotFound(error) ? reworded(error, `${error.message} ${NO_BATCHES}`) : error;
}

const NO_BATCHES =
  'Check baseURL: not every server with this API has batches. Or set judges.mode to "direct".';

const asOurError = (error: unknown): OpenEvalsError =>
  error instanceof OpenEvalsError
    ? error
    : new OpenEvalsError("provider_error", `The batch could not be created or read: ${reasonOf(error)}.`, {
        cause: error,
      });
