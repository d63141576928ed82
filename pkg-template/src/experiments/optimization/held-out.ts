/** Compares the best candidate with the given prompt on the held-out rows. */

import { compareExperiments } from "../comparison/compare.js";
import type { DataRow } from "../evaluate/data/types.js";
import { compareLosses } from "../improvement/compare.js";
import type { Split } from "../improvement/split.js";
import type { ClusterBy } from "../statistics/clusters.js";
import { type Candidate, pairedLosses, scoredRows } from "./candidate.js";
import type { Passes } from "./passes.js";
import type { CandidateTest } from "./types.js";

interface Tested {
  test: CandidateTest;
  /** A key that is significantly worse. */
  worse: string | undefined;
}

export async function testOnHeldOut(
  first: Candidate,
  best: Candidate,
  { heldOut, unitOf }: Split<DataRow>,
  passes: Passes,
  { clusterBy, ...settings }: { seed: number; level: number; clusterBy: ClusterBy | undefined },
): Promise<Tested> {
  const before = await passes.run("held-out-0", first, heldOut);
  const after = await passes.run(`held-out-${best.round}`, best, heldOut);
  const given = scoredRows(before);
  const [from, to] = pairedLosses(given.values(), scoredRows(after, given).values());
  const difference = await compareLosses("optimize", from, to, unitOf, { ...settings, looks: 1 });
  const keys = await compareExperiments(before, after, { ...settings, clusterBy });
  // Without an adjustment for the number of keys: a prompt that may harm one is not kept.
  const worse = Object.entries(keys).find(([key, { difference, pValue }]) => {
    const sign = before.scales?.[key]?.direction === "lower" ? 1 : -1;
    return sign * (difference ?? 0) > 0 && (pValue ?? 1) <= 1 - settings.level;
  });
  return { test: { prompt: best.prompt, round: best.round, difference, keys }, worse: worse?.[0] };
}
