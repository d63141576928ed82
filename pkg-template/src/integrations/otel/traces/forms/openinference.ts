/** OpenInference (Arize), with attributes such as `llm.input_messages.0.message.role`. */

import { isRecord } from "../../../../core/input/objects.js";
import type { Json } from "../json.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, firstValue, structured, textIn } from "../span.js";
import { listBelow } from "./flattened.js";
import { type Form, type SpanReading, toolReading } from "./form.js";

const KIND = "openinference.span.kind";
const INPUT = "llm.input_messages";
const OUTPUT = "llm.output_messages";

export const openInference: Form = {
  name: "OpenInference",
  matches: ({ attributes }) =>
    attributes.has(KIND) || [...attributes.keys()].some((name) => /^llm\.(in|out)put_messages\./.test(name)),
  read({ attributes, name }, addNote) {
    const kind = String(attributes.get(KIND) ?? "LLM").toUpperCase();
    if (kind === "TOOL") {
      return toolReading({
        id: textIn(attributes, ["tool_call.id", "tool.id"]),
        name: textIn(attributes, ["tool.name", "tool_call.function.name"]) ?? name,
        args: firstValue(attributes, ["tool.parameters", "tool_call.function.arguments", "input.value"]),
        result: attributes.get("output.value"),
      });
    }
    if (kind !== "LLM" && kind !== "AGENT" && kind !== "CHAIN") return undefined;
    const messages = (prefix: string, role: TraceMessage["role"]) =>
      readMessages(listBelow(attributes, prefix).map(messageIn), role, addNote);
    const [input, output] = [messages(INPUT, "user"), messages(OUTPUT, "assistant")];
    if (kind === "LLM" && (input.length || output.length)) return { kind: "model", input, output };
    return valuesOf(attributes, kind === "LLM" ? "model" : "agent", addNote);
  },
};

/** A message without the prefixes of its fields. */
function messageIn(entry: Json): Json {
  const { contents, tool_calls, function_call_name, function_call_arguments_json, ...message } = inner(
    entry,
    "message",
  );
  const parts = Array.isArray(contents) ? contents.filter(isRecord).map(partIn) : undefined;
  const calls = Array.isArray(tool_calls)
    ? tool_calls.filter(isRecord).map((call) => inner(call, "tool_call"))
    : [];
  if (function_call_name && message.role !== "function" && message.role !== "tool") {
    calls.push({ name: function_call_name, arguments: function_call_arguments_json });
  }
  return { ...message, ...(parts && { content: parts }), ...(calls.length && { tool_calls: calls }) };
}

function partIn(entry: Json): Json {
  const { image, ...part } = inner(entry, "message_content");
  const url = inner(inner({ image }, "image"), "image").url;
  return url === undefined ? part : { type: "image_url", image_url: { url } };
}

const inner = (of: Json, name: string): Json => (isRecord(of[name]) ? of[name] : of);

/** Without messages, uses the plain values if they are texts or messages. */
function valuesOf(
  attributes: Map<string, unknown>,
  kind: SpanReading["kind"],
  addNote: AddNote,
): SpanReading | undefined {
  const read = (name: string, role: TraceMessage["role"]) => {
    const value = structured(attributes.get(name));
    const held = isRecord(value) && Array.isArray(value.messages) ? value.messages : value;
    const areMessages = Array.isArray(held) && held.flat().every(isRecord);
    return typeof held === "string" || areMessages ? readMessages(held, role, addNote) : [];
  };
  const [input, output] = [read("input.value", "user"), read("output.value", "assistant")];
  return input.length || output.length ? { kind, input, output } : undefined;
}
