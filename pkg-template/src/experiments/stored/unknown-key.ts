/** Options that name keys. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { Experiment } from "../../core/records/types.js";

/** An option for a key that no result has, as soon as it is certain that none does. */
export function unknownKey(
  option: string,
  named: readonly string[],
  aggregates: Experiment["aggregates"],
): OpenEvalsError | undefined {
  // An evaluator without any result has not told its key.
  const areKnown = Object.values(aggregates).every(({ count, notApplicable }) => count + notApplicable > 0);
  return areKnown ? noSuchKey(option, named, Object.keys(aggregates)) : undefined;
}

/** The same where all keys are known. */
export function noSuchKey(
  option: string,
  named: readonly string[],
  keys: readonly string[],
): OpenEvalsError | undefined {
  const unknown = named.find((key) => !keys.includes(key));
  if (unknown === undefined) return undefined;
  return invalidConfig(
    `${option} has the key ${show(unknown)}, which no result has; there are ${keys.map(show).join(", ") || "none"}`,
  );
}
