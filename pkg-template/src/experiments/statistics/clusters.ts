/** Which rows are not independent of each other, beyond the repetitions of an example. */

import { invalidInput } from "../../core/errors.js";
import { check, show } from "../../core/input/checks.js";
import type { Example } from "../../core/records/types.js";

/**
 * What rows have in common that are not independent of each other, such as the passage that several questions are about:
 * a field of their `metadata` or, if it is not there, of their `inputs`, or what a function returns.
 */
export type ClusterBy = string | ((example: Example) => string | number);

export const aClusterBy = check("the name of a field, or a function", (by) => {
  return typeof by === "function" || (typeof by === "string" && by !== "");
});

/** A field of the metadata or the inputs of an example. */
export function fieldOf({ metadata, inputs }: Example, field: string): unknown {
  const places = [metadata, inputs] as (Record<string, unknown> | null | undefined)[];
  const place = places.find((fields) => {
    return typeof fields === "object" && fields !== null && Object.hasOwn(fields, field);
  });
  return place?.[field];
}

/**
 * What tells the unit of an example from others: its cluster, or, without clusters, its id.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for an example without one.
 */
export function unitOf(example: Example, clusterBy: ClusterBy | undefined): string {
  if (clusterBy === undefined) return example.id;
  const cluster = typeof clusterBy === "function" ? clusterBy(example) : fieldOf(example, clusterBy);
  if (typeof cluster === "string" || typeof cluster === "number") return String(cluster);
  const where =
    typeof clusterBy === "function"
      ? "what clusterBy returns"
      : `${JSON.stringify(clusterBy)} in its metadata or inputs`;
  throw invalidInput(
    `The example ${JSON.stringify(example.id)} has ${show(cluster)} for ${where}; clusterBy needs a text or a number for ` +
      "each row",
  );
}
