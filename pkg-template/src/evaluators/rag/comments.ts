/** The common parts of the comments of metrics. */

import { verdictComment } from "../item-verdicts/comments.js";
import type { JudgedClaim } from "./steps.js";

/** The number of supported claims, and the unsupported ones. */
export const supportComment = (claims: readonly JudgedClaim[], by?: string): string =>
  verdictComment(claims, {
    noun: "claim",
    good: "supported",
    by: by && ` by ${by}`,
    label: ({ claim }) => `"${claim}"`,
  });

/** The same for the contexts of a row, which may be empty. */
export const contextComment = (claims: readonly JudgedClaim[], contexts: readonly string[]): string =>
  contexts.some(hasText)
    ? supportComment(claims, "the context")
    : `There is no context. ${supportComment(claims)}`;

export const hasText = (text: string): boolean => text.trim() !== "";

/** The texts of contexts. */
export const textsOf = (contexts: readonly { text: string }[]): string[] => contexts.map(({ text }) => text);
