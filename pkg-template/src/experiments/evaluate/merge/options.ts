/** The options of `mergeExperiments()`. */

import { aFlag, anObject, aString, type Checks, check } from "../../../core/input/checks.js";
import type { ModelPrices } from "../../../core/records/prices.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { aTableOfPrices } from "../../stored/table-of-prices.js";
import { aListOfSummaryEvaluators, type SummaryEvaluator } from "../summary-evaluators.js";

/** The options of {@link mergeExperiments}. */
export interface MergeOptions {
  /** The name of the whole; by default that of the first part. */
  experimentName?: string | undefined;
  /** What is recorded with the whole; by default the fields of `metadata` that are the same in all parts. */
  metadata?: Record<string, unknown> | undefined;
  /** What scores all answers together: that of a part cannot be merged. They need the rows. */
  summaryEvaluators?: readonly SummaryEvaluator[] | undefined;
  /**
   * As in `evaluate()`; by default as the parts had it. If that was a function, experiments that are no files of a sink do not
   * tell what it returned, and need it here.
   */
  clusterBy?: ClusterBy | undefined;
  /** As in `evaluate()`, for the `cost` of the whole; by default those of the parts, which have to be the same then. */
  prices?: ModelPrices | undefined;
  /**
   * Whether the experiment has its rows; by default it has, unless one of the parts is the file of a sink. Without them, files
   * of sinks of any size can be merged.
   */
  keepRows?: boolean | undefined;
  /**
   * Whether parts may be missing, or have ended early. Those that are missing stand in `missingShards`, and why one has ended
   * early in `stopped`.
   */
  partial?: boolean | undefined;
}

export const OPTIONS: Checks<MergeOptions> = {
  experimentName: check("a text", (name) => aString.test(name) && name !== ""),
  metadata: anObject,
  summaryEvaluators: aListOfSummaryEvaluators,
  clusterBy: aClusterBy,
  prices: aTableOfPrices,
  keepRows: aFlag,
  partial: aFlag,
};
