/** Splits questions into parts that fit into a batch. */

import type { BatchApi, BatchQuestion } from "./types.js";

/** Questions by their ids. */
export type BatchQuestions = Map<string, BatchQuestion>;

/** Questions of one batch, and their lines in it. */
export interface BatchPart {
  questions: BatchQuestions;
  entries: string[];
}

export function batchParts(
  api: BatchApi,
  questions: readonly BatchQuestion[],
  maxRequests = Infinity,
): BatchPart[] {
  const { requests, bytes } = api.limits;
  const most = Math.min(requests, maxRequests);
  const encoder = new TextEncoder();
  const parts: BatchPart[] = [];
  let room = 0;
  for (const question of questions) {
    const entry = api.entry(question);
    // Includes the separator.
    const size = encoder.encode(entry).byteLength + 1;
    let part = parts.at(-1);
    if (!part || part.entries.length >= most || size > room) {
      part = { questions: new Map(), entries: [] };
      parts.push(part);
      room = bytes;
    }
    room -= size;
    part.questions.set(question.id, question);
    part.entries.push(entry);
  }
  return parts;
}
