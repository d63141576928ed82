/** Converts the values of Parquet to those of JSON. A value that would change is an error, as in JSON lines. */

import { invalidInput } from "../../../core/errors.js";
import { TextEncoder } from "../../../core/platform/text-coding.js";
import { readCell } from "./csv.js";
import { readJsonAt } from "./json.js";
import { utf8 } from "./lines.js";

/** A value of a JSON column, which `hyparquet` would parse with rounded numbers. */
class JsonCell {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Replaces parsers of `hyparquet`, which decode other bytes than UTF-8 to the same character, and cut off parts of milliseconds. */
export const PARSERS = {
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && (utf8(bytes) ?? bytes),
  jsonFromBytes(bytes: Uint8Array | undefined) {
    const json = bytes && utf8(bytes);
    return json === undefined ? bytes : new JsonCell(json);
  },
  timestampFromMicroseconds: (count: bigint) => momentOf(count, 3),
  timestampFromNanoseconds: (count: bigint) => momentOf(count, 6),
};

/** A time since 1970, in units with so many digits below a millisecond: a text if a `Date` would lose some of them. */
function momentOf(count: bigint, digits: number): Date | string {
  const perMs = 10n ** BigInt(digits);
  const below = ((count % perMs) + perMs) % perMs;
  const date = new Date(Number((count - below) / perMs));
  if (!below || Number.isNaN(date.getTime())) return date;
  return date.toISOString().replace("Z", `${String(below).padStart(digits, "0")}Z`);
}

interface CellPlace {
  /** The name of the file. */
  name: string;
  /** The number of the row, from 1. */
  number: number;
  /** The name of the column. */
  title: string;
}

/**
 * The value of a cell. Text is read like a cell of CSV, except for that of a JSON column, which is read already.
 *
 * @param scale The number of decimal places of a decimal.
 */
export function cellOf(given: unknown, scale: number | undefined, place: CellPlace): unknown {
  if (scale !== undefined && given != null) return decimalOf(given as Unscaled, scale, place.title);
  if (given instanceof JsonCell) return plainOf(given, place);
  // A cell without a value is a missing field.
  const value = given === null ? undefined : plainOf(given, place);
  return typeof value === "string" ? readCell(value, place.name, place.number) : value;
}

/**
 * A nested value as JSON has it. Texts in it stay texts, even if they look like JSON. All structures of a column have the same
 * fields, so a field without a value is `null`.
 */
function plainOf(value: unknown, place: CellPlace): unknown {
  const { name, number, title } = place;
  if (value instanceof JsonCell) return readJsonAt(`${name}:${number} (column "${title}")`, value.text);
  if (value instanceof Uint8Array)
    return utf8(value) ?? unreadable(title, "bytes that are not UTF-8; write them as a text, such as Base64");
  if (typeof value === "bigint") {
    if (Number.isSafeInteger(Number(value))) return Number(value);
    throw invalidInput(
      `${name}:${number} has the number ${value}, which JavaScript cannot represent; write it as a text, "${value}"`,
    );
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw invalidInput(`${name}:${number} has the number ${value}, which JSON cannot represent; write null`);
  }
  if (Array.isArray(value)) return value.map((element) => plainOf(element, place) ?? null);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, member]) => [field, plainOf(member, place) ?? null]),
  );
}

/** A value without its scale; as bytes, it is a signed number with the highest byte first. */
type Unscaled = number | bigint | string | Uint8Array;

/** The digits that identify a number of JavaScript. */
const MAX_DIGITS = 17;

/** A decimal as a number, unless that would change one of its digits. */
function decimalOf(unscaled: Unscaled, scale: number, title: string): unknown {
  const value = integerOf(unscaled);
  const spelled = `${value}e${-scale}`;
  const number = Number(spelled);
  const digits = String(value).replace(/^-|(?<=\d)0+$/g, "");
  const isKept =
    digits.length <= MAX_DIGITS && number.toExponential(digits.length - 1).replace(/e.*|\D/g, "") === digits;
  if (isKept) return number;
  const hint = "convert the column to doubles or to texts";
  return unreadable(title, `the decimal ${spelled}, which JavaScript cannot represent; ${hint}`);
}

function integerOf(unscaled: Unscaled): bigint {
  if (typeof unscaled === "number" || typeof unscaled === "bigint") return BigInt(unscaled);
  // Bytes of variable length may also have been read as text.
  const bytes = typeof unscaled === "string" ? new TextEncoder().encode(unscaled) : unscaled;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x0${hex}`));
}

/** Throws only when a row is copied, which adds the place of the field: a map may leave the column out. */
const unreadable = (title: string, problem: string): object => ({
  toJSON() {
    throw new Error(`the column "${title}" has ${problem}.`);
  },
});
