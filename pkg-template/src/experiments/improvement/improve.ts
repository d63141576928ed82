import { OpenEvalsError, typedWork } from "../../core/errors.js";
import {
  anything,
  aString,
  type Checks,
  checkOptions,
  numberFromTo,
  required,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { OPTIONS as CALIBRATE_OPTIONS, type CalibrateOptions } from "../calibration/options.js";
import { PromptSearch } from "./search.js";
import type { MakeJudge } from "./trial.js";
import type { Improvement, ImproveOptions } from "./types.js";

const OPTIONS: Checks<ImproveOptions> = {
  prompt: required(aString),
  model: required(anything),
  rounds: wholeFrom(1, 100),
  heldOut: numberFromTo(0.1, 0.9),
  cacheKey: aString,
};

/**
 * Looks for a prompt with which a judge agrees more often with people who have labelled rows.
 *
 * The rows are split by the seed of `calibration`. Of those for finding changes, a model sees what the judge and people see
 * differently, and proposes another prompt. What is better on these is tried on the rows that are held out, which the model
 * never sees, beside the best prompt so far, and is kept if it agrees with people there more often than chance explains: by
 * McNemar's exact test for verdicts and classes, or the paired permutation test for how far scores are off, two-sided, with
 * the p-value times `rounds` (Bonferroni's correction for as many looks at the same rows). All that the model learns of these
 * rows is whether a proposal was kept. So in at most 5 % of runs in which no proposal changes anything, one is kept.
 *
 * A judge that fails on a row that is held out counts as wrong there. Rows with the same content are on the same side, and are
 * one observation. A proposal that loses a variable of the prompt or has another one, is too long, or quotes rows that are held
 * out is refused, and a model that fails or answers what cannot be used costs its round: both are told in the trail.
 *
 * What is kept was chosen by the rows that are held out, so that `after` is a little too good; the interval of `difference`
 * allows for it. Calibrate on rows that were labelled later for a figure to rely on.
 *
 * @param judge Makes the judge of a prompt.
 * @param calibration The options of {@link calibrate}, with the labelled rows. `seed` is also that of the split, and one minus
 * `level` how often chance may make something better: 5 % by default.
 * @returns The best prompt, what the judge is worth with it and without it on the rows that are held out, and what was
 * proposed. Plain data.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` where there are too few
 * labelled rows, which says how many are needed, `aborted` when the signal fires, and what {@link calibrate} throws with the
 * prompt that is given.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 * import { improve } from "openevals-wasm/judges";
 *
 * export async function betterPrompt() {
 *   const { prompt, before, after, trail } = await improve(
 *     (prompt) => createLLMAsJudge({ prompt, model: "openai:gpt-5.4-mini" }),
 *     { data: "labelled.jsonl", label: "human", maxConcurrency: 8 },
 *     { prompt: "Is this answer polite?\n<answer>{outputs}</answer>", model: "openai:gpt-5.4" },
 *   );
 *   console.log(before.accuracy.value, after.accuracy.value, trail.map(({ comment }) => comment));
 *   return prompt;
 * }
 * ```
 */
export async function improve(
  judge: MakeJudge,
  calibration: CalibrateOptions,
  options: ImproveOptions,
): Promise<Improvement> {
  if (typeof judge !== "function") {
    throw new OpenEvalsError(
      "invalid_config",
      `The judge is ${show(judge)}; it has to be a function that makes one of a prompt, such as (prompt) => createLLMAsJudge({ prompt, model }).`,
    );
  }
  const read = checkOptions("improve", options, OPTIONS);
  const settings = checkOptions("calibrate", calibration, CALIBRATE_OPTIONS);
  return typedWork("improve", () => new PromptSearch(judge, settings, read).run());
}
