import { withoutStop } from "../full-stop.js";
import type { DifferentInputs } from "./different-inputs.js";
import { differentScales } from "./different-scales.js";
import type { Experiment } from "./types.js";

/**
 * Why two experiments cannot be compared, without a full stop: most pairs are of different rows, or scores of a key differ in
 * meaning.
 */
export function notComparable(
  before: Pick<Experiment, "rows" | "scales">,
  after: Pick<Experiment, "rows" | "scales">,
  inputs: DifferentInputs | undefined,
): string | undefined {
  return inputs?.isMismatch ? withoutStop(inputs.note) : differentScales(before, after);
}
