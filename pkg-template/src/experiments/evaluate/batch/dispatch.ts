/** From questions to batches, and from batches to answers. */

import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { Alarm } from "../../../core/platform/alarm.js";
import { uuid } from "../../../core/platform/uuid.js";
import { anthropic } from "./anthropic.js";
import { type Connection, mayPass } from "./connection.js";
import { google } from "./google.js";
import { openai } from "./openai.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import { type BatchPart, partsOf, type Questions } from "./parts.js";
import type { BatchState } from "./state.js";
import type { BatchApi, BatchQuestion, Result, Status, Submission } from "./types.js";

/** Whose batches are known. */
const APIS: Record<string, BatchApi> = { openai, anthropic, "google-genai": google };

/** Whether a provider has batches. */
export const hasBatches = (provider: string): boolean => Object.hasOwn(APIS, provider);

/** How long a batch may take to be cancelled. */
const CANCEL_MS = 5000;

/** How long a batch may be looked at in any case whose process was killed: what is done is paid for. */
const LOOK_MS = 60_000;

const POLL_MS = 15_000;
const TIME_LIMIT_MS = 25 * 3_600_000;

/** How often a batch is submitted, and its results are read, before that counts as failed; with growing pauses. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;

/** A batch on its way. */
interface Underway {
  api: BatchApi;
  connection: Connection;
  submission: Submission;
  /** How many of its questions are answered, as far as the provider tells. */
  answered: number;
}

/** Submits questions in batches, waits, and answers them. */
export class Dispatch {
  readonly #options: BatchOptions;
  readonly #state: BatchState;
  readonly #report: (progress: BatchProgress) => void;
  readonly #signal: AbortSignal;
  /** Those that may still be cancelled. */
  readonly #underway = new Set<Underway>();
  /** Those with which nothing is left to be done. */
  readonly #settled = new Set<Submission>();
  /** What is being sent right now, so that whoever cancels can wait for it. */
  readonly #sending = new Set<Promise<unknown>>();
  readonly #counts: BatchProgress = { asked: 0, submitted: 0, answered: 0 };

  /** @param signal Ends the waiting. */
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

  /** Takes note of a question, which is not sent yet. */
  note(): void {
    this.#counts.asked++;
    this.#tell();
  }

  /** Sends questions: those of a model together. Never rejects; each question is answered or fails. */
  async send(questions: readonly BatchQuestion[]): Promise<void> {
    const groups = new Map<string, Questions>();
    for (const question of questions) {
      const { provider, model, connection, id } = question;
      // A batch of OpenAI has one model.
      const group = JSON.stringify([provider, connection.account, model]);
      const known = groups.get(group) ?? new Map();
      groups.set(group, known.set(id, question));
    }
    await Promise.all([...groups.values()].map((group) => this.#answer(group)));
  }

  /** Cancels what is under way, and forgets it. */
  async cancel(): Promise<void> {
    await Promise.allSettled(this.#sending);
    const cancelled = [...this.#underway].map(async ({ api, connection, submission }) => {
      if (submission.batch !== undefined) await api.cancel(soon(connection), submission.batch);
      await this.#state.remove(submission);
    });
    await Promise.allSettled(cancelled);
  }

  /** Forgets what is done; what could not be looked at, or is of another experiment, is kept. */
  async finish(): Promise<void> {
    for (const submission of this.#settled) await this.#state.remove(submission);
  }

  /** A batch, with an end to all that is done for it. */
  #underWay(api: BatchApi, connection: Connection, submission: Submission): Underway {
    const limit = this.#timeLimitMs;
    const until = Math.max(Date.parse(submission.createdAt) + limit, Date.now() + Math.min(limit, LOOK_MS));
    const bounded = connection.within({ until, requests: submission.requests.length + 1 });
    return { api, connection: bounded, submission, answered: 0 };
  }

  get #timeLimitMs(): number {
    return this.#options.timeLimitMs ?? TIME_LIMIT_MS;
  }

  /** Answers questions to one model. */
  async #answer(questions: Questions): Promise<void> {
    const [first] = questions.values();
    if (!first) return;
    const { provider, connection } = first;
    const api = APIS[provider] as BatchApi;
    const left = new Map(questions);
    const followed: Promise<void>[] = [];
    try {
      for (const submission of this.#state.holding(left)) {
        const batch = this.#underWay(api, connection, submission);
        if (submission.batch === undefined && !(await this.#recover(batch))) {
          await this.#state.remove(submission);
          continue;
        }
        const own: Questions = new Map();
        for (const id of submission.requests) {
          const question = left.get(id);
          if (question) own.set(id, question);
          left.delete(id);
        }
        this.#counts.submitted += own.size;
        followed.push(this.#follow(batch, own));
      }
      for (const part of partsOf(api, [...left.values()], this.#options.maxRequests)) {
        followed.push(this.#submit(api, connection, part));
      }
    } catch (error) {
      for (const question of left.values()) question.fail(toOurs(error));
    }
    await Promise.all(followed);
  }

  /** Submits a batch, and answers its questions. */
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
    const batch = this.#underWay(api, connection, submission);
    try {
      await this.#state.add(submission);
      const sending = this.#begin(batch, entries);
      this.#sending.add(sending);
      await sending.finally(() => this.#sending.delete(sending));
    } catch (error) {
      // What may have come through is looked for by the next process.
      if (mayPass(error) || toOurs(error).status === 200) this.#underway.add(batch);
      else await this.#state.remove(submission).catch(() => {});
      for (const question of questions.values()) question.fail(toOurs(error));
      return;
    }
    this.#counts.submitted += questions.size;
    await this.#follow(batch, questions);
  }

  /** Submits it, without ever submitting it twice. */
  async #begin(batch: Underway, entries: readonly string[]): Promise<void> {
    const { api, connection, submission } = batch;
    for (let attempt = 1; submission.batch === undefined; attempt++) {
      try {
        submission.batch = await api.submit(connection, submission.key, entries);
      } catch (error) {
        if (isLate(batch)) throw this.#tooLate(batch, "was not submitted");
        if (!mayPass(error) || attempt === ATTEMPTS || this.#signal.aborted) throw error;
        await this.#pause(FIRST_PAUSE_MS * 2 ** attempt, batch);
        // It may have come through all the same: if that cannot be told, it is kept.
        await this.#recover(batch).catch(() => {
          throw error;
        });
      }
    }
    this.#underway.add(batch);
    await this.#state.save();
  }

  /** Finds out whether a batch was submitted whose id is not known. */
  async #recover({ api, connection, submission }: Underway): Promise<boolean> {
    const known = this.#state.submissions.flatMap(({ batch }) => batch ?? []);
    const found = await api.find(connection, submission, new Set(known));
    if (!found) return false;
    Object.assign(submission, found);
    await this.#state.save();
    return true;
  }

  /** Waits for a batch, and answers its questions; or tells them why not. */
  async #follow(batch: Underway, questions: Questions): Promise<void> {
    const { connection, submission } = batch;
    const id = submission.batch as string;
    this.#underway.add(batch);
    try {
      const status = await this.#over(batch, id);
      const count = await this.#deliver(batch, id, status, questions);
      this.#settle(batch);
      if (submission.isGuess && count === 0 && questions.size > 0) {
        // It was somebody else's.
        await this.#state.remove(submission);
        this.#counts.submitted -= questions.size;
        return await this.#answer(questions);
      }
      const problem = status.problem && (await connection.clean(status.problem));
      for (const question of questions.values()) {
        question.fail(unanswered(`The batch ${id} of ${question.provider}`, status.end, problem));
      }
    } catch (error) {
      for (const question of questions.values()) question.fail(toOurs(error));
    }
    this.#tell();
  }

  /** The status of a batch once it is over. */
  async #over(batch: Underway, id: string): Promise<Status> {
    const { api, connection, submission } = batch;
    const { pollMs = POLL_MS } = this.#options;
    const began = Date.parse(submission.createdAt);
    for (;;) {
      try {
        const status = await api.status(connection, id);
        batch.answered = status.answered;
        this.#tell();
        if (status.isOver) return status;
      } catch (error) {
        // Whoever waits for a day sees a network that is down for a while.
        if (!mayPass(error) || this.#signal.aborted) throw error;
      }
      if (Date.now() - began >= this.#timeLimitMs) {
        await this.#giveUp(batch);
        throw this.#tooLate(batch, "is not done");
      }
      await this.#pause(pollMs, batch);
      if (this.#signal.aborted) throw new OpenEvalsError("aborted", "The experiment has ended.");
    }
  }

  /** Answers what has an answer, and says how much that was. */
  async #deliver(batch: Underway, id: string, status: Status, questions: Questions): Promise<number> {
    const results = await this.#results(batch, id, status, questions);
    const { connection, submission } = batch;
    const name = `The batch ${id} of ${submission.provider}`;
    // Before the last answer, with which the experiment may end.
    if (results.size === questions.size) this.#settle(batch);
    batch.answered = 0;
    for (const [of, result] of results) {
      const question = questions.get(of);
      questions.delete(of);
      this.#counts.answered++;
      if ("status" in result) question?.answer(result.status, JSON.stringify(result.body));
      else if ("end" in result) question?.fail(unanswered(name, result.end, undefined));
      else {
        const problem = await connection.clean(result.problem);
        const message = `${name} has an error in the place of an answer: ${problem.replace(/\.$/, "")}.`;
        question?.fail(new OpenEvalsError("provider_error", message));
      }
    }
    return results.size;
  }

  /** What came of questions; not before all is read, since what comes twice has to be the same. */
  async #results(
    batch: Underway,
    id: string,
    status: Status,
    questions: Questions,
  ): Promise<Map<string, Result>> {
    const { api, connection } = batch;
    // What there is of a batch that failed is no answer.
    if (status.problem !== undefined) return new Map();
    for (let attempt = 1; ; attempt++) {
      try {
        const results = new Map<string, Result>();
        for await (const result of api.results(connection, id, status)) {
          if (!questions.has(result.id)) continue;
          const other = results.get(result.id);
          const isSame = !other || JSON.stringify(other) === JSON.stringify(result);
          results.set(result.id, isSame ? result : { id: result.id, problem: "two answers that differ" });
        }
        return results;
      } catch (error) {
        if (isLate(batch)) throw this.#tooLate(batch, "has results that could not be read");
        if (!mayPass(error) || attempt === ATTEMPTS || this.#signal.aborted) throw error;
        await this.#pause(FIRST_PAUSE_MS * 2 ** attempt, batch);
      }
    }
  }

  /** Cancels what has taken too long. It is not forgotten unless that has succeeded. */
  async #giveUp(batch: Underway): Promise<void> {
    const { api, connection, submission } = batch;
    const cancelling = api.cancel(soon(connection), submission.batch as string);
    await cancelling.then(
      () => this.#settle(batch),
      () => {},
    );
  }

  /** Nothing is left to be done with it. */
  #settle(batch: Underway): void {
    this.#underway.delete(batch);
    this.#settled.add(batch.submission);
  }

  #tooLate({ submission: { batch = "", provider } }: Underway, what: string): OpenEvalsError {
    const name = batch ? `The batch ${batch} of ${provider}` : `A batch of ${provider}`;
    const end = what === "is not done" ? ", and was cancelled" : "";
    return new OpenEvalsError(
      "timeout",
      `${name} ${what} after ${this.#timeLimitMs} ms (batch.timeLimitMs)${end}. ${AGAIN}.`,
    );
  }

  async #pause(ms: number, { connection }: Underway): Promise<void> {
    const alarm = new Alarm(connection.atMost(ms), this.#signal);
    await alarm.rings;
    alarm.stop();
  }

  #tell(): void {
    let { answered } = this.#counts;
    for (const batch of this.#underway) answered += batch.answered;
    this.#report({ ...this.#counts, answered });
  }
}

const AGAIN = "Run the experiment again; with a cache, only what has no answer is asked then";

function unanswered(batch: string, end: Status["end"], problem: string | undefined): OpenEvalsError {
  if (problem !== undefined) {
    const said = problem.replace(/\.$/, "");
    return new OpenEvalsError(
      "provider_error",
      `${batch} failed: ${said}. When that is mended, run the experiment again.`,
    );
  }
  if (end === "expired") {
    return new OpenEvalsError("timeout", `${batch} expired before this question was answered. ${AGAIN}.`);
  }
  const what =
    end === "cancelled"
      ? "was cancelled before this question was answered"
      : "has no answer to this question";
  return new OpenEvalsError("provider_error", `${batch} ${what}. ${AGAIN}.`);
}

const isLate = ({ connection }: Underway): boolean => Date.now() >= connection.until;

/** A connection for what is done when the time of a batch is over. */
const soon = (connection: Connection): Connection =>
  connection.within({ until: Date.now() + CANCEL_MS, requests: 1 });

const toOurs = (error: unknown): OpenEvalsError =>
  error instanceof OpenEvalsError
    ? error
    : new OpenEvalsError("provider_error", `The batch could not be made or read: ${reasonOf(error)}.`, {
        cause: error,
      });
