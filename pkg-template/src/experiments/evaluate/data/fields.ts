/** The fields of rows, and what is nearly the name of one. */

import { nearest, plainly } from "../../../core/input/near.js";

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

/** What LangSmith's examples have besides, which is nothing to be evaluated. */
const OF_LANGSMITH = ["created_at", "modified_at", "dataset_id", "source_run_id", "runs"];

/** The fields of a row that nothing reads. */
export function unread(row: object): string[] {
  const known: readonly string[] = [...FIELDS, ...OF_LANGSMITH];
  return Object.keys(row).filter((name) => !known.includes(name));
}
