/** Reads tool calls in all forms of messages. */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { AnyMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";

/** A tool call. */
export interface ToolCall {
  id?: unknown;
  name: unknown;
  /** The arguments: a string with JSON, or a value. */
  args: unknown;
  /** Whether `args` is a plain text instead of JSON. */
  isText?: boolean;
}

/**
 * The calls of a message: its `tool_calls`, the provider's calls in a LangChain message, the older `function_call`, or calls
 * in the parts of its content. An item of the Responses API may be a call itself.
 *
 * @param place The name of the message in errors.
 */
export function callsOf(message: AnyMessage, place: MessagePlace): readonly ToolCall[] {
  return rawCallsOf(message, place).map((call) => (call === message ? readItem(message) : readCall(call)));
}

/** The same calls, unread; of an item of the Responses API, the message itself. */
export function rawCallsOf(message: AnyMessage, place: MessagePlace): readonly AnyMessage[] {
  const { tool_calls, invalid_tool_calls: invalid, additional_kwargs: more, content } = message;
  const own = invalid?.length ? [...(tool_calls ?? []), ...invalid] : tool_calls;
  const listed = own?.length ? own : (more?.tool_calls ?? own);
  if (listed != null && !Array.isArray(listed)) {
    throw invalidInput(`${place()}.tool_calls is ${show(listed)}; it has to be a list of calls`);
  }
  if (listed?.length) {
    const calls: AnyMessage[] = [];
    for (let index = 0; index < listed.length; index++) calls.push(checkedCall(listed[index], place, index));
    // LangChain has the calls that the provider made in the content only.
    return Array.isArray(content)
      ? [...content.filter((part) => hasType(SERVER_CALLS, part)), ...calls]
      : calls;
  }
  const single = message.function_call ?? more?.function_call;
  if (single != null) return [checkedCall(single, place)];
  if (Array.isArray(content)) return content.filter((part) => hasType(CALLS, part));
  // OpenAI's Agents SDK has the items of hosted tools in another item, with listings of tools and approvals among them.
  const item = message.type === HOSTED_CALL ? (message.providerData ?? message) : message;
  return hasType(/_call$/, item) ? [message] : [];
}

/** The types of parts that are calls, of Anthropic, LangChain, the AI SDK, Google and OpenAI. */
export const CALLS = /^((\w+_)?tool[_-](use|call)|function_?[cC]all)$/;

/** The type of an item of OpenAI's Agents SDK. */
const HOSTED_CALL = "hosted_tool_call";

const SERVER_CALLS = /^server_tool_(use|call)$/;

/** Whether a part of a content has one of these types. */
export const hasType = (types: RegExp, part: any): boolean =>
  typeof part?.type === "string" && types.test(part.type);

/** Without an index, the call is the message's `function_call`. */
function checkedCall(call: unknown, place: MessagePlace, index?: number): AnyMessage {
  if (typeof call === "object" && call) return call;
  const field = index === undefined ? "function_call" : `tool_calls[${index}]`;
  throw invalidInput(
    `${place()}.${field} is ${show(call)}; a call is { function: { name, arguments } } or { name, args }`,
  );
}

function readCall(call: AnyMessage): ToolCall {
  const {
    id = call.toolCallId,
    callId = id,
    call_id = callId,
    function: called,
    custom,
    functionCall,
  } = call;
  const tool = Object(called ?? custom ?? functionCall ?? call);
  const { name = tool.toolName, arguments: args = tool.args, input } = tool;
  return { id: call_id, name, args: args ?? input, isText: args == null && typeof input === "string" };
}

/** A call as an item. Calls of OpenAI's hosted tools have a type instead of a name: `web_search_call` is one of `web_search`. */
function readItem(item: AnyMessage): ToolCall {
  const { name, args, ...call } = readCall(item);
  const { id, call_id, type, status, output, outputs, results, result, error, providerData, ...others } =
    item;
  const made = { ...call, args: args ?? others };
  const isHosted = type === HOSTED_CALL;
  if (name !== undefined && !isHosted) return { ...made, name };
  // The Agents SDK has the type as the name, and the name in the item of the provider.
  const typed = (isHosted && (providerData?.name ?? name)) || type;
  return { ...made, name: String(typed).replace(/_call$/, "") };
}
