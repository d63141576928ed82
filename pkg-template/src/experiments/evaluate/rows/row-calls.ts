/** The calls of the target and of evaluators, whose judges may have a cache and may be asked in batches. */

import { onUse } from "../../../core/platform/on-use.js";
import type { Semaphore } from "../../../core/platform/semaphore.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { PreparedEvaluator } from "../../../evaluators/calls/row-evaluators.js";
import type { ModelMiddleware } from "../../../models/chat/judge-model.js";
import type { InScope } from "../../../models/chat/signals/experiment-signal.js";
import { scopeWith } from "../../../models/chat/signals/signal-scope.js";
import type { JudgeBatches } from "../batch/judge-batches.js";
import type { BatchProgress } from "../batch/options.js";
import type { JudgeCache } from "../cache/cache.js";
import type { Plan } from "../options/plan.js";
import type { TargetRun } from "../target.js";

const nothing = (): void => {};

/** Calls functions of the user. */
export class RowCalls {
  /** Calls a function so that models of judges find the signal of the experiment. */
  inScope!: InScope;
  #cache: JudgeCache | undefined;
  #batches: JudgeBatches | undefined;

  /** @param evaluations Limits the calls. An evaluator that waits for a batch releases its permit. */
  async open(
    { cache, cacheMode, batch, signal }: Plan,
    evaluations: Semaphore,
    onBatch: (progress: BatchProgress) => void,
  ): Promise<void> {
    this.inScope = await scopeWith(signal);
    if (cache) {
      const { JudgeCache } = await onUse("The judge cache", () => import("../cache/cache.js"));
      this.#cache = new JudgeCache(cache, cacheMode);
    }
    if (batch) {
      const { JudgeBatches } = await onUse("The judge batches", () => import("../batch/judge-batches.js"));
      this.#batches = await JudgeBatches.open(batch, evaluations, onBatch);
    }
  }

  /**
   * Registers work that may ask questions: a batch is sent when no such work is left.
   *
   * @returns A function that ends the registration.
   */
  begin(): () => void {
    return this.#batches?.begin() ?? nothing;
  }

  evaluate(evaluator: PreparedEvaluator, row: TargetRun): Promise<EvaluationResult[]> {
    const [cache, batches] = [this.#cache, this.#batches];
    const evaluate = () => this.inScope(() => evaluator.evaluate(row));
    if (!cache && !batches) return evaluate();
    const cached = async (outer?: ModelMiddleware) =>
      cache ? cache.evaluate(row.run.repetition, evaluate, outer) : evaluate();
    return batches ? batches.evaluate(cached) : cached();
  }

  /** Rejects the questions that are not in a batch yet. */
  abandon(): void {
    this.#batches?.abandon();
  }

  /**
   * Finishes the batches, leaves them for a run that continues this one, or cancels them. Returns what to do about those that could
   * not be cancelled.
   */
  async close(how: "done" | "failed" | "aborted"): Promise<string | undefined> {
    return this.#batches?.close(how);
  }
}
