import { typedWork } from "../../../core/errors.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { Experiment } from "../../../core/records/types.js";
import { checkMerge, MERGE_OPTIONS, type MergeOptions } from "./options.js";

/**
 * Merges the parts of an experiment that several processes or machines have evaluated, each with its own `shard`. The result is
 * the experiment of a single process: the rows in the order of the data, and the same figures to the last digit, with the `seed`,
 * `clusterBy` and `calibration` of the parts.
 *
 * `startedAt` comes from the first part and `durationMs` from the longest one, because clocks of machines differ.
 * `ignoredFields` are the ones of all parts.
 *
 * @param experiments The parts in any order: results of `evaluate()` or `readExperiment()`, also parsed from JSON; or paths of
 * files, written by a `sink` or with JSON. Files of sinks are read row by row.
 * @throws {@link OpenEvalsError} `invalid_config` for parts that do not belong together: with another number of parts, other
 * evaluators, repetitions or settings, or with a missing or duplicate part. `invalid_input` for an experiment that is not a part,
 * did not keep its rows, ended early, or has rows of another part. `invalid_config`, with the merged `experiment`, if no part has a
 * key of `calibration` or `passAt`, or if a key cannot have its mark.
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
  const read = checkMerge("mergeExperiments", options, MERGE_OPTIONS);
  return typedWork("mergeExperiments", async () => {
    const { merged } = await onUse("The merge of experiments", () => import("./merge-parts.js"));
    return merged(experiments, read);
  });
}
