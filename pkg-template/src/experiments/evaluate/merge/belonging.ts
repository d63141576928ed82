/** Checks that parts belong to one experiment. */

import { invalidConfig } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { prefixOf } from "../../../core/records/experiment-name.js";
import type { Shard } from "../../../core/records/types.js";
import type { Settings } from "../options/settings.js";
import type { ExperimentPart } from "./part.js";

/** The settings that have to be equal: all of them. */
const SETTINGS: Readonly<Record<keyof Settings, true>> = {
  ...({ evaluators: true, repetitions: true, hasTarget: true, clusterBy: true, seed: true } as const),
  ...({ calibration: true, scales: true, passAt: true, lowerIsBetter: true } as const),
  optionalKeys: true,
};

/**
 * Rejects parts of different experiments, duplicate parts, and missing parts unless they are allowed.
 *
 * @returns The missing shards.
 */
export function checkTogether(
  parts: readonly [ExperimentPart, ...ExperimentPart[]],
  partial: boolean,
): Shard[] {
  const [first] = parts;
  const { count } = first.shard;
  const byIndex = new Map<number, ExperimentPart>();
  for (const part of parts) {
    const { index } = part.shard;
    const differs = (what: string, was: unknown, is: unknown) =>
      invalidConfig(
        `${first.name} and ${part.name} belong to different experiments: ${what} ${show(was)} and ${show(is)}`,
      );
    if (part.shard.count !== count) throw differs("their shard counts are", count, part.shard.count);
    for (const field of Object.keys(SETTINGS) as (keyof Settings)[]) {
      const [was, is] = [first.settings[field], part.settings[field]];
      if (JSON.stringify(was) !== JSON.stringify(is))
        throw differs(`their ${field} are`, was ?? null, is ?? null);
    }
    const [was, is] = [prefixOf(first.heading), prefixOf(part.heading)];
    if (was !== is) throw differs("their names begin with", was, is);
    const twin = byIndex.get(index);
    if (twin) {
      const both =
        twin.name === part.name
          ? `${part.name} is given twice, and is`
          : `${twin.name} and ${part.name} are both`;
      throw invalidConfig(`${both} shard ${index} of ${count}`);
    }
    byIndex.set(index, part);
  }
  const missing = Array.from({ length: count }, (_, place) => place + 1).filter(
    (index) => !byIndex.has(index),
  );
  if (missing.length && !partial) {
    const some = missing.slice(0, 10).join(", ");
    const more = missing.length > 10 ? ` and ${missing.length - 10} more` : "";
    throw invalidConfig(
      `Of ${count} shards, these are missing: ${some}${more}. Pass partial: true to merge the others`,
    );
  }
  return missing.map((index) => ({ index, count }));
}
