import { invalidConfig } from "../../../core/errors.js";
import {
  aString,
  check,
  checkOptions,
  checkValue,
  isListOf,
  type OptionChecks,
} from "../../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions, scaleOf, withPassMark } from "../../../core/passing.js";
import type { ScoreScale } from "../../../core/types.js";
import { metadataOfParts, type PartEvaluator, partName } from "../../calls/parts.js";
import { askAll, type Combination, combination, lineOf } from "./combination.js";

/** An evaluator and its weight. */
export interface WeightedEvaluator {
  evaluator: PartEvaluator;
  /** A number above 0. Only the ratio of weights matters. */
  weight: number;
}

/** The options of {@link weighted}. */
export interface WeightedOptions extends PassOptions {
  /** The `key` of the result; `weighted` by default. */
  feedbackKey?: string | undefined;
}

const OPTIONS: OptionChecks<WeightedOptions> = { feedbackKey: aString, ...PASS_OPTIONS };

const aList = check("a list of at least one { evaluator, weight } with a finite weight above 0", (list) => {
  return (
    isListOf(list, (entry) => {
      const { evaluator, weight } = entry as WeightedEvaluator;
      return typeof evaluator === "function" && Number.isFinite(weight) && weight > 0;
    }) && list.length > 0
  );
});

/**
 * Makes an evaluator whose score is the weighted mean of several scores; `true` counts as 1 and `false` as 0. All
 * evaluators are called in parallel.
 *
 * @returns An evaluator with the key `weighted`. Its score lies between the lowest and the highest of the parts. The
 * comment has a line for each part with a comment; `metadata.parts` has all results.
 * @throws {@link OpenEvalsError} `invalid_config` for an empty list, a weight that is not above 0, or evaluators
 * whose scores have opposite directions. The evaluator throws the error of a part, with its place: `weighted[1]`.
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
  checkDirections(parts);
  // Divided by the largest, so that their sum cannot overflow.
  const largest = Math.max(...evaluators.map(({ weight }) => weight));
  const weights = evaluators.map(({ weight }) => weight / largest);
  const sum = (terms: readonly number[]) => terms.reduce((sum, term) => sum + term, 0);
  const total = sum(weights);
  // Clamped, since rounding may exceed the lowest or highest score.
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

/** Rejects scores of opposite directions, whose mean has no meaning. */
function checkDirections(parts: readonly PartEvaluator[]): void {
  const [lower, higher] = (["lower", "higher"] as const).map((direction) =>
    parts.findIndex((part) => scaleOf(part).direction === direction),
  ) as [number, number];
  if (lower < 0 || higher < 0) return;
  const nameOf = (part: number) => partName(parts[part] as PartEvaluator) || `evaluators[${part}]`;
  throw invalidConfig(
    `weighted cannot add scores of opposite directions: low ones are better for ${nameOf(lower)}, and high ones for ${nameOf(higher)}. ` +
      "Wrap one in a function that returns 1 minus its score, or use allOf",
  );
}

/**
 * The weighted means of ranges and pass marks: if every part is at its mark, the mean passes. With a part that has no
 * direction, the mean has neither a direction nor a mark.
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
