/** Parses JSON in files without changing a number, and without dropping a member. */

import { OpenEvalsError } from "../../../core/errors.js";

/** A string or a number. Strings are matched so that digits in them are skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Parses JSON text. Throws for invalid text, for numbers that would change, and for a key that an object has twice. */
export function readJson(json: string): unknown {
  const value = JSON.parse(json);
  // Counting takes less time than parsing, and the counts seldom differ.
  if (keysIn(json) !== membersOf(value)) checkKeys(json);
  // Few texts have digits that could be such a number.
  if (/\d{16}|[eE]\+?\d{3}/.test(json)) {
    for (const [token] of json.matchAll(TOKEN)) if (!token.startsWith('"')) checkNumber(token);
  }
  return value;
}

/**
 * Like {@link readJson}.
 *
 * @param place The place of the text in messages.
 * @throws {@link OpenEvalsError} `invalid_input`
 */
export function readJsonAt(place: string, json: string): unknown {
  try {
    return readJson(json);
  } catch (error) {
    const { message } = error as Error;
    const problem = error instanceof ChangedValue ? `${message}.` : `is not valid JSON: ${message}`;
    throw new OpenEvalsError("invalid_input", `${place} ${problem}`, { cause: error });
  }
}

/** The number of keys in valid JSON text. */
function keysIn(json: string): number {
  let count = 0;
  let start = json.indexOf('"');
  while (start >= 0) {
    let end = json.indexOf('"', start + 1);
    while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
    let after = end + 1;
    while (json.charCodeAt(after) <= SPACE) after++;
    if (json.charCodeAt(after) === COLON) count++;
    start = json.indexOf('"', after);
  }
  return count;
}

/** Whether an odd number of backslashes is before a character. */
function isEscaped(json: string, index: number): boolean {
  let first = index;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (index - first) % 2 === 1;
}

const SPACE = 0x20;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** The number of members of all objects in a parsed value. */
function membersOf(value: unknown): number {
  let count = 0;
  const open: unknown[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (Array.isArray(next)) {
      for (const element of next) if (isContainer(element)) open.push(element);
      continue;
    }
    for (const key in next as object) {
      count++;
      const member = (next as Record<string, unknown>)[key];
      if (isContainer(member)) open.push(member);
    }
  }
  return count;
}

const isContainer = (value: unknown): boolean => typeof value === "object" && value !== null;

/** Rejects a key that an object has twice. */
function checkKeys(json: string): void {
  const open: Set<string>[] = [];
  for (const [token, isKey] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (isKey) {
      const key = token.slice(0, -isKey.length);
      // Spelled differently, keys may be the same: "a" and "\u0061".
      const name: string = JSON.parse(key);
      const keys = open.at(-1);
      if (keys?.has(name))
        throw new ChangedValue(
          `has the key ${shown(key)} twice in one object, of which JavaScript keeps only the last; remove or rename one of them`,
        );
      keys?.add(name);
    }
  }
}

/** The same rule as `changed_number` of the engine, which reads the answers of judges. */
function checkNumber(spelled: string): void {
  const number = Number(spelled);
  const isKept = /^-?\d+$/.test(spelled) ? BigInt(spelled) === exactly(number) : Number.isFinite(number);
  // Two ids that differ only in their last digit would be equal.
  if (!isKept)
    throw new ChangedValue(
      `has the number ${shown(spelled)}, which JavaScript cannot represent; write it as a text, "${shown(spelled)}"`,
    );
}

const exactly = (number: number): bigint | undefined =>
  Number.isFinite(number) ? BigInt(number) : undefined;

const shown = (spelled: string): string => (spelled.length > 60 ? `${spelled.slice(0, 60)}…` : spelled);

/** The error of text that JavaScript would read as another value. */
export class ChangedValue extends Error {}
