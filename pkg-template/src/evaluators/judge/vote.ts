/** Several opinions on the same question, and the verdict of their vote. */

import { jsonOf } from "../../core/engine/crossing.js";
import { judgesEngine } from "../../core/engine/judges.js";
import {
  callbackFailed,
  invalidConfig,
  isOurs,
  type OpenEvalsError,
  type OpenEvalsErrorCode,
  reworded,
} from "../../core/errors.js";
import { withoutStop } from "../../core/full-stop.js";
import { hideKeys } from "../../core/input/secrets/keys.js";
import { sumOfUsage, type TokenUsage } from "../../core/records/usage.js";
import type { EvaluatorResult, ScoreScale } from "../../core/types.js";
import type { Tally, VoteRule } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import { withUsageOf } from "../calls/failed-parts.js";

/** One vote: a score, or an error. */
export type Vote = {
  /** The score; missing if the vote failed. */
  score?: number | boolean;
  /** The reasoning. */
  comment?: string;
  /** The error that left it without a score. */
  error?: { code: OpenEvalsErrorCode; message: string };
};

/** The opinion of one voter: its result, or its error. */
export type Opinion<Result extends EvaluatorResult = EvaluatorResult> = {
  /** The name of the voter. */
  name: string;
} & ({ result: Result; error?: undefined } | { result?: undefined; error: OpenEvalsError });

/** How opinions are counted. */
export interface VoteOptions {
  rule: VoteRule;
  /** How many opinions must have a score. */
  quorum: number;
  /** The plural noun for the voters in messages: `judges`. */
  voters: string;
  /** The scale of the scores; higher is better by default. */
  scale?: ScoreScale | undefined;
}

/** The outcome of a vote. */
export interface VoteOutcome<Result> {
  /**
   * A boolean if the voters gave booleans and the rule keeps their type (`majority`, `unanimous`), otherwise a number.
   */
  score: number | boolean;
  /** The first of the results whose scores are nearest to the verdict. */
  nearest: Result;
  /** How far the scores agree with the verdict. */
  tally: Tally;
  /** All results. */
  results: Result[];
}

/** The smallest majority of `count` voters. */
export const moreThanHalf = (count: number): number => Math.floor(count / 2) + 1;

/** Asks all voters in parallel and waits for all of them. */
export function opinionsOf<Result extends EvaluatorResult>(
  names: readonly string[],
  ask: (index: number) => Promise<Result>,
): Promise<Opinion<Result>[]> {
  const opinion = async (name: string, index: number): Promise<Opinion<Result>> => {
    try {
      return { name, result: await ask(index) };
    } catch (thrown) {
      return { name, error: isOurs(thrown) ? thrown : callbackFailed("The judge", thrown) };
    }
  };
  return Promise.all(names.map(opinion));
}

/** An opinion in the form of the verdict's metadata. Experiments record it, so an error has no keys. */
export const voteOf = ({ result, error }: Opinion): Vote =>
  result
    ? { score: result.score, ...(result.comment !== undefined && { comment: result.comment }) }
    : { error: { code: error.code, message: hideKeys(error.message) } };

/**
 * Counts opinions.
 *
 * @throws {@link OpenEvalsError} If fewer than the quorum have a score: with the code of the first failure, a message
 * that names who failed and why, and an `AggregateError` of all failures as `cause`. `invalid_config` if booleans and
 * numbers are mixed and the rule cannot combine them.
 */
export async function verdictOf<Result extends EvaluatorResult>(
  opinions: readonly Opinion<Result>[],
  { rule, quorum, voters, scale }: VoteOptions,
): Promise<VoteOutcome<Result>> {
  const results = opinions.flatMap(({ result }) => result ?? []);
  if (results.length < quorum) throw quorumNotReached(opinions, quorum, voters);
  const keepsType = rule === "majority" || rule === "unanimous";
  const isBoolean = keepsType && haveBooleans(opinions, rule);
  // These rules choose the lowest score where they have to, which has to be the worst one.
  const sign = keepsType && scale?.direction === "lower" ? -1 : 1;
  const scores = Float64Array.from(results, ({ score }) => sign * Number(score));
  const tally = (await judgesEngine.run("a vote", scores.length, () =>
    bindings.tally(jsonOf(rule), scores),
  )) as Tally;
  const distances = scores.map((score) => Math.abs(score - tally.score));
  const nearest = results[distances.indexOf(Math.min(...distances))] as Result;
  // Without a negative zero.
  const score = sign * tally.score + 0;
  return { score: isBoolean ? score === 1 : score, nearest, tally, results };
}

/** The error that all opinions share, if they do, with what all of them used. The vote adds nothing else to it. */
export function sharedFailure(opinions: readonly Opinion[]): OpenEvalsError | undefined {
  const first = opinions[0]?.error;
  const isShared = opinions.every(({ error }) => error && error.message === first?.message);
  return isShared ? withUsageOf(first, opinions.map(outcomeOf)) : undefined;
}

const outcomeOf = ({ result, error }: Opinion): EvaluatorResult | OpenEvalsError => result ?? error;

/** The tokens of all opinions, including those that failed. */
export const usageOfAll = (opinions: readonly Opinion[]): TokenUsage | undefined =>
  sumOfUsage(opinions.map((opinion) => outcomeOf(opinion).metadata));

/** The number of requests sent for all opinions, including those that failed. */
export const attemptsOf = (opinions: readonly Opinion[]): number =>
  opinions.reduce((sum, { result, error }) => {
    return sum + (error ? (error.attempts ?? 0) : Number(result?.metadata?.attempts ?? 0));
  }, 0);

/** Whether the scores are booleans. A rule that compares scores for equality cannot mix them with numbers. */
function haveBooleans(opinions: readonly Opinion[], rule: VoteRule): boolean {
  const withBoolean = opinions.find(({ result }) => typeof result?.score === "boolean");
  const withNumber = opinions.find(({ result }) => typeof result?.score === "number");
  if (withBoolean && withNumber) {
    throw invalidConfig(
      `vote: "${rule}" cannot mix booleans with numbers: ${withBoolean.name} gave ${withBoolean.result?.score}, ` +
        `${withNumber.name} ${withNumber.result?.score}. Use "mean" or "median", which count true as 1 and false as 0`,
    );
  }
  return withBoolean !== undefined;
}

/** How many names and reasons an error lists at most. */
const MAX_SHOWN = 5;

function quorumNotReached(opinions: readonly Opinion[], quorum: number, voters: string): OpenEvalsError {
  const failed = opinions.flatMap(({ name, error }) => (error ? { name, error } : []));
  const namesByReason = new Map<string, string[]>();
  for (const { name, error } of failed)
    namesByReason.set(error.message, [...(namesByReason.get(error.message) ?? []), name]);
  const reasons = [...namesByReason].map(
    ([reason, names]) => `${listed(names, ", ")}: ${withoutStop(reason)}`,
  );
  const message =
    `${opinions.length - failed.length} of ${opinions.length} ${voters} returned a score, but the quorum is ${quorum}. ` +
    `${listed(reasons, "; ")}.`;
  const cause = new AggregateError(
    failed.map(({ error }) => error),
    `${failed.length} of ${opinions.length} ${voters} failed.`,
  );
  return withUsageOf(
    reworded(failed[0]?.error as OpenEvalsError, message, { cause }),
    opinions.map(outcomeOf),
  );
}

function listed(texts: readonly string[], between: string): string {
  const more = texts.length - MAX_SHOWN;
  const shown = texts.slice(0, MAX_SHOWN).join(between);
  return more > 0 ? `${shown}${between}and ${more} more` : shown;
}
