/** Texts within comments. */

import { joined } from "../../core/input/joined.js";

/** A text in quotes, shortened if it is long. */
export function quoted(text: string): string {
  const start = text.slice(0, 80);
  return JSON.stringify(start === text ? text : `${start}…`);
}

/** Several texts in quotes. */
export const listed = (texts: readonly string[], joint: "and" | "or"): string =>
  joined(texts.slice(0, 10).map(quoted), joint, texts.length - 10);
