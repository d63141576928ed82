/** Calls of tools, in all the forms in which messages have them. */

import { OpenEvalsError } from "../errors.js";
import { show } from "../input/options.js";
import { type AnyMessage, isItem } from "./forms.js";

/** A call of a tool, whatever its form was. */
export interface Call {
  id?: unknown;
  name: unknown;
  /** A string is JSON text, as a model wrote it; anything else is the value itself. */
  args: unknown;
  /** Whether `args` is a text that the tool takes, and no JSON. */
  isText?: boolean;
}

/**
 * The calls of a message: its `tool_calls`, or those that LangChain keeps of the provider, or the older `function_call`, or
 * those among the parts of its content. A call as an item of the Responses API is its own.
 *
 * @param path What errors call the message.
 */
export function callsOf(message: AnyMessage, path: string): readonly Call[] {
  const { tool_calls, additional_kwargs: more, content } = message;
  const listed = tool_calls?.length ? tool_calls : (more?.tool_calls ?? tool_calls);
  if (listed != null && !Array.isArray(listed)) {
    throw invalid(`${path}.tool_calls is ${show(listed)}; it has to be a list of calls.`);
  }
  if (listed?.length) {
    return Array.from(listed, (call, index) => checkedCall(call, `${path}.tool_calls[${index}]`));
  }
  const single = message.function_call ?? more?.function_call;
  if (single != null) return [checkedCall(single, `${path}.function_call`)];
  if (Array.isArray(content)) return content.filter(isCallPart).map(readCall);
  return isItem(message) && message.type.endsWith("_call") ? [readItem(message)] : NO_CALLS;
}

const NO_CALLS: readonly Call[] = [];

/** Whether a part of a content is a call, as Anthropic, LangChain, the AI SDK and Google have them. */
export const isCallPart = (part: { type?: unknown } | null | undefined): boolean =>
  typeof part?.type === "string" && /^((\w+_)?tool[_-](use|call)|functionCall)$/.test(part.type);

function checkedCall(call: unknown, path: string): Call {
  if (typeof call === "object" && call) return readCall(call);
  throw invalid(
    `${path} is ${show(call)}; a tool call is an object, either { function: { name, arguments } } or { name, args }.`,
  );
}

function readCall(call: AnyMessage): Call {
  const { id = call.toolCallId, function: called, custom, functionCall } = call;
  const tool = [called, custom, functionCall].find((form) => typeof form === "object" && form) ?? call;
  const { name = tool.toolName, arguments: text = tool.args, input } = tool;
  return text === undefined && input !== undefined ? withInput(id, name, input) : { id, name, args: text };
}

/** A call as an item; those of tools that OpenAI runs have a type, and no name. */
function readItem(item: AnyMessage): Call {
  const { id, call_id = id, type, name = type, arguments: args, input, ...rest } = item;
  if (args !== undefined) return { id: call_id, name, args };
  if (input !== undefined) return withInput(call_id, name, input);
  const {
    status: _,
    output: __,
    outputs: ___,
    results: ____,
    result: _____,
    error: ______,
    ...others
  } = rest;
  return { id: call_id, name, args: others };
}

const withInput = (id: unknown, name: unknown, input: unknown): Call =>
  typeof input === "string" ? { id, name, args: input, isText: true } : { id, name, args: input };

const invalid = (problem: string): OpenEvalsError => new OpenEvalsError("invalid_input", problem);
