/** What an entry point exports, with what its runtime gives it. */

/**
 * Attaches what `value` needs of the runtime, and returns it. Entry points call this for each export, marked as pure: a bundle
 * without the export has none of what it needs, such as a binary.
 */
export function attached<Value>(value: Value, ...attach: readonly (() => void)[]): Value {
  for (const each of attach) each();
  return value;
}
