/** What decides about the exit code besides the result of a command. */

/** The signals that ask the program to end: the exit code, which is 128 plus their number, and the name in messages. */
const SIGNALS = {
  SIGHUP: [129, "SIGHUP"],
  SIGINT: [130, "Ctrl-C"],
  SIGTERM: [143, "SIGTERM"],
} as const;

let isMistaken = false;
let codeOfSignal: number | undefined;

/** Notes a mistake that does not end the call; its exit code is 2. */
export const noteMistake = (): void => {
  isMistaken = true;
};

/** Whether a signal has stopped the work. */
export const isStopped = (): boolean => codeOfSignal !== undefined;

/** The exit code of a call whose command returned this one. */
export const exitCodeOf = (code: number): number => codeOfSignal ?? (isMistaken ? 2 : code);

/** Aborts when the program is asked to end, so that it ends with the results so far. Another signal ends it at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  const end = (signal: keyof typeof SIGNALS) => {
    for (const name of names) process.off(name, end);
    const [code, name] = SIGNALS[signal];
    codeOfSignal = code;
    stop.abort(name);
  };
  for (const name of names) process.on(name, end);
  return stop.signal;
}
