/** Judges of vitest-evals. */

import { checkOptions, readable } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions } from "../../core/passing.js";
import { toAutoevals } from "./scorers.js";
import { type AnyEvaluator, readEvaluator } from "./scoring.js";

/** A judge of vitest-evals. */
export interface VitestEvalsJudge {
  /** The name in reports: that of the evaluator. */
  name: string;
  /** Scores an answer, from 0 to 1; `null` where the evaluator does not apply. */
  assess(
    context: any,
  ): Promise<{ score: number | null; metadata?: { rationale?: string } & Record<string, any> }>;
}

/**
 * Makes a judge for `toSatisfyJudge` and `describeEval` of vitest-evals from an evaluator.
 *
 * `input` and `output` of the run, and `expected` of the assertion, become `inputs`, `outputs` and `referenceOutputs`; other
 * options of the assertion, such as `context`, keep their names. Scores are converted as for {@link toAutoevals}.
 *
 * @throws {@link OpenEvalsError} as {@link toAutoevals} does.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 * import { toVitestEvalsJudge } from "openevals-wasm/interop";
 *
 * const judge = toVitestEvalsJudge(levenshteinDistance);
 * // In a test: await expect(result).toSatisfyJudge(judge, { expected: "mitten", threshold: 0.8 });
 * console.log(await judge.assess({ output: "kitten", expected: "mitten" })); // { score: 0.8333333333333334 }
 * ```
 */
export function toVitestEvalsJudge(evaluator: AnyEvaluator, options: PassOptions = {}): VitestEvalsJudge {
  const { name, scorer } = readable("toVitestEvalsJudge", () => ({
    name: readEvaluator("toVitestEvalsJudge", evaluator).name,
    scorer: toAutoevals(evaluator, checkOptions("toVitestEvalsJudge", options, PASS_OPTIONS)),
  }));
  return {
    name,
    // The rest belongs to the harness, and is not data.
    async assess({
      run: _run,
      session: _session,
      harness: _harness,
      runJudge: _runJudge,
      signal: _signal,
      ...args
    }) {
      const { score, metadata } = await scorer(args);
      return { score, ...(metadata && { metadata }) };
    },
  };
}
