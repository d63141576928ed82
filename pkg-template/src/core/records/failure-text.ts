/** Failures in words. */

import type { Failure } from "./types.js";

export const failureText = ({ name, code, message }: Failure): string => `${code ?? name}: ${message}`;

/**
 * What went wrong, and the answer of a judge that the text of an error quotes. Answers differ between rows, so errors are grouped
 * without them. `src/judge/mod.rs` writes these messages.
 */
export function splitAnswer(text: string): { problem: string; answer: string | undefined } {
  const [problem = "", ...rest] = text.split(QUOTED);
  return { problem, answer: rest.length ? rest.join(QUOTED) : undefined };
}

const QUOTED = " It answered: ";
