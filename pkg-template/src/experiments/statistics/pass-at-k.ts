/** Summary evaluators over repetitions: how likely attempts pass. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError } from "../../core/errors.js";
import { type Checks, checkOptions, required, wholeFrom } from "../../core/input/checks.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Passes } from "../../openevals-statistics.types.js";
import {
  PASS_RATE_OPTIONS,
  type PassRateOptions,
  passedOf,
  type ScoreSummaryEvaluator,
  scoreMetric,
} from "./score-metrics.js";

/** The options of {@link passAtK} and {@link passHatK}. */
export interface PassAtKOptions extends PassRateOptions {
  /** How many attempts there are, from 1. */
  k: number;
}

/**
 * Makes a summary evaluator for pass@k: how likely at least one of `k` attempts passes, on average over the examples.
 * It needs at least `k` repetitions of each example, and is better with more: the estimate of Chen et al. (*Evaluating
 * large language models trained on code*, 2021) goes over all sets of `k` of them.
 *
 * Attempts that failed with an error, and results that are not applicable, are no attempts. Examples that have fewer than
 * `k` are left out, as the comment says.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:pass@<k>", score, interval, metadata }`, where
 * `metadata.count` counts examples.
 * @throws {@link OpenEvalsError} as {@link passRate} does.
 *
 * @example
 * ```ts
 * import { passAtK } from "openevals-wasm/evaluation";
 *
 * const summary = passAtK({ key: "tests_pass", k: 2 });
 * const result = await summary({
 *   examples: [{ id: "a" }, { id: "a" }, { id: "a" }],
 *   evaluationResults: [true, false, false].map((score) => [{ key: "tests_pass", score }]),
 * });
 * console.log(result.score); // 0.666…: two of the three pairs hold the attempt that passed
 * ```
 */
export function passAtK(options: PassAtKOptions): ScoreSummaryEvaluator {
  return overAttempts("passAtK", "once", "pass@", options);
}

/**
 * Makes a summary evaluator for pass^k: how likely all of `k` attempts pass, on average over the examples, which tells
 * how far one can rely on an agent (Yao et al., *τ-bench*, 2024). Like {@link passAtK} in all else.
 *
 * @returns A summary evaluator with the result `{ key: "<key>:pass^<k>", score, interval, metadata }`.
 * @throws {@link OpenEvalsError} as {@link passRate} does.
 *
 * @example
 * ```ts
 * import { passHatK } from "openevals-wasm/evaluation";
 *
 * const summary = passHatK({ key: "tests_pass", k: 2 });
 * const result = await summary({
 *   examples: [{ id: "a" }, { id: "a" }, { id: "a" }],
 *   evaluationResults: [true, true, false].map((score) => [{ key: "tests_pass", score }]),
 * });
 * console.log(result.score); // 0.333…: one of the three pairs holds only attempts that passed
 * ```
 */
export function passHatK(options: PassAtKOptions): ScoreSummaryEvaluator {
  return overAttempts("passHatK", "always", "pass^", options);
}

const PASS_AT_K_OPTIONS: Checks<PassAtKOptions> = {
  ...PASS_RATE_OPTIONS,
  k: required(wholeFrom(1)),
};

function overAttempts(
  name: string,
  which: Passes,
  suffix: string,
  options: PassAtKOptions,
): ScoreSummaryEvaluator {
  const read = checkOptions(name, options, PASS_AT_K_OPTIONS);
  const { k } = read;
  return scoreMetric(name, read, `${suffix}${k}`, async (found) => {
    const { exampleIds } = found;
    if (!exampleIds) {
      throw new OpenEvalsError(
        "invalid_input",
        `${name} needs the examples, whose ids tell which runs are attempts at the same one.`,
      );
    }
    const passed = passedOf(found, read);
    const examples = numbered(exampleIds);
    const { estimate, ...counts } = await statisticsEngine.run(name, passed.length, () =>
      bindings.passChance(which, k, passed, examples, settingsOf(read).level),
    );
    const { examples: count, leftOut } = counts;
    const all = count + leftOut;
    const comment = `${leftOut} of ${all} examples are left out, since they have fewer than ${k} results.`;
    return { ...estimate, count, ...(leftOut && { comment }) };
  });
}
