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

/** The part of a conversation in a span and its convention; `undefined` if there is none. */
export function readingOf(span: Span, addNote: AddNote): { form: string; reading: SpanReading } | undefined {
  const matching = FORMS.filter((form) => form.matches(span));
  let first: { form: string; reading: SpanReading } | undefined;
  for (const form of matching) {
    const reading = form.read(span, addNote);
    if (!reading) continue;
    const hasContent = reading.tool || reading.input.length || reading.output.length;
    if (hasContent) return { form: form.name, reading };
    first ??= { form: form.name, reading };
  }
  return first;
}
