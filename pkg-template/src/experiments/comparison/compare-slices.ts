/** Compares the slices of two experiments. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidConfig, invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { joined } from "../../core/input/joined.js";
import type { ExperimentRow, SliceComparison } from "../../core/records/types.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";
import type { ClusterBy } from "../statistics/clusters.js";
import type { KeyComparisonOptions, KeyResults } from "./compare-key.js";
import { compareKeys, NONE, type RowsOfBoth, readResults } from "./compare-rows.js";
import { checkField, nameOf, type SliceBy, sliceNames } from "./slice-by.js";

/** The rows of a slice. */
interface SlicedRows extends Pick<SliceComparison, "by" | "value"> {
  rows: Record<keyof RowsOfBoth, ExperimentRow[]>;
}

/**
 * The slices by one field, in order of appearance. An example is in the slices of the experiment that has the field, if only one has.
 *
 * @throws {@link OpenEvalsError} `invalid_config` if no row is in a slice; `invalid_input` for examples in different slices.
 */
export function slicesOf(rows: RowsOfBoth, by: SliceBy): SlicedRows[] {
  const [earlier, later] = [rows.first, rows.second].map(
    (side) => new Map(side.map(({ example }) => [example.id, sliceNames(example, by, "sliceBy")])),
  ) as [Map<string, Set<string>>, Map<string, Set<string>>];
  checkSame(earlier, later, nameOf(by));
  const slices = new Map<string, SlicedRows>();
  for (const side of ["first", "second"] as const) {
    for (const row of rows[side]) {
      const { id } = row.example;
      for (const value of earlier.get(id)?.size ? earlier.get(id)! : (later.get(id) ?? [])) {
        let slice = slices.get(value);
        if (!slice) {
          slice = { by: nameOf(by), value, rows: { first: [], second: [] } };
          slices.set(value, slice);
        }
        slice.rows[side].push(row);
      }
    }
  }
  if (!slices.size) {
    checkField([...rows.first, ...rows.second], by, "sliceBy");
    throw invalidConfig(
      `sliceBy puts no row into a slice: ${typeof by === "string" ? show(by) : "what the function returns"} is null, undefined or an empty list for all`,
    );
  }
  return [...slices.values()];
}

function checkSame(
  earlier: ReadonlyMap<string, ReadonlySet<string>>,
  later: ReadonlyMap<string, ReadonlySet<string>>,
  by: string,
): void {
  const different = [...earlier].flatMap(([id, names]) => {
    const others = later.get(id);
    if (!names.size || !others?.size) return [];
    const isSame = names.size === others.size && [...names].every((name) => others.has(name));
    return isSame ? [] : [{ id, names, others }];
  });
  const [first] = different;
  if (!first) return;
  const listed = (names: Iterable<string>) => joined(Array.from(names, show), "and");
  throw invalidInput(
    `${counted(different.length, "example")} ${different.length === 1 ? "has" : "have"} another ${by || "slice"} in the ` +
      `second experiment, such as ${show(first.id)}: ${listed(first.names)}, then ${listed(first.others)}. Slices are ` +
      "compared only if they have the same rows. Correct the rows of one experiment, or slice by another field",
  );
}

/** Compares each key in each slice. */
export async function compareSlices(
  slices: readonly SlicedRows[],
  clusterBy: ClusterBy | undefined,
  settings: Settings,
  optionsOf: (key: string) => KeyComparisonOptions,
): Promise<Map<string, SliceComparison[]>> {
  const needed = await statisticsEngine.run("compareExperiments", slices.length, () =>
    bindings.fewestGains(1 - settings.level),
  );
  const found = new Map<string, SliceComparison[]>();
  for (const { by, value, rows } of slices) {
    const results = readResults(rows, clusterBy);
    for (const [key, comparison] of await compareKeys(results, settings, optionsOf)) {
      const units = countUnits(results.first.get(key) ?? NONE, results.second.get(key) ?? NONE);
      const comment =
        `Too few examples or clusters with a score in both experiments to find a difference: the slice has ${units} of ` +
        `the ${needed} needed.`;
      const slice = Object.assign(comparison, { by, value, units, ...(units < needed && { comment }) });
      const ofKey = found.get(key);
      if (ofKey) ofKey.push(slice);
      else found.set(key, [slice]);
    }
  }
  return found;
}

/** The number of examples with a score in both experiments; with clusters, their number. */
const countUnits = ({ scores }: KeyResults, other: KeyResults): number =>
  new Set(
    [...scores].flatMap(([identity, { exampleId, cluster = exampleId }]) =>
      other.scores.has(identity) ? [cluster] : [],
    ),
  ).size;
