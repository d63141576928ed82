/** Calls `onError` of users. */

import type { OpenEvalsError } from "../../core/errors.js";

/** Reports an error. A callback that throws, or whose promise rejects, must not stop the caller or end the process. */
export function reportTo(
  onError: ((error: OpenEvalsError) => unknown) | undefined,
  error: OpenEvalsError,
): void {
  const reporting = async () => onError?.(error);
  reporting().catch(() => {});
}
