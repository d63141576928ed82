import {
  aString,
  type Checks,
  check,
  checkOptions,
  checkValue,
  isListOf,
} from "../../../core/input/checks.js";
import {
  PASS_OPTIONS,
  type PassOptions,
  type ScoreScale,
  scaleOf,
  withPassMark,
} from "../../../core/scale.js";
import { metadataOfParts, type PartEvaluator } from "../../results/parts.js";
import { askAll, type Combination, combination, lineOf } from "./combination.js";

/** An evaluator with the weight of its score. */
export interface WeightedEvaluator {
  evaluator: PartEvaluator;
  /** Above 0. Only the proportions between weights matter. */
  weight: number;
}

/** The options of {@link weighted}. */
export interface WeightedOptions extends PassOptions {
  /** The `key` of the result; `weighted` by default. */
  feedbackKey?: string | undefined;
}

const OPTIONS: Checks<WeightedOptions> = { feedbackKey: aString, ...PASS_OPTIONS };

const aList = check("a list of at least one { evaluator, weight } with a finite weight above 0", (list) => {
  return (
    isListOf(list, (entry) => {
      const { evaluator, weight } = entry as WeightedEvaluator;
      return typeof evaluator === "function" && Number.isFinite(weight) && weight > 0;
    }) && list.length > 0
  );
});

/**
 * Makes an evaluator whose score is the weighted mean of those of several evaluators, `true` being 1 and `false` 0. So it
 * lies between the lowest of them and the highest. All are asked at the same time.
 *
 * @returns An evaluator with the key `weighted`. The comment has a line for each part that has one; `metadata.parts` has the
 * results of all.
 * @throws {@link OpenEvalsError} `invalid_config` for an empty list, and weights that are not above 0. The evaluator throws
 * what a part throws, with its place: `weighted[1]`.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { weighted } from "openevals-wasm/checks";
 * import { tokenF1 } from "openevals-wasm/text";
 *
 * const quality = weighted([
 *   { evaluator: exactMatch, weight: 1 },
 *   { evaluator: tokenF1, weight: 3 },
 * ]);
 * const { score } = await quality({ outputs: "in Berlin", referenceOutputs: "Berlin" });
 * console.log(score); // 0.5
 * ```
 */
export function weighted(
  evaluators: readonly WeightedEvaluator[],
  options: WeightedOptions = {},
): Combination {
  checkValue("evaluators", evaluators, { ...aList, isRequired: true });
  const { feedbackKey: key = "weighted", ...marks } = checkOptions("weighted", options, OPTIONS);
  const parts = evaluators.map(({ evaluator }) => evaluator);
  // Beside the largest, so that no sum is too large for a number.
  const largest = Math.max(...evaluators.map(({ weight }) => weight));
  const weights = evaluators.map(({ weight }) => weight / largest);
  const sum = (terms: readonly number[]) => terms.reduce((sum, term) => sum + term, 0);
  const total = sum(weights);
  // Rounding may lead beyond the bounds.
  const meanOf = (values: readonly number[]) => {
    const mean = sum(values.map((value, part) => value * ((weights[part] as number) / total)));
    return Math.min(Math.max(mean, Math.min(...values)), Math.max(...values));
  };
  return combination({
    key,
    parts,
    always: parts.length,
    scale: withPassMark(scaleOfMean(parts.map(scaleOf), meanOf), marks),
    async score(ask) {
      const results = await askAll(ask, parts);
      const scores = results.map(({ score }) => Number(score));
      const comments = results.filter(({ comment }) => comment);
      return {
        score: meanOf(scores),
        ...(comments.length && { comment: comments.map(lineOf).join("\n") }),
        metadata: metadataOfParts(results),
      };
    },
  });
}

/**
 * The means of ranges and marks: where every part is at its mark, the mean passes. If some parts are good when high and others
 * when low, there is neither a direction nor a mark.
 */
function scaleOfMean(
  scales: readonly ScoreScale[],
  meanOf: (values: readonly number[]) => number,
): ScoreScale {
  const [{ direction } = {}] = scales;
  const isShared = scales.every((scale) => scale.direction === direction);
  const names = ["min", "max", ...(isShared && direction ? (["passAt"] as const) : [])] as const;
  const fields = names.flatMap((name) => {
    const values = scales.flatMap((scale) => scale[name] ?? []);
    return values.length === scales.length ? [[name, meanOf(values)]] : [];
  });
  return { ...(isShared && direction && { direction }), ...Object.fromEntries(fields) };
}
