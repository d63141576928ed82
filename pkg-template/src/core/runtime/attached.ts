/** Connects the exports of an entry point with its runtime. */

/**
 * Attaches the parts of the runtime that `value` needs, and returns it. Entry points call this for each export, marked
 * as pure, so that a bundle without the export does not include those parts, such as a binary.
 */
export function attached<Value>(value: Value, ...attach: readonly (() => void)[]): Value {
  for (const each of attach) each();
  return value;
}
