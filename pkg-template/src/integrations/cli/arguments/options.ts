/** The kinds of options, and how the value of each is read. */

import { didYouMean } from "../../../core/input/near.js";
import { usageError } from "../cli-error.js";

/** An option of a command. */
export interface Option<Value> {
  /** The placeholder of its value in the help, such as `<n>`; absent for a flag. */
  value?: string;
  /** Its description in the help. */
  help: string;
  /** Whether it can be repeated. */
  isMany?: boolean;
  /** Reads the values of all occurrences, possibly none; throws {@link usageError} for an invalid value. */
  read(texts: readonly string[], name: string): Value;
}

/** The options of a command, by name in code: `failUnder` is `--fail-under`. */
export type Table = Record<string, Option<unknown>>;

/** The values of the options of a table. */
export type Values<Options extends Table> = {
  [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

/** The name of an option on the command line. */
export const optionName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

export const flag = (help: string): Option<boolean> => ({ help, read: (texts) => texts.length > 0 });

/** An option with one value: the last occurrence counts. */
export const single = <Value>(
  value: string,
  help: string,
  readOne: (argument: string, name: string) => Value,
): Option<Value | undefined> => ({
  value,
  help,
  read(texts, name) {
    const argument = texts.at(-1);
    return argument === undefined ? undefined : readOne(argument, name);
  },
});

export const text = (value: string, help: string): Option<string | undefined> =>
  single(value, help, (argument) => argument);

export const texts = (value: string, help: string): Option<readonly string[]> => ({
  value,
  help,
  isMany: true,
  read: (texts) => texts,
});

export const oneOf = <Choice extends string>(
  value: string,
  choices: readonly Choice[],
  help: string,
): Option<Choice | undefined> =>
  single(value, help, (argument, name) => {
    const chosen = choices.find((choice) => choice === argument);
    if (chosen !== undefined) return chosen;
    const quoted = (choice: string) => `"${choice}"`;
    const others = choices.map(quoted);
    const otherwise = `it has to be ${others.slice(0, -1).join(", ")} or ${others.at(-1)}`;
    // An abbreviation has the same first letter, and its others in the same order, such as md for markdown.
    const abbreviated = new RegExp(`^${[...argument.replaceAll(/\W/g, "-")].join(".*")}`, "i");
    const near = choices.find((choice) => abbreviated.test(choice)) ?? argument;
    throw usageError(`--${name} is "${argument}"; ${didYouMean(near, choices, otherwise, quoted)}`);
  });

const MAX_COUNT = 999_999_999;

/** @param least The smallest allowed value. */
export const count = (help: string, least = 0): Option<number | undefined> =>
  single("<n>", help, (argument, name) => {
    if (!/^\d+$/.test(argument)) throw usageError(`--${name} is "${argument}"; it has to be a whole number`);
    if (Number(argument) > MAX_COUNT)
      throw usageError(`--${name} is "${argument}"; it has to be at most ${MAX_COUNT}`);
    if (Number(argument) < least)
      throw usageError(`--${name} is "${argument}"; it has to be at least ${least}`);
    return Number(argument);
  });

/** An amount in dollars, above 0. */
export const money = (help: string): Option<number | undefined> =>
  single("<x>", help, (argument, name) => {
    const amount = /^\d+(?:\.\d+)?$|^\.\d+$/.test(argument) ? Number(argument) : 0;
    if (amount > 0 && amount < Infinity) return amount;
    throw usageError(`--${name} is "${argument}"; it has to be an amount in dollars above 0, such as 2.50`);
  });

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 };

/** A duration with a unit, read as milliseconds. */
export const duration = (help: string): Option<number | undefined> =>
  single("<time>", help, (argument, name) => {
    const [, figure, unit = ""] = /^(\d{1,9}(?:\.\d+)?)([smh])$/.exec(argument) ?? [];
    const milliseconds = Number(figure) * (UNITS[unit] ?? 0);
    if (milliseconds > 0) return milliseconds;
    throw usageError(`--${name} is "${argument}"; it has to be a number with a unit, such as 90s, 15m or 2h`);
  });

/** The number of a decimal, such as `0.8` or `1e-3`; `NaN` for other texts, such as `0x1`, which JavaScript would read as well. */
const numberOf = (text: string): number =>
  /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;

/** A share, above 0 and up to 1. */
export const share = (help: string): Option<number | undefined> =>
  single("<x>", help, (argument, name) => {
    const share = numberOf(argument);
    if (share > 0 && share <= 1) return share;
    throw usageError(`--${name} is "${argument}"; it has to be a number above 0, up to 1`);
  });

/** `inputs=question,outputs=answer`. Names after the equals sign may contain commas. */
export const mapOfFields = (help: string): Option<Readonly<Record<string, string>> | undefined> => ({
  value: "<field>=<name>",
  help,
  isMany: true,
  read(texts, name) {
    const pairs = texts.flatMap((text) => text.split(/,(?=[\w.]+=)/));
    const fields = pairs.map((pair) => {
      const [, field, source] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
      if (field && source) return [field, source] as const;
      throw usageError(`--${name} is "${pair}"; it has to be a field and a name, such as outputs=answer`);
    });
    const twice = fields.find(([field], index) => fields.findIndex(([other]) => other === field) < index);
    if (twice) throw usageError(`--${name} has "${twice[0]}" more than once`);
    return fields.length ? Object.fromEntries(fields) : undefined;
  },
});

/** `key=0.8` for each key. Keys may contain an equals sign. */
export const numbersByKey = (help: string, isAboveZero = false): Option<ReadonlyMap<string, number>> => ({
  value: "<key>=<x>",
  help,
  isMany: true,
  read(texts, name) {
    const numbers = texts.map((argument): [string, number] => {
      const [, key, figure] = /^(.+)=([^=]+)$/.exec(argument) ?? [];
      const number = numberOf(figure ?? "");
      if (!key || !Number.isFinite(number)) {
        const what = isAboveZero ? "a number above 0" : "a number";
        const named = key ?? (/^[\w-]*[a-z][\w-]*$/i.test(argument) ? argument : "exact_match");
        throw usageError(
          `--${name} is "${argument}"; it has to be a key and ${what}, such as ${named}=${isAboveZero ? 0.05 : 0.8}`,
        );
      }
      if (isAboveZero && number <= 0)
        throw usageError(`--${name} is "${argument}"; it has to be a number above 0`);
      return [key, number];
    });
    const keys = numbers.map(([key]) => key);
    const twice = keys.find((key, index) => keys.indexOf(key) < index);
    if (twice !== undefined)
      throw usageError(`--${name} has the key "${twice}" more than once; give it one number`);
    return new Map(numbers);
  },
});
