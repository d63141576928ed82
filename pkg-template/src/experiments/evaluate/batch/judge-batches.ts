/**
 * Collects the questions of an experiment's judges until nothing is left to do but wait for answers, and sends them in batches. The
 * engine makes the requests and reads the answers: a batch takes the body that a model would have posted, and the model gets the
 * answer as a response. So a question that has to be repeated goes into the next batch.
 */

import { invalidConfig, OpenEvalsError } from "../../../core/errors.js";
import { digest } from "../../../core/input/sha256.js";
import { hasScopes } from "../../../core/platform/async-storage.js";
import { Deadline } from "../../../core/platform/deadline.js";
import type { Semaphore } from "../../../core/platform/semaphore.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import { SharedSignal } from "../../../core/shared-signal.js";
import type { ChatModelOptions } from "../../../models/chat/chat.js";
import type { JudgeSource, ModelMiddleware, PackageCopy } from "../../../models/chat/judge-model.js";
import { checkVersion, middlewareScopes } from "../../../models/chat/model-middleware.js";
import { type EngineModel, openerOf, type Relay, type Relaying } from "../../../models/chat/opener.js";
import type { EndpointConfig } from "../../../openevals.types.js";
import type { OpenAccess } from "../../../openevals-judges.types.js";
import { Connection } from "./connection.js";
import { Dispatch, hasBatches } from "./dispatch.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import { BatchState } from "./state.js";
import type { BatchQuestion } from "./types.js";

/** The idle time after which questions are sent, in milliseconds; concurrent questions arrive faster. */
const IDLE_MS = 50;

/** The idle time while evaluators are running, in milliseconds: they may be waiting for an answer. */
const LONG_IDLE_MS = 60_000;

/** The longest wait of a stopped experiment for cancelling its batches, in milliseconds. */
const CANCEL_MS = 10_000;

/** The batches of an experiment. */
export class JudgeBatches {
  readonly #dispatch: Dispatch;
  readonly #state: BatchState;
  readonly #evaluations: Semaphore;
  readonly #ending: AbortController;
  /** The number of times that each question was asked. */
  readonly #times = new Map<string, number>();
  #queue: BatchQuestion[] = [];
  /** The amount of running work that may lead to a question. */
  #busy = 0;
  #isOver = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    dispatch: Dispatch,
    state: BatchState,
    evaluations: Semaphore,
    ending: AbortController,
  ) {
    this.#dispatch = dispatch;
    this.#state = state;
    this.#evaluations = evaluations;
    this.#ending = ending;
  }

  /**
   * @param evaluations The semaphore of evaluations. An evaluator releases its permit while it waits for a batch.
   * @throws {@link OpenEvalsError} `invalid_config` if the runtime lacks a feature, or the state file is another file.
   */
  static async open(
    options: BatchOptions,
    evaluations: Semaphore,
    report: (progress: BatchProgress) => void,
  ): Promise<JudgeBatches> {
    if (!hasScopes()) {
      throw invalidConfig(
        'judges.mode "batch" needs AsyncLocalStorage, which this runtime does not have. Use "direct"',
      );
    }
    const state = await BatchState.open(options.stateFile);
    const ending = new AbortController();
    const dispatch = new Dispatch(options, state, report, ending.signal);
    return new JudgeBatches(dispatch, state, evaluations, ending);
  }

  /** Marks the start of work that may lead to questions. Call the result at its end. */
  begin(): () => void {
    this.#busy++;
    this.#restartIdleTimer();
    return () => {
      this.#busy--;
      this.#restartIdleTimer();
    };
  }

  /** Calls an evaluator with batched judges. Results that use only batches are marked. */
  async evaluate(
    evaluator: (call: ModelMiddleware) => Promise<EvaluationResult[]>,
  ): Promise<EvaluationResult[]> {
    const call = new BatchedCall(this, this.#evaluations);
    let results: EvaluationResult[];
    try {
      results = await middlewareScopes().run(call, () => evaluator(call));
    } finally {
      await call.end();
    }
    if (!call.isBatched) return results;
    return results.map((result) => ({ ...result, metadata: { ...result.metadata, batched: true } }));
  }

  /** Queues a question for the next batch. */
  async ask(question: Omit<BatchQuestion, "id">): Promise<BatchQuestion> {
    const { connection, body } = question;
    const asked = await digest(JSON.stringify([connection.url, body]), "A batch");
    const time = this.#times.get(asked) ?? 0;
    this.#times.set(asked, time + 1);
    const named = { ...question, id: time === 0 ? asked : await digest(`${asked} ${time}`, "A batch") };
    if (this.#isOver) named.fail(ended());
    else {
      this.#queue.push(named);
      this.#dispatch.note();
      this.#restartIdleTimer();
    }
    return named;
  }

  /** Withdraws a question whose answer is not needed any more. */
  withdraw(question: BatchQuestion): void {
    this.#queue = this.#queue.filter((other) => other !== question);
  }

  connect(endpoint: EndpointConfig, own: typeof fetch | undefined, open: OpenAccess | undefined): Connection {
    const { url, headers, secrets } = endpoint;
    return new Connection(
      {
        url,
        headers: Object.fromEntries(headers),
        fetch: own ?? fetch,
        open,
        secrets: [...secrets, ...endpoint.private],
        maxBytes: endpoint.maxResponseBytes,
        maxRetries: endpoint.maxRetries,
      },
      this.#ending.signal,
    );
  }

  /** Drops unsent questions after a failure of the experiment. */
  abandon(): void {
    this.#isOver = true;
    for (const question of this.#queue.splice(0)) question.fail(ended());
  }

  /**
   * Ends the batches with the experiment. After a failure, submitted batches continue for a process that resumes; otherwise they
   * are cancelled.
   *
   * @returns What to do about batches that could not be cancelled, if there are any. It is also a warning.
   */
  async close(how: "done" | "failed" | "aborted"): Promise<string | undefined> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.abandon();
    let remaining: string | undefined;
    if (how === "done") await this.#dispatch.finish();
    if (how === "aborted" || !this.#state.isKept) {
      const deadline = new Deadline(CANCEL_MS);
      await deadline.race(this.#dispatch.cancel());
      deadline.stop();
      remaining = this.#dispatch.remaining();
      // Not only in the error: a program may show its own reason for the end, and this costs money.
      if (remaining) console.warn(`openevals-wasm: ${remaining}`);
    }
    await this.#state.close();
    return remaining;
  }

  /** Restarts the idle timer. */
  #restartIdleTimer(): void {
    clearTimeout(this.#timer);
    if (this.#queue.length === 0) return;
    this.#timer = setTimeout(
      () => this.#dispatch.send(this.#queue.splice(0)),
      this.#busy === 0 ? IDLE_MS : LONG_IDLE_MS,
    );
  }
}

/** A call of an evaluator with batched judges. */
class BatchedCall implements ModelMiddleware {
  readonly #batches: JudgeBatches;
  readonly #evaluations: Semaphore;
  /** The number of opened models, with and without batches. */
  readonly #opened = { batched: 0, direct: 0 };
  /** The number of its questions that wait for a batch. */
  #waiting = 0;
  #isOver = false;
  /** Marks its work as finished. */
  #markIdle: () => void;

  constructor(batches: JudgeBatches, evaluations: Semaphore) {
    this.#batches = batches;
    this.#evaluations = evaluations;
    this.#markIdle = batches.begin();
  }

  get isBatched(): boolean {
    return this.#opened.batched > 0 && this.#opened.direct === 0;
  }

  open(openModel: () => EngineModel, { judge }: JudgeSource, copy: PackageCopy): EngineModel {
    checkVersion(copy);
    let isBatched = false;
    const relaying: Relaying = (endpoint, options, open) => {
      isBatched = hasBatches(endpoint.provider);
      return isBatched ? this.#relay(endpoint, options, open) : undefined;
    };
    const model = openerOf(judge)?.(copy.models, relaying) ?? openModel();
    this.#opened[isBatched ? "batched" : "direct"]++;
    return model;
  }

  discard(): void {}

  /** Releases the permit of the evaluation while it waits. */
  async wait<T>(coming: Promise<T>): Promise<T> {
    if (this.#isOver) return coming;
    if (this.#waiting++ === 0) {
      this.#markIdle();
      this.#evaluations.release();
    }
    try {
      return await coming;
    } finally {
      if (--this.#waiting === 0 && !this.#isOver) await this.#resume();
    }
  }

  /** Ends the call. The evaluator may have returned without waiting for its questions. */
  async end(): Promise<void> {
    const isWaiting = this.#waiting > 0;
    // At once, so that a question that is answered from here on takes no second permit.
    this.#isOver = true;
    if (isWaiting) await this.#resume();
    this.#markIdle();
  }

  /** Takes the permit again. */
  async #resume(): Promise<void> {
    this.#markIdle = this.#batches.begin();
    await this.#evaluations.acquire();
  }

  /** Replaces the network for a call of a judge, which fails with the reason of an abort. */
  #relay(endpoint: EndpointConfig, { fetch, signal }: ChatModelOptions, open: OpenAccess | undefined): Relay {
    const controller = new AbortController();
    const connection = this.#batches.connect(endpoint, fetch, open);
    const caller = signal && SharedSignal.of(signal);
    const abort = () => controller.abort(caller?.reason);
    if (caller?.aborted) abort();

    const ask = async (_url: unknown, init: { body: string; signal: AbortSignal }): Promise<Response> => {
      let resolve!: (response: Response) => void;
      let reject!: (error: OpenEvalsError) => void;
      const answer = new Promise<Response>((...settle) => {
        [resolve, reject] = settle;
      });
      // Prevents an unhandled rejection if it fails before it is awaited.
      answer.catch(() => {});
      caller?.addEventListener("abort", abort);
      if (caller?.aborted) abort();
      try {
        const question = await this.#batches.ask({
          provider: endpoint.provider,
          model: endpoint.model,
          connection,
          body: init.body,
          answer: (status, body) => resolve(responseOf(status, body)),
          fail(error) {
            controller.abort(error);
            reject(error);
          },
        });
        const withdraw = () => {
          this.#batches.withdraw(question);
          reject(ended());
        };
        if (init.signal.aborted) withdraw();
        else init.signal.addEventListener("abort", withdraw, { once: true });
        return await this.wait(answer);
      } finally {
        caller?.removeEventListener("abort", abort);
      }
    };
    return { fetch: ask as unknown as typeof globalThis.fetch, signal: controller.signal };
  }
}

/** An answer as a response of the network. */
const responseOf = (status: number, body: string): Response =>
  new Response(body, { status: status >= 200 && status < 600 ? status : 500 });

const ended = (): OpenEvalsError =>
  new OpenEvalsError("aborted", "The experiment ended before a batch was answered.");
