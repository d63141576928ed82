/** Clusters: rows that are not independent of each other, beyond the repetitions of an example. */

import { invalidInput } from "../../core/errors.js";
import { check, show } from "../../core/input/checks.js";
import { ownCopy } from "../../core/input/own-copy.js";
import { exampleField } from "../../core/records/example-field.js";
import type { Example, ExperimentRow } from "../../core/records/types.js";
import { callAtOnce } from "../../core/user-function.js";
import { numbered } from "../../evaluators/summary/settings.js";

/**
 * The common property of the rows of a cluster, such as the passage that several questions are about: a field of the
 * example's `metadata` (or, if that has no such field, of its `inputs`), or a function that returns the cluster of an
 * example.
 */
export type ClusterBy = string | ((example: Example) => string | number);

export const aClusterBy = check("the name of a field, or a function", (by) => {
  return typeof by === "function" || (typeof by === "string" && by !== "");
});

/** An example, with its cluster if its experiment has recorded that. */
export type ClusteredRow = Pick<ExperimentRow, "example" | "cluster">;

/**
 * The cluster of a row: by `clusterBy`, or else the recorded one; `undefined` if there are no clusters.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for an example without a cluster; `callback_failed` for a function that throws.
 */
export function clusterOf(
  { example, cluster: recorded }: ClusteredRow,
  clusterBy: ClusterBy | undefined,
): string | undefined {
  if (clusterBy === undefined) return recorded;
  const cluster =
    typeof clusterBy === "function"
      ? callAtOnce("clusterBy", () => clusterBy(ownCopy(example)))
      : exampleField(example, clusterBy);
  if (typeof cluster === "string" || Number.isFinite(cluster)) return String(cluster);
  const where =
    typeof clusterBy === "function"
      ? "returned by clusterBy"
      : `${JSON.stringify(clusterBy)} in its metadata or inputs`;
  throw invalidInput(
    `The cluster of the example ${JSON.stringify(example.id)} is ${show(cluster)} (${where}); it has to be a text or a ` +
      "finite number",
  );
}

/** The examples of scores, numbered from 0 in order of appearance, and their clusters if there are any. */
export interface Groups {
  examples: Uint32Array;
  clusters: Uint32Array | undefined;
}

/** The number of clusters (or examples), and the share of the scores that the largest has. */
export function sizesOf(numbers: Uint32Array): { count: number; largest: number } {
  const sizes: number[] = [];
  for (const number of numbers) sizes[number] = (sizes[number] ?? 0) + 1;
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0) / numbers.length;
  return { count: sizes.length, largest };
}

/** Why scores have no interval if one cluster, or one example with its repetitions, has more than half of them. */
export function dominanceNote({
  examples,
  clusters,
}: Record<keyof Groups, Uint32Array | undefined>): string | undefined {
  const numbers = clusters ?? examples;
  if (!numbers) return undefined;
  const { count, largest } = sizesOf(numbers);
  if (largest <= 0.5 || count === numbers.length) return undefined;
  const [one, several] = clusters ? ["cluster", "clusters"] : ["example", "examples"];
  const share =
    count === 1
      ? `All scores are of one ${one}`
      : `One of ${count} ${several} has ${Math.round(largest * 100)}% of the scores`;
  return `${share}. An interval needs ${several} of which none has more than half: add rows of others.`;
}

/** Numbers the examples and the clusters of scores. Either all of them have a cluster, or none. */
export const groupsOf = (scores: readonly { exampleId: string; cluster: string | undefined }[]): Groups => ({
  examples: numbered(scores.map(({ exampleId }) => exampleId)),
  clusters:
    scores[0]?.cluster === undefined ? undefined : numbered(scores.map(({ cluster }) => cluster as string)),
});

/** The independent unit of a row: its cluster, or its example if there are no clusters. */
export const unitOf = (row: ClusteredRow, clusterBy: ClusterBy | undefined): string =>
  clusterOf(row, clusterBy) ?? row.example.id;
