/** Signals and errors that override the exit code of a command. */

/** Signals that end the program, with their exit code (128 plus the number of the signal) and their name in messages. */
const SIGNALS = {
  SIGHUP: [129, "SIGHUP"],
  SIGINT: [130, "Ctrl-C"],
  SIGTERM: [143, "SIGTERM"],
} as const;

let hasError = false;
let codeOfSignal: number | undefined;

/** Records an error that does not end the call but makes its exit code 2. */
export const noteMistake = (): void => {
  hasError = true;
};

/** Whether a signal has stopped the work. */
export const isStopped = (): boolean => codeOfSignal !== undefined;

/** The exit code of the call, from that of its command. */
export const exitCodeOf = (code: number): number => codeOfSignal ?? (hasError ? 2 : code);

/** Undoes {@link stopSignal}: from now on, the first signal ends the program. */
export let releaseSignals = (): void => {};

/** Aborts on the first of these signals, so that the command ends with the results so far. A second signal ends it at once. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  releaseSignals = () => {
    for (const name of names) process.off(name, end);
  };
  const end = (signal: keyof typeof SIGNALS) => {
    releaseSignals();
    const [code, name] = SIGNALS[signal];
    codeOfSignal = code;
    stop.abort(name);
  };
  for (const name of names) process.on(name, end);
  return stop.signal;
}
