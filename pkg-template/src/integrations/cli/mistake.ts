/** A mistake in the arguments or files, shown without a stack trace. Not an `OpenEvalsError`, so that the program starts without the package. */
export class Mistake extends Error {
  override name = "Mistake";
}

/** The command line as far as it is known, for the reference to `--help`. */
let called = "openevals-wasm";
export const calledWith = (command: string): void => {
  called = `openevals-wasm ${command}`;
};

/** A mistake in the arguments, with a reference to `--help`. */
export const wrong = (message: string): Mistake =>
  new Mistake(`${/[.?]$/.test(message) ? message : `${message}.`} See ${called} --help.`);

/** An error as text: the message of our own errors, and up to three frames of the user's code for all others. */
export function explained(error: unknown): string {
  try {
    const { name, message, stack } = Object(error) as Partial<Error>;
    if (error instanceof Mistake || name === "OpenEvalsError") return String(message);
    if (stack === undefined) return String(error);
    const [said, ...places] = String(stack).split(/\n(?=\s+at )/);
    const own = places.filter((place) => !/[\\/]openevals-wasm[\\/]dist[\\/]/.test(place));
    return [said, ...(own.length ? own : places).slice(0, 3)].join("\n");
  } catch {
    return "A value was thrown that cannot be read.";
  }
}
