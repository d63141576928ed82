import { typedWork } from "../../errors.js";
import { aFlag, aString, type Checks, check, checkOptions, isListOf } from "../../input/checks.js";
import type { ModelPrices } from "../../judge/prices.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { aTableOfPrices } from "../budget/options.js";
import type { SummaryEvaluator } from "../summary-evaluators.js";
import type { Experiment } from "../types.js";

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

const OPTIONS: Checks<MergeOptions> = {
  experimentName: check("a text", (name) => aString.test(name) && name !== ""),
  metadata: check("an object", (fields) => {
    return typeof fields === "object" && fields !== null && !Array.isArray(fields);
  }),
  summaryEvaluators: check("a list of functions", (list) => {
    return isListOf(list, (evaluator) => typeof evaluator === "function");
  }),
  clusterBy: aClusterBy,
  prices: aTableOfPrices,
  keepRows: aFlag,
  partial: aFlag,
};

/**
 * Makes one experiment of the parts that several processes or machines have evaluated, each with a `shard` of its own. It is
 * the experiment that one process would have made: the rows in the order of the data, and the same figures to the last digit,
 * with the `seed`, `clusterBy` and `calibration` of the parts.
 *
 * `startedAt` is that of the part that began first, and `durationMs` that of the one that took longest: clocks of machines may
 * differ, and parts that waited for a machine have taken no time. `ignoredFields` are those of any part.
 *
 * @param experiments The parts in any order: experiments as `evaluate()` or `readExperiment()` gives them, or as JSON has
 * them; or paths of files, those of a `sink` or with JSON. Files of sinks are read row by row.
 * @throws {@link OpenEvalsError} `invalid_config` for parts that do not belong together: of other numbers of parts, other
 * evaluators, repetitions or settings, a part that is missing or there twice. `invalid_input` for what is no part, has not
 * kept its rows, has ended early, or has rows of another part.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { evaluate, mergeExperiments } from "openevals-wasm/evaluation";
 *
 * const data = ["Paris", "Nairobi", "Oslo"].map((name) => ({ outputs: name, referenceOutputs: name }));
 * const part = (index: number) =>
 *   evaluate(undefined, { data, evaluators: [exactMatch], shard: { index, count: 2 } });
 * const whole = await mergeExperiments([await part(1), await part(2)]); // elsewhere, and from files: ["1.jsonl", "2.jsonl"]
 * console.log(whole.rows.length, whole.aggregates.exact_match?.mean); // 3 1
 * ```
 */
export async function mergeExperiments(
  experiments: readonly (Experiment | string)[],
  options: MergeOptions = {},
): Promise<Experiment> {
  const read = checkOptions("mergeExperiments", options, OPTIONS);
  return typedWork("mergeExperiments", async () => {
    const { merged } = await import("./merging.js");
    return merged(experiments, read);
  });
}
