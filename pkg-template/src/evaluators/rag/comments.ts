/** The comments of results. */

import type { JudgedClaim } from "./steps.js";

/** The most claims in a comment; the metadata has all. */
const MOST_SHOWN = 3;

/** `1 of 3 claims`, `1 of 1 claim`. */
export const countOf = (part: number, whole: number, noun: string): string =>
  `${part} of ${whole} ${noun}${whole === 1 ? "" : "s"}`;

/** How many claims are supported, and which are not. */
export function supportComment(claims: readonly JudgedClaim[], by: string): string {
  const wrong = claims.filter(({ verdict }) => !verdict);
  const shown = wrong.slice(0, MOST_SHOWN).map(({ claim }) => `"${claim}"`);
  if (wrong.length > MOST_SHOWN) shown.push(`and ${wrong.length - MOST_SHOWN} more`);
  const share = countOf(claims.length - wrong.length, claims.length, "claim");
  const are = claims.length === 1 ? "is" : "are";
  return `${share} ${are} supported by ${by}.${wrong.length ? ` Not supported: ${shown.join(", ")}.` : ""}`;
}

/** The texts of contexts. */
export const textsOf = (contexts: readonly { text: string }[]): string[] => contexts.map(({ text }) => text);
