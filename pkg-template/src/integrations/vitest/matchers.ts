/** The matchers for `expect`. */

import { invalidConfig, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { checkedParams } from "../../core/input/checked-params.js";
import { checkValue, noSuchOption, show } from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import {
  boundOf,
  PASS_OPTIONS,
  type PassOptions,
  passesByMark,
  scaleOf,
  withPassMark,
} from "../../core/passing.js";
import type { EvaluationResult } from "../../core/records/types.js";
import { VERDICT } from "../../core/scales.js";
import { visibleLines } from "../../core/terminal-text.js";
import type { ScoreScale } from "../../core/types.js";
import { resultsIn } from "../../evaluators/calls/answers.js";
import { failureOf, toPlain } from "../../evaluators/calls/plain.js";
import { checkRange, isFailure } from "../../evaluators/calls/read-results.js";
import { reportEvaluation, type Task } from "./task-report.js";
import { valueLines } from "./value-lines.js";

/**
 * An evaluator for {@link evaluatorMatchers}: a function of this package or your own that takes
 * `{ inputs, outputs, referenceOutputs }`, or an Eval Recipe, whose `evaluate` takes messages and tools.
 */
export type TestEvaluator = ((params: any) => unknown) | { evaluate(messages: any, tools?: any): unknown };

/**
 * The options of `toPassEvaluator`. All others are passed to the evaluator. By default, the evaluator's own scale
 * decides which scores pass.
 */
export interface ToPassEvaluatorOptions extends PassOptions {
  /** The inputs of the application. */
  inputs?: unknown;
  /** The expected outputs. */
  referenceOutputs?: unknown;
  /** The Python spelling of `referenceOutputs`. */
  reference_outputs?: unknown;
  /** The key of the only result that counts, for an evaluator that returns several. */
  key?: string;
  /** The tools that the messages call, for an evaluator with `evaluate`. */
  tools?: readonly unknown[];
  /** Any other parameter of the evaluator. */
  [variable: string]: unknown;
}

/** The matchers as methods of `expect`, which extend the types of test frameworks. */
export interface EvaluatorMatchers {
  /**
   * Passes if every result of the evaluator does: its score is `true`, or a number that reaches the pass mark (see `passAt`). If
   * the evaluator throws or a result is not applicable, the test fails with that error, even after `.not`.
   *
   * @example
   * ```ts no-run
   * import { levenshteinDistance } from "openevals-wasm";
   * import "openevals-wasm/vitest";
   * import { expect, test } from "vitest";
   *
   * test("the answer is close to what it was", async () => {
   *   await expect("kitten").toPassEvaluator(levenshteinDistance, { referenceOutputs: "mitten", passAt: 0.8 });
   * });
   * ```
   */
  toPassEvaluator(evaluator: TestEvaluator, options?: ToPassEvaluatorOptions): Promise<void>;
}

/** The fields of a result that the matchers read, in all forms that evaluators return. */
interface MatchedResult {
  key?: unknown;
  evalName?: unknown;
  score?: unknown;
  applicable?: boolean;
  comment?: unknown;
  feedback?: unknown;
  error?: unknown;
}

/** Parameters with names close to these are rejected as misspelt options. */
const OWN_OPTIONS = ["passAt", "lowerIsBetter", "referenceOutputs"];

/**
 * The matchers, for an `expect` that this entry point does not find on import:
 * `expect.extend(evaluatorMatchers)`.
 *
 * @example
 * ```ts
 * import { evaluatorMatchers } from "openevals-wasm/vitest";
 * import { expect } from "vitest";
 *
 * expect.extend(evaluatorMatchers);
 * ```
 */
export const evaluatorMatchers = {
  toPassEvaluator(
    this: unknown,
    outputs: unknown,
    evaluator: TestEvaluator,
    options: ToPassEvaluatorOptions = {},
  ): Promise<MatcherResult> {
    const state = Object(this) as MatcherState;
    // There, frameworks take the promise for a result, and `.not` would always pass.
    if ("isNot" in state && !("promise" in state))
      throw invalidConfig(
        "toPassEvaluator is asynchronous, so it cannot be used inside another matcher, as expect.toPassEvaluator(). Write await expect(outputs).toPassEvaluator(evaluator)",
      );
    return match(state, outputs, evaluator, options);
  },
};

interface MatcherResult {
  pass: boolean;
  message: () => string;
}

async function match(
  { task, isNot = false }: MatcherState,
  outputs: unknown,
  evaluator: TestEvaluator,
  options: ToPassEvaluatorOptions,
): Promise<MatcherResult> {
  const { passAt, lowerIsBetter, key, tools, ...params } = options;
  checkValue("passAt", passAt, PASS_OPTIONS.passAt);
  checkValue("lowerIsBetter", lowerIsBetter, PASS_OPTIONS.lowerIsBetter);
  for (const name of Object.keys(params)) {
    if (name === "referenceOutputs" || name === "reference_outputs") continue;
    if (nearest(name, OWN_OPTIONS)) throw noSuchOption("toPassEvaluator", name, OWN_OPTIONS);
  }
  // Other test frameworks call the pass mark so. Only scorers without a scale, such as the ones of autoevals, have such a parameter.
  if (params.threshold !== undefined && Object(evaluator).scale !== undefined)
    throw invalidConfig('toPassEvaluator has no option "threshold"; did you mean passAt?');
  const answer = await outputs;
  const started = performance.now();
  const reportCall = (outcome: { results: MatchedResult[] } | { thrown: unknown }, isPass: boolean) => {
    if (!task) return;
    const evaluation = evaluationOf(outcome, { evaluator, scale, params, answer, started, isPass });
    reportEvaluation(task, isNot ? asserted(evaluation) : evaluation);
  };
  const scale = withPassMark(scaleOf(evaluator), { passAt, lowerIsBetter });
  let results: MatchedResult[];
  let failing: MatchedResult[];
  try {
    let returned: unknown;
    if (typeof evaluator === "function") {
      returned = await evaluator(checkedParams({ ...params, ...(tools && { tools }), outputs: answer }));
    } else if (typeof evaluator?.evaluate === "function") {
      returned = await evaluator.evaluate(answer, tools ?? []);
    } else {
      throw invalidConfig(
        `toPassEvaluator needs an evaluator: a function, or an object with evaluate(messages, tools); it got ${show(evaluator)}`,
      );
    }
    results = resultsOf(returned, nameOf(evaluator), key);
    for (const result of results)
      checkRange(keyOf(result), result.score, nameOf(evaluator), (evaluator as { scale?: ScoreScale }).scale);
    failing = results.filter(
      (result) => !passesByMark(keyOf(result), result.score as number | boolean, scale),
    );
  } catch (thrown) {
    reportCall({ thrown }, false);
    throw thrown;
  }
  const pass = failing.length === 0;
  const reference = params.referenceOutputs ?? params.reference_outputs;
  reportCall({ results }, pass !== isNot);
  return {
    pass,
    // After `.not`, the message is for results that all pass.
    message: () =>
      report(failing.length ? failing : results, scale, pass, passAt === undefined, {
        outputs: answer,
        ...(reference !== undefined && { referenceOutputs: reference }),
      }),
  };
}

/** The `this` of a matcher in Vitest; Jest has no task. Inside another matcher, there is no `promise`. */
interface MatcherState {
  task?: Task;
  promise?: string;
  isNot?: boolean;
}

type Evaluation = Parameters<typeof reportEvaluation>[1];

/** A call as plain data for the reporter, which runs in another process. */
function evaluationOf(
  outcome: { results: MatchedResult[] } | { thrown: unknown },
  call: {
    evaluator: TestEvaluator;
    scale: ScoreScale;
    params: Record<string, unknown>;
    answer: unknown;
    started: number;
    isPass: boolean;
  },
): Evaluation {
  const { inputs, referenceOutputs, reference_outputs } = call.params;
  const name = nameOf(call.evaluator);
  return {
    inputs: plain(inputs),
    outputs: plain(call.answer),
    referenceOutputs: plain(referenceOutputs ?? reference_outputs),
    durationMs: performance.now() - call.started,
    scale: call.scale,
    isPass: call.isPass,
    evaluationResults: "results" in outcome ? outcome.results.map(resultOf) : [],
    errors: "thrown" in outcome ? [{ key: name, error: failureOf(outcome.thrown) }] : [],
  };
}

/** A call after `.not`, as what it asserts: these scores are meant to be low, so they are no part of the evaluator's mean. */
function asserted(evaluation: Evaluation): Evaluation {
  const { evaluationResults: results, errors, isPass } = evaluation;
  const keys = [...new Set(results.map(({ key }) => key))];
  const comment = results.flatMap(({ comment }) => comment ?? []).join("\n");
  return {
    ...evaluation,
    scale: VERDICT,
    evaluationResults: keys.length
      ? [{ key: `not ${keys.join(", ")}`, score: isPass, ...(comment && { comment }) }]
      : [],
    errors: errors.map(({ key, error }) => ({ key: `not ${key}`, error })),
  };
}

/** The key that an evaluator declares, or the name of its function. Results may have other keys. */
function nameOf(evaluator: TestEvaluator): string {
  const { feedbackKey, name } = Object(evaluator) as { feedbackKey?: unknown; name?: unknown };
  const key = feedbackKey ?? (typeof evaluator === "function" && name);
  return typeof key === "string" && key ? key : "evaluator";
}

function resultOf(result: MatchedResult): EvaluationResult {
  const why = result.comment ?? result.feedback;
  return {
    key: keyOf(result),
    score: result.score as number | boolean,
    ...(why ? { comment: String(why) } : undefined),
  };
}

/** A value, or its printed form if it is not JSON. */
function plain(value: unknown): unknown {
  try {
    return toPlain(value, "value");
  } catch {
    return show(value);
  }
}

/**
 * The results to test, each with a score.
 *
 * @param name The key for a bare score.
 */
function resultsOf(returned: unknown, name: string, key: string | undefined): MatchedResult[] {
  const all = resultsIn(returned).map((result) => {
    const isScore = typeof result === "boolean" || Number.isFinite(result);
    return (isScore ? { key: name, score: result } : result) as MatchedResult;
  });
  const results = key === undefined ? all : all.filter((result) => keyOf(result) === key);
  if (results.length === 0) {
    throw noScore(
      all.length
        ? `No result has the key ${show(key)}. The keys of this evaluator are ${all.map(keyOf).join(", ")}.`
        : "The evaluator returned no results, so nothing can pass.",
    );
  }
  for (const result of results) {
    const { score, applicable, error } = result ?? {};
    if (error instanceof Error) throw error;
    if (isFailure(error)) throw noScore(`${keyOf(result)} failed: ${reasonOf(error)}`);
    if (applicable === false || score === null)
      throw noScore(`${keyOf(result)} is not applicable${because(result)}`);
    if (typeof score !== "boolean" && !Number.isFinite(score)) {
      const what = typeof score === "number" ? `the score ${score}` : show(result);
      throw noScore(
        `The evaluator returned ${what}; a result needs a score, which is a finite number, true or false.`,
      );
    }
  }
  return results;
}

function report(
  results: readonly MatchedResult[],
  scale: ScoreScale,
  isNot: boolean,
  isDefaultMark: boolean,
  values: { outputs: unknown; referenceOutputs?: unknown },
): string {
  const lines = results.map((result) => {
    const { score } = result;
    const bound = isNot
      ? `${scale.direction === "lower" ? "more" : "less"} than ${scale.passAt}`
      : boundOf(scale);
    const wanted = typeof score === "boolean" ? !score : bound;
    const hint = isDefaultMark && typeof score === "number" ? ". Set passAt for another mark" : "";
    return `${keyOf(result)}: the score is ${score}, it should be ${wanted}${hint}${because(result)}`;
  });
  const title = `expect(outputs)${isNot ? ".not" : ""}.toPassEvaluator(evaluator)`;
  // Test frameworks print messages unchanged, and models wrote parts of them.
  return visibleLines([title, "", ...lines, "", ...valueLines(values, lines)].join("\n"));
}

const keyOf = (result: MatchedResult): string => String(result?.key ?? result?.evalName ?? "the evaluator");

/** The comment of a result, on its own lines. */
function because({ comment, feedback }: MatchedResult): string {
  const why = comment ?? feedback;
  return why ? `\n  ${String(why).replaceAll("\n", "\n  ")}` : "";
}

const noScore = (message: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", visibleLines(message));
