import { typedWork } from "../../../core/errors.js";
import { checkOptions } from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { Experiment } from "../../../core/records/types.js";
import { type MergeOptions, OPTIONS } from "./options.js";

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
    const { merged } = await onUse("The merging of experiments", () => import("./merging.js"));
    return merged(experiments, read);
  });
}
