/** Scores a row several times. */

import { msSince } from "../../core/platform/elapsed.js";
import { moreThanHalf, opinionsOf, sharedFailure, usageOfAll, verdictOf, voteOf } from "../judge/vote.js";
import type { JudgedResult } from "./evaluator.js";
import type { EmbeddingPart } from "./questions.js";

/**
 * The mean of several samples. If half of them or more find nothing to score, neither does the result.
 *
 * @throws {@link OpenEvalsError} Unless more than half of the samples returned a result.
 */
export async function sampled<Details>(
  count: number,
  score: () => Promise<JudgedResult<Details>>,
): Promise<JudgedResult<Details>> {
  if (count === 1) return score();
  const started = performance.now();
  const names = Array.from({ length: count }, (_, index) => `sample ${index + 1}`);
  const opinions = await opinionsOf(names, score as () => Promise<JudgedResult<Details> & { score: number }>);
  const failure = sharedFailure(opinions);
  if (failure) throw failure;
  const empty = opinions.flatMap(({ result }) => (result?.applicable === false ? result : []));
  const scored = opinions.filter(({ result }) => result?.applicable !== false);
  const quorum = moreThanHalf(count);
  if (empty[0] && count - empty.length < quorum) return empty[0];
  const {
    score: mean,
    nearest,
    tally,
  } = await verdictOf(scored, { rule: "mean", quorum, voters: "samples" });
  const { agreement, standardDeviation } = tally;
  const all = opinions.flatMap(({ result }) => result?.metadata ?? []);
  const usage = usageOfAll(opinions);
  const parts = opinions.flatMap(({ result, error }) => (result ?? error).metadata?.parts ?? []);
  return {
    ...nearest,
    score: Number(mean),
    metadata: {
      ...nearest.metadata,
      ...(usage && { usage }),
      ...(parts.length && { parts: parts as EmbeddingPart[] }),
      attempts: all.reduce((sum, { attempts }) => sum + attempts, 0),
      latencyMs: msSince(started),
      ...(agreement !== undefined && { confidence: agreement }),
      ...(standardDeviation !== undefined && { standardDeviation }),
      voteRule: "mean",
      votes: opinions.map(voteOf),
    },
  };
}
