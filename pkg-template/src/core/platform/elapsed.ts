/** Milliseconds since `started`, a value of `performance.now()`, rounded to microseconds. */
export const msSince = (started: number): number => Math.round((performance.now() - started) * 1000) / 1000;
