import { invalidConfig, invalidInput } from "../../core/errors.js";
import {
  aString,
  type Checks,
  check,
  checkOptions,
  isListOf,
  oneOf,
  required,
  wholeFrom,
} from "../../core/input/checks.js";
import { allRows } from "../../core/input/rows.js";
import { sumOfUsage, type TokenUsage } from "../../core/records/usage.js";
import { PASS_OPTIONS, type PassOptions, type ScoreScale, scaleOf, withPassMark } from "../../core/scale.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { VoteRule } from "../../openevals.types.js";
import { readCall } from "../checks/combining/combination.js";
import { onlyResult, type PartEvaluator, partName } from "../results/parts.js";
import { msSince } from "./model.js";
import { moreThanHalf, opinionsOf, type Vote, verdictOf, voteOf } from "./vote.js";

/** The options of {@link createJury}. */
export interface JuryOptions extends PassOptions {
  /** Who is asked: judges of this package, all its other evaluators that give one score, and functions of your own. */
  judges: readonly PartEvaluator[];
  /**
   * How their scores become one:
   *
   * - `majority` (the default): the score that most give; where as many give another one, the lowest of these, so that an
   *   even split of true and false is `false`, and `metadata.tie` is `true`;
   * - `mean` and `median`: a number, `true` being 1 and `false` 0;
   * - `unanimous`: `true` if all say so; of numbers, the lowest.
   *
   * `majority` and `unanimous` count which scores are equal, so true and false cannot be mixed with numbers.
   */
  vote?: VoteRule | undefined;
  /**
   * How many have to come to a score; those that fail, or give none, do not count. By default more than half of the judges,
   * and all of them for `unanimous`.
   */
  quorum?: number | undefined;
  /** The `key` of the result; `jury` by default. */
  feedbackKey?: string | undefined;
}

/** What one judge of a jury said. */
export type JuryVote = Vote & {
  /** The key of its results or its name; where that is missing, or another judge has it, its place: `judges[0]`. */
  name: string;
  /** What it says of its score, such as the model and the tokens it used. */
  metadata?: Record<string, unknown>;
};

/** How a jury came to its verdict. */
export type JuryMetadata = {
  /** What each judge said, in the order of `judges`. */
  votes: JuryVote[];
  /**
   * How far they agree with the verdict, from 0 to 1: by `majority` and `unanimous`, the share of votes that are the verdict;
   * by `mean` and `median`, 1 without the mean distance of the votes from it. Missing for numbers beyond 0 and 1.
   */
  agreement?: number;
  /** The same, for whoever compares it with how often the verdict is right, as `calibrate()` does. */
  confidence?: number;
  /** That of the scores, `true` being 1 and `false` 0. */
  standardDeviation?: number;
  /** That as many gave a higher score. */
  tie?: true;
  /** The models that judged, as far as judges tell. */
  models?: string[];
  /** The tokens that all used, as far as judges tell. */
  usage?: TokenUsage;
  /** How long the whole took. */
  latencyMs: number;
};

/** The result of a jury. */
export type JuryResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The verdict. */
  score: number | boolean;
  /** Why, with a line for each judge that says so. */
  comment?: string;
  /** How it came about. */
  metadata: JuryMetadata;
};

/** An evaluator that asks several. */
export interface Jury {
  (outputs: unknown, referenceOutputs?: unknown): Promise<JuryResult>;
  /** Called with whatever its judges are. */
  (params: Record<string, unknown>): Promise<JuryResult>;
  /** The `key` of its results. */
  readonly feedbackKey: string;
  /** What its scores mean: as those of its judges, where these agree. */
  readonly scale: ScoreScale;
  /**
   * Judges many rows, all at the same time; the results are in their order. One row that cannot be judged rejects the
   * batch; the error names it.
   */
  batch(rows: readonly Record<string, unknown>[]): Promise<JuryResult[]>;
}

const OPTIONS: Checks<JuryOptions> = {
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
 * Makes one evaluator of several that judge the same: all are asked at once, with what the jury is called with, and vote.
 *
 * One that fails does not lose the verdict as long as the quorum stands. What it failed with is in `metadata.votes`, and is
 * never a score.
 *
 * @returns An evaluator whose result is `{ key, score, comment, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and from the evaluator for scores that the
 * vote cannot count together. Where the quorum does not stand, the evaluator throws an error with the code of the first
 * failure; its message names who failed, and its `cause` is an `AggregateError` with the errors of all of them.
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
  // A copy: later changes to the list would be half in effect.
  const members = [...judges];
  const { quorum = rule === "unanimous" ? members.length : moreThanHalf(members.length) } = rest;
  if (quorum > members.length)
    throw invalidConfig(`quorum is ${quorum}, and there are only ${members.length} judges`);
  const names = namesOf(members);

  const evaluate = async (params: unknown): Promise<JuryResult> => {
    const started = performance.now();
    const opinions = await opinionsOf(names, async (index) => {
      const judge = members[index] as PartEvaluator;
      return onlyResult(await judge(params), judge);
    });
    const verdict = await verdictOf(opinions, { rule, quorum, voters: "judges" });
    const { agreement, standardDeviation, isTie } = verdict.tally;
    const found = verdict.results.map(({ metadata }) => metadata);
    const models = [...new Set(found.flatMap((metadata) => modelsIn(metadata)))];
    const usage = sumOfUsage(found);
    const comments = opinions.flatMap(({ name, result }) =>
      result?.comment === undefined ? [] : [`${name} (${result.score}): ${result.comment}`],
    );
    return {
      key,
      score: verdict.score,
      ...(comments.length && { comment: comments.join("\n") }),
      metadata: {
        votes: opinions.map((opinion) => {
          const { name, result } = opinion;
          return { name, ...voteOf(opinion), ...(result?.metadata && { metadata: result.metadata }) };
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
    async (rows: readonly unknown[]) => {
      if (!Array.isArray(rows)) throw invalidInput(`${key}.batch needs a list of rows`);
      return allRows(rows, evaluate);
    },
  );
  const scale = withPassMark(sharedScale(members), { passAt, lowerIsBetter });
  return withAccessOf(Object.assign(evaluator, { scale }), members) as object as Jury;
}

/** The scale of judges that have the same. */
function sharedScale(judges: readonly PartEvaluator[]): ScoreScale {
  const [first = VERDICT, ...others] = judges.map(scaleOf);
  const text = JSON.stringify(first);
  return others.every((other) => JSON.stringify(other) === text) ? first : VERDICT;
}

/** What messages call the judges. */
function namesOf(judges: readonly PartEvaluator[]): string[] {
  const names = judges.map(partName);
  return names.map((name, index) =>
    name && names.indexOf(name) === names.lastIndexOf(name) ? name : `judges[${index}]`,
  );
}

/** The models that a judge tells of, which may be a jury itself. */
function modelsIn({ model, models }: Record<string, unknown> = {}): string[] {
  return [model, ...(Array.isArray(models) ? models : [])].filter((name) => typeof name === "string");
}
