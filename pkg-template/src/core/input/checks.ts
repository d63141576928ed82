/** Checks of options. They run when an evaluator is created, so that a mistake is found before the first row. */

import { invalidConfig, isOurs, type OpenEvalsError, unreadable } from "../errors.js";
import { didYouMean } from "./near.js";
import { isSecretName } from "./secrets/secret-names.js";

/** A check of one option. */
export interface OptionCheck {
  /** The requirement, in words. */
  wanted: string;
  test(value: any): boolean;
  /** The values that a misspelt one is compared with. */
  values: readonly string[];
  /** By default, options are not required. */
  isRequired?: true;
}

/** The checks of a maker's options. The compiler reports missing and unknown options. */
export type OptionChecks<Options> = Record<keyof Options, OptionCheck>;

/** Makes a check. */
export const check = (
  wanted: string,
  test: (value: any) => boolean,
  values: readonly string[] = [],
): OptionCheck => ({ wanted, test, values });

export const aString = check("a string", (value) => typeof value === "string");
export const aFlag = check("true or false", (value) => typeof value === "boolean");
export const aFunction = check("a function", (value) => typeof value === "function");
export const anObject = check("an object", (value) => {
  return typeof value === "object" && value !== null && !Array.isArray(value);
});
/** A list without holes, all of whose elements pass. */
export const isListOf = (value: unknown, test: (element: unknown) => boolean): boolean =>
  Array.isArray(value) && Array.from(value).every(test);

/** An object all of whose fields pass. A `Map` has none, so its entries would be ignored. */
export const isRecordOf = (value: unknown, test: (field: unknown) => boolean): boolean =>
  ({}).toString.call(value) === "[object Object]" && Object.values(value as object).every(test);

export const aListOfStrings = check("a list of strings", (value) => {
  return isListOf(value, (element) => typeof element === "string");
});
/** By its shape, since polyfills and other realms have their own classes. */
export const aSignal = check("an AbortSignal", (value) => {
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return (
    typeof aborted === "boolean" &&
    typeof addEventListener === "function" &&
    typeof removeEventListener === "function"
  );
});
/** An option that is checked elsewhere. */
export const anything = check("anything", () => true);

/** The largest count that the engine takes. */
export const MAX_U32 = 2 ** 32 - 1;

export const wholeFrom = (least: number, most?: number): OptionCheck =>
  check(`a whole number from ${least}${most === undefined ? "" : ` to ${most}`}`, (value) => {
    return Number.isInteger(value) && value >= least && value <= (most ?? value);
  });

/** A number of repetitions. */
export const aRepetitionCount = wholeFrom(1, 1_000_000);

export const numberFromTo = (least: number, most: number): OptionCheck =>
  check(`a number from ${least} to ${most}`, (value) => {
    return typeof value === "number" && value >= least && value <= most;
  });

export const numbersByKey = check("a plain object of numbers, by key", (value) => {
  return isRecordOf(value, Number.isFinite);
});

export const aNumberAboveZero = check("a number above 0, up to 1e9", (value) => {
  return typeof value === "number" && value > 0 && value <= 1e9;
});

export const fromZero = check("a number from 0", (value) => Number.isFinite(value) && value >= 0);

/** A number of milliseconds that a timer can wait. */
export const aDuration = check("a number of milliseconds above 0, up to 2147483647", (ms) => {
  return typeof ms === "number" && ms > 0 && ms <= 2 ** 31 - 1;
});

export const oneOf = (values: readonly string[]): OptionCheck =>
  check(
    values
      .map(show)
      .join(", ")
      .replace(/, ([^,]*)$/, " or $1"),
    (value) => values.includes(value),
    values,
  );

export const required = (option: OptionCheck): OptionCheck => ({ ...option, isRequired: true });

/**
 * Rejects invalid options, and unknown ones, which are mostly typos and would have no effect.
 *
 * @returns The options, each read once.
 */
export function checkOptions<Options extends object>(
  maker: string,
  options: Options,
  checks: OptionChecks<Options>,
): Options {
  objectOfOptions(maker, options);
  const names = Object.keys(checks) as (keyof Options & string)[];
  for (const name of readable(maker, () => Object.keys(options))) {
    if (!Object.hasOwn(checks, name))
      throw isRow(options) ? makerError(maker) : noSuchOption(maker, name, names);
  }
  const read = {} as Options;
  for (const name of names) {
    read[name] = reading(`The option ${name} of ${maker}`, () => options[name]);
    checkValue(name, read[name], checks[name]);
  }
  return read;
}

/**
 * An option that does not exist.
 *
 * @param whose The name of its owner in messages.
 * @param names The options that exist.
 */
export function noSuchOption(whose: string, name: string, names: readonly string[]): OpenEvalsError {
  return invalidConfig(
    `${whose} has no option "${name}"; ${didYouMean(name, names, `it has ${names.join(", ")}.`)}`,
  );
}

/** Whether a factory was called with a row instead of options. */
export const isRow = (value: unknown): boolean => fits((row) => "outputs" in row, value);

const MAKES_EVALUATORS = " makes evaluators: write ";

/** The error for a function that makes evaluators and was passed where an evaluator belongs. */
export const makerError = (maker: string): OpenEvalsError =>
  invalidConfig(`${maker}${MAKES_EVALUATORS}${maker}(), with its options`);

/** Whether an evaluator failed because it, or a part of it, is a maker. Then no row can be scored. */
export const isMakerError = (error: unknown): boolean =>
  isOurs(error) && error.code === "invalid_config" && error.message.includes(MAKES_EVALUATORS);

/** Reads options. If reading throws, as for some proxies, that is an error like any other invalid option. */
export const readable = <T>(maker: string, read: () => T): T => reading(`The arguments of ${maker}`, read);

function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw isOurs(thrown) ? thrown : unreadable(what, thrown, "invalid_config");
  }
}

/** Rejects an invalid value. */
export function checkValue(
  name: string,
  value: unknown,
  { wanted, test, values, isRequired }: OptionCheck,
): void {
  const shown = value === undefined ? isRequired && "missing" : !fits(test, value) && show(value);
  if (shown) {
    throw invalidConfig(`${name} is ${shown}; ${didYouMean(shown, values, `it has to be ${wanted}.`, show)}`);
  }
}

/** Rejects values such as a Map, a Date, a list or bytes, which would silently mean the defaults. */
export function objectOfOptions(maker: string, options: unknown): void {
  if (readable(maker, () => ({}).toString.call(options)) !== "[object Object]")
    throw invalidConfig(`${maker} needs an object of options`);
}

/** A value that throws when it is read passes no test. Neither does one on which the test throws, such as a number without keys. */
function fits(test: (value: any) => boolean, value: unknown): boolean {
  try {
    return test(value);
  } catch {
    return false;
  }
}

/** Masks members with the name of a secret, as a replacer of `JSON.stringify`. The `key` of a result is not secret. */
export const masked = (name: string, member: unknown): unknown =>
  isSecretName(name) && name !== "key" ? "***" : member;

/** A value in a message, as JSON without secrets; shortened if it is long. */
export function show(value: unknown): string {
  if (typeof value === "function") return "a function";
  // JSON has no NaN.
  if (typeof value === "number") return String(value);
  try {
    if (value instanceof Promise) return "a promise (await it)";
    // More members are not shown, and a value that repeats its parts may have billions.
    let left = 200;
    const text = JSON.stringify(value, (name, member) => left-- > 0 && masked(name, member));
    return (text ?? String(value)).slice(0, 200);
  } catch {
    return typeof value;
  }
}
