import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import {
  aString,
  check,
  checkOptions,
  isListOf,
  type OptionChecks,
  oneOf,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { scoreBatch } from "../../core/input/rows.js";
import { same } from "../../core/input/same.js";
import { PASS_OPTIONS, type PassOptions, scaleOf, withPassMark } from "../../core/passing.js";
import { msSince } from "../../core/platform/elapsed.js";
import { modelsIn } from "../../core/records/judge-models.js";
import type { TokenUsage } from "../../core/records/usage.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { ScoreScale } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type { VoteRule } from "../../openevals.types.js";
import { onlyResult, type PartEvaluator, partName } from "../calls/parts.js";
import { readCall } from "../checks/combining/combination.js";
import { moreThanHalf, type Opinion, opinionsOf, usageOfAll, type Vote, verdictOf, voteOf } from "./vote.js";

/** The options of {@link createJury}. */
export interface JuryOptions extends PassOptions {
  /** The members: judges of this package, its other evaluators with a single score, or your own functions. */
  judges: readonly PartEvaluator[];
  /**
   * How the scores become one:
   *
   * - `majority` (the default): the most frequent score. In a tie, the worst of the most frequent ones, so an even split
   *   does not pass, and `metadata.tie` is `true`;
   * - `mean` and `median`: a number; `true` counts as 1 and `false` as 0;
   * - `unanimous`: the worst score, so that it passes only if all of them pass.
   *
   * The worst score is the lowest, or the highest if lower is better: `false`, or `true` for a judge of toxicity. So members
   * with different directions or ranges cannot be mixed. `majority` and `unanimous` compare scores for equality, so booleans
   * and numbers cannot be mixed there.
   */
  vote?: VoteRule | undefined;
  /**
   * How many judges must return a score; those that fail or return none do not count. By default, more than half of the
   * judges; for `unanimous`, all of them.
   */
  quorum?: number | undefined;
  /** The `key` of the result; `jury` by default. */
  feedbackKey?: string | undefined;
}

/** The vote of one judge in a jury. */
export type JuryVote = Vote & {
  /**
   * The key of its results, or its name. If it has neither, or shares it with another judge, its place: `judges[0]`.
   */
  name: string;
  /** The metadata of its result, such as the model and its token usage. If it failed, what it used until then. */
  metadata?: Record<string, unknown>;
};

/** The details of a jury's verdict. */
export type JuryMetadata = {
  /** How the votes became one score: the option `vote`. */
  voteRule: VoteRule;
  /** The vote of each judge, in the order of `judges`. */
  votes: JuryVote[];
  /**
   * How far the votes agree with the verdict, from 0 to 1. For `majority` and `unanimous`: the share of votes with that
   * score. For `mean` and `median`: 1 minus their mean distance from it. Missing for scores outside 0 to 1.
   */
  agreement?: number;
  /** The same as `agreement`, under the name that `calibrate()` reads. */
  confidence?: number;
  /** The standard deviation of the scores; `true` counts as 1 and `false` as 0. */
  standardDeviation?: number;
  /** `true` if a better score got as many votes. */
  tie?: true;
  /** The models that judged, as far as the judges report them. */
  models?: string[];
  /** The tokens used by all judges, as far as they report them. */
  usage?: TokenUsage;
  /** The duration in milliseconds. */
  latencyMs: number;
};

/** The result of a jury. */
export type JuryResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The verdict. */
  score: number | boolean;
  /** The comments of the judges, one line each. */
  comment?: string;
  /** The votes, their agreement and the total usage. */
  metadata: JuryMetadata;
};

/** An evaluator that asks several judges. */
export interface Jury {
  (outputs: unknown, referenceOutputs?: unknown): Promise<JuryResult>;
  /** Calls all judges with the same parameters. */
  (params: Record<string, unknown>): Promise<JuryResult>;
  /** The `key` of its results. */
  readonly feedbackKey: string;
  /** The range, direction and pass mark of its scores: those of its judges, if they agree. */
  readonly scale: ScoreScale;
  /**
   * Judges many rows in parallel and returns the results in their order. If one row fails, the batch is rejected with
   * an error that names the row.
   */
  batch(rows: readonly Record<string, unknown>[]): Promise<JuryResult[]>;
}

const OPTIONS: OptionChecks<JuryOptions> = {
  judges: required(
    check("a list of at least one evaluator", (list) => {
      return isListOf(list, (judge) => typeof judge === "function") && list.length > 0;
    }),
  ),
  vote: oneOf(["majority", "mean", "median", "unanimous"] satisfies VoteRule[]),
  quorum: wholeFrom(1),
  feedbackKey: aString,
  ...PASS_OPTIONS,
};

/**
 * Combines several judges into one evaluator: it calls all of them in parallel with the same parameters, and they vote.
 *
 * A judge that fails does not lose the verdict while the others reach the quorum. Its error is in `metadata.votes`, and
 * is never a score.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and from the evaluator for scores that
 * the vote cannot combine. If the quorum is not reached, the evaluator throws an error with the code of the first
 * failure. Its message names the judges that failed, and its `cause` is an `AggregateError` with all errors.
 *
 * @example
 * ```ts
 * import { createJury } from "openevals-wasm/judges";
 *
 * const jury = createJury({
 *   judges: [
 *     function short({ outputs }: { outputs: string }) {
 *       return outputs.length < 20;
 *     },
 *     function kind({ outputs }: { outputs: string }) {
 *       return outputs.includes("please");
 *     },
 *     function calm({ outputs }: { outputs: string }) {
 *       return !outputs.includes("!");
 *     },
 *   ],
 *   vote: "majority",
 * });
 * const { score, metadata } = await jury({ outputs: "Wait, please!" });
 * console.log(score, metadata.agreement); // true 0.666…
 * ```
 */
export function createJury(options: JuryOptions): Jury {
  const {
    judges,
    vote: rule = "majority",
    feedbackKey: key = "jury",
    passAt,
    lowerIsBetter,
    ...rest
  } = checkOptions("createJury", options, OPTIONS);
  // Copied, so that later changes to the caller's list have no effect.
  const members = [...judges];
  const { quorum = rule === "unanimous" ? members.length : moreThanHalf(members.length) } = rest;
  if (quorum > members.length)
    throw invalidConfig(`quorum is ${quorum}, but there are only ${members.length} judges`);
  const names = namesOf(members);
  const scale = withPassMark(sharedScale(members, names, lowerIsBetter), { passAt, lowerIsBetter });

  const evaluate = async (params: unknown): Promise<JuryResult> => {
    const started = performance.now();
    const opinions = await opinionsOf(names, async (index) => {
      const judge = members[index] as PartEvaluator;
      return onlyResult(await judge(params), judge);
    });
    checkBooleans(opinions, scale);
    const verdict = await verdictOf(opinions, { rule, quorum, voters: "judges", scale });
    const { agreement, standardDeviation, isTie } = verdict.tally;
    const models = [...new Set(verdict.results.flatMap(({ metadata }) => modelsIn(metadata)))];
    const usage = usageOfAll(opinions);
    const comments = opinions.flatMap(({ name, result }) =>
      result?.comment === undefined ? [] : [`${name} (${result.score}): ${result.comment}`],
    );
    return {
      key,
      score: verdict.score,
      ...(comments.length && { comment: comments.join("\n") }),
      metadata: {
        voteRule: rule,
        votes: opinions.map((opinion) => {
          const { name, result, error } = opinion;
          const { metadata } = result ?? error;
          return { name, ...voteOf(opinion), ...(metadata && { metadata: { ...metadata } }) };
        }),
        ...(agreement !== undefined && { agreement, confidence: agreement }),
        ...(standardDeviation !== undefined && { standardDeviation }),
        ...(isTie && { tie: true as const }),
        ...(models.length && { models }),
        ...(usage && { usage }),
        latencyMs: msSince(started),
      },
    };
  };

  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => evaluate(readCall(key, args)),
    (rows: readonly unknown[]) => scoreBatch(key, rows, evaluate),
  );
  return withAccessOf(Object.assign(evaluator, { scale }), members) as object as Jury;
}

/** The judges' scale. If only their marks differ, it has none. Scores of different directions or ranges cannot be combined. */
function sharedScale(
  judges: readonly PartEvaluator[],
  names: readonly string[],
  lowerIsBetter: boolean | undefined,
): ScoreScale {
  const scales = judges.map(scaleOf);
  // The option is for judges without a direction.
  const directions = scales.map((scale) =>
    lowerIsBetter === undefined || !same(scale, VERDICT) ? scale.direction : undefined,
  );
  checkSame(names, directions, (index) => `${directions[index]} scores are better`);
  const ranges = judges.map(rangeOf);
  checkSame(names, ranges, (index) => {
    const { min, max } = scales[index] as ScoreScale;
    return min === max ? "scores are true or false" : `scores are from ${min ?? "…"} to ${max ?? "…"}`;
  });
  const [first = VERDICT] = scales;
  if (scales.every((scale) => same(scale, first))) return first;
  const { min, max } = scales.find((scale) => scale.min !== scale.max) ?? {};
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    direction: directions.find((direction) => direction) ?? "higher",
  };
}

/** The range of scores, if it is known. `true` and `false` count as 1 and 0; a function without a scale may return any number. */
function rangeOf(judge: PartEvaluator): readonly (number | undefined)[] | undefined {
  const { min, max, passAt, unit } = scaleOf(judge);
  if (min !== max) return [min, max];
  const isVerdict = "scale" in judge && unit === undefined && (passAt === 0 || passAt === 1);
  return isVerdict ? [0, 1] : undefined;
}

/**
 * Checks that the judges with a value have the same one.
 *
 * @param wordsOf A judge's value in words.
 * @throws {@link OpenEvalsError} `invalid_config` if they do not.
 */
function checkSame(
  names: readonly string[],
  values: readonly unknown[],
  wordsOf: (index: number) => string,
): void {
  const first = values.findIndex((value) => value !== undefined);
  const other = values.findIndex((value) => value !== undefined && !same(value, values[first]));
  if (other < 0) return;
  throw cannotVote(
    `The judges of a jury need the same scale, but for ${names[first]}, ${wordsOf(first)}, and for ${names[other]}, ${wordsOf(other)}`,
  );
}

/**
 * Checks votes of functions and checks, which declare no range: `true` and `false` count as 1 and 0.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for a boolean in a jury with another range.
 */
function checkBooleans(opinions: readonly Opinion[], { min = 0, max = 1 }: ScoreScale): void {
  const found = opinions.find(({ result }) => typeof result?.score === "boolean");
  if (!found || (min === 0 && max === 1)) return;
  throw cannotVote(
    `${found.name} returned ${found.result?.score}, but the scores of this jury are from ${min} to ${max}`,
  );
}

/** The error for judges whose scores cannot be combined. */
const cannotVote = (why: string): OpenEvalsError =>
  invalidConfig(`${why}. Use several juries, or evaluators outside of a jury`);

/** The names of the judges in messages. */
function namesOf(judges: readonly PartEvaluator[]): string[] {
  const names = judges.map(partName);
  return names.map((name, index) =>
    name && names.indexOf(name) === names.lastIndexOf(name) ? name : `judges[${index}]`,
  );
}
