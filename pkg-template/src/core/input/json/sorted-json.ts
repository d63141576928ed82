import { isRecord } from "../objects.js";

/** JSON with sorted keys, so that values with the same content have the same text. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
