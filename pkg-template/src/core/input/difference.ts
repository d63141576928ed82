/** Finds where two values differ. Loaded on use. */

import { whole } from "./counts.js";
import { isBoxed, isNull, type Key, memberPath, shorten } from "./json/flaw.js";

/** Values with more members than this are not compared for an explanation. */
const MAX_STEPS = 10_000_000;

/**
 * The first difference of two values that are not the same JSON value, with its path. Members of the reference come
 * first, in its order, and then additional ones. `undefined` if there is none, because a getter returns another value
 * each time.
 */
export function firstDifference(outputs: unknown, referenceOutputs: unknown): string | undefined {
  stepsLeft = MAX_STEPS;
  const keys: Key[] = [];
  try {
    const found = differenceOf(outputs, referenceOutputs, keys);
    return found && `${shorten(keys.reduce<string>(memberPath, "outputs"))} ${found}`;
  } catch {
    return undefined;
  }
}

let stepsLeft = 0;

/** Describes the difference, and sets `keys` to its path. */
function differenceOf(output: unknown, reference: unknown, keys: Key[]): string | undefined {
  if (--stepsLeft < 0) throw new RangeError();
  const a = plain(output);
  const b = plain(reference);
  if (a === b) return undefined;
  if (typeof a === "string" && typeof b === "string") return differenceOfTexts(a, b);
  if (!isContainer(a) || !isContainer(b) || Array.isArray(a) !== Array.isArray(b))
    return `is ${shown(a)} instead of ${shown(b)}`;
  if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    for (let index = 0; index < length; index++) {
      const found = differenceOfMembers(a, b, index, keys);
      if (found) return found;
    }
    return undefined;
  }
  for (const key of Object.keys(b)) {
    const found = differenceOfMembers(a, b, key, keys);
    if (found) return found;
  }
  const extra = Object.keys(a).find((key) => !has(b, key));
  return extra === undefined ? undefined : differenceOfMembers(a, b, extra, keys);
}

type Container = Record<Key, unknown>;

function differenceOfMembers(a: Container, b: Container, key: Key, keys: Key[]): string | undefined {
  const output = a[key];
  const reference = b[key];
  // Most members are equal.
  if (output === reference && output !== undefined) return undefined;
  keys.push(key);
  const found = !has(a, key)
    ? `is missing instead of ${shown(reference)}`
    : has(b, key)
      ? differenceOf(output, reference, keys)
      : `is ${shown(output)}, which the reference does not have`;
  if (found === undefined) keys.pop();
  return found;
}

/** Holes in lists count as elements. */
const has = (container: Container, key: Key): boolean =>
  Array.isArray(container) ? Number(key) < container.length : Object.hasOwn(container, key);

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

/** A value as JSON represents it, without converting its members. */
function plain(value: unknown): unknown {
  if (!isContainer(value)) return isNull(value) ? null : value;
  const { toJSON } = value;
  if (typeof toJSON === "function") return plain(toJSON.call(value));
  return isBoxed(value) ? plain(value.valueOf()) : value;
}

/** The length of the shown part of a text, and of its part before the difference. */
const MAX_SHOWN = 100;
const SHOWN_BEFORE = 30;

/** Two texts around their first difference, with code points if the characters may look the same. */
function differenceOfTexts(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Two characters may have the same first surrogate.
  if (at && [a, b].some((text) => (text.codePointAt(at - 1) ?? 0) > 0xffff)) at--;
  const isShort = a.length <= MAX_SHOWN && b.length <= MAX_SHOWN;
  const start = isShort || at <= SHOWN_BEFORE ? 0 : at - SHOWN_BEFORE;
  const part = (text: string) => {
    const end = start + MAX_SHOWN < text.length ? "…" : "";
    return JSON.stringify(`${start ? "…" : ""}${text.slice(start, start + MAX_SHOWN)}${end}`);
  };
  const place = isShort ? "" : `, from character ${whole(at + 1)} on`;
  return `is ${part(a)} instead of ${part(b)}${place}${lookAlike(a, b, at)}`;
}

/** The code points of two characters that look the same. */
function lookAlike(a: string, b: string, at: number): string {
  const [one, other] = [a, b].map((text) => /^.\p{M}*/su.exec(text.slice(at, at + MAX_SHOWN))?.[0] ?? "");
  if (!one || !other || one.normalize("NFKC") !== other.normalize("NFKC")) return "";
  return `; ${codePoints(one)} and ${codePoints(other)} look alike`;
}

/** The code points of a text: `U+0065 U+0301`. */
export const codePoints = (text: string): string =>
  Array.from(text, (point) => `U+${point.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`).join(
    " ",
  );

/** The number of values that are shown of a nested value. */
const MAX_INSIDE = 30;

/** A value as JSON, or a description of it if that is long. */
function shown(value: unknown): string {
  // Most values are primitive. `JSON.stringify` without a function is ten times as fast for them.
  if (!isContainer(value) && typeof value !== "string") return JSON.stringify(value ?? null);
  let left = MAX_INSIDE;
  try {
    return JSON.stringify(value, (_, part: unknown) => {
      if (--left < 0) throw new RangeError();
      if (typeof part === "string" && part.length > MAX_SHOWN) return `${part.slice(0, MAX_SHOWN)}…`;
      return part === undefined ? null : part;
    });
  } catch {
    return Array.isArray(value) ? `a list of ${whole(value.length)}` : "an object of many values";
  }
}
