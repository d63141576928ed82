/** Checks of options, made when an evaluator is created, so that a mistake does not wait for the first row. */

import { OpenEvalsError } from "../errors.js";

/** Refuses a value that is not one of `allowed`. */
export function oneOf(name: string, value: unknown, allowed: readonly string[]): void {
  if (!allowed.includes(value as string)) {
    throw new OpenEvalsError("invalid_config", `${name} is ${show(value)}; it has to be ${list(allowed)}.`);
  }
}

/** Refuses a value that is not a list of strings. */
export function listOfStrings(name: string, value: unknown): void {
  if (!Array.isArray(value) || !value.every((element) => typeof element === "string")) {
    throw new OpenEvalsError("invalid_config", `${name} is ${show(value)}; it has to be a list of strings.`);
  }
}

/** Refuses a value that is given and fails the test; `wanted` says what it has to be. */
export function given(name: string, value: unknown, wanted: string, test: (value: any) => boolean): void {
  if (value !== undefined && !passes(test, value)) {
    throw new OpenEvalsError("invalid_config", `${name} is ${show(value)}; it has to be ${wanted}.`);
  }
}

/** A value that throws when it is looked at passes no test. */
function passes(test: (value: any) => boolean, value: unknown): boolean {
  try {
    return test(value);
  } catch {
    return false;
  }
}

/** Refuses options that are none. */
export function objectOfOptions(maker: string, options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new OpenEvalsError("invalid_config", `${maker} needs an object of options.`);
}

/** Whether something can be used as a signal: fakes that throw when they are asked cannot. */
export function isSignal(value: unknown): boolean {
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return (
    typeof aborted === "boolean" &&
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function"
  );
}

/** Refuses options that do not exist: most are typing errors, and would be without effect. */
export function knownOptions(maker: string, options: object, known: readonly string[]): void {
  objectOfOptions(maker, options);
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new OpenEvalsError(
        "invalid_config",
        `${maker} has no option "${name}"; it has ${known.join(", ")}.`,
      );
    }
  }
}

const list = (allowed: readonly string[]): string =>
  allowed
    .map((value) => `"${value}"`)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");

/** A value in a message, as JSON; the beginning of it, if it is long. */
export function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 200);
  } catch {
    return typeof value;
  }
}
