/** Combines votes into a verdict. */

import { sumOfUsage } from "../../core/records/usage.js";
import type { EvaluatorResult } from "../../core/types.js";
import { attemptsOf, type Opinion } from "../../evaluators/judge/vote.js";
import type { PairwiseMetadata, PairwiseVote, Winner } from "./types.js";

/** The verdict of one judge, from a vote for each order. */
export interface JudgeVerdict extends EvaluatorResult {
  /** From -1 (always prefers the output shown second) to 1 (always the first); `null` for one order. */
  positionBias: number | null;
  votes: PairwiseVote[];
}

export const SCORES: Record<Winner, number> = { first: 1, tie: 0.5, second: 0 };

/** The verdict of one judge: that of its votes if all orders agree, otherwise a tie. */
export function judgeVerdict(key: string, votes: PairwiseVote[]): JudgeVerdict {
  const [first] = votes;
  const agrees = first && votes.every(({ winner }) => winner === first.winner);
  const leanings = votes.map(({ winner, shownFirst }): number => {
    if (winner === "tie") return 0;
    return winner === shownFirst ? 1 : -1;
  });
  return {
    key,
    score: SCORES[agrees ? first.winner : "tie"],
    metadata: { attempts: votes.reduce((sum, { metadata }) => sum + metadata.attempts, 0) },
    positionBias: votes.length > 1 ? meanOf(leanings) : null,
    votes,
  };
}

/** The winner by the mean score of all judges. */
export const winnerOf = (mean: number): Winner => (mean > 0.5 ? "first" : mean < 0.5 ? "second" : "tie");

export function pairwiseMetadata(
  winner: Winner,
  opinions: readonly Opinion<JudgeVerdict>[],
  latencyMs: number,
): PairwiseMetadata {
  const verdicts = opinions.flatMap(({ result }) => result ?? []);
  const failures = opinions.flatMap(({ error }, judge) =>
    error ? [{ judge, code: error.code, message: error.message }] : [],
  );
  const votes = verdicts.flatMap((verdict) => verdict.votes);
  const biases = verdicts.flatMap(({ positionBias }) => positionBias ?? []);
  const models = new Set(votes.map(({ metadata }) => metadata.model));
  const [model] = models;
  const usage = sumOfUsage(
    [...votes, ...opinions.flatMap(({ error }) => error ?? [])].map(({ metadata }) => metadata),
  );
  return {
    winner,
    positionBias: biases.length ? meanOf(biases) : null,
    votes,
    ...(failures.length && { failures }),
    ...(models.size === 1 && model !== undefined && { model }),
    ...(usage && { usage }),
    latencyMs,
    attempts: attemptsOf(opinions),
  };
}

/** The comments of all votes that have one. */
export function commentOf(votes: readonly PairwiseVote[]): string | undefined {
  const several = new Set(votes.map(({ judge }) => judge)).size > 1;
  const comments = votes.flatMap(({ judge, shownFirst, comment }) => {
    if (!comment) return [];
    return [`${several ? `Judge ${judge + 1}, ` : ""}A is the ${shownFirst}: ${comment}`];
  });
  return comments.length ? comments.join("\n") : undefined;
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
