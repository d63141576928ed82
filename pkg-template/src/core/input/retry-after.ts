/**
 * Reads the header `Retry-After`: seconds with at most nine digits, rounded up, or a date. A date in the past says nothing: the
 * two clocks differ. The engine reads it alike (`server_pause_ms` in `src/chat/retry.rs`).
 *
 * @returns Milliseconds; `undefined` for any other value.
 */
export function readRetryAfter(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const seconds = readPause(value);
  if (seconds !== undefined) return seconds * 1000;
  // The only form that servers may send (RFC 9110, 5.6.7).
  const moment = /^[A-Z][a-z]{2}, .* GMT$/.test(value.trim()) ? Date.parse(value) : Number.NaN;
  const waitMs = moment - Date.now();
  return waitMs > 0 ? waitMs : undefined;
}

/** Reads a number of at most nine digits, as in `retry-after-ms`; a fraction is rounded up. */
export function readPause(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const [, whole, fraction] = /^(\d{1,9})(\..*)?$/.exec(value.trim()) ?? [];
  return whole === undefined ? undefined : Number(whole) + (fraction === undefined ? 0 : 1);
}
