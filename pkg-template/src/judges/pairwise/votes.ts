/** What several votes come to. */

import { inPlace, type OpenEvalsError } from "../../errors.js";
import type { TokenUsage } from "../../judge/usage.js";
import type { PairwiseMetadata, PairwiseVote, Side, Winner } from "./types.js";

/** What one judge found: a vote for each order that it was asked in. */
export interface Verdict {
  winner: Winner;
  /** From -1 (always the second that is shown) to 1 (always the first); `null` of one order. */
  positionBias: number | null;
  votes: PairwiseVote[];
}

/** The verdict of one judge: what it says in all orders, or else a tie. */
export function verdictOf(votes: PairwiseVote[]): Verdict {
  const [first] = votes;
  const agrees = first && votes.every(({ winner }) => winner === first.winner);
  const leanings = votes.map(({ winner, shownFirst }): number => {
    if (winner === "tie") return 0;
    return winner === shownFirst ? 1 : -1;
  });
  return {
    winner: agrees ? first.winner : "tie",
    positionBias: votes.length > 1 ? meanOf(leanings) : null,
    votes,
  };
}

/** The winner among several verdicts: the one that more of them are for. */
export function majorityOf(verdicts: readonly Verdict[]): Winner {
  const votesFor = (side: Side) => verdicts.filter(({ winner }) => winner === side).length;
  const [first, second] = [votesFor("first"), votesFor("second")];
  return first === second ? "tie" : first > second ? "first" : "second";
}

export const SCORES: Record<Winner, number> = { first: 1, tie: 0.5, second: 0 };

/** What stands beside a score. */
export function metadataOf(
  verdicts: readonly Verdict[],
  failures: readonly { judge: number; error: OpenEvalsError }[],
  latencyMs: number,
): PairwiseMetadata {
  const votes = verdicts.flatMap((verdict) => verdict.votes);
  const biases = verdicts.flatMap(({ positionBias }) => positionBias ?? []);
  const models = new Set(votes.map(({ metadata }) => metadata.model));
  const [model] = models;
  const usage = sumOf(votes.flatMap(({ metadata }) => metadata.usage ?? []));
  return {
    winner: majorityOf(verdicts),
    positionBias: biases.length ? meanOf(biases) : null,
    votes,
    ...(failures.length && {
      failures: failures.map(({ judge, error }) => ({ judge, code: error.code, message: error.message })),
    }),
    ...(models.size === 1 && model !== undefined && { model }),
    ...(usage && { usage }),
    latencyMs,
    attempts: votes.reduce((sum, { metadata }) => sum + metadata.attempts, 0),
  };
}

/** Why, in the words of all votes that gave a reason. */
export function commentOf(votes: readonly PairwiseVote[]): string | undefined {
  const several = new Set(votes.map(({ judge }) => judge)).size > 1;
  const said = votes.flatMap(({ judge, shownFirst, comment }) => {
    if (!comment) return [];
    return [`${several ? `Judge ${judge + 1}, ` : ""}A is the ${shownFirst}: ${comment}`];
  });
  return said.length ? said.join("\n") : undefined;
}

/** The failure of a judge, by its place among several. */
export const failureOf = (judge: number, count: number, error: OpenEvalsError): OpenEvalsError =>
  count > 1 ? inPlace(`judges[${judge}]`, error) : error;

/** The sum of tokens; `undefined` of nothing. */
export function sumOf(all: readonly TokenUsage[]): TokenUsage | undefined {
  if (!all.length) return undefined;
  const sum: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  for (const usage of all) {
    for (const [kind, tokens] of Object.entries(usage) as [keyof TokenUsage, number][])
      sum[kind] = (sum[kind] ?? 0) + tokens;
  }
  return sum;
}

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
