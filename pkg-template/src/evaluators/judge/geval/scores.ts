/** The distribution of scores, from token probabilities or from samples. */

import { statisticsEngine } from "../../../core/engine/statistics.js";
import { OpenEvalsError } from "../../../core/errors.js";
import * as bindings from "../../../openevals-statistics.js";
import type { ScoreDistribution } from "../../../openevals-statistics.types.js";
import { moreThanHalf, type Opinion, sharedFailure, type Vote, verdictOf, voteOf } from "../vote.js";
import type { AnswerMetadata } from "./ask.js";
import type { FormRange } from "./prompts.js";

/** A form that the judge has filled in. */
export interface FilledForm {
  score: number;
  reasoning?: string;
}

/** A filled-in form as a result, so that samples can be counted as votes. */
export type FormSample = {
  key: string;
  /** The score of the form. */
  score: number;
  comment?: string;
  metadata: AnswerMetadata;
};

/** The vote of one sample of {@link createGEval}: a score of the form, or an error. */
export type GEvalVote = Vote & { score?: number };

export interface FormScores {
  method: "logprobs" | "samples";
  distribution: ScoreDistribution;
  comment: string | undefined;
  /** The vote of each sample. */
  votes?: GEvalVote[];
}

/**
 * Computes the distribution from an answer's token probabilities; `undefined` if it has none, or too few are scores.
 */
export async function scoresFromLogprobs(
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
 * Computes the distribution from the scores of several samples.
 *
 * @throws {@link OpenEvalsError} Unless more than half of the samples returned a score.
 */
export async function scoresFromSamples(samples: readonly Opinion<FormSample>[]): Promise<FormScores> {
  const failure = sharedFailure(samples);
  if (failure) throw failure;
  const quorum = moreThanHalf(samples.length);
  const { results, nearest } = await verdictOf(samples, { rule: "mean", quorum, voters: "samples" });
  const distribution = await statisticsEngine.run("createGEval", results.length, () =>
    bindings.scoresOfVotes(Uint32Array.from(results, ({ score }) => score)),
  );
  if (!distribution) throw new OpenEvalsError("engine_failed", "The engine got no samples.");
  const votes = samples.map(voteOf) as GEvalVote[];
  return { method: "samples", distribution, comment: nearest.comment, votes };
}
