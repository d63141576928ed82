/** A mistake in the call of the program, which needs no stack trace. It is no `OpenEvalsError`, so that the program starts without the package. */
export class Mistake extends Error {
  override name = "Mistake";
}

/** The mistake, and where to read on. */
export const wrong = (message: string): Mistake =>
  new Mistake(`${/[.?]$/.test(message) ? message : `${message}.`} See openevals-wasm --help.`);
