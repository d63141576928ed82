/** Several opinions on the same question, and the one verdict that they come to. */

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
import type { EvaluatorResult } from "../../core/types.js";
import type { Tally, VoteRule } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";

/** What one of several opinions was. */
export type Vote = {
  /** The score; missing where there is none. */
  score?: number | boolean;
  /** Why. */
  comment?: string;
  /** Why there is no score. */
  error?: { code: OpenEvalsErrorCode; message: string };
};

/** An opinion, or what there is instead of one. */
export type Opinion<Result extends EvaluatorResult = EvaluatorResult> = {
  /** Whose it is. */
  name: string;
} & ({ result: Result; error?: undefined } | { result?: undefined; error: OpenEvalsError });

/** What counts as a verdict. */
export interface Ballot {
  rule: VoteRule;
  /** How many have to have an opinion. */
  quorum: number;
  /** What messages call those who were asked: `judges`. */
  voters: string;
}

/** What opinions came to. */
export interface Majority<Result> {
  /** Of the type of the scores by majority and unanimously, and else a number. */
  score: number | boolean;
  /** The first result of those whose scores are nearest to that of the verdict. */
  nearest: Result;
  /** How far the scores are from it. */
  tally: Tally;
  /** All results. */
  results: Result[];
}

/** How many are more than half. */
export const moreThanHalf = (count: number): number => Math.floor(count / 2) + 1;

/** Asks all at once, and waits for all of them. */
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

/** An opinion as the metadata of the verdict has it. */
export const voteOf = ({ result, error }: Opinion): Vote =>
  result
    ? { score: result.score, ...(result.comment !== undefined && { comment: result.comment }) }
    : { error: { code: error.code, message: error.message } };

/**
 * The verdict of opinions.
 *
 * @throws {@link OpenEvalsError} Where fewer than the quorum have one: with the code of the first failure, who failed with
 * what, and as `cause` an `AggregateError` of all failures. `invalid_config` where true and false cannot be counted
 * together with numbers.
 */
export async function verdictOf<Result extends EvaluatorResult>(
  opinions: readonly Opinion<Result>[],
  { rule, quorum, voters }: Ballot,
): Promise<Majority<Result>> {
  const results = opinions.flatMap(({ result }) => result ?? []);
  if (results.length < quorum) throw withoutQuorum(opinions, quorum, voters);
  const keepsType = rule === "majority" || rule === "unanimous";
  const isBoolean = keepsType && haveBooleans(opinions, rule);
  const scores = Float64Array.from(results, ({ score }) => Number(score));
  const engine = judgesEngine.loaded ?? (await judgesEngine.load());
  const tally = engine.run("a vote", scores.length, () => bindings.tally(jsonOf(rule), scores)) as Tally;
  const distances = scores.map((score) => Math.abs(score - tally.score));
  const nearest = results[distances.indexOf(Math.min(...distances))] as Result;
  return { score: isBoolean ? tally.score === 1 : tally.score, nearest, tally, results };
}

/** What all failed with, if it is the same: that it was one of several who were asked need not be said. */
export function sharedFailure(opinions: readonly Opinion[]): OpenEvalsError | undefined {
  const first = opinions[0]?.error;
  return opinions.every(({ error }) => error && error.message === first?.message) ? first : undefined;
}

/** How many requests were sent for opinions, those of the failures too. */
export const attemptsOf = (opinions: readonly Opinion[]): number =>
  opinions.reduce((sum, { result, error }) => {
    return sum + (error ? (error.attempts ?? 0) : Number(result?.metadata?.["attempts"] ?? 0));
  }, 0);

/** Whether scores are true and false; they may not be mixed with numbers where it counts which ones are equal. */
function haveBooleans(opinions: readonly Opinion[], rule: VoteRule): boolean {
  const one = opinions.find(({ result }) => typeof result?.score === "boolean");
  const other = opinions.find(({ result }) => typeof result?.score === "number");
  if (one && other) {
    throw invalidConfig(
      `vote: "${rule}" cannot count true and false together with numbers, and ${one.name} gave ${one.result?.score}, ` +
        `${other.name} ${other.result?.score}; "mean" and "median" take true for 1 and false for 0`,
    );
  }
  return one !== undefined;
}

/** How many names and reasons a message has. */
const MOST_SHOWN = 5;

function withoutQuorum(opinions: readonly Opinion[], quorum: number, voters: string): OpenEvalsError {
  const failed = opinions.flatMap(({ name, error }) => (error ? { name, error } : []));
  const namesByReason = new Map<string, string[]>();
  for (const { name, error } of failed)
    namesByReason.set(error.message, [...(namesByReason.get(error.message) ?? []), name]);
  const reasons = [...namesByReason].map(
    ([reason, names]) => `${listed(names, ", ")}: ${reason.replace(/\.$/, "")}`,
  );
  const message =
    `${opinions.length - failed.length} of ${opinions.length} ${voters} came to a score, and it takes ${quorum}. ` +
    `${listed(reasons, "; ")}.`;
  const cause = new AggregateError(
    failed.map(({ error }) => error),
    `${failed.length} of ${opinions.length} ${voters} failed.`,
  );
  return reworded(failed[0]?.error as OpenEvalsError, message, { cause });
}

function listed(texts: readonly string[], between: string): string {
  const more = texts.length - MOST_SHOWN;
  const shown = texts.slice(0, MOST_SHOWN).join(between);
  return more > 0 ? `${shown}${between}and ${more} more` : shown;
}
