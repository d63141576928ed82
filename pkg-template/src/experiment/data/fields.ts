/** The fields of rows, and what is nearly the name of one. */

import { nearest, plainly } from "../../input/near.js";

export const FIELDS = [
  "id",
  "inputs",
  "outputs",
  "referenceOutputs",
  "reference_outputs",
  "metadata",
  "attachments",
] as const;

/** The first field of a row that is nearly one of those that rows have, and that this one lacks: a typing error. */
export function misspelled(row: object): { given: string; meant: string } | undefined {
  for (const given of Object.keys(row)) {
    if ((FIELDS as readonly string[]).includes(given)) continue;
    const meant = nearest(given, FIELDS);
    // Two of them are one field in two spellings.
    if (meant && !FIELDS.some((field) => plainly(field) === plainly(meant) && field in row))
      return { given, meant };
  }
  return undefined;
}
