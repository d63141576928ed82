/** How likely scores are, and what says so. */

import { statisticsEngine } from "../../../core/engine/statistics.js";
import { OpenEvalsError } from "../../../core/errors.js";
import * as bindings from "../../../openevals-statistics.js";
import type { ScoreDistribution } from "../../../openevals-statistics.types.js";
import { moreThanHalf, type Opinion, sharedFailure, type Vote, verdictOf, voteOf } from "../vote.js";
import type { Took } from "./ask.js";
import type { FormRange } from "./prompts.js";

/** A form that was filled in. */
export interface Filled {
  score: number;
  reasoning?: string;
}

/** A form that was filled in, with what it took. */
export type FormSample = {
  key: string;
  /** The score of the form. */
  score: number;
  comment?: string;
  metadata: Took;
};

/** What one of several samples of {@link createGEval} said: a score of the form, or an error in its place. */
export type GEvalVote = Vote & { score?: number };

export interface FormScores {
  method: "logprobs" | "samples";
  distribution: ScoreDistribution;
  comment: string | undefined;
  /** What each sample said. */
  votes?: GEvalVote[];
}

/** By the probabilities of an answer's tokens, if they tell. */
export async function ofTokens(
  { score, comment, metadata }: FormSample,
  range: FormRange,
): Promise<FormScores | undefined> {
  const { logprobs: tokens } = metadata;
  if (!tokens) return undefined;
  const [lowest, highest] = range;
  const distribution = await statisticsEngine.run("createGEval", tokens.length, () =>
    bindings.scoresOfTokens({ tokens, score, lowest, highest }),
  );
  return distribution && { method: "logprobs", distribution, comment };
}

/**
 * By how often each score was given.
 *
 * @throws {@link OpenEvalsError} Where no more than half of the samples came to a score.
 */
export async function ofVotes(samples: readonly Opinion<FormSample>[]): Promise<FormScores> {
  const failure = sharedFailure(samples);
  if (failure) throw failure;
  const quorum = moreThanHalf(samples.length);
  const { results, nearest } = await verdictOf(samples, { rule: "mean", quorum, voters: "samples" });
  const distribution = await statisticsEngine.run("createGEval", results.length, () =>
    bindings.scoresOfVotes(Uint32Array.from(results, ({ score }) => score)),
  );
  if (!distribution) throw new OpenEvalsError("engine_failed", "There were no samples to take a mean of.");
  const votes = samples.map(voteOf) as GEvalVote[];
  return { method: "samples", distribution, comment: nearest.comment, votes };
}
