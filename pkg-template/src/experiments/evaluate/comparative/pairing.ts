/** Pairs the rows of several experiments by their examples. */

import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { same } from "../../../core/input/same.js";
import { checkRows } from "../../../core/records/check-rows.js";
import type { ComparativeRow, UnpairedRow } from "../../../core/records/comparative.js";
import type { Example, Experiment, ExperimentRow, Run } from "../../../core/records/types.js";
import type { ClusterBy } from "../../statistics/clusters.js";
import { commonCluster } from "../../stored/common-cluster.js";
import { rowsByIdentity } from "../../stored/rows-by-identity.js";

/** A repetition of an example with the runs of the experiments, in their order. */
export type PairedRow = Pick<ComparativeRow, "example" | "cluster" | "repetition" | "runs">;

/** The rows that can be compared, and those that cannot. */
export interface PairedRows {
  rows: PairedRow[];
  unpaired: UnpairedRow[];
}

/** Checks that the list has at least two experiments with different names. */
export function checkExperiments(experiments: readonly unknown[]): Experiment[] {
  if (experiments.length < 2) throw invalidInput("evaluateComparative needs at least two experiments");
  const names = new Set<string>();
  return experiments.map((experiment, index) => {
    checkRows(experiment, `experiment ${index + 1}`);
    const { experimentName: name } = experiment as Experiment;
    if (typeof name !== "string" || !name)
      throw invalidInput(`The experiment ${index + 1} needs experimentName, a text`);
    if (names.has(name)) {
      throw invalidInput(
        `Two experiments have the name ${show(name)}. Give each experiment a different name`,
      );
    }
    names.add(name);
    return experiment as Experiment;
  });
}

/** Pairs rows by the id of their example and the repetition. With `clusterBy`, recorded clusters do not count. */
export function pairRows(experiments: readonly Experiment[], clusterBy: ClusterBy | undefined): PairedRows {
  const found = new Map<string, (ExperimentRow | undefined)[]>();
  for (const [index, { rows, experimentName }] of experiments.entries()) {
    for (const [identity, row] of rowsByIdentity(rows, `The experiment ${show(experimentName)}`)) {
      const own = found.get(identity) ?? experiments.map(() => undefined);
      own[index] = row;
      found.set(identity, own);
    }
  }
  const rows: PairedRow[] = [];
  const unpaired: UnpairedRow[] = [];
  for (const all of found.values()) {
    const first = all.find((row) => row !== undefined) as ExperimentRow;
    const { example } = first;
    const repetition = first.run.repetition ?? 0;
    const isDifferent = (row: ExperimentRow) => same(row.example.inputs, example.inputs) !== true;
    const namesOf = (test: (row: ExperimentRow | undefined) => boolean | undefined) =>
      experiments.flatMap(({ experimentName }, index) => (test(all[index]) ? [experimentName] : []));
    const left = {
      missing: namesOf((row) => !row),
      different: namesOf((row) => row && isDifferent(row)),
      failed: namesOf((row) => row && !isDifferent(row) && Boolean(row.run.error)),
    };
    if (left.missing.length + left.failed.length + left.different.length)
      unpaired.push({ exampleId: String(example.id), repetition, ...left });
    const runs = all.map((row) => (!row || isDifferent(row) || row.run.error ? null : row.run));
    if (runs.filter(Boolean).length < 2) continue;
    checkIds(runs, example);
    const cluster = clusterBy === undefined ? commonCluster(all) : undefined;
    rows.push({ example, ...(cluster !== undefined && { cluster }), repetition, runs });
  }
  return { rows, unpaired };
}

/** Checks that the ids of runs differ, since scores refer to them. */
function checkIds(runs: readonly (Run | null)[], { id: exampleId }: Example): void {
  const seen = new Set<string>();
  for (const run of runs) {
    if (!run) continue;
    if (typeof run.id !== "string" || !run.id || seen.has(run.id)) {
      throw invalidInput(
        `The example ${show(exampleId)} has two runs with the id ${show(run.id)}. Scores refer to it, so give each run a ` +
          "different id",
      );
    }
    seen.add(run.id);
  }
}
