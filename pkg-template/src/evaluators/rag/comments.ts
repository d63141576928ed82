/** The common parts of the comments of metrics. */

import { verdictComment } from "../item-verdicts/comments.js";
import type { JudgedClaim } from "./steps.js";

/** The number of supported claims, and the unsupported ones. */
export const supportComment = (claims: readonly JudgedClaim[], by: string): string =>
  verdictComment(claims, {
    noun: "claim",
    good: "supported",
    by: ` by ${by}`,
    label: ({ claim }) => `"${claim}"`,
  });

/** The texts of contexts. */
export const textsOf = (contexts: readonly { text: string }[]): string[] => contexts.map(({ text }) => text);
