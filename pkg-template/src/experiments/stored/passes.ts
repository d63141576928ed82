import { invalidInput, typedReading } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { isPassing, isScale } from "../../core/passing.js";
import type { ScoreScale } from "../../core/types.js";

/**
 * Decides whether a score passes by the scale of its metric, as reports, the terminal and the command line do.
 *
 * @param score `true`, `false` or a number.
 * @param scale The `scale` of an evaluator, or the entry of the key in `scales` of an experiment.
 * @returns `true` or `false`; `undefined` for a number if the metric has no pass mark.
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid score or scale.
 *
 * @example
 * ```ts
 * import { passes } from "openevals-wasm/evaluation";
 *
 * console.log(passes(0.9, { direction: "higher", passAt: 0.8 })); // true
 * ```
 */
export const passes = (score: number | boolean, scale: ScoreScale): boolean | undefined =>
  typedReading("passes", () => {
    if (typeof score !== "boolean" && !Number.isFinite(score))
      throw invalidInput(`passes needs true, false or a finite number as the score, not ${show(score)}`);
    if (!isScale(scale))
      throw invalidInput(
        `passes needs the scale of the metric, such as { direction: "higher", passAt: 0.8 }, not ${show(scale)}`,
      );
    return isPassing(score, scale);
  });
