/** The supported conventions. They are tried in order: if a span follows several, the vendor's own wins. */

import type { AddNote, Span } from "../span.js";
import { aiSdk } from "./ai-sdk.js";
import type { Form, SpanReading } from "./form.js";
import { genAi } from "./gen-ai.js";
import { genAiEvents } from "./gen-ai-events.js";
import { langSmith } from "./langsmith.js";
import { openInference } from "./openinference.js";
import { openLLMetry } from "./openllmetry.js";

const FORMS: readonly Form[] = [langSmith, aiSdk, openInference, openLLMetry, genAiEvents, genAi];

/**
 * The part of a conversation in a span and its conventions; `undefined` if there is none. The request and the response each come
 * from the first convention that has them.
 */
export function readingOf(
  span: Span,
  addNote: AddNote,
): { forms: string[]; reading: SpanReading } | undefined {
  let found: { forms: string[]; reading: SpanReading } | undefined;
  for (const form of FORMS) {
    if (!form.matches(span)) continue;
    const notes: string[] = [];
    const reading = form.read(span, (note) => notes.push(note));
    if (!reading) continue;
    const { input = [], output = [] } = found?.reading ?? {};
    const isFirst = input.length === 0 && output.length === 0;
    const hasMore =
      (!input.length && reading.input.length > 0) || (!output.length && reading.output.length > 0);
    if (found && !(isFirst && reading.tool) && !hasMore) continue;
    for (const note of notes) addNote(note);
    if (reading.tool) return { forms: [form.name], reading };
    found =
      !found || isFirst
        ? { forms: [form.name], reading }
        : {
            forms: [...found.forms, form.name],
            reading: {
              ...found.reading,
              input: input.length ? input : reading.input,
              output: output.length ? output : reading.output,
            },
          };
    if (found.reading.input.length && found.reading.output.length) break;
  }
  return found;
}
