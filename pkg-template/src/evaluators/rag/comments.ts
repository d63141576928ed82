/** What the comments of metrics share. */

import { verdictComment } from "../indexed/comments.js";
import type { JudgedClaim } from "./steps.js";

/** How many claims are supported, and which are not. */
export const supportComment = (claims: readonly JudgedClaim[], by: string): string =>
  verdictComment(claims, {
    noun: "claim",
    good: "supported",
    by: ` by ${by}`,
    label: ({ claim }) => `"${claim}"`,
  });

/** The texts of contexts. */
export const textsOf = (contexts: readonly { text: string }[]): string[] => contexts.map(({ text }) => text);
