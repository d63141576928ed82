/** Converts messages of all conventions into OpenAI's form. */

import { isRecord } from "../../../core/input/objects.js";
import type { Json } from "./json.js";
import { type AddNote, structured } from "./span.js";

/** A call of a tool, in OpenAI's form. */
export interface TraceToolCall {
  id?: string;
  type: "function";
  function: { name: string /** JSON text. */; arguments: string };
}

/** A message of a trace, in OpenAI's form. */
export interface TraceMessage {
  role: "system" | "developer" | "user" | "assistant" | "tool";
  /** A text, or parts if there is more than text. */
  content: string | Record<string, unknown>[];
  tool_calls?: TraceToolCall[];
  /** The id of the answered call, if known. */
  tool_call_id?: string;
  /** The name of the user, if there are several. */
  name?: string;
  /** The model's reasoning, if it was recorded. */
  reasoning?: string;
}

const ROLES: Record<string, TraceMessage["role"]> = {
  ...{ system: "system", developer: "developer", user: "user", assistant: "assistant", tool: "tool" },
  ...{ human: "user", ai: "assistant", model: "assistant", function: "tool" },
  ...{ HumanMessage: "user", AIMessage: "assistant", AIMessageChunk: "assistant" },
  ...{ SystemMessage: "system", ToolMessage: "tool", HumanMessageChunk: "user", ToolMessageChunk: "tool" },
};

const roleNamed = (name: unknown): TraceMessage["role"] | undefined =>
  typeof name === "string" && Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;

/** The messages of a list, of its JSON text, or of one message. A plain text becomes a message of `role`. */
export function readMessages(given: unknown, role: TraceMessage["role"], addNote: AddNote): TraceMessage[] {
  const parsed = structured(given);
  // JSON text that holds no messages is plain text.
  const value = typeof given === "string" && !areMessages(parsed) ? given : parsed;
  if (value === undefined || value === null || value === "") return [];
  if (looksCutOff(parsed)) addNote(CUT_OFF_NOTE);
  // LangSmith has a list of messages for each prompt.
  const list = Array.isArray(value) ? value.flat() : [value];
  return mergeTurns(list.flatMap((each) => readMessage(each, role, addNote)));
}

/** The note for attributes that an exporter has cut off because of their length. */
const CUT_OFF_NOTE =
  "its messages begin as JSON but are not valid JSON, as if they were cut off; calls may be missing";

/** Whether a value is still text although it begins like JSON messages. */
const looksCutOff = (value: unknown): boolean =>
  typeof value === "string" && /^\s*(?:\[\s*)?\{\s*"/.test(value);

const FIELDS = ["role", "parts", "kwargs", "data", "call_id"];

function areMessages(value: unknown): boolean {
  const list = Array.isArray(value) ? value.flat() : [value];
  return list.every((each) => isRecord(each) && FIELDS.some((name) => name in each));
}

/** Reads a message. A message with the results of several calls becomes several messages. */
export function readMessage(
  given: unknown,
  defaultRole: TraceMessage["role"],
  addNote: AddNote,
): TraceMessage[] {
  if (typeof given === "string") return [{ role: defaultRole, content: given }];
  if (!isRecord(given)) {
    addNote(`${JSON.stringify(given)?.slice(0, 100)} is not a message`);
    return [];
  }
  const message = unwrapped(given);
  const type = message.type;
  if (type === "function_call" || type === "function_call_output")
    return readParts([message], defaultRole, message, addNote);
  const named = message.role ?? type;
  const role = roleNamed(named) ?? defaultRole;
  if (message.role !== undefined && !roleNamed(message.role)) {
    addNote(`the role "${String(message.role).slice(0, 50)}" is read as ${role}`);
  }
  const { parts, content } = message;
  const held = structured(parts ?? content);
  // Text that is a JSON list of something else stays text.
  const areParts =
    Array.isArray(held) && held.every((part) => isRecord(part) && isPart(part, typeof content !== "string"));
  if (areParts && held.length) return readParts(held, role, message, addNote);
  if (Array.isArray(parts)) return readParts(parts, role, message, addNote);
  return withDetails({ role, content: contentText(content) }, message);
}

/** A message without the wrapping of LangChain. */
function unwrapped(message: Json): Json {
  const { id, kwargs, data, type } = message;
  if (isRecord(kwargs) && Array.isArray(id)) return { role: String(id.at(-1)), ...withoutType(kwargs) };
  if (isRecord(data) && roleNamed(type)) return { role: type, ...withoutType(data) };
  return message;
}

const withoutType = ({ type, ...rest }: Json): Json => rest;

const contentText = (content: unknown): string =>
  content === undefined || content === null
    ? ""
    : typeof content === "string"
      ? content
      : JSON.stringify(content);

/** Adds the calls, the answered call, the name and the reasoning to a message. */
function withDetails(message: TraceMessage, from: Json): TraceMessage[] {
  const calls = callsOf(from);
  if (calls.length) message.tool_calls = distinct([...(message.tool_calls ?? []), ...calls]);
  const answered = from.tool_call_id ?? from.toolCallId ?? (message.role === "tool" ? from.id : undefined);
  if (message.role === "tool" && typeof answered === "string") message.tool_call_id = answered;
  if (message.role === "user" && typeof from.name === "string" && from.name) message.name = from.name;
  const thought = from.reasoning_content ?? from.reasoning;
  if (typeof thought === "string" && thought) message.reasoning ??= thought;
  return [message];
}

/** The calls without duplicates. LangChain has calls both in the content and beside it. */
function distinct(calls: readonly TraceToolCall[]): TraceToolCall[] {
  const seen = new Set<string>();
  return calls.filter(({ id }) => {
    if (id === undefined) return true;
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

function callsOf(message: Json): TraceToolCall[] {
  const more = isRecord(message.additional_kwargs) ? message.additional_kwargs : {};
  const own = structured(message.tool_calls ?? message.toolCalls);
  const listed = Array.isArray(own) && own.length ? own : structured(more.tool_calls);
  const calls = Array.isArray(listed) ? listed.filter(isRecord).map(callOf) : [];
  const single = message.function_call ?? more.function_call;
  return isRecord(single) ? [...calls, callOf(single)] : calls;
}

/** A call in any form. */
export function callOf(call: Json): TraceToolCall {
  const tool = isRecord(call.function) ? call.function : call;
  const id = call.call_id ?? call.id ?? call.toolCallId;
  const args = tool.arguments ?? tool.args ?? tool.input;
  return toolCall(id, tool.name ?? tool.toolName, args);
}

export function toolCall(id: unknown, name: unknown, args: unknown): TraceToolCall {
  const text = typeof args === "string" ? args : JSON.stringify(args ?? {});
  return {
    ...(typeof id === "string" && id && { id }),
    type: "function",
    function: { name: String(name ?? ""), arguments: text },
  };
}

const TYPES =
  /^(text|(in|out)put_text|image_url|image|reasoning|thinking|tool[-_](call|use|result|call_response))$/;

const isPart = ({ type }: Json, isCertain: boolean): boolean =>
  typeof type === "string" && (isCertain || TYPES.test(type));

/** A message of parts. */
function readParts(
  parts: readonly unknown[],
  role: TraceMessage["role"],
  from: Json,
  addNote: AddNote,
): TraceMessage[] {
  const others: Json[] = [];
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: TraceToolCall[] = [];
  const answers: TraceMessage[] = [];
  for (const each of parts) {
    const part: Json = isRecord(each) ? each : { type: "text", text: contentText(each) };
    switch (String(part.type).replaceAll("-", "_")) {
      case "text":
      case "input_text":
      case "output_text":
      case "refusal": {
        const text = contentText(part.content ?? part.text ?? part.refusal);
        texts.push(text);
        others.push({ type: "text", text });
        break;
      }
      case "reasoning":
      case "thinking":
        thoughts.push(contentText(part.content ?? part.text ?? part.thinking));
        break;
      case "tool_call":
      case "tool_use":
      case "function_call":
        calls.push(callOf(part));
        break;
      case "server_tool_call":
        calls.push(toolCall(part.id, part.name, part.server_tool_call));
        break;
      case "tool_call_response":
      case "server_tool_call_response":
      case "tool_result":
      case "function_call_output":
        answers.push(answerOf(part));
        break;
      case "uri":
        others.push(
          part.modality === "image" ? { type: "image_url", image_url: { url: part.uri } } : { ...part },
        );
        break;
      case "blob":
        others.push(
          part.modality === "image"
            ? {
                type: "image_url",
                image_url: { url: `data:${part.mime_type ?? "image/png"};base64,${part.content}` },
              }
            : { ...part },
        );
        break;
      case "undefined":
        addNote("a part of a message has no type");
        break;
      default:
        others.push({ ...part });
    }
  }
  const isText = others.length === texts.length;
  const content = isText ? texts.join("") : others;
  const hasMore = others.length || calls.length || thoughts.length;
  if (answers.length && !hasMore) return answers;
  const isAnswer = role === "tool" && !answers.length;
  const speaker =
    calls.length || thoughts.length ? "assistant" : role === "tool" && !isAnswer ? "user" : role;
  const message: TraceMessage = { role: speaker, content };
  if (calls.length) message.tool_calls = calls;
  if (thoughts.length) message.reasoning = thoughts.join("\n");
  // An item of the Responses API is itself the part, so it has no further fields.
  const messages = parts[0] === from ? [message] : withDetails(message, from);
  // In Anthropic's messages, the user's text follows the results.
  return speaker === "assistant" ? [...messages, ...answers] : [...answers, ...messages];
}

function answerOf(part: Json): TraceMessage {
  const id = part.call_id ?? part.tool_call_id ?? part.toolCallId ?? part.tool_use_id ?? part.id;
  const given = part.response ?? part.result ?? part.output ?? part.content ?? part.server_tool_call_response;
  return {
    role: "tool",
    content: resultText(given),
    ...(typeof id === "string" && id && { tool_call_id: id }),
  };
}

/** The result of a tool as text, without the types that the AI SDK and Anthropic add. */
export function resultText(result: unknown): string {
  if (
    isRecord(result) &&
    typeof result.type === "string" &&
    "value" in result &&
    Object.keys(result).length === 2
  )
    return contentText(result.value);
  if (
    Array.isArray(result) &&
    result.length &&
    result.every((part) => isRecord(part) && part.type === "text")
  )
    return result.map((part) => contentText(part.text ?? part.content)).join("");
  return contentText(result);
}

/** Merges the items of a model's turn: its text and each of its calls. */
function mergeTurns(messages: readonly TraceMessage[]): TraceMessage[] {
  const merged: TraceMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    const isMore = message.role === "assistant" && last?.role === "assistant";
    if (!last || !isMore || (last.content.length && message.content.length)) {
      merged.push(message);
      continue;
    }
    const calls = [...(last.tool_calls ?? []), ...(message.tool_calls ?? [])];
    const reasoning = [last.reasoning, message.reasoning].filter(Boolean).join("\n");
    merged[merged.length - 1] = {
      ...last,
      ...message,
      content: last.content.length ? last.content : message.content,
      ...(calls.length && { tool_calls: calls }),
      ...(reasoning && { reasoning }),
    };
  }
  return merged;
}
