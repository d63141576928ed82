/** OpenTelemetry's conventions up to 1.36: an event for each message, on the span or as a log record. */

import { isRecord } from "../../../../core/input/objects.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, firstValue, type SpanEvent, structured } from "../span.js";
import { type Form, type SpanReading, toolReading } from "./form.js";
import { kindOf, toolOf } from "./gen-ai.js";

const MESSAGE = /^gen_ai\.(system|user|assistant|tool)\.message$/;
const CHOICE = "gen_ai.choice";
/** Older versions have all messages in one event. */
const PROMPT = "gen_ai.content.prompt";
const COMPLETION = "gen_ai.content.completion";

const isMessageEvent = ({ name }: SpanEvent): boolean =>
  MESSAGE.test(name) || [CHOICE, PROMPT, COMPLETION].includes(name);

export const genAiEvents: Form = {
  name: "GenAI events",
  matches: ({ events }) => events.some(isMessageEvent),
  read(span, addNote) {
    const kind = kindOf(span.attributes);
    if (!kind) return undefined;
    const events = span.events.filter(isMessageEvent).sort((a, b) => a.time - b.time);
    if (kind === "tool") return toolWith(toolOf(span, span.attributes), events, addNote);
    const input: TraceMessage[] = [];
    const output: TraceMessage[] = [];
    for (const event of events) {
      const role = MESSAGE.exec(event.name)?.[1] as TraceMessage["role"] | undefined;
      if (role) input.push(...readMessages([{ role, ...contentOf(event) }], role, addNote));
      else if (event.name === PROMPT)
        input.push(...readMessages(event.attributes.get("gen_ai.prompt"), "user", addNote));
      else if (event.name === COMPLETION)
        output.push(...readMessages(event.attributes.get("gen_ai.completion"), "assistant", addNote));
      else output.push(...choiceOf(event, addNote));
    }
    return { kind, input, output };
  },
};

/** The content of an event: the body of a log record, JSON in an attribute, or an attribute for each field. */
function contentOf({ body, attributes }: SpanEvent): Record<string, unknown> {
  const content = structured(body ?? attributes.get("gen_ai.event.content"));
  if (isRecord(content)) return content;
  if (typeof content === "string") return { content };
  return Object.fromEntries(attributes);
}

function choiceOf(event: SpanEvent, addNote: AddNote): TraceMessage[] {
  const { message, index, ...rest } = contentOf(event);
  if (Number(index ?? 0) > 0) {
    addNote("the model gave several choices; only the first is read");
    return [];
  }
  const inner = structured(message);
  return readMessages(
    [{ ...rest, ...(isRecord(inner) ? inner : { content: inner ?? rest.content }), role: "assistant" }],
    "assistant",
    addNote,
  );
}

/** Reads arguments from the tool's message and the result from its choice, where the attributes lack them. */
function toolWith(reading: SpanReading, events: readonly SpanEvent[], addNote: AddNote): SpanReading {
  if (!reading.tool) return reading;
  const called = events.find(({ name }) => MESSAGE.test(name));
  const chosen = events.find(({ name }) => name === CHOICE);
  const tool = { ...reading.tool };
  if (called) {
    const content = contentOf(called);
    tool.args ??= structured(content.content);
    tool.id ??= firstValue(new Map(Object.entries(content)), ["id", "tool_call_id"]) as string | undefined;
  }
  if (chosen) tool.result ??= choiceOf(chosen, addNote)[0]?.content;
  return toolReading(tool);
}
