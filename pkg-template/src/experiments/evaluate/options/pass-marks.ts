/** Which scores of an experiment pass: the scale of each key. */

import type { OpenEvalsError } from "../../../core/errors.js";
import { aListOfStrings, type OptionChecks } from "../../../core/input/checks.js";
import { ownValue } from "../../../core/input/objects.js";
import {
  aMarkByKey,
  inNamed,
  marked,
  type PassOptions,
  scaleOf,
  withPassMark,
} from "../../../core/passing.js";
import type { Experiment, Merging, SummaryResult } from "../../../core/records/types.js";
import { unknownKey } from "../../../core/records/unknown-key.js";
import type { ScoreScale } from "../../../core/types.js";

/** Which scores of an experiment pass. */
export interface MarkOptions {
  /**
   * The pass mark: one number for all keys that have one, or a number by key. It overrides the `passAt` of evaluators and the
   * default of metrics: 1 for most, 0 for error rates, 100 for recipes. `true` passes and `false` fails, or the reverse where
   * lower is better. It applies to `passRate`, matchers, reports, JUnit and `eachAtLeast`. A key without results ends the
   * experiment with `invalid_config`; the error has the `experiment`.
   */
  passAt?: number | Readonly<Record<string, number>> | undefined;
  /**
   * The keys with better low than high scores, such as `toxicity`. Error rates need no entry. A key without results ends the
   * experiment like one of `passAt`.
   */
  lowerIsBetter?: readonly string[] | undefined;
}

export const MARK_OPTIONS: OptionChecks<MarkOptions> = { passAt: aMarkByKey, lowerIsBetter: aListOfStrings };

/** The recorded pass marks: the scale of each evaluator, and the options. */
export type Marks = Pick<Merging, "scales" | "passAt" | "lowerIsBetter" | "optionalKeys">;

/** The options of one key. */
const optionsOf = (key: string, { passAt, lowerIsBetter }: MarkOptions): PassOptions => ({
  passAt: typeof passAt === "object" ? ownValue(passAt, key) : passAt,
  lowerIsBetter: lowerIsBetter?.includes(key) || undefined,
});

/**
 * Rejects a mark that this key cannot have. A mark for all keys does not apply to figures that neither pass nor fail.
 *
 * @throws {@link OpenEvalsError} `invalid_config`, with the key.
 */
export function checkMark(key: string, scale: ScoreScale, marks: MarkOptions): void {
  const options = optionsOf(key, marks);
  const isMeant = typeof marks.passAt === "object" || marked(scale, options).direction;
  if (isMeant) inNamed(key, () => withPassMark(scale, options));
}

/** The scale of each key of the evaluators; `undefined` if none were recorded, as in older files. */
export function scalesOf(
  { scales, ...marks }: Marks,
  keys: readonly (readonly string[])[],
): Record<string, ScoreScale> | undefined {
  return (
    scales &&
    Object.fromEntries(
      keys.flatMap((own, owner) =>
        own.map((key) => [key, marked(scales[owner] as ScoreScale, optionsOf(key, marks))] as const),
      ),
    )
  );
}

/** The error for a mark that does not fit its key. Keys are known only after the run. */
function wrongMark(
  { scales, ...marks }: Marks,
  keys: readonly (readonly string[])[],
): OpenEvalsError | undefined {
  // Older files have none.
  if (!scales) return undefined;
  try {
    for (const [owner, own] of keys.entries())
      for (const key of own) checkMark(key, scales[owner] as ScoreScale, marks);
    return undefined;
  } catch (error) {
    return error as OpenEvalsError;
  }
}

/** The error for a pass mark whose key no result has, or whose key cannot have it. */
export const passAtProblem = (
  marks: Marks,
  keys: readonly (readonly string[])[],
  aggregates: Experiment["aggregates"],
): OpenEvalsError | undefined =>
  unknownKey(
    "passAt",
    // None, if it is one number for all keys.
    Object.keys(Object(marks.passAt)).filter((key) => !marks.optionalKeys?.includes(key)),
    aggregates,
  ) ?? wrongMark(marks, keys);

/** Adds the scales of summary evaluators, each of which has one of the lists of results. */
export function withSummaries(
  scales: Record<string, ScoreScale>,
  evaluators: readonly unknown[],
  found: readonly (readonly SummaryResult[])[],
  lowerIsBetter: readonly string[] = [],
): Record<string, ScoreScale> {
  const own = found.flatMap((results, index) => {
    const evaluator = evaluators[index];
    // A mean of the scores of a key is on their scale.
    const { scaleOfKey } = Object(evaluator) as { scaleOfKey?: string };
    const scale = (scaleOfKey !== undefined && scales[scaleOfKey]) || scaleOf(evaluator);
    return results.flatMap(({ key, error }) => {
      const isLower = lowerIsBetter.includes(key) || undefined;
      return error ? [] : [[key, marked(scale, { lowerIsBetter: isLower })] as const];
    });
  });
  // If rows have the same key, their scale wins.
  return { ...Object.fromEntries(own), ...scales };
}
