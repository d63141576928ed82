/** Summary evaluators over repetitions: pass@k and pass^k. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput } from "../../core/errors.js";
import { checkOptions, type OptionChecks, required, wholeFrom } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { numbered, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Passes } from "../../openevals-statistics.types.js";
import {
  ofShares,
  PASS_RATE_OPTIONS,
  type PassRateOptions,
  passedOf,
  type ScoreSummaryEvaluator,
  scoreMetric,
} from "./score-metrics.js";

/** The options of {@link passAtK} and {@link passHatK}. */
export interface PassAtKOptions extends PassRateOptions {
  /** The number of attempts, from 1. */
  k: number;
}

/**
 * Makes a summary evaluator for pass@k: the probability that at least one of `k` attempts passes, averaged over the examples.
 * Each example needs at least `k` repetitions; more make the estimate more precise. The estimator is by Chen et al.
 * (*Evaluating large language models trained on code*, 2021), over all subsets of `k` repetitions.
 *
 * Runs with an error and results that are not applicable are not attempts. Examples with fewer than `k` attempts are left
 * out; the `comment` says how many.
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
 * Makes a summary evaluator for pass^k: the probability that all of `k` attempts pass, averaged over the examples. It measures
 * how reliable an agent is (Yao et al., *τ-bench*, 2024). Repetitions and errors count as in {@link passAtK}.
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

const PASS_AT_K_OPTIONS: OptionChecks<PassAtKOptions> = {
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
  const metric = scoreMetric(name, read, `${suffix}${k}`, async (found) => {
    const { exampleIds } = found;
    if (!exampleIds) {
      throw invalidInput(
        `${name} needs examples: runs with the same example id are attempts at the same example`,
      );
    }
    const passed = passedOf(found, read);
    const examples = numbered(exampleIds);
    const { estimate, ...counts } = await statisticsEngine.run(name, passed.length, () =>
      bindings.passChance(which, k, passed, examples, settingsOf(read).level),
    );
    const { examples: count, leftOut } = counts;
    const all = count + leftOut;
    const share = `${whole(leftOut)} of ${counted(all, "example")}`;
    const why = leftOut === 1 ? "is left out because it has" : "are left out because they have";
    const comment = `${share} ${why} fewer than ${k} results.`;
    return { ...estimate, count, ...(leftOut && { comment }) };
  });
  return ofShares(metric);
}
