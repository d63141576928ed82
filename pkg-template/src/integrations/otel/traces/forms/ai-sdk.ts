/** The Vercel AI SDK's own attributes, such as `ai.prompt.messages`, up to version 6 and in its legacy integration. */

import { isRecord } from "../../../../core/input/objects.js";
import { readMessages, type TraceMessage } from "../message.js";
import { type AddNote, firstValue, structured, textIn } from "../span.js";
import { type Form, toolReading } from "./form.js";

export const aiSdk: Form = {
  name: "Vercel AI SDK",
  matches: ({ attributes }) =>
    ["ai.operationId", "ai.prompt.messages", "ai.prompt", "ai.toolCall.name"].some((name) =>
      attributes.has(name),
    ),
  read({ attributes, name }, addNote) {
    const operation = String(attributes.get("ai.operationId") ?? name);
    if (attributes.has("ai.toolCall.name") || operation === "ai.toolCall") {
      return toolReading({
        id: textIn(attributes, ["ai.toolCall.id"]),
        name: textIn(attributes, ["ai.toolCall.name"]) ?? name,
        args: firstValue(attributes, ["ai.toolCall.args", "ai.toolCall.input"]),
        result: structured(firstValue(attributes, ["ai.toolCall.result", "ai.toolCall.output"])),
      });
    }
    if (/embed|rerank|Speech|transcribe/i.test(operation)) return undefined;
    const isModel = /\.do(Generate|Stream)\b/.test(operation) || attributes.has("ai.prompt.messages");
    const input = isModel
      ? readMessages(attributes.get("ai.prompt.messages"), "user", addNote)
      : promptOf(attributes.get("ai.prompt"), addNote);
    return { kind: isModel ? "model" : "agent", input, output: answerOf(attributes, addNote) };
  },
};

/** The caller's prompt: `{ system, prompt, messages }`. */
function promptOf(given: unknown, addNote: AddNote): TraceMessage[] {
  const prompt = structured(given);
  if (!isRecord(prompt)) return readMessages(prompt, "user", addNote);
  const system = prompt.system ?? prompt.instructions;
  return [
    ...(system === undefined || system === null ? [] : readMessages(system, "system", addNote)),
    ...readMessages(prompt.prompt, "user", addNote),
    ...readMessages(prompt.messages, "user", addNote),
  ];
}

function answerOf(attributes: Map<string, unknown>, addNote: AddNote): TraceMessage[] {
  const text = firstValue(attributes, [
    "ai.response.text",
    "ai.response.object",
    "ai.result.text",
    "ai.result.object",
  ]);
  const calls = structured(firstValue(attributes, ["ai.response.toolCalls", "ai.result.toolCalls"]));
  const thought = firstValue(attributes, ["ai.response.reasoning"]);
  if (text === undefined && calls === undefined && thought === undefined) return [];
  if (typeof calls === "string" && calls.trim())
    addNote("its tool calls are not valid JSON, as if they were cut off, and are left out");
  const message = { role: "assistant", content: text ?? "", tool_calls: calls, reasoning: thought };
  return readMessages([message], "assistant", addNote);
}
