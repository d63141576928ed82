/** Compares the runs of several experiments pairwise. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { sumOfUsage } from "../../core/records/usage.js";
import { allAsked } from "../../evaluators/calls/failed-parts.js";
import { pairsOf } from "../evaluate/comparative/schedule.js";
import type { PairwiseParams, PairwiseResult, PairwiseRunParams, PairwiseScores } from "./types.js";

type Compare = (params: PairwiseParams) => Promise<PairwiseResult>;

/** Compares each run with every other run, concurrently. */
export async function compareRuns(
  compare: Compare,
  key: string,
  params: PairwiseRunParams,
): Promise<PairwiseScores> {
  const { runs, example: _, outputs, ...variables } = params;
  const ids = Array.from(runs, (run) => run?.id);
  const hasInvalidId = ids.some((id, index) => typeof id !== "string" || ids.indexOf(id) < index);
  if (hasInvalidId || ids.length < 2)
    throw invalidInput(`A pairwise judge needs at least two runs with different ids, not ${show(ids)}`);
  if (!Array.isArray(outputs) || outputs.length !== ids.length)
    throw invalidInput("A pairwise judge needs one output for each run");
  // A run may have no outputs.
  const answered = Array.from(outputs, (output) => output ?? {});
  const pairs = pairsOf(ids.length, undefined, () => 0);
  const results = await allAsked(
    pairs.map(([one, other]) => compare({ ...variables, outputs: [answered[one], answered[other]] })),
  );
  const points = ids.map(() => 0);
  for (const [index, [one, other]] of pairs.entries()) {
    const score = results[index]?.score ?? 0;
    points[one] = (points[one] ?? 0) + score;
    points[other] = (points[other] ?? 0) + 1 - score;
  }
  const scores = Object.fromEntries(ids.map((id, index) => [id, (points[index] ?? 0) / (ids.length - 1)]));
  const [only] = results;
  if (results.length === 1 && only) {
    const { comment, metadata } = only;
    return { key, scores, ...(comment && { comment }), metadata };
  }
  const usage = sumOfUsage(results.map(({ metadata }) => metadata));
  const comparisons = pairs.map(([one, other], index) => ({
    first: ids[one],
    second: ids[other],
    ...results[index],
  }));
  return { key, scores, metadata: { comparisons, ...(usage && { usage }) } };
}
