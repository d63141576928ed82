/**
 * Rejects messages whose calls are in a form that is not read or contradict themselves, and objects that are not messages, so that
 * no call is missed.
 */

import { invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { parseJson } from "../../core/input/json/parse-json.js";
import { isRecord } from "../../core/input/objects.js";
import { same } from "../../core/input/same.js";
import { CALLS, callsOf, rawCallsOf, type ToolCall } from "./calls.js";
import { type AnyMessage, isItem, isLangChainMessage } from "./forms.js";
import type { MessagePlace } from "./place.js";
import { roleOf } from "./roles.js";

/** The types of calls outside of a message. */
const OUTSIDE = /^(function|tool[_-]use|tool-call)$/;

/** The types of items without calls. */
const NO_CALLS =
  /_(output|call_result)$|^(reasoning|compaction\w*|mcp_list_tools|mcp_approval_\w+|item_reference|hosted_tool_call)$/;

/** Roles of calls, which some datasets have instead of calls. */
const CALL_ROLE = /^(function|tool)[_-]?(call|use)s?$/i;

/** The fields of calls in all spellings, and those of them that are read. */
const CALL_FIELD = /^(function|tool)[_-]?(call|use|invocation|request)s?$/i;
const READ_FIELD = /^(tool_calls|function_call)$/;

/** Fields that have calls in datasets, if they are lists of objects with a name. */
const CALL_LIST = /^(calls|actions)$/i;

/** The fields of arguments in all spellings, and those of them that are read. */
const ARGUMENTS = /^(tool_?)?(param(eter)?s?|arg(ument)?s?|kwargs|inputs?|payload)$/i;
const READ_ARGUMENTS = ["arguments", "args", "input"];

/** The fields of calls and results in parts of other packages. */
const PART_FIELD = /^(function|tool)[_-]?(call|use|invocation|request|result|response)s?$/i;

/** The fields in which the messages of other packages have their parts. */
const CONTAINER = /^(parts|blocks|content_?blocks|items?|data|kwargs|delta|message|options|raw_?item)$/i;

/** The types of parts that are calls or results, and the exceptions, which need no reading: results, and calls that are never run. */
const CALL_TYPE = /tool|^function/i;
const NO_CALL_TYPE =
  /result|error|response|output|approval|reference|chunk|invalid|listing|addition|removal/i;

/** The depth to which fields of other packages are searched for calls. */
const DEPTH = 5;

/**
 * The calls of a message. Throws for a message in a form that is not read, for a call that contradicts itself, and for an object
 * that is not a message, such as a call.
 *
 * @param placeOf The name of a call in errors, by its index.
 */
export function checkedCalls(
  message: AnyMessage,
  place: MessagePlace,
  placeOf = (call: number) => `${place()}.tool_calls[${call}]`,
): readonly ToolCall[] {
  const { role, type } = message;
  const isOutside = typeof type === "string" && OUTSIDE.test(type);
  if (isOutside && !isLangChainMessage(message)) throw withoutRole(place);
  if (role != null && typeof role !== "string")
    throw invalidInput(`${place()}.role is ${show(role)}; it has to be a text`);
  const calls = callsOf(message, place);
  const unread = unreadIn(message, calls);
  if (unread) {
    throw invalidInput(
      `${place()} has ${unread} in a form that is not read; convert it to { role, content, tool_calls: [{ id, name, args }] }, ` +
        "and messages of the AI SDK's user interface with convertToModelMessages()",
    );
  }
  if (roleOf(message) === undefined && !(isItem(message) && NO_CALLS.test(type)) && !calls.length)
    throw withoutRole(place);
  calls.forEach(({ name }, call) => {
    if (typeof name !== "string" || !name)
      throw invalidInput(`The name of ${placeOf(call)} is ${show(name)}; it has to be a text`);
  });
  if (calls.length)
    rawCallsOf(message, place).forEach((call, index) => {
      checkAgreement(call, () => placeOf(index));
    });
  if (calls.some(({ args }) => args == null)) checkArguments(message, calls, place, placeOf);
  return calls;
}

/** The objects that may have the name and the arguments of a call, by their place. */
const toolsIn = (call: AnyMessage): [string, AnyMessage][] =>
  ["", "function.", "custom.", "functionCall."].map((place) => [
    place,
    Object(place ? call[place.slice(0, -1)] : call),
  ]);

/**
 * Rejects a call with different names or arguments in several fields: an application could run others than those that were
 * checked. Packages that write two fields write the same into both.
 */
export function checkAgreement(call: AnyMessage, place: MessagePlace): void {
  const tools = toolsIn(call);
  for (const [what, fieldsOf] of [
    ["names", () => ["name", "toolName"]],
    ["arguments", (tool: AnyMessage) => [...READ_ARGUMENTS, ...unreadArguments(tool)]],
  ] as const) {
    const all = tools.flatMap(([at, tool]) =>
      fieldsOf(tool).flatMap((field) =>
        tool[field] == null ? [] : [{ field: at + field, value: tool[field] }],
      ),
    );
    const [first, ...others] = all;
    const other = others.find(({ value }) => !isSameValue(value, first?.value, what === "arguments"));
    if (first && other)
      throw invalidInput(
        `${place()} has different ${what} in ${first.field} and ${other.field}; write { id, name, args }`,
      );
    if (what === "arguments" && all.some(({ value }) => typeof value.toJSON === "function"))
      throw invalidInput(
        `${place()} has arguments with toJSON(), so their JSON is not what the tool gets; pass plain data`,
      );
  }
}

/** Whether two fields have the same value, perhaps one of them as JSON text. */
function isSameValue(a: unknown, b: unknown, areArguments: boolean): boolean {
  if (a === b) return true;
  // Parsing would round long numbers.
  const read = (value: unknown) =>
    typeof value === "string" && !/\d{16}/.test(value) ? (parseJson(value.trim() || "{}") ?? value) : value;
  return areArguments && same(withoutUndefined(read(a)), withoutUndefined(read(b))) === true;
}

/** Arguments without optional ones that are `undefined`, as their JSON has them. */
const withoutUndefined = (value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
    : value;

/** A call may have no arguments, but not in a field that is not read. */
function checkArguments(
  message: AnyMessage,
  calls: readonly ToolCall[],
  place: MessagePlace,
  placeOf: (call: number) => string,
): void {
  rawCallsOf(message, place).forEach((call, index) => {
    if (calls[index]?.args != null) return;
    const [unread] = toolsIn(call).flatMap(([, tool]) => unreadArguments(tool));
    if (unread !== undefined)
      throw invalidInput(
        `${placeOf(index)} has arguments in ${unread}, which is not read; write { id, name, args }`,
      );
  });
}

/** The fields of a call with arguments that are not read. */
const unreadArguments = (tool: AnyMessage): string[] =>
  Object.keys(tool).filter(
    (field) => ARGUMENTS.test(field) && !READ_ARGUMENTS.includes(field) && hasFields(tool[field]),
  );

const hasFields = (value: unknown): boolean =>
  typeof value === "object" ? Object.keys(value ?? {}).length > 0 : Boolean(value);

const withoutRole = (place: MessagePlace) =>
  invalidInput(
    `${place()} has no role; a message is { role, content }, a message of LangChain, or an item of the Responses API`,
  );

/** Where a message has calls that are not read. Beside calls that are read, other fields have copies of them. */
function unreadIn(message: AnyMessage, calls: readonly ToolCall[]): string | undefined {
  const { role, content } = message;
  if (CALL_ROLE.test(role)) return `the role ${role}`;
  // The content of a tool's message is its result, which may be any data.
  const isResult = roleOf(message) === "tool" && !Array.isArray(content);
  if (Array.isArray(content) ? content.some(isUnreadPart) : !isResult && hasCalls(content))
    return "calls in content";
  if (calls.length || isLangChainMessage(message)) return undefined;
  return Object.keys(message).find((field) => {
    const value = message[field];
    if (CALL_LIST.test(field) && Array.isArray(value)) return value.some((one) => Object(one).name != null);
    if (CALL_FIELD.test(field)) return !READ_FIELD.test(field) && isFilled(value);
    // The AI SDK's user interface has parts, and its text may be nowhere else.
    return (
      CONTAINER.test(field) && (hasCalls(value) || (field === "parts" && content == null && isFilled(value)))
    );
  });
}

/** Whether a part is a call in another form than those of {@link callsOf}. */
function isUnreadPart(part: any): boolean {
  if (typeof part !== "object" || !part) return false;
  const { type, name, args, arguments: given = args, input = given } = part;
  if (typeof type === "string") return CALL_TYPE.test(type) && !CALLS.test(type) && !NO_CALL_TYPE.test(type);
  return hasCalls(part) || (typeof name === "string" && input != null);
}

/** Whether a value has a call somewhere. */
function hasCalls(value: any, depth = 0): boolean {
  if (typeof value !== "object" || !value || depth > DEPTH) return false;
  if (Array.isArray(value)) return value.some((element) => hasCalls(element, depth + 1));
  const { type = value.block_type ?? value.content_type } = value;
  if (typeof type === "string" && CALL_TYPE.test(type)) return true;
  return Object.keys(value).some((field) =>
    PART_FIELD.test(field) ? isFilled(value[field]) : hasCalls(value[field], depth + 1),
  );
}

const isFilled = (field: any): boolean => (Array.isArray(field) ? field.length > 0 : Boolean(field));
