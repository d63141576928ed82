/**
 * The questions of an experiment's judges, collected until nothing is left to do but to wait for their answers, and asked
 * in batches. The engine makes the requests and reads the answers: what a model would have posted goes into a batch, and
 * it gets an answer as if it had been posted. So what has to be asked again is a question of the next batch.
 */

import { OpenEvalsError } from "../../../core/errors.js";
import { Alarm } from "../../../core/platform/alarm.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { ChatModelOptions } from "../../../models/chat/chat.js";
import { type Semaphore, SharedSignal } from "../../../models/chat/concurrency.js";
import type { JudgeSource, ModelMiddleware } from "../../../models/chat/judge-model.js";
import { intermediaries } from "../../../models/chat/model-middleware.js";
import { type EngineModel, openerOf, type Relay, type Relaying } from "../../../models/chat/opener.js";
import { hasScopes } from "../../../models/chat/scopes.js";
import type { EndpointConfig } from "../../../openevals.types.js";
import type { OpenAccess } from "../../../openevals-judges.types.js";
import { Connection } from "./connection.js";
import { digest } from "./digest.js";
import { Dispatch, hasBatches } from "./dispatch.js";
import type { BatchOptions, BatchProgress } from "./options.js";
import { BatchState } from "./state.js";
import type { BatchQuestion } from "./types.js";

/** How long nothing may happen before what was asked is sent: whoever asks twice at once does so in less. */
const LULL_MS = 50;

/** The same while something is still being done. It may wait for an answer in a way that nobody knows of. */
const LONG_LULL_MS = 60_000;

/** How long an experiment that was stopped waits for its batches to be cancelled. */
const CANCEL_MS = 10_000;

/** The batches of one experiment. */
export class JudgeBatches {
  readonly #dispatch: Dispatch;
  readonly #state: BatchState;
  readonly #evaluations: Semaphore;
  readonly #ending: AbortController;
  /** How often each question was asked. */
  readonly #times = new Map<string, number>();
  #queue: BatchQuestion[] = [];
  /** How much is being done that may lead to a question. */
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
   * @param evaluations What evaluators have passed when they are called: while they wait for a batch, others may.
   * @throws {@link OpenEvalsError} `invalid_config` where this runtime cannot do it, or the file of its state is another one.
   */
  static async open(
    options: BatchOptions,
    evaluations: Semaphore,
    report: (progress: BatchProgress) => void,
  ): Promise<JudgeBatches> {
    if (!hasScopes()) {
      throw new OpenEvalsError(
        "invalid_config",
        'judgeMode "batch" needs AsyncLocalStorage, which this runtime does not have: evaluators would be called one ' +
          "after the other, and each would wait for a batch of its own.",
      );
    }
    const state = await BatchState.open(options.stateFile);
    const ending = new AbortController();
    const dispatch = new Dispatch(options, state, report, ending.signal);
    return new JudgeBatches(dispatch, state, evaluations, ending);
  }

  /** Something is done that may lead to questions, until the function is called that this returns. */
  begin(): () => void {
    this.#busy++;
    this.#stir();
    return () => {
      this.#busy--;
      this.#stir();
    };
  }

  /** Calls an evaluator; the judges in it are asked in batches. Results that come of nothing else say so. */
  async evaluate(
    evaluator: (call: ModelMiddleware) => Promise<EvaluationResult[]>,
  ): Promise<EvaluationResult[]> {
    const call = new BatchedCall(this, this.#evaluations);
    let results: EvaluationResult[];
    try {
      results = await intermediaries().run(call, () => evaluator(call));
    } finally {
      await call.end();
    }
    if (!call.isBatched) return results;
    return results.map((result) => ({ ...result, metadata: { ...result.metadata, batched: true } }));
  }

  /** Asks, when the time has come. */
  async ask(question: Omit<BatchQuestion, "id">): Promise<BatchQuestion> {
    const { connection, body } = question;
    const asked = await digest(JSON.stringify([connection.url, body]));
    const time = this.#times.get(asked) ?? 0;
    this.#times.set(asked, time + 1);
    const named = { ...question, id: time === 0 ? asked : await digest(`${asked} ${time}`) };
    if (this.#isOver) named.fail(ended());
    else {
      this.#queue.push(named);
      this.#dispatch.note();
      this.#stir();
    }
    return named;
  }

  /** Nobody waits for the answer any more. */
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
      },
      this.#ending.signal,
    );
  }

  /** The experiment has failed: what was not sent will not be. */
  abandon(): void {
    this.#isOver = true;
    for (const question of this.#queue.splice(0)) question.fail(ended());
  }

  /**
   * The end of the experiment. What is under way goes on for a process that resumes a failed one; otherwise it is
   * cancelled.
   */
  async close(how: "done" | "failed" | "aborted"): Promise<void> {
    clearTimeout(this.#timer);
    this.#ending.abort();
    this.abandon();
    if (how === "done") await this.#dispatch.finish();
    if (how === "aborted" || !this.#state.isKept) {
      const alarm = new Alarm(CANCEL_MS);
      await alarm.orRings(this.#dispatch.cancel());
      alarm.stop();
    }
    await this.#state.close();
  }

  /** Something has happened. */
  #stir(): void {
    clearTimeout(this.#timer);
    if (this.#queue.length === 0) return;
    this.#timer = setTimeout(
      () => this.#dispatch.send(this.#queue.splice(0)),
      this.#busy === 0 ? LULL_MS : LONG_LULL_MS,
    );
  }
}

/** One call of an evaluator, whose judges are asked in batches. */
class BatchedCall implements ModelMiddleware {
  readonly #batches: JudgeBatches;
  readonly #evaluations: Semaphore;
  /** How many models were opened for batches, and how many others. */
  readonly #opened = { batched: 0, direct: 0 };
  /** How much in it waits for a batch. */
  #waiting = 0;
  #isOver = false;
  /** From now on, nothing is done in it. */
  #rest: () => void;

  constructor(batches: JudgeBatches, evaluations: Semaphore) {
    this.#batches = batches;
    this.#evaluations = evaluations;
    this.#rest = batches.begin();
  }

  get isBatched(): boolean {
    return this.#opened.batched > 0 && this.#opened.direct === 0;
  }

  open(openModel: () => EngineModel, { judge }: JudgeSource): EngineModel {
    let isBatched = false;
    const relaying: Relaying = (endpoint, options, open) => {
      isBatched = hasBatches(endpoint.provider);
      return isBatched ? this.#relay(endpoint, options, open) : undefined;
    };
    const model = openerOf(judge)?.(relaying) ?? openModel();
    this.#opened[isBatched ? "batched" : "direct"]++;
    return model;
  }

  discard(): void {}

  /** While it waits, others may be evaluated. */
  async wait<T>(coming: Promise<T>): Promise<T> {
    if (this.#isOver) return coming;
    if (this.#waiting++ === 0) {
      this.#rest();
      this.#evaluations.leave();
    }
    try {
      return await coming;
    } finally {
      if (--this.#waiting === 0) await this.#goOn();
    }
  }

  /** The evaluator has returned, perhaps without waiting for what it has asked. */
  async end(): Promise<void> {
    if (this.#waiting > 0) await this.#goOn();
    this.#isOver = true;
    this.#rest();
  }

  async #goOn(): Promise<void> {
    if (this.#isOver) return;
    this.#rest = this.#batches.begin();
    await this.#evaluations.enter();
  }

  /** What stands in the place of the network for one call of a judge. What it is aborted with is what that fails with. */
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
      // It may fail before anybody waits for it.
      answer.catch(() => {});
      caller?.addEventListener("abort", abort);
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
        init.signal.addEventListener("abort", withdraw, { once: true });
        return await this.wait(answer);
      } finally {
        caller?.removeEventListener("abort", abort);
      }
    };
    return { fetch: ask as unknown as typeof globalThis.fetch, signal: controller.signal };
  }
}

/** An answer as it would have come over the network. */
const responseOf = (status: number, body: string): Response =>
  new Response(body, { status: status >= 200 && status < 600 ? status : 500 });

const ended = (): OpenEvalsError =>
  new OpenEvalsError("aborted", "The experiment ended before a batch had answered.");
