/** Messages in OpenAI's form: as prompts show them, and as the engine takes them. */

import { OpenEvalsError } from "../errors.js";
import { toText } from "../input/json.js";
import { isLangChainMessage, langChainRole } from "../input/messages.js";
import type { ContentPart } from "./content-parts.js";

interface OpenAIMessage {
  role: unknown;
  content?: unknown;
  tool_calls?: readonly ToolCall[];
  [field: string]: unknown;
}

interface ToolCall {
  id?: string;
  name?: string;
  args?: unknown;
  function?: { name?: string; arguments?: unknown };
}

/** A message of LangChain in OpenAI's form; any other value as it is. */
export function toOpenAIMessage(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !isLangChainMessage(message)) return message;
  const { name, tool_call_id, id, content } = message as Record<string, unknown>;
  const calls = message.tool_calls?.length ? message.tool_calls : message.additional_kwargs?.tool_calls;
  return withoutUndefined({
    role: langChainRole(message),
    // Calls stand in the content as well, in the form of the provider.
    content:
      Array.isArray(content) && calls ? content.filter((part) => !CALLS.includes(part?.type)) : content,
    name,
    tool_calls: calls?.map((call) => toOpenAICall(call as ToolCall)),
    tool_call_id,
    id,
  });
}

const CALLS = ["tool_use", "tool_call", "functionCall", "input_json_delta"];

function toOpenAICall(call: ToolCall): unknown {
  if (call.function) return call;
  const { id, name, args } = call;
  return withoutUndefined({ id, type: "function", function: { name, arguments: JSON.stringify(args) } });
}

/** A value with the messages of LangChain in it in OpenAI's form: a message, a list, or `{ messages }`. */
export function withOpenAIMessages(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return hasLangChain(value) ? value.map(toOpenAIMessage) : value;
  const { messages } = value as { messages?: unknown };
  if (Array.isArray(messages) && hasLangChain(messages)) {
    return { ...value, messages: messages.map(toOpenAIMessage) };
  }
  return toOpenAIMessage(value);
}

const hasLangChain = (messages: readonly unknown[]): boolean =>
  messages.some((message) => typeof message === "object" && message !== null && isLangChainMessage(message));

/** A message for a judge. */
export interface PromptMessage {
  role: unknown;
  content: string | ContentPart[];
}

/**
 * Reads the messages that a prompt function or a prompt template made. Models only take tool calls and results that
 * belong to tools of the request, so those become text.
 */
export async function readPromptMessages(made: unknown): Promise<PromptMessage[]> {
  const { messages, role } = (made ?? {}) as { messages?: unknown; role?: unknown };
  const list = Array.isArray(made) ? made : Array.isArray(messages) ? messages : role ? [made] : undefined;
  if (!list?.length) {
    throw new OpenEvalsError(
      "invalid_input",
      "The prompt made no messages; it has to return a list of { role, content }, or an object that holds it in " +
        '"messages".',
    );
  }
  const readContent = await contentReader();
  return list.map((message, index) =>
    readPromptMessage(toOpenAIMessage(message), `messages[${index}]`, readContent),
  );
}

function readPromptMessage(message: unknown, path: string, readContent: ContentReader): PromptMessage {
  const { role, content, tool_calls, name, tool_call_id } = (message ?? {}) as OpenAIMessage;
  const said = readContent(content, `${path}.content`);
  if (role === "tool" || role === "function") {
    return { role: "user", content: before(`Result of the tool ${name ?? tool_call_id ?? ""}:\n`, said) };
  }
  if (!tool_calls?.length) return { role, content: said };
  const calls = tool_calls.map((call) => {
    const args = call.function ? call.function.arguments : call.args;
    return `Call of the tool ${call.function?.name ?? call.name}: ${typeof args === "string" ? args : JSON.stringify(args)}`;
  });
  const text = calls.join("\n");
  if (typeof said === "string") return { role, content: said ? `${said}\n${text}` : text };
  return { role, content: [...said, { type: "text", text }] };
}

type ContentReader = (content: unknown, path: string, isSeen?: RegExp) => string | ContentPart[];

/** What reads what a message says, as the engine takes it. Only the parts whose type `isSeen` knows count. */
export async function contentReader(): Promise<ContentReader> {
  const { toPart } = await import("./content-parts.js");
  return (content, path, isSeen) => {
    if (!Array.isArray(content)) return content == null ? "" : toText(content, path);
    return content
      .map((part) => (typeof part === "string" ? { type: "text", text: part } : part))
      .flatMap((part, index) =>
        isSeen?.test(part?.type) === false ? [] : toPart(part, `${path}[${index}]`, OpenEvalsError),
      );
  };
}

const before = (text: string, content: string | ContentPart[]): string | ContentPart[] =>
  typeof content === "string" ? text + content : [{ type: "text", text }, ...content];

const withoutUndefined = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
