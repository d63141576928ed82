/** Reads one field of outputs. */

import { invalidInput } from "../errors.js";
import { callAtOnce } from "../user-function.js";
import { check, show } from "./checks.js";

/** The place of a value: a key of the outputs, or a function of them. */
export type FieldSource = string | ((outputs: any) => unknown);

export const aPlace = check("a key or a function", (place) => ["string", "function"].includes(typeof place));

/**
 * The field of outputs at `source`, else at the key `fallback`, else the only field. Outputs that are not an object are returned
 * unchanged.
 *
 * @param what The name of the field in messages.
 * @param place The name of the outputs in messages.
 * @param option The option that `source` is from.
 */
export function fieldOf(
  what: string,
  outputs: unknown,
  place: string,
  option: string,
  source: FieldSource | undefined,
  fallback: FieldSource | undefined,
): unknown {
  let found: unknown;
  if (typeof source === "function") {
    found = callAtOnce(`${option} of ${place}`, () => source(outputs));
    if (found !== undefined) return found;
    throw invalidInput(`The function ${option} finds no ${what} in ${place}`);
  }
  if (outputs === undefined) throw invalidInput(`${place} is missing`);
  if (typeof outputs !== "object" || outputs === null || Array.isArray(outputs)) return outputs;
  const keys = Object.keys(outputs);
  const only = keys.length === 1 ? keys[0] : undefined;
  const key = source ?? keys.find((name) => name === fallback) ?? only;
  if (key !== undefined && Object.hasOwn(outputs, key)) found = (outputs as Record<string, unknown>)[key];
  if (found !== undefined) return found;
  throw invalidInput(
    `${place} has ${keys.length ? `the keys ${keys.map(show).join(", ")}` : "no keys"}` +
      `${key === undefined ? "" : `, and no ${what} in ${show(key)}`}. Set ${option} to the key of the ${what}`,
  );
}
