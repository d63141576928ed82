/** Messages in all the forms that conversations come in, as messages of the Chat Completions API. */

import { toOpenAIMessage } from "../chat/openai-messages.js";
import { OpenEvalsError } from "../errors.js";
import { show } from "../input/options.js";

/** A message of the Chat Completions API. */
export interface ChatMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id?: string; function: { name?: string; arguments?: unknown } }[];
  /** A call in the form that was in use before `tool_calls`. */
  function_call?: { name?: string; arguments?: unknown } | null;
  tool_call_id?: string;
}

/** A message or an item in one of the forms, which are told apart by what only they have. */
type Given = Record<string, any>;

/**
 * The messages that a message is, or an item of the Responses API: some items hold both a call and its result, and
 * reasoning may be empty.
 *
 * @param path What errors call the message.
 */
export function toChatMessages(message: unknown, path: string): ChatMessage[] {
  const given = toOpenAIMessage(message) as Given | null | undefined;
  const { role, type } = given ?? {};
  const speaker = LANGCHAIN_ROLES[role ?? type] ?? role;
  if (given && speaker && typeof speaker === "string") return [readMessage(given, speaker, path)];
  // The types of items have an underscore in their names, but for these two.
  if (given && typeof type === "string" && /_|^(reasoning|compaction)$/.test(type)) return readItem(given);
  throw new OpenEvalsError(
    "invalid_input",
    `${path} is ${show(message)}, which is no message: a message has a role and content, and an item of the Responses ` +
      "API has one of its types, such as function_call.",
  );
}

/** What LangChain calls roles; its messages have it as their type where they are plain objects, as its servers send them. */
const LANGCHAIN_ROLES: Record<string, string> = Object.assign(Object.create(null), {
  human: "user",
  ai: "assistant",
  system: "system",
  tool: "tool",
});

const SAID = ["content", "tool_calls", "function_call", "refusal", "audio"];

function readMessage(given: Given, role: string, path: string): ChatMessage {
  if (!SAID.some((field) => field in given)) {
    throw new OpenEvalsError(
      "invalid_input",
      `${path} has no content; it has ${Object.keys(given).join(", ")}.`,
    );
  }
  const { content, refusal, audio, tool_calls: calls } = given;
  if (calls != null && !(Array.isArray(calls) && calls.every((call) => typeof call === "object" && call))) {
    throw new OpenEvalsError(
      "invalid_input",
      `${path}.tool_calls is ${show(calls)}; it has to be a list of { id, function: { name, arguments } }.`,
    );
  }
  // What is refused or spoken stands in the place of the content.
  const said = content?.length ? content : (refusal ?? audio?.transcript ?? content);
  const message: ChatMessage = { ...given, role, content: said };
  return calls ? { ...message, tool_calls: calls.map(readCall) } : message;
}

/** A call of a tool that takes a text in the form of one that takes arguments; any other as it is. */
const readCall = (call: Given): any =>
  call.custom ? { id: call.id, function: { name: call.custom.name, arguments: call.custom.input } } : call;

function readItem({ type, ...item }: Given): ChatMessage[] {
  if (type === "reasoning" || type === "compaction") return readReasoning(item);
  const { id, call_id = id, status: _, ...rest } = item;
  if (type.endsWith("_output")) {
    return [{ role: "tool", tool_call_id: call_id, content: readOutput(rest.output ?? rest) }];
  }
  if (!type.endsWith("_call")) return [{ role: type, content: item }];
  const { name = type, arguments: args, input, output, outputs, results, result, error, ...others } = rest;
  const call = { id: call_id, function: { name, arguments: args ?? input ?? others } };
  const messages: ChatMessage[] = [{ role: "assistant", tool_calls: [call] }];
  // The only result under this name is a picture.
  const content = output ?? outputs ?? results ?? error ?? (result && [{ type: "image" }]);
  if (content) messages.push({ role: "tool", tool_call_id: call_id, content: readOutput(content) });
  return messages;
}

/** The thoughts that are told; they are often encrypted. */
function readReasoning({ summary, content }: Given): ChatMessage[] {
  const thoughts = [summary, content].flatMap((parts) => (Array.isArray(parts) ? parts : []));
  if (!thoughts.length) return [];
  return [
    { role: "assistant", content: thoughts.map((thought) => ({ type: "reasoning", text: thought?.text })) },
  ];
}

/** The output of a tool, without the data of pictures. */
const readOutput = (output: any): unknown =>
  output?.type === "computer_screenshot" ? [{ type: "image" }] : output;
