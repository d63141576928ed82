/** Finds the citations of an answer. */

import { invalidInput } from "../../core/errors.js";
import { isListOf, show } from "../../core/input/checks.js";
import { callAtOnce } from "../../core/user-function.js";
import type { ReadContext } from "./contexts.js";
import type { Claim } from "./steps.js";

/** Returns the citations in a sentence: ids of contexts, or their numbers, counted from 1. */
export type CitationReader = (sentence: string) => readonly string[];

/** Citations in brackets, such as `[1]`, `[2, 3]`, `[doc-7]`, and those of assistants, such as `【4:0†source】`. */
const MARK = /\[\^?([^[\]\n]{1,80})\](?!\()|【([^【】\n]{1,80})】/g;
/** The default reader. */
const readMarks: CitationReader = (sentence) =>
  Array.from(
    sentence.matchAll(MARK),
    ([, plain, wide]) => plain ?? wide?.replace(/[:†].*$/, "") ?? "",
  ).flatMap((mark) => mark.split(/[,;]/).map((id) => id.trim()));

/** A claim with the contexts that it cites. */
export interface CitedClaim {
  claim: Claim;
  /** The indices of the cited contexts. */
  contexts: number[];
  /** Citations of contexts that do not exist. */
  unknown: string[];
}

/**
 * The claims with the citations of their sentences. Only the default reader's marks can be in prose as well, so those
 * without a context and without a digit are left out.
 */
export function citedClaims(
  text: string,
  claims: readonly Claim[],
  contexts: readonly ReadContext[],
  reader: CitationReader | undefined,
): CitedClaim[] {
  const ids = new Map(contexts.map(({ id }, index) => [id, index]));
  const indexOf = (citation: string): number | undefined => {
    const index = ids.get(citation);
    if (index !== undefined) return index;
    const number = /^\d+$/.test(citation) ? Number(citation) : 0;
    return number >= 1 && number <= contexts.length ? number - 1 : undefined;
  };
  return claims.map((claim) => {
    const sentence = claim.start === undefined ? claim.claim : text.slice(claim.start, claim.end);
    const cited = citationsIn(sentence, reader);
    const found = cited.map((citation) => ({ citation, index: indexOf(citation) }));
    const indices = found.flatMap(({ index }) => index ?? []);
    const unknown = found.flatMap(({ citation, index }) =>
      index === undefined && (reader || /\d/.test(citation)) ? citation : [],
    );
    return {
      claim,
      contexts: [...new Set(indices)].sort((a, b) => a - b),
      unknown: [...new Set(unknown)],
    };
  });
}

function citationsIn(sentence: string, reader: CitationReader = readMarks): readonly string[] {
  const found: unknown = callAtOnce("The function citations", () => reader(sentence));
  if (isListOf(found, (citation) => typeof citation === "string")) return found as string[];
  throw invalidInput(`The function citations returned ${show(found)}; it has to return a list of texts`);
}
