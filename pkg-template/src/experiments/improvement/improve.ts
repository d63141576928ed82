import { invalidConfig, typedWork } from "../../core/errors.js";
import {
  aString,
  checkOptions,
  numberFromTo,
  type OptionChecks,
  required,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { type CalibrateOptions, checkCalibration } from "../calibration/options.js";
import { MODEL_OPTION } from "./propose.js";
import { PromptSearch } from "./search.js";
import type { MakeJudge } from "./trial.js";
import type { Improvement, ImproveOptions } from "./types.js";

const OPTIONS: OptionChecks<ImproveOptions> = {
  prompt: required(aString),
  model: MODEL_OPTION,
  rounds: wholeFrom(1, 100),
  heldOut: numberFromTo(0.1, 0.9),
  cacheKey: aString,
};

/**
 * Searches for a prompt with which a judge agrees more often with human labels.
 *
 * The labelled rows are split into training rows and held-out rows. In each round, a model sees training rows on which the judge
 * and people disagree, and proposes another prompt. If it is better on the training rows, it is compared with the best prompt so
 * far on the held-out rows, which the model never sees, and kept if it is significantly better there. The test is two-sided
 * (McNemar's exact test for verdicts and classes, the paired permutation test for scores), with Bonferroni's correction for
 * `rounds`. So a search whose proposals change nothing keeps one of them in at most 5% of cases, if rows of different clusters are
 * independent.
 *
 * A failure of the judge on a held-out row counts as wrong. Rows of a cluster (`clusterBy`), and rows with the same content, stay
 * on the same side of the split and are one observation. A proposal is refused if it loses or adds a variable, is too long, or
 * quotes held-out rows. A refused proposal and a failure of the model use up their round; `tries` records them.
 *
 * The held-out rows select the prompt, so `after` is slightly optimistic; the interval of `difference` allows for that. For an
 * unbiased figure, calibrate on rows that were labelled later.
 *
 * @param judge Makes a judge with a prompt.
 * @param calibration The options of {@link calibrate}, with the labelled rows. `seed` also seeds the split. One minus `level` is the
 * probability of keeping a prompt by chance: 5% by default.
 * @returns The best prompt, the reports of the judge before and after on the held-out rows, and all proposals. Plain data.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options and a missing key of the model, `invalid_input` for too few
 * labelled rows (the message says how many are needed), `callback_failed` if `judge` throws with the first prompt, and the errors of
 * {@link calibrate} with the first prompt, such as `aborted`. A signal that fires later ends the search instead.
 *
 * @example
 * ```ts
 * import { createLLMAsJudge } from "openevals-wasm";
 * import { improve } from "openevals-wasm/judges";
 *
 * export async function betterPrompt() {
 *   const { prompt, before, after, tries } = await improve(
 *     (prompt) => createLLMAsJudge({ prompt, model: "openai:gpt-5.4-mini" }),
 *     { data: "labelled.jsonl", label: "human", maxConcurrency: 8 },
 *     { prompt: "Is this answer polite?\n<answer>{outputs}</answer>", model: "openai:gpt-5.4" },
 *   );
 *   console.log(before.accuracy.value, after.accuracy.value, tries.map(({ comment }) => comment));
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
    throw invalidConfig(
      `The judge is ${show(judge)}; it has to be a function that makes a judge with a prompt, such as (prompt) => createLLMAsJudge({ prompt, model })`,
    );
  }
  const read = checkOptions("improve", options, OPTIONS);
  const settings = checkCalibration(calibration);
  return typedWork("improve", () => new PromptSearch(judge, settings, read).run());
}
