/** Experiments of a matrix: each records its combination as `metadata.matrix`. */

import { isRecord } from "../../core/input/objects.js";
import type { Experiment } from "../../core/records/types.js";

/** The combination of an experiment: the value of each axis, as text. */
export function combinationOf({
  metadata,
}: Pick<Experiment, "metadata">): Record<string, string> | undefined {
  const { matrix } = Object(metadata) as { matrix?: unknown };
  if (!isRecord(matrix)) return undefined;
  const values = Object.values(matrix);
  return values.length && values.every((value) => typeof value === "string")
    ? (matrix as Record<string, string>)
    : undefined;
}

/** The axes that experiments share; `undefined` unless they are different combinations of one matrix. */
export function axesOf(experiments: readonly Pick<Experiment, "metadata">[]): string[] | undefined {
  const combinations = experiments.map(combinationOf);
  const [first] = combinations;
  if (!first || combinations.length < 2) return undefined;
  const axes = Object.keys(first);
  const isOwn = combinations.every(
    (one) => one && Object.keys(one).length === axes.length && axes.every((axis) => Object.hasOwn(one, axis)),
  );
  const different = new Set(combinations.map((one) => JSON.stringify(axes.map((axis) => one?.[axis]))));
  return isOwn && different.size === combinations.length ? axes : undefined;
}

/** `short · gpt-5.4`; the name of an experiment that is not of a matrix. */
export const labelOf = (experiment: Experiment): string =>
  Object.values(combinationOf(experiment) ?? {}).join(" · ") || experiment.experimentName;
