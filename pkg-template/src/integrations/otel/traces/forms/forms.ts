/** The forms that are known. The first that a span is of reads it: what writes several means the one of its own. */

import type { Span, Tell } from "../span.js";
import { aiSdk } from "./ai-sdk.js";
import type { Form, SpanReading } from "./form.js";
import { genAi } from "./gen-ai.js";
import { genAiEvents } from "./gen-ai-events.js";
import { langSmith } from "./langsmith.js";
import { openInference } from "./openinference.js";
import { openLLMetry } from "./openllmetry.js";

const FORMS: readonly Form[] = [langSmith, aiSdk, openInference, openLLMetry, genAiEvents, genAi];

/** What a span tells, and in which form; `undefined` if that is nothing of a conversation. */
export function readingOf(span: Span, tell: Tell): { form: string; reading: SpanReading } | undefined {
  const fitting = FORMS.filter((form) => form.isOf(span));
  let first: { form: string; reading: SpanReading } | undefined;
  for (const form of fitting) {
    const reading = form.read(span, tell);
    if (!reading) continue;
    const hasContent = reading.tool || reading.input.length || reading.output.length;
    if (hasContent) return { form: form.name, reading };
    first ??= { form: form.name, reading };
  }
  return first;
}
