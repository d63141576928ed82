/** Errors for options that name unknown keys. */

import { invalidConfig, type OpenEvalsError } from "../errors.js";
import { show } from "../input/checks.js";
import { didYouMean } from "../input/near.js";
import type { Experiment } from "./types.js";

/** The error for a key that no result has; `undefined` while an evaluator has no results and its keys are unknown. */
export function unknownKey(
  option: string,
  named: readonly string[],
  aggregates: Experiment["aggregates"],
): OpenEvalsError | undefined {
  // The aggregate of an evaluator that always failed has its name, not its keys.
  const areKnown = Object.values(aggregates).every(
    ({ count, notApplicable, values = 0 }) => count + notApplicable + values > 0,
  );
  return areKnown ? noSuchKey(option, named, Object.keys(aggregates)) : undefined;
}

/** As {@link unknownKey}, if all keys are known. */
export function noSuchKey(
  option: string,
  named: readonly string[],
  keys: readonly string[],
): OpenEvalsError | undefined {
  const unknown = named.find((key) => !keys.includes(key));
  if (unknown === undefined) return undefined;
  const otherwise = `there are ${keys.map(show).join(", ") || "none"}.`;
  return invalidConfig(
    `${option} has the key ${show(unknown)}, which no result has; ${didYouMean(unknown, keys, otherwise, show)}`,
  );
}
