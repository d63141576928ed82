/** Parses JSON in files without changing a number. */

import { OpenEvalsError } from "../../../core/errors.js";

/** A string or a number. Strings are matched so that digits in them are skipped. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** Parses JSON text. Throws for invalid text, and for numbers that would change. */
export function readJson(json: string): unknown {
  const value = JSON.parse(json);
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
    const problem = error instanceof InexactNumber ? `${message}.` : `is not valid JSON: ${message}`;
    throw new OpenEvalsError("invalid_input", `${place} ${problem}`, { cause: error });
  }
}

function checkNumber(spelled: string): void {
  const number = Number(spelled);
  const isKept = /^-?\d+$/.test(spelled) ? BigInt(spelled) === exactly(number) : Number.isFinite(number);
  if (!isKept) throw new InexactNumber(spelled);
}

const exactly = (number: number): bigint | undefined =>
  Number.isFinite(number) ? BigInt(number) : undefined;

/** A number beyond the precision of JavaScript: two ids that differ in their last digit would be equal. */
export class InexactNumber extends Error {
  constructor(spelled: string) {
    const shown = spelled.length > 60 ? `${spelled.slice(0, 60)}…` : spelled;
    super(`has the number ${shown}, which JavaScript cannot represent; write it as a text, "${shown}"`);
  }
}
