/** The options of `evaluateComparative()`. */

import { invalidConfig } from "../../../core/errors.js";
import {
  aFlag,
  aFunction,
  anObject,
  anything,
  aSignal,
  aString,
  type Checks,
  check,
  checkOptions,
  oneOf,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { Signal } from "../../../core/platform/globals.js";
import { STATISTICS_OPTIONS, type StatisticsOptions } from "../../../evaluators/summary/settings.js";
import type { Correction } from "../../../openevals-statistics.types.js";
import { CORRECTION_OPTION } from "../../comparison/compare.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { BUDGET_OPTIONS, type BudgetLimits, type BudgetOptions, readLimits } from "../budget/options.js";
import type { Cache, CacheMode } from "../cache/types.js";
import type { Progress } from "../options.js";
import { type ComparativeEvaluator, type ReadComparative, readComparatives } from "./evaluators.js";

/**
 * The options of {@link evaluateComparative}. Budgets are those of `evaluate()`, of one call; what cannot be counted ends it with
 * `stopped`.
 */
export interface EvaluateComparativeOptions extends StatisticsOptions, BudgetOptions {
  /**
   * What compares the runs of an example: judges of `createPairwiseJudge`, evaluators written for LangSmith, and functions
   * of your own, which are called with `{ runs, example, inputs, outputs, referenceOutputs }` and return
   * `{ key, scores: { [run.id]: score } }`. Who has the larger score wins.
   */
  evaluators: readonly ComparativeEvaluator[];
  /** Whether each call gets the runs in an order by chance, which the `seed` decides; `false` by default. */
  randomizeOrder?: boolean | undefined;
  /**
   * With how many others each experiment is compared on one example, by evaluators of pairs, such as those of
   * `createPairwiseJudge`: an even number, or else the next one; all of them by default. Whom, is another on each example,
   * by the `seed`. Evaluators of all runs get all of them.
   */
  opponents?: number | undefined;
  /** How many calls of evaluators may be under way at once; 1 by default. */
  maxConcurrency?: number | undefined;
  /** What the name begins with; the names of the experiments by default. */
  experimentPrefix?: string | undefined;
  /** What it is about, in words. */
  description?: string | undefined;
  /** What is recorded with it. */
  metadata?: Record<string, unknown> | undefined;
  /** What examples have in common that are not independent of each other, as in `evaluate()`. */
  clusterBy?: ClusterBy | undefined;
  /** How p-values are adjusted for being many, as in `compareExperiments()`; `holm` by default. */
  correction?: Correction | undefined;
  /** Keeps the answers of the judges, as in `evaluate()`. */
  cache?: Cache | undefined;
  /** As in `evaluate()`. */
  cacheMode?: CacheMode | undefined;
  /** Stops it: nothing more is begun, and what is done is the result, with `stopped`. */
  signal?: Signal | undefined;
  /** Called before the first example and after each one. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether progress is shown on standard error if that is a terminal; `true` by default, unless there is an `onProgress`. */
  progress?: boolean | undefined;
}

/** Options that have been read. */
export interface ComparativePlan extends Omit<EvaluateComparativeOptions, "evaluators"> {
  evaluators: ReadComparative[];
  seed: number;
  /** What may be used, if that is limited. */
  budget: BudgetLimits | undefined;
}

const OPTIONS: Checks<EvaluateComparativeOptions> = {
  ...STATISTICS_OPTIONS,
  ...BUDGET_OPTIONS,
  // They are checked where they are read.
  evaluators: anything,
  randomizeOrder: aFlag,
  opponents: wholeFrom(1),
  maxConcurrency: wholeFrom(0),
  experimentPrefix: aString,
  description: aString,
  metadata: anObject,
  clusterBy: aClusterBy,
  correction: CORRECTION_OPTION,
  cache: check("an object with get and set", (store) => {
    return typeof store?.get === "function" && typeof store?.set === "function";
  }),
  cacheMode: oneOf(["auto", "record", "replay"]),
  signal: aSignal,
  onProgress: aFunction,
  progress: aFlag,
};

/** Reads the options; throws `invalid_config` for what cannot work. */
export function readComparativePlan(options: EvaluateComparativeOptions): ComparativePlan {
  const read = checkOptions("evaluateComparative", options, OPTIONS);
  if (read.cacheMode === "replay" && !read.cache)
    throw invalidConfig('cacheMode is "replay", and there is no cache to take answers from');
  const evaluators = readComparatives(read.evaluators);
  return { ...read, seed: read.seed ?? 0, evaluators, budget: readLimits(read, []) };
}
