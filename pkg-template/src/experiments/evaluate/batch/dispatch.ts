/** Submits questions in batches and returns their answers. */

import { OpenEvalsError } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { uuid } from "../../../core/platform/uuid.js";
import { ActiveBatch, type BatchRun } from "./active-batch.js";
import { anthropic } from "./anthropic.js";
import { type Connection, isRetryable, UnusableAnswer } from "./connection.js";
import { asOurError, isNotFound, nameOf, notSubmitted, unanswered } from "./failures.js";
import { google } from "./google.js";
import { openai } from "./openai.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import { type BatchPart, type BatchQuestions, batchParts } from "./parts.js";
import type { BatchState } from "./state.js";
import type { BatchApi, BatchQuestion, Status, Submission } from "./types.js";

/** The providers with batches. */
const APIS: Record<string, BatchApi> = { openai, anthropic, "google-genai": google };

/** Whether batches of a provider are supported. */
export const hasBatches = (provider: string): boolean => Object.hasOwn(APIS, provider);

/** The longest wait of a cancellation for a batch that is being submitted, in milliseconds. */
const SUBMIT_MS = 1000;

/** Submits questions in batches, waits for the batches, and answers the questions. */
export class Dispatch {
  readonly #run: BatchRun;
  readonly #state: BatchState;
  readonly #report: (progress: BatchProgress) => void;
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
    this.#run = { options, state, signal, abandoned: this.#abandoning.signal };
    this.#state = state;
    this.#report = report;
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
      if (batch.mayExist) return;
      await batch.cancel();
      this.#active.delete(batch);
      await this.#state.remove(batch.submission);
      await batch.discard();
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
        const batch = new ActiveBatch(api, connection, submission, true, this.#run);
        if (await this.#wasSubmitted(batch)) followed.push(this.#resume(batch, left));
      }
      for (const part of batchParts(api, [...left.values()], this.#run.options.maxRequests)) {
        followed.push(this.#submit(api, connection, part));
      }
    } catch (error) {
      for (const question of left.values()) question.fail(notSubmitted(error));
    }
    await Promise.all(followed);
  }

  /** Whether an earlier batch has arrived at the provider. If not, the state forgets it. */
  async #wasSubmitted(batch: ActiveBatch): Promise<boolean> {
    if (batch.submission.batch !== undefined || (await batch.find())) return true;
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
    return this.#follow(batch, own);
  }

  /** Submits a batch and answers its questions. */
  async #submit(api: BatchApi, connection: Connection, { questions, entries }: BatchPart): Promise<void> {
    const requests = [...questions.keys()];
    const [{ provider }] = questions.values() as Iterable<BatchQuestion> as [BatchQuestion];
    const submission: Submission = {
      provider,
      key: `openevals-${uuid()}`,
      createdAt: new Date().toISOString(),
      requests,
    };
    const batch = new ActiveBatch(api, connection, submission, false, this.#run);
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
      await batch.submit(entries);
      this.#active.add(batch);
      await this.#state.save();
    } catch (error) {
      if (error instanceof UnusableAnswer || (await isRetryable(error))) {
        const { api, submission } = batch;
        // A refusal is an answer. An API with files has no batch before its questions are uploaded.
        const isRefused = asOurError(error).status !== undefined;
        batch.mayExist = !isRefused && (!api.discard || submission.file !== undefined);
        this.#active.add(batch);
      } else {
        await this.#state.remove(batch.submission).catch(() => {});
        await batch.discard();
      }
      throw error;
    }
  }

  /** Waits for a batch, and answers its questions or fails them. */
  async #follow(batch: ActiveBatch, questions: BatchQuestions): Promise<void> {
    const { connection, submission, isEarlier } = batch;
    this.#active.add(batch);
    try {
      const status = await batch.waitFor(() => this.#notify());
      const { count, unread } = await this.#deliver(batch, status, questions);
      // The batch belongs to another application, or an earlier process cancelled it before all was answered.
      const isOthers = submission.isGuess && count === 0;
      const isUnread = unread !== undefined && !isNotFound(unread);
      const isIncomplete = isEarlier && !isUnread && status.problem === undefined && status.end !== "expired";
      if ((isOthers || isIncomplete) && questions.size > 0) return await this.#askAgain(batch, questions);
      const problem = status.problem && (await connection.clean(status.problem));
      for (const question of questions.values()) {
        question.fail(unread ?? unanswered(nameOf(submission), status.end, problem));
      }
    } catch (error) {
      // The provider deletes batches after a while, and so can the user.
      if (isEarlier && isNotFound(error)) return await this.#askAgain(batch, questions);
      if (batch.isCancelled) await this.#settle(batch);
      for (const question of questions.values()) question.fail(asOurError(error));
    }
    this.#notify();
  }

  /** Forgets a batch that will not answer these questions, and asks them again. */
  async #askAgain(batch: ActiveBatch, questions: BatchQuestions): Promise<void> {
    this.#active.delete(batch);
    this.#settled.add(batch.submission);
    await this.#state.remove(batch.submission).catch(() => {});
    this.#counts.submitted -= questions.size;
    await this.#sendGroup(questions);
  }

  /** Answers the questions that have an answer. Returns their number, and the error of results that are damaged or incomplete. */
  async #deliver(batch: ActiveBatch, status: Status, questions: BatchQuestions) {
    const { results, unread } = await batch.results(status, questions);
    const { connection, submission, isEarlier } = batch;
    const name = nameOf(submission);
    // Before the last answer, because the experiment may end with it. Unread answers are paid for: the next process reads them once
    // more.
    if (!unread || isEarlier || !this.#state.isKept) await this.#settle(batch);
    batch.answered = 0;
    for (const [of, result] of results) {
      // It is asked again.
      if (isEarlier && "end" in result && result.end === "cancelled") continue;
      const question = questions.get(of);
      questions.delete(of);
      this.#counts.answered++;
      if ("status" in result) question?.answer(result.status, JSON.stringify(result.body));
      else if ("end" in result) question?.fail(unanswered(name, result.end));
      else {
        const problem = await connection.clean(result.problem);
        const message = `${name} has an error instead of an answer: ${withStop(problem)}`;
        question?.fail(new OpenEvalsError("provider_error", message));
      }
    }
    return { count: results.size, unread };
  }

  /** Marks a batch as finished, and deletes what was uploaded for it. */
  async #settle(batch: ActiveBatch): Promise<void> {
    this.#active.delete(batch);
    this.#settled.add(batch.submission);
    await batch.discard();
  }

  #notify(): void {
    let { answered } = this.#counts;
    for (const batch of this.#active) answered += batch.answered;
    this.#report({ ...this.#counts, answered });
  }
}
