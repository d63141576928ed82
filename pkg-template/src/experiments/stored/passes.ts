import { invalidInput, typedReading } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { isPassing, isScale, type ScoreScale } from "../../core/scale.js";

/**
 * Whether a score passes by the record of its metric, as everything in this package decides it.
 *
 * @param scale The record: `scale` of an evaluator, or what `scales` of an experiment has for the key.
 * @returns `undefined` for a number of a metric without a pass mark.
 * @throws {@link OpenEvalsError} `invalid_input` for what is not a score or not such a record.
 */
export const passes = (score: number | boolean, scale: ScoreScale): boolean | undefined =>
  typedReading("passes", () => {
    if (typeof score !== "boolean" && typeof score !== "number")
      throw invalidInput(`passes needs true, false or a number as the score, not ${show(score)}`);
    if (!isScale(scale))
      throw invalidInput(
        `passes needs the scale of the metric, such as { direction: "higher", passAt: 0.8 }, not ${show(scale)}`,
      );
    return isPassing(score, scale);
  });
