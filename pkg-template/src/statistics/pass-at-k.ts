/** Summary evaluators over repetitions: how likely attempts pass. */

import { OpenEvalsError } from "../../errors.js";
import { figuresOf } from "./figures.js";
import { required } from "./metric.js";
import { type PassRateOptions, passes, type ScoreSummaryEvaluator, scoreMetric } from "./score-metrics.js";

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
  return overAttempts("passAtK", "pass_at_k", "pass@", options);
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
  return overAttempts("passHatK", "pass_hat_k", "pass^", options);
}

function overAttempts(
  name: string,
  summary: "pass_at_k" | "pass_hat_k",
  suffix: string,
  options: PassAtKOptions,
): ScoreSummaryEvaluator {
  const { k } = options ?? {};
  const evaluate = scoreMetric(name, options, ["k", "atLeast"], `${suffix}${k}`, async (found) => {
    const { scores, exampleIds } = found;
    if (!exampleIds) {
      throw new OpenEvalsError(
        "invalid_input",
        `${name} needs the examples, whose ids tell which runs are attempts at the same one.`,
      );
    }
    const attempts = new Map<string, { count: number; passed: number }>();
    passes(name, scores, options).forEach((passed, index) => {
      const id = exampleIds[index] as string;
      const before = attempts.get(id) ?? { count: 0, passed: 0 };
      attempts.set(id, { count: before.count + 1, passed: before.passed + passed });
    });
    const enough = [...attempts.values()].filter(({ count }) => count >= k);
    const columns = [enough.map(({ count }) => count), enough.map(({ passed }) => passed)];
    const figures = await figuresOf(summary, options, columns, undefined, [k]);
    const left = attempts.size - enough.length;
    const comment = `${left} of ${attempts.size} examples are left out, since they have fewer than ${k} results.`;
    return { figures, count: enough.length, ...(left && { comment }) };
  });
  required("k", k, "a whole number from 1", (value) => Number.isInteger(value) && value >= 1);
  return evaluate;
}
