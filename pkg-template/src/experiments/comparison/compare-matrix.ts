import { inPlace, invalidInput, typedReading } from "../../core/errors.js";
import { checkOptions, isListOf, type OptionChecks, show } from "../../core/input/checks.js";
import { isObject } from "../../core/input/objects.js";
import type { Experiment, MatrixPair } from "../../core/records/types.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import { aClusterBy } from "../statistics/clusters.js";
import { adjustPValues } from "./adjust.js";
import { type ComparisonOptions, compareExperiments } from "./compare.js";

/** The options of {@link compareMatrix}. */
export type MatrixComparisonOptions = Pick<ComparisonOptions, "clusterBy" | "level" | "seed">;

const OPTIONS: OptionChecks<MatrixComparisonOptions> = { ...STATISTICS_OPTIONS, clusterBy: aClusterBy };

/**
 * Compares each pair of several experiments over the same data, such as a `matrix` of prompts and models. P-values are
 * adjusted for all pairs and keys together (Holm's method). An experiment that is better than every other one with an adjusted
 * p-value below 0.05 is the best by more than chance; if there is no best one, the chance of finding one anyway is at most 5%.
 *
 * @param experiments The results of `evaluate()`, two or more.
 * @returns Each pair, with the indexes of its experiments in the list.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options; `invalid_input` for a value that is not a list
 * of experiments, and for experiments that record different ranges or directions for a key.
 *
 * @example
 * ```ts
 * import { compareMatrix, type Experiment, formatMatrix } from "openevals-wasm/evaluation";
 *
 * export async function print(experiments: Experiment[]) {
 *   console.log(formatMatrix(experiments, await compareMatrix(experiments)));
 * }
 * ```
 */
export async function compareMatrix(
  experiments: readonly Experiment[],
  options: MatrixComparisonOptions = {},
): Promise<MatrixPair[]> {
  const read = checkOptions("compareMatrix", options, OPTIONS);
  const all = typedReading("compareMatrix", () => {
    if (!isListOf(experiments, isObject) || experiments.length < 2)
      throw invalidInput(
        `experiments is ${show(experiments)}; it has to be a list of two or more experiments`,
      );
    return [...experiments];
  });
  const pairs: MatrixPair[] = [];
  for (const [second, after] of all.entries())
    for (const [first, before] of all.slice(0, second).entries())
      pairs.push({ first, second, comparisons: await compared(before, after, read) });
  const adjusted = await adjustPValues(pairs.map(({ comparisons }) => comparisons));
  return pairs.map((pair, index) => ({ ...pair, comparisons: adjusted[index] ?? {} }));
}

async function compared(before: Experiment, after: Experiment, options: MatrixComparisonOptions) {
  try {
    return await compareExperiments(before, after, options);
  } catch (error) {
    throw inPlace(`${before.experimentName} and ${after.experimentName}`, error);
  }
}
