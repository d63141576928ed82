/** Scorers in the form of autoevals, which Braintrust, Langfuse and evalite also use. */

import { callbackFailed, invalidInput, OpenEvalsError } from "../../core/errors.js";
import {
  aFlag,
  aFunction,
  checkOptions,
  checkValue,
  type OptionChecks,
  oneOf,
  readable,
  required,
  show,
} from "../../core/input/checks.js";
import { referenceOf } from "../../core/input/params.js";
import { allRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, scaleOf, withPassMark } from "../../core/passing.js";
import type { EvaluationResult } from "../../core/records/types.js";
import { SHARE } from "../../core/scales.js";
import { named, tracedEvaluator } from "../../core/tracing/hook.js";
import type { ScoreScale } from "../../core/types.js";
import { readResults } from "../../evaluators/calls/read-results.js";
import { type Quality, qualityOf } from "./quality.js";
import { type AnyEvaluator, readEvaluator } from "./scoring.js";

/** The result of a scorer. */
export interface Score {
  /** The name of the metric. */
  name: string;
  /** From 0 to 1, where 1 is best; `null` if the scorer does not apply. */
  score: number | null;
  /** Other data; `rationale` explains the score. */
  metadata?: Record<string, unknown>;
  /** The reason why there is no usable score. */
  error?: unknown;
}

/** The arguments of a scorer. Others are passed on under their names. */
export interface ScorerArgs {
  /** The input of the application. */
  input?: any;
  /** Its answer. */
  output?: any;
  /** The expected answer. */
  expected?: any;
  [name: string]: any;
}

/** A scorer of autoevals, or in its form. Braintrust's may also return several scores, or a number. */
export type Scorer = (args: any) => unknown;

/** The options of {@link toAutoevals}. */
export interface ToAutoevalsOptions extends PassOptions {
  /**
   * The result if the evaluator does not apply: the score is `null` (the default), or it is an `error`. Langfuse's
   * `createEvaluatorFromAutoevals` reads `null` as 0, so choose `error` there: Langfuse then records no score.
   */
  missing?: "null" | "error" | undefined;
  /** Returns a list of scores, for evaluators with several results. Braintrust takes lists; Langfuse and evalite do not. */
  list?: boolean | undefined;
}

const OPTIONS: OptionChecks<ToAutoevalsOptions> = {
  missing: oneOf(["null", "error"]),
  list: aFlag,
  ...PASS_OPTIONS,
};

/** A scorer made from an evaluator of this package. */
export interface EvaluatorScorer<Scored = Score> {
  (args: ScorerArgs): Promise<Scored>;
  /** The scale of its scores: from 0 to 1, with the pass mark of the evaluator. {@link fromAutoevals} reads it. */
  readonly scale: ScoreScale;
}

/**
 * Makes a scorer in the form of autoevals from an evaluator: for Braintrust's `Eval`, for Langfuse's
 * `createEvaluatorFromAutoevals`, and for the `scorers` of evalite and viteval.
 *
 * `input`, `output` and `expected` become `inputs`, `outputs` and `referenceOutputs`; all other arguments keep their
 * names. These tools expect scores from 0 to 1 where 1 is best. So `true` is 1 and `false` 0, scores on
 * a scale become shares of its range (2 of 1 to 5 is 0.25), and scores where lower is better are inverted: a toxic answer scores 0. Scores without a maximum, such as a
 * word error rate, become 1 if they pass and 0 if not. `metadata.measured` then has the evaluator's own score, and
 * `metadata.rationale` its comment.
 *
 * @returns A scorer whose result is `{ name, score, metadata }`. The `score` is `null` where the evaluator does not apply.
 * @throws {@link OpenEvalsError} `invalid_config` for something that is not an evaluator, and for one without a best score,
 * such as the length of a text, unless `passAt` says what passes. The scorer throws the errors of the evaluator, and
 * `invalid_input` for several results without `list`.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 * import { toAutoevals } from "openevals-wasm/interop";
 *
 * const scorer = toAutoevals(levenshteinDistance);
 * console.log(await scorer({ output: "kitten", expected: "mitten" }));
 * // { name: "levenshtein_distance", score: 0.8333333333333334 }
 * ```
 */
export function toAutoevals(
  evaluator: AnyEvaluator,
  options?: ToAutoevalsOptions & { list?: false | undefined },
): EvaluatorScorer;
/** Makes a scorer that returns a list, for an evaluator with several results. */
export function toAutoevals(
  evaluator: AnyEvaluator,
  options: ToAutoevalsOptions & { list: true },
): EvaluatorScorer<Score[]>;
export function toAutoevals(
  evaluator: AnyEvaluator,
  options: ToAutoevalsOptions = {},
): EvaluatorScorer<Score | Score[]> {
  const { missing, list = false, ...marks } = checkOptions("toAutoevals", options, OPTIONS);
  const { name, score, quality } = readable("toAutoevals", () => {
    const read = readEvaluator("toAutoevals", evaluator);
    return { ...read, quality: qualityOf(read.name, evaluator, marks) };
  });
  const scorer = async (args: ScorerArgs): Promise<Score | Score[]> => {
    if (typeof args !== "object" || args === null)
      throw invalidInput(`${name} needs an object: { input, output, expected }`);
    const { input, output, expected, ...rest } = readable(name, () => ({ ...args }));
    const params = { ...rest, inputs: input, outputs: output, referenceOutputs: expected };
    const scores = (await score(params)).map((result) => scoreOf(result, quality));
    const unscored = scores.find((result) => result.score === null);
    if (missing === "error" && unscored)
      throw invalidInput(`${unscored.name} has no score here${because(unscored.metadata?.rationale)}`);
    if (list) return scores;
    const [first, ...more] = scores;
    if (first && !more.length) return first;
    throw invalidInput(
      `${name} returned ${scores.length} results, and a scorer returns one. Use { list: true } where the tool takes lists`,
    );
  };
  return Object.assign(named(name, scorer), { scale: quality.scale });
}

const because = (rationale: unknown): string => (typeof rationale === "string" ? `: ${rationale}` : "");

function scoreOf({ key, score, comment, value, metadata }: EvaluationResult, quality: Quality): Score {
  const share = score == null ? null : quality.of(score);
  const isConverted = share !== null && share !== Number(score);
  const allMetadata = {
    ...(comment !== undefined && { rationale: comment }),
    ...(value !== undefined && { value }),
    ...metadata,
    ...(isConverted && { measured: score }),
  };
  return { name: key, score: share, ...(Object.keys(allMetadata).length && { metadata: allMetadata }) };
}

/** The parameters of an evaluator made by {@link fromAutoevals}. Other fields are passed on under their names. */
export interface AutoevalsParams {
  /** The `input` of the scorer. */
  inputs?: unknown;
  /** Its `output`. */
  outputs?: unknown;
  /** Its `expected`. */
  referenceOutputs?: unknown;
  /** The Python spelling of `referenceOutputs`. */
  reference_outputs?: unknown;
  [name: string]: unknown;
}

/** An evaluator made from a scorer. */
export interface ScorerEvaluator<Result = EvaluationResult> {
  (params: AutoevalsParams): Promise<Result>;
  /** Scores many rows in parallel and returns the results in their order. */
  batch(rows: readonly AutoevalsParams[]): Promise<Result[]>;
  /** The scale of its scores: from 0 to 1, and 1 passes unless `passAt` is set. */
  readonly scale: ScoreScale;
}

/** One result for each score that a scorer returns. */
type ResultOf<Returned> =
  Awaited<Returned> extends readonly unknown[] ? EvaluationResult[] : EvaluationResult;

/**
 * Makes an evaluator from a scorer of autoevals, or in its form, for `evaluate()`, matchers and combinations.
 *
 * `inputs`, `outputs` and `referenceOutputs` become `input`, `output` and `expected`; all other parameters keep their names.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`, with `metadata.rationale` as the comment. A score
 * of `null` stays missing: the result is not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` if it is not a function. The evaluator throws `callback_failed`, with the
 * `cause`, if the scorer throws or returns an `error`, and `invalid_input` for a score that is not a finite number, or
 * outside of the scale. A scorer of another range declares it as `scale`: `{ min: 0, max: 100, direction: "higher" }`.
 *
 * @example
 * ```ts
 * import { fromAutoevals } from "openevals-wasm/interop";
 *
 * // In your code: import { Levenshtein } from "autoevals";
 * const Levenshtein = ({ output, expected }: { output: string; expected: string }) =>
 *   ({ name: "Levenshtein", score: output === expected ? 1 : 0 });
 * const evaluator = fromAutoevals(Levenshtein);
 * console.log(await evaluator({ outputs: "Oslo", referenceOutputs: "Oslo" })); // { key: "Levenshtein", score: 1 }
 * ```
 */
export function fromAutoevals<Returned>(
  scorer: (args: any) => Returned,
  options: PassOptions = {},
): ScorerEvaluator<ResultOf<Returned>> {
  checkValue("The scorer", scorer, required(aFunction));
  const marks = checkOptions("fromAutoevals", options, PASS_OPTIONS);
  const { name, declared } = readable("fromAutoevals", () => ({
    name: scorer.name || "scorer",
    declared: Object(scorer).scale === undefined ? SHARE : scaleOf(scorer),
  }));
  const scale = withPassMark(declared, marks);
  const evaluate = async (params: AutoevalsParams): Promise<any> => {
    const args = argsOf(name, params);
    let returned: unknown;
    try {
      returned = await scorer(args);
    } catch (thrown) {
      throw OpenEvalsError.isInstance(thrown) ? thrown : callbackFailed(name, thrown);
    }
    const results = readResults(
      [returned].flat().map((score) => resultOf(score, name)),
      name,
      scale,
    );
    return Array.isArray(returned) ? results : results[0];
  };
  const evaluator = tracedEvaluator(name, evaluate, (rows) => allRows(rows, evaluate));
  return Object.assign(evaluator, { scale });
}

function argsOf(name: string, params: AutoevalsParams): ScorerArgs {
  if (typeof params !== "object" || params === null)
    throw invalidInput(`${name} needs an object of parameters. Call it with { outputs, referenceOutputs }`);
  const { inputs, outputs, referenceOutputs: _, reference_outputs: __, ...rest } = params;
  const expected = referenceOf(params);
  // Scorers check whether `expected` exists.
  return { ...rest, input: inputs, output: outputs, ...(expected !== undefined && { expected }) };
}

function resultOf(returned: unknown, label: string): EvaluationResult {
  const isScore = typeof returned === "object" && returned !== null;
  const {
    name = label,
    score,
    metadata,
    error,
  } = (isScore ? returned : { score: returned }) as Partial<Score>;
  if (error != null) throw callbackFailed(name, error);
  if (score === undefined)
    throw invalidInput(
      `${label} returned ${show(returned)}, which has no score. Where it does not apply, its score is null`,
    );
  const { rationale } = Object(metadata);
  const result = {
    key: name,
    score,
    ...(score === null && { applicable: false }),
    ...(typeof rationale === "string" && { comment: rationale }),
    ...(metadata && { metadata }),
  };
  return readResults(result, label)[0] as EvaluationResult;
}
