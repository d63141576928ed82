/** The fields of rows, and misspelled field names. */

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

/** The first field that looks like a typo of a known field that the row lacks. */
export function misspelled(row: object): { given: string; meant: string } | undefined {
  for (const given of Object.keys(row)) {
    if ((FIELDS as readonly string[]).includes(given)) continue;
    const meant = nearest(given, FIELDS);
    // `referenceOutputs` and `reference_outputs` are the same field.
    if (meant && !FIELDS.some((field) => plainly(field) === plainly(meant) && field in row))
      return { given, meant };
  }
  return undefined;
}

/** Other fields of LangSmith examples. They are ignored without a note. */
const OF_LANGSMITH = ["created_at", "modified_at", "dataset_id", "source_run_id", "runs"];

/** The fields of a row that nothing reads. */
export function unread(row: object): string[] {
  const known: readonly string[] = [...FIELDS, ...OF_LANGSMITH];
  return Object.keys(row).filter((name) => !known.includes(name));
}
