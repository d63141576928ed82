/** A mistake in the call of the program, which needs no stack trace. It is no `OpenEvalsError`, so that the program starts without the package. */
export class Mistake extends Error {
  override name = "Mistake";
}

/** How the program is called: with the command, once that is known. */
let called = "openevals-wasm";
export const calledWith = (command: string): void => {
  called = `openevals-wasm ${command}`;
};

/** The mistake, and where to read on. */
export const wrong = (message: string): Mistake =>
  new Mistake(`${/[.?]$/.test(message) ? message : `${message}.`} See ${called} --help.`);

/** What was wrong: in a sentence if that says it, or with the places of the code. Anything can be thrown. */
export function explained(error: unknown): string {
  try {
    const { name, message, stack } = Object(error) as Partial<Error>;
    if (error instanceof Mistake || name === "OpenEvalsError") return String(message);
    if (stack === undefined) return String(error);
    const [said, ...places] = String(stack).split(/\n(?=\s+at )/);
    const own = places.filter((place) => !/[\\/]openevals-wasm[\\/]dist[\\/]/.test(place));
    return [said, ...(own.length ? own : places).slice(0, 3)].join("\n");
  } catch {
    return "What was thrown cannot be read.";
  }
}
