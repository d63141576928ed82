/**
 * An error in the arguments or files of a user, shown without a stack trace. Not an `OpenEvalsError`, so that the program starts
 * without loading the package.
 */
export class CliError extends Error {
  override name = "CliError";
}

/** The program with its command, once that is known: the reference to `--help` names it. */
let programCall = "npx openevals-wasm";
export const setCommand = (command: string): void => {
  programCall = `npx openevals-wasm ${command}`;
};

/** An error in the arguments, with a reference to `--help`. */
export const usageError = (message: string): CliError =>
  new CliError(`${/[.?]$/.test(message) ? message : `${message}.`} See ${programCall} --help.`);

/** The most stack frames in a message. */
const MAX_FRAMES = 3;

/** An error as text: the message of our own errors; for all others, also the innermost frames of the user's code. */
export function errorText(error: unknown): string {
  try {
    const { name, message, stack } = Object(error) as Partial<Error>;
    if (error instanceof CliError || name === "OpenEvalsError") return String(message);
    if (stack === undefined) return String(error);
    const [heading, ...frames] = String(stack).split(/\n(?=\s+at )/);
    const own = frames.filter((frame) => !/[\\/]openevals-wasm[\\/]dist[\\/]/.test(frame));
    return [heading, ...(own.length ? own : frames).slice(0, MAX_FRAMES)].join("\n");
  } catch {
    return "A value was thrown that cannot be read.";
  }
}
