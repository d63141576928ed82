/** The options of `mergeExperiments()`. */

import { aFlag, anObject, aString, check, type OptionChecks } from "../../../core/input/checks.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { BUDGET_OPTIONS, type BudgetOptions } from "../budget/options.js";
import { checkGrouped } from "../options/groups.js";
import { EXPERIMENT_OUTPUT_OPTIONS, type ExperimentOutputOptions } from "../sink/options.js";
import { aListOfSummaryEvaluators, type SummaryEvaluator } from "../summary-evaluators.js";

/** The options of {@link mergeExperiments}. */
export interface MergeOptions {
  /** The name of the merged experiment; by default that of the first part. */
  experimentName?: string | undefined;
  /** Recorded with the merged experiment; by default the fields of `metadata` that are the same in all parts. */
  metadata?: Record<string, unknown> | undefined;
  /** Evaluators that score all answers together. They need the rows, since their results of parts cannot be merged. */
  summaryEvaluators?: readonly SummaryEvaluator[] | undefined;
  /** As in `evaluate()`; by default the clusters of the parts. */
  clusterBy?: ClusterBy | undefined;
  /** `prices` for the `cost`, as in `evaluate()`; by default those of the parts, which must then be the same. */
  budget?: Pick<BudgetOptions, "prices"> | undefined;
  /**
   * `keepRows`: whether the merged experiment contains its rows; by default only if no part is the file of a sink. Without rows,
   * files of any size can be merged.
   */
  output?: Pick<ExperimentOutputOptions, "keepRows"> | undefined;
  /**
   * Whether parts may be missing or stopped. Missing parts are listed in `missingShards`, and `stopped` has the reason of the
   * first stopped part.
   */
  partial?: boolean | undefined;
}

type MergeGroup = "budget" | "output";

export const MERGE_OPTIONS: OptionChecks<Omit<MergeOptions, MergeGroup>> = {
  experimentName: check("a text", (name) => aString.test(name) && name !== ""),
  metadata: anObject,
  summaryEvaluators: aListOfSummaryEvaluators,
  clusterBy: aClusterBy,
  partial: aFlag,
};

/**
 * Checks the options of a merge, and of functions that take more.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not work.
 */
export const checkMerge = <Options extends MergeOptions>(
  maker: string,
  options: Options,
  checks: OptionChecks<Omit<Options, MergeGroup>>,
) =>
  checkGrouped<Options, MergeGroup>(maker, options, checks, {
    budget: { prices: BUDGET_OPTIONS.prices },
    output: { keepRows: EXPERIMENT_OUTPUT_OPTIONS.keepRows },
  });
