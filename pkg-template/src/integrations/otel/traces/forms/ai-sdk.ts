/** The Vercel AI SDK's own attributes, up to version 6 and by its legacy integration: `ai.prompt.messages` and the like. */

import { readMessages, type TraceMessage } from "../message.js";
import { isObject } from "../otlp.js";
import { firstOf, structured, type Tell, textIn } from "../span.js";
import { type Form, toolReading } from "./form.js";

export const aiSdk: Form = {
  name: "Vercel AI SDK",
  isOf: ({ attributes }) =>
    ["ai.operationId", "ai.prompt.messages", "ai.prompt", "ai.toolCall.name"].some((name) =>
      attributes.has(name),
    ),
  read({ attributes, name }, tell) {
    const operation = String(attributes.get("ai.operationId") ?? name);
    if (attributes.has("ai.toolCall.name") || operation === "ai.toolCall") {
      return toolReading({
        id: textIn(attributes, ["ai.toolCall.id"]),
        name: textIn(attributes, ["ai.toolCall.name"]) ?? name,
        args: firstOf(attributes, ["ai.toolCall.args", "ai.toolCall.input"]),
        result: structured(firstOf(attributes, ["ai.toolCall.result", "ai.toolCall.output"])),
      });
    }
    if (/embed|rerank|Speech|transcribe/i.test(operation)) return undefined;
    const isModel = /\.do(Generate|Stream)\b/.test(operation) || attributes.has("ai.prompt.messages");
    const input = isModel
      ? readMessages(attributes.get("ai.prompt.messages"), "user", tell)
      : promptOf(attributes.get("ai.prompt"), tell);
    return { kind: isModel ? "model" : "agent", input, output: answerOf(attributes, tell) };
  },
};

/** What the caller passed: `{ system, prompt, messages }`. */
function promptOf(given: unknown, tell: Tell): TraceMessage[] {
  const prompt = structured(given);
  if (!isObject(prompt)) return readMessages(prompt, "user", tell);
  const system = prompt.system ?? prompt.instructions;
  return [
    ...(system === undefined || system === null ? [] : readMessages(system, "system", tell)),
    ...readMessages(prompt.prompt, "user", tell),
    ...readMessages(prompt.messages, "user", tell),
  ];
}

function answerOf(attributes: Map<string, unknown>, tell: Tell): TraceMessage[] {
  const text = firstOf(attributes, [
    "ai.response.text",
    "ai.response.object",
    "ai.result.text",
    "ai.result.object",
  ]);
  const calls = structured(firstOf(attributes, ["ai.response.toolCalls", "ai.result.toolCalls"]));
  const thought = firstOf(attributes, ["ai.response.reasoning"]);
  if (text === undefined && calls === undefined && thought === undefined) return [];
  const message = { role: "assistant", content: text ?? "", tool_calls: calls, reasoning: thought };
  return readMessages([message], "assistant", tell);
}
