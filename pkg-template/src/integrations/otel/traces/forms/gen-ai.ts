/** OpenTelemetry's current conventions: all messages in attributes of a span or an event. */

import { isRecord } from "../../../../core/input/objects.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, firstValue, type Span, structured, textIn } from "../span.js";
import { type Form, firstChoice, type SpanReading, toolReading } from "./form.js";

const DETAILS = "gen_ai.client.inference.operation.details";
const INPUT = "gen_ai.input.messages";
const OUTPUT = "gen_ai.output.messages";
const SYSTEM = "gen_ai.system_instructions";

/** The attributes of a span and of its event with the details. */
function attributesOf(span: Span): Map<string, unknown> {
  const details = span.events.filter(({ name }) => name === DETAILS);
  if (!details.length) return span.attributes;
  const bodies = details.map(({ body }) => Object.entries(isRecord(body) ? body : {}));
  return new Map([
    ...span.attributes,
    ...details.flatMap(({ attributes }) => [...attributes]),
    ...bodies.flat(),
  ]);
}

/** The kind of operation by its name. Unknown operations may have messages. */
export function kindOf(attributes: Map<string, unknown>): SpanReading["kind"] | undefined {
  const operation = attributes.get("gen_ai.operation.name");
  if (operation === "execute_tool") return "tool";
  if (operation === "embeddings" || operation === "rerank" || operation === "retrieval") return undefined;
  return /agent|workflow/.test(String(operation)) ? "agent" : "model";
}

/** The run of a tool in the attributes of its span. */
export const toolOf = (span: Span, attributes: Map<string, unknown>): SpanReading =>
  toolReading({
    id: textIn(attributes, ["gen_ai.tool.call.id"]),
    name: textIn(attributes, ["gen_ai.tool.name"]) ?? span.name.replace(/^execute_tool\s+/, ""),
    args: firstValue(attributes, [
      "gen_ai.tool.call.arguments",
      "gen_ai.tool.arguments",
      "gen_ai.tool.input",
    ]),
    result: firstValue(attributes, ["gen_ai.tool.call.result", "gen_ai.tool.result", "gen_ai.tool.output"]),
  });

export const genAi: Form = {
  name: "GenAI",
  matches: ({ attributes, events }) =>
    [INPUT, OUTPUT, SYSTEM, "gen_ai.tool.name", "gen_ai.operation.name"].some((name) =>
      attributes.has(name),
    ) || events.some(({ name }) => name === DETAILS),
  read(span, addNote) {
    const attributes = attributesOf(span);
    const kind = kindOf(attributes);
    if (kind === "tool") return toolOf(span, attributes);
    if (!kind) return undefined;
    const input = readMessages(attributes.get(INPUT), "user", addNote);
    const system = systemOf(attributes.get(SYSTEM), addNote);
    const output = structured(attributes.get(OUTPUT));
    return {
      kind,
      input: input[0]?.role === "system" ? input : [...system, ...input],
      output: readOutput(output, kind, addNote),
    };
  },
};

/** Each message is a choice, except of agents, and from instrumentations that write the pieces of one answer. */
function readOutput(output: unknown, kind: SpanReading["kind"], addNote: AddNote): TraceMessage[] {
  const messages = readMessages(output, "assistant", addNote);
  if (!Array.isArray(output) || output.length < 2 || messages.length < 2) return messages;
  const isChoice = (message: unknown) => isRecord(message) && typeof message.finish_reason === "string";
  const isAnswer = ({ role, content, tool_calls }: TraceMessage) =>
    role === "assistant" && content.length > 0 && !tool_calls;
  const areChoices = output.every(isChoice) || (kind === "model" && messages.every(isAnswer));
  return areChoices ? firstChoice(messages, addNote) : messages;
}

/** The instructions, which are parts without a message. */
function systemOf(given: unknown, addNote: AddNote): TraceMessage[] {
  const parts = structured(given);
  if (parts === undefined || parts === null) return [];
  return readMessages([{ role: "system", content: parts }], "system", addNote);
}
