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
