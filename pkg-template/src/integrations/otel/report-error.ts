/** Calls `onError` of users. */

import type { OpenEvalsError } from "../../core/errors.js";

/**
 * Returns a function that reports errors. A callback that throws, or whose promise rejects, must not stop the caller or end the
 * process. Without a callback, the first error of each code is printed.
 */
export function errorReporter(
  onError: ((error: OpenEvalsError) => unknown) | undefined,
): (error: OpenEvalsError) => void {
  if (onError)
    return (error) => {
      const reporting = async () => onError(error);
      reporting().catch(() => {});
    };
  const printed = new Set<string>();
  return ({ code, message }) => {
    if (printed.has(code)) return;
    printed.add(code);
    console.warn(
      `openevals-wasm: ${message} Set onError to get all errors; without it, one of a kind is printed.`,
    );
  };
}
