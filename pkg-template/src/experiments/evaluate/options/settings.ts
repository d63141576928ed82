/** The settings that figures depend on. Shards with different settings cannot be merged. */

import type { Merging } from "../../../core/records/types.js";
import type { Plan } from "./plan.js";

/** Recorded settings. */
export type Settings = Omit<Merging, "keys" | "dataFingerprint">;

/** The settings of a plan. */
export function recordedSettings({
  evaluators,
  repetitions,
  target,
  clusterBy,
  seed,
  calibration,
  passAt,
  lowerIsBetter,
  optionalKeys,
}: Plan): Settings {
  const known = Object.entries(calibration).map(([key, { judge, verdicts, threshold, lowerIsBetter }]) => [
    key,
    { ...(judge && { judge }), verdicts, ...(threshold !== undefined && { threshold, lowerIsBetter }) },
  ]);
  return {
    evaluators: evaluators.map(({ name }) => name),
    scales: evaluators.map(({ scale }) => scale),
    ...(passAt === undefined ? undefined : { passAt }),
    ...(lowerIsBetter === undefined ? undefined : { lowerIsBetter }),
    ...(optionalKeys.length ? { optionalKeys } : undefined),
    repetitions,
    hasTarget: target !== undefined,
    ...(clusterBy === undefined
      ? undefined
      : { clusterBy: typeof clusterBy === "string" ? clusterBy : "function" }),
    ...(seed === undefined ? undefined : { seed }),
    ...(known.length ? { calibration: Object.fromEntries(known) } : undefined),
  };
}
