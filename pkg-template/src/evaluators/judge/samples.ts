/** Asks one judge the same question several times. */

import { msSince } from "../../core/platform/elapsed.js";
import type { ScoreScale } from "../../core/types.js";
import type { JudgeResult } from "./result.js";
import {
  attemptsOf,
  moreThanHalf,
  opinionsOf,
  sharedFailure,
  usageOfAll,
  verdictOf,
  voteOf,
} from "./vote.js";

/**
 * Asks `count` times in parallel and combines the answers into one result.
 *
 * @throws {@link OpenEvalsError} Unless more than half of the samples returned a score.
 */
export async function judgeSamples(
  count: number,
  isContinuous: boolean,
  scale: ScoreScale,
  ask: () => Promise<JudgeResult>,
): Promise<JudgeResult> {
  const started = performance.now();
  const names = Array.from({ length: count }, (_, index) => `sample ${index + 1}`);
  const opinions = await opinionsOf(names, ask);
  const failure = sharedFailure(opinions);
  if (failure) throw failure;
  const rule = isContinuous ? "mean" : "majority";
  const { score, nearest, tally } = await verdictOf(opinions, {
    rule,
    quorum: moreThanHalf(count),
    voters: "samples",
    scale,
  });
  const usage = usageOfAll(opinions);
  const { agreement, standardDeviation, isTie } = tally;
  return {
    ...nearest,
    score,
    metadata: {
      ...nearest.metadata,
      ...(usage && { usage }),
      latencyMs: msSince(started),
      attempts: attemptsOf(opinions),
      ...(agreement !== undefined && { confidence: agreement }),
      ...(standardDeviation !== undefined && { standardDeviation }),
      ...(isTie && { tie: true as const }),
      voteRule: rule,
      votes: opinions.map(voteOf),
    },
  };
}
