/** The options of `evaluateComparative()`. */

import {
  aFlag,
  aFunction,
  anObject,
  anything,
  aSignal,
  aString,
  type OptionChecks,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { Signal } from "../../../core/platform/globals.js";
import { STATISTICS_OPTIONS, type StatisticsOptions } from "../../../evaluators/summary/settings.js";
import type { Correction } from "../../../openevals-statistics.types.js";
import { CORRECTION_OPTION } from "../../comparison/compare.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { BUDGET_OPTIONS, type BudgetLimits, type BudgetOptions, readLimits } from "../budget/options.js";
import { CACHE_OPTIONS, type CacheOptions, checkReplay } from "../cache/options.js";
import type { Progress } from "../options/evaluate-options.js";
import { checkGrouped } from "../options/groups.js";
import {
  type CheckedComparativeEvaluator,
  type ComparativeEvaluator,
  readComparatives,
} from "./evaluators.js";

/** The options of {@link evaluateComparative}. */
export interface EvaluateComparativeOptions extends StatisticsOptions {
  /**
   * The evaluators that compare the runs of an example: judges of `createPairwiseJudge`, evaluators for LangSmith, and
   * your own functions, which get `{ runs, example, inputs, outputs, referenceOutputs }` and return
   * `{ key, scores: { [run.id]: score } }`. The larger score wins.
   */
  evaluators: readonly ComparativeEvaluator[];
  /** Whether each call gets the runs in random order, by the `seed`; `false` by default. */
  randomizeOrder?: boolean | undefined;
  /**
   * How many opponents each experiment has on one example, for evaluators of pairs such as `createPairwiseJudge` makes; all
   * others by default. Odd numbers are rounded up. The `seed` draws new opponents for each example. Evaluators of all runs always
   * get all runs.
   */
  opponents?: number | undefined;
  /** The largest number of concurrent calls of evaluators; 1 by default. */
  maxConcurrency?: number | undefined;
  /** The beginning of the comparison's name; by default the names of the experiments. */
  experimentPrefix?: string | undefined;
  /** A description of the comparison. */
  description?: string | undefined;
  /** Recorded with the comparison. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * Groups examples that depend on each other, as in `evaluate()`. Default: the clusters that the experiments record.
   */
  clusterBy?: ClusterBy | undefined;
  /** How p-values are corrected for multiple comparisons, as in `compareExperiments()`; `holm` by default. */
  correction?: Correction | undefined;
  /** Where the answers of the judges are kept, as in `evaluate()`: `{ cache, cacheMode }`. */
  judges?: CacheOptions | undefined;
  /**
   * The limits of judges in this call, and the prices of their tokens, as in `evaluate()`. Usage that cannot be counted
   * ends the comparison with `stopped`.
   */
  budget?: BudgetOptions | undefined;
  /** Stops the comparison, as in `evaluate()`: the result has the finished rows and `stopped`, and requests of judges end. */
  signal?: Signal | undefined;
  /** Called before the first example and after each example. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether a terminal shows the progress on standard error; `true` by default, and `false` with `onProgress`. */
  progress?: boolean | undefined;
}

/** Checked options. */
export interface ComparativePlan
  extends Omit<EvaluateComparativeOptions, "evaluators" | ComparativeGroup>,
    CacheOptions,
    Pick<BudgetOptions, "prices"> {
  evaluators: CheckedComparativeEvaluator[];
  seed: number;
  /** The limits, if there are any. */
  budget: BudgetLimits | undefined;
}

type ComparativeGroup = "judges" | "budget";

const OPTIONS: OptionChecks<Omit<EvaluateComparativeOptions, ComparativeGroup>> = {
  ...STATISTICS_OPTIONS,
  // Checked when they are read.
  evaluators: anything,
  randomizeOrder: aFlag,
  opponents: wholeFrom(1),
  maxConcurrency: wholeFrom(0),
  experimentPrefix: aString,
  description: aString,
  metadata: anObject,
  clusterBy: aClusterBy,
  correction: CORRECTION_OPTION,
  signal: aSignal,
  onProgress: aFunction,
  progress: aFlag,
};

/** @throws {@link OpenEvalsError} `invalid_config` for options that do not work. */
export function readComparativePlan(options: EvaluateComparativeOptions): ComparativePlan {
  const { judges, budget, ...read } = checkGrouped<EvaluateComparativeOptions, ComparativeGroup>(
    "evaluateComparative",
    options,
    OPTIONS,
    { judges: CACHE_OPTIONS, budget: BUDGET_OPTIONS },
  );
  checkReplay(judges);
  return {
    ...read,
    ...judges,
    prices: budget.prices,
    seed: read.seed ?? 0,
    evaluators: readComparatives(read.evaluators),
    budget: readLimits(budget, []),
  };
}
