/** The content of a request in any API: messages in OpenAI's format, and the schema of the answer. */
import type { Json } from "./servers/loopback.js";

interface Conversation {
  messages: { role: string; content: string }[];
  schema: Json;
}

/** Reads the body of a request with text messages. */
export function conversationOf(body: Json): Conversation {
  const list: Json[] = body.messages ?? body.input ?? body.contents;
  const system = body.system ?? body.systemInstruction;
  const messages = [...(system ? [{ role: "system", content: system }] : []), ...list].map((message) => ({
    role: message.role === "model" ? "assistant" : message.role,
    content: textOf(message.content ?? message.parts),
  }));
  const schema =
    body.format ??
    body.response_format?.json_schema?.schema ??
    body.text?.format.schema ??
    body.output_config?.format.schema ??
    (body.outputConfig && JSON.parse(body.outputConfig.textFormat.structure.jsonSchema.schema)) ??
    body.generationConfig?.responseJsonSchema ??
    body.tools?.[0].input_schema;
  return schema ? { messages, schema } : inThePrompt(messages);
}

/** A text, or the only one in a list of parts. */
function textOf(content: Json): string {
  if (typeof content === "string") return content;
  const [{ text }, ...others] = content.parts ?? content;
  if (others.length > 0) throw new Error("This message has several parts");
  return text;
}

/** Extracts the schema from the end of the last message, after the line that announces it. */
function inThePrompt(messages: Conversation["messages"]): Conversation {
  const last = messages.at(-1)!;
  const [whole = "", schema = "null"] = /\n\n[^\n]*JSON[^\n]*\n(\{.*\})$/s.exec(last.content) ?? [];
  const content = last.content.slice(0, last.content.length - whole.length);
  return { messages: [...messages.slice(0, -1), { ...last, content }], schema: JSON.parse(schema) };
}
