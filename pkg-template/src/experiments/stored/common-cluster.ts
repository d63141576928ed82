import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { ExperimentRow } from "../../core/records/types.js";

/**
 * The recorded cluster of an example in several experiments, of which some may have no clusters.
 *
 * @throws {@link OpenEvalsError} `invalid_input` if the clusters differ.
 */
export function commonCluster(rows: readonly (ExperimentRow | undefined)[]): string | undefined {
  let first: ExperimentRow | undefined;
  for (const row of rows) {
    if (row?.cluster === undefined) continue;
    first ??= row;
    if (row.cluster === first.cluster) continue;
    throw invalidInput(
      `The experiments have different clusters: the example ${show(row.example.id)} is in ${show(first.cluster)} and in ` +
        `${show(row.cluster)}. Evaluate one of them again with the clusterBy of the other. To choose the clusters, set clusterBy ` +
        "of compareExperiments() or evaluateComparative(): the program and reports use those of the experiments",
    );
  }
  return first?.cluster;
}
