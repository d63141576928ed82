/** How likely scores are, and what says so. */

import { measure } from "../../engine/statistics.js";
import { OpenEvalsError } from "../../errors.js";
import type { ScoreDistribution } from "../../openevals-statistics.types.js";
import type { Answered } from "./ask.js";
import type { Range } from "./prompts.js";

/** A form that was filled in. */
export interface Filled {
  score: number;
  reasoning?: string;
}

/** What one of several samples of {@link createGEval} said. */
export type GEvalVote = {
  /** The score of the form. */
  score: number;
  /** Why. */
  comment?: string;
};

export interface Scores {
  method: "logprobs" | "samples";
  distribution: ScoreDistribution;
  /** All answers that were asked for. */
  answers: readonly Answered<Filled>[];
  comment: string | undefined;
  /** What each sample said. */
  votes?: GEvalVote[];
}

/** By the probabilities of an answer's tokens, if they tell. */
export async function ofTokens(answered: Answered<Filled>, range: Range): Promise<Scores | undefined> {
  const { answer, metadata } = answered;
  const { logprobs: tokens } = metadata;
  if (!tokens) return undefined;
  const [lowest, highest] = range;
  const distribution = await measure("createGEval", tokens.length, (engine) =>
    engine.scoresOfTokens({ tokens, score: answer.score, lowest, highest }),
  );
  return distribution && { method: "logprobs", distribution, answers: [answered], comment: answer.reasoning };
}

/** By how often each score was given. */
export async function ofVotes(answers: readonly Answered<Filled>[]): Promise<Scores> {
  const votes = answers.map(({ answer: { score, reasoning } }): GEvalVote => {
    return { score, ...(reasoning !== undefined && { comment: reasoning }) };
  });
  const distribution = await measure("createGEval", votes.length, (engine) =>
    engine.scoresOfVotes(Uint32Array.from(votes, ({ score }) => score)),
  );
  if (!distribution) throw new OpenEvalsError("engine_failed", "There were no samples to take a mean of.");
  const distance = (score: number) => Math.abs(score - distribution.expected);
  const [nearest] = [...votes].sort((a, b) => distance(a.score) - distance(b.score));
  return { method: "samples", distribution, answers, comment: nearest?.comment, votes };
}
