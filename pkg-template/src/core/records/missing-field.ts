import { show } from "../input/checks.js";
import { didYouMean } from "../input/near.js";
import { isRecord } from "../input/objects.js";
import type { Example } from "./types.js";

/** That none of these rows has a field, with the fields that they have; `undefined` if one has it, and without rows. */
export function missingField(
  rows: readonly { example: Example }[],
  field: string,
  option: string,
): string | undefined {
  const fields = new Set(
    rows.flatMap(({ example: { metadata, inputs } }) =>
      [metadata, inputs].flatMap((part) => (isRecord(part) ? Object.keys(part) : [])),
    ),
  );
  if (!rows.length || fields.has(field)) return undefined;
  const listed = [...fields].slice(0, 20).map(show).join(", ") || "none";
  return (
    `${option} is ${show(field)}, but no row has this field in its metadata or inputs; ` +
    didYouMean(field, [...fields], `the fields are ${listed}.`, show)
  );
}
