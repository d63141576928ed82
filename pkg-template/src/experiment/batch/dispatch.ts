/** From questions to batches, and from batches to answers. */

import { Alarm } from "../../chat/alarm.js";
import { OpenEvalsError, reasonOf } from "../../errors.js";
import { anthropic } from "./anthropic.js";
import { type Connection, mayPass } from "./connection.js";
import { digest } from "./digest.js";
import { google } from "./google.js";
import { openai } from "./openai.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import type { BatchState } from "./state.js";
import type { BatchApi, Question, Status, Submission } from "./types.js";

/** Whose batches are known. */
const APIS: Record<string, BatchApi> = { openai, anthropic, "google-genai": google };

/** Whether a provider has batches. */
export const hasBatches = (provider: string): boolean => Object.hasOwn(APIS, provider);

const POLL_MS = 15_000;
const TIME_LIMIT_MS = 25 * 3_600_000;

/** How often a batch is submitted, and its results are read, before that counts as failed; with growing pauses. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 500;

type Questions = Map<string, Question>;

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
  async send(questions: readonly Question[]): Promise<void> {
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
      if (submission.batch !== undefined) await api.cancel(connection, submission.batch);
      await this.#state.remove(submission);
    });
    await Promise.allSettled(cancelled);
  }

  /** Forgets what is done; what could not be looked at is kept for the next process. */
  async finish(): Promise<void> {
    const open = new Set([...this.#underway].map(({ submission }) => submission));
    for (const submission of this.#state.submissions) {
      if (!open.has(submission)) await this.#state.remove(submission);
    }
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
        const batch = { api, connection, submission, answered: 0 };
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
  async #submit(api: BatchApi, connection: Connection, part: Part): Promise<void> {
    const { questions, entries } = part;
    const requests = [...questions.keys()];
    const [{ provider }] = questions.values() as Iterable<Question> as [Question];
    const submission: Submission = {
      provider,
      key: `openevals-${await digest(requests.join())}`,
      createdAt: new Date().toISOString(),
      requests,
    };
    const batch = { api, connection, submission, answered: 0 };
    try {
      await this.#state.add(submission);
      const sending = this.#begin(batch, entries);
      this.#sending.add(sending);
      await sending.finally(() => this.#sending.delete(sending));
    } catch (error) {
      // What may have come through is looked for by the next process.
      if (mayPass(error)) this.#underway.add(batch);
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
        if (!mayPass(error) || attempt === ATTEMPTS || this.#signal.aborted) throw error;
        await this.#pause(FIRST_PAUSE_MS * 2 ** attempt);
        // It may have come through all the same.
        await this.#recover(batch);
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
    const { api, connection, submission } = batch;
    const id = submission.batch as string;
    this.#underway.add(batch);
    try {
      const status = await this.#over(batch, id);
      const count = await this.#deliver(batch, id, status, questions);
      this.#underway.delete(batch);
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
      const told = toOurs(error);
      if (told.code === "timeout") {
        this.#underway.delete(batch);
        await api.cancel(connection, id).catch(() => {});
      }
      for (const question of questions.values()) question.fail(told);
    }
    this.#tell();
  }

  /** The status of a batch once it is over. */
  async #over(batch: Underway, id: string): Promise<Status> {
    const { api, connection, submission } = batch;
    const { pollMs = POLL_MS, timeLimitMs = TIME_LIMIT_MS } = this.#options;
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
      if (Date.now() - Date.parse(submission.createdAt) > timeLimitMs) throw tooLate(submission, timeLimitMs);
      await this.#pause(pollMs);
      if (this.#signal.aborted) throw new OpenEvalsError("aborted", "The experiment has ended.");
    }
  }

  /** Answers what has an answer, and says how much that was. */
  async #deliver(batch: Underway, id: string, status: Status, questions: Questions): Promise<number> {
    const { api, connection, submission } = batch;
    let count = 0;
    batch.answered = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const result of api.results(connection, id, status)) {
          const question = questions.get(result.id);
          if (!question) continue;
          questions.delete(result.id);
          // Before the last answer, with which the experiment may end.
          if (questions.size === 0) this.#underway.delete(batch);
          count++;
          this.#counts.answered++;
          const name = `The batch ${id} of ${submission.provider}`;
          if ("status" in result) question.answer(result.status, JSON.stringify(result.body));
          else if ("end" in result) question.fail(unanswered(name, result.end, undefined));
          else {
            const problem = await connection.clean(result.problem);
            const message = `${name} has an error in the place of an answer: ${problem.replace(/\.$/, "")}.`;
            question.fail(new OpenEvalsError("provider_error", message));
          }
        }
        return count;
      } catch (error) {
        if (!mayPass(error) || attempt === ATTEMPTS || this.#signal.aborted) throw error;
        await this.#pause(FIRST_PAUSE_MS * 2 ** attempt);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    const alarm = new Alarm(ms, this.#signal);
    await alarm.rings;
    alarm.stop();
  }

  #tell(): void {
    let { answered } = this.#counts;
    for (const batch of this.#underway) answered += batch.answered;
    this.#report({ ...this.#counts, answered });
  }
}

/** Questions that fit in one batch, and what stands for them there. */
interface Part {
  questions: Questions;
  entries: string[];
}

function partsOf(api: BatchApi, questions: readonly Question[], maxRequests = Infinity): Part[] {
  const { requests, bytes } = api.limits;
  const most = Math.min(requests, maxRequests);
  const encoder = new TextEncoder();
  const parts: Part[] = [];
  let room = 0;
  for (const question of questions) {
    const entry = api.entry(question);
    // With what stands between two.
    const size = encoder.encode(entry).byteLength + 1;
    let part = parts.at(-1);
    if (!part || part.entries.length >= most || size > room) {
      part = { questions: new Map(), entries: [] };
      parts.push(part);
      room = bytes;
    }
    room -= size;
    part.questions.set(question.id, question);
    part.entries.push(entry);
  }
  return parts;
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

function tooLate({ batch, provider }: Submission, timeLimitMs: number): OpenEvalsError {
  return new OpenEvalsError(
    "timeout",
    `The batch ${batch} of ${provider} is not done after ${timeLimitMs} ms (batch.timeLimitMs), and was cancelled. ${AGAIN}.`,
  );
}

const toOurs = (error: unknown): OpenEvalsError =>
  error instanceof OpenEvalsError
    ? error
    : new OpenEvalsError("provider_error", `The batch could not be made or read: ${reasonOf(error)}.`, {
        cause: error,
      });
