/** The baseline of a condition: its observations, and its scales. */

import { invalidConfig, invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import { ownValue } from "../../../core/input/objects.js";
import { checkRows } from "../../../core/records/check-rows.js";
import { differentPairs, type ExamplePair } from "../../../core/records/different-inputs.js";
import { differentScales } from "../../../core/records/different-scales.js";
import { rowsByExample } from "../../../core/records/rows-by-example.js";
import type { Example, ExperimentRow } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import type { ParsedCondition } from "./conditions.js";
import { observationOf, type StopObservation } from "./observation.js";

/** The observations of a baseline, by the id of the example. */
export type BaselineObservations = Map<string, StopObservation & { example: Example }>;

/**
 * Reads the baseline of a condition.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for what is not an experiment, `invalid_config` for one without scores of the key,
 * and for one with clusters.
 */
export function observedBaseline({
  key,
  range,
  baseline,
}: ParsedCondition): BaselineObservations | undefined {
  if (!baseline) return undefined;
  checkRows(baseline, `baseline of stopWhen.${key}`);
  if (baseline.rows[0]?.cluster !== undefined) {
    throw invalidConfig(
      `The baseline of stopWhen.${key} has clusters, but stopWhen assumes independent examples. Run all rows instead, and compare the experiments`,
    );
  }
  const found: BaselineObservations = new Map();
  for (const [id, rows] of rowsByExample(baseline.rows)) {
    const observation = observationOf(rows, key, range);
    if (observation) found.set(id, { ...observation, example: (rows[0] as ExperimentRow).example });
  }
  if (!found.size) throw invalidConfig(`The baseline of stopWhen.${key} has no scores of ${key}`);
  return found;
}

/**
 * Compares the scores of the baseline with the scale of those so far, which is known with the first result of the key.
 *
 * @returns Whether it was known.
 * @throws {@link OpenEvalsError} `invalid_input` for a baseline whose scores have another meaning.
 */
export function checkScale({ key, baseline }: ParsedCondition, now: Record<string, ScoreScale>): boolean {
  const scale = ownValue(now, key);
  if (!baseline || !scale) return false;
  const { rows, scales } = baseline;
  // Files may have anything there.
  const recorded = Object(Object(scales)[key]) as ScoreScale;
  const different = differentScales({ rows, scales: { [key]: recorded } }, { scales: { [key]: scale } });
  if (different !== undefined) throw notTheSame(key, different);
  return true;
}

/**
 * The note about pairs with different inputs, or about a baseline without pairs; `undefined` without problems. If most pairs
 * differ, also the error: `compareExperiments()` refuses them, too.
 */
export function baselineProblem(
  key: string,
  pairs: readonly ExamplePair[],
): { note: string; error?: OpenEvalsError } | undefined {
  if (!pairs.length) return { note: NO_PAIRS };
  const different = differentPairs(pairs);
  return different?.isMismatch ? { note: different.note, error: notTheSame(key, different.note) } : different;
}

const NO_PAIRS =
  "No row has the id of a row of the baseline, so nothing was compared. Rows are paired by id, which is their position by " +
  "default. Give each row the id that it has in the baseline.";

const notTheSame = (key: string, difference: string): OpenEvalsError =>
  invalidInput(`The baseline of stopWhen.${key} is the first experiment. ${difference}`);
