/** Trajectories: messages with their tool calls, or the steps of a graph. */

import { isRecord } from "../core/input/objects.js";
import { isResultPart, resultsIn } from "../evaluators/agents/results.js";
import { CALLS, callsOf, hasType, rawCallsOf } from "../models/conversation/calls.js";
import { isItem } from "../models/conversation/forms.js";
import { roleOf, unwrapped } from "../models/conversation/roles.js";
import { shown, sorted, textOf } from "./value-text.js";

/** A tool call. */
export interface ShownCall {
  /** `undefined` for an unknown form, which is shown as JSON. */
  name: string | undefined;
  /** The text of the call with its arguments. */
  text: string;
  /** Equal for equal calls in different forms. */
  identity: string;
}

export interface ShownStep {
  /** The role of the message, or the node of the graph. */
  title: string;
  text: string;
  /** The unchanged text of the data, to which the places of claims refer. */
  raw: string;
  calls: ShownCall[];
  /** Other fields. */
  rest: Record<string, unknown>;
}

/** The steps of a trajectory; `undefined` if the value is not a trajectory. */
export function readSteps(value: unknown): ShownStep[] | undefined {
  const { messages, steps } = Object(value) as { messages?: unknown; steps?: unknown };
  const list = Array.isArray(messages) ? messages : value;
  if (!Array.isArray(list)) return graphSteps(steps);
  const all = list.map(unwrapped);
  return all.length > 0 && all.every(isMessage) ? all.map(stepOf) : undefined;
}

/** What an object with messages has besides them, such as the state after a simulation; `undefined` if there is nothing else. */
export function besideMessages(value: unknown): Record<string, unknown> | undefined {
  if (!isRecord(value) || !Array.isArray(value.messages)) return undefined;
  const others = Object.entries(value).filter(([field]) => !RUN.includes(field));
  return others.length ? Object.fromEntries(others) : undefined;
}

/** Results of `recordAgent()` have times, tokens and the same messages by step. */
const RUN = ["messages", "steps", "usage", "latencyMs"];

/** A message in the form of any package, or an item of the Responses API. */
const isMessage = (one: any): one is Record<string, any> =>
  isRecord(one) &&
  (typeof roleOf(one) === "string"
    ? "content" in one || Array.isArray(one.tool_calls)
    : isItem(one) && hasType(ITEMS, one) && ("call_id" in one || "id" in one));

const ITEMS = /_(call|output)$|^reasoning$/;

const isCall = (type: string): boolean => /_call$/.test(type);

function stepOf(message: Record<string, any>): ShownStep {
  const role = roleOf(message);
  return typeof role === "string" ? messageStep(message, role) : itemStep(message);
}

function messageStep(message: Record<string, any>, title: string): ShownStep {
  const { role, type, content, tool_calls, name, arguments: args, output, ...others } = message;
  const calls = shownCalls(message);
  // LangChain has the role as the type.
  const named = {
    ...(name !== undefined && { name }),
    ...(type !== undefined && role != null && { type }),
  };
  const rest = { ...named, ...others };
  const parts = Array.isArray(content) ? content : [];
  if (!parts.some(isResultPart)) return { title, ...contentOf(withoutCalls(content)), calls, rest };
  // Anthropic has results in messages of the user.
  const results = resultsIn(message, []);
  const texts = [
    ...results.map(({ value }) => contentOf(value).text),
    contentOf(withoutCalls(parts.filter((part) => !isResultPart(part)))).text,
  ];
  return {
    title: calls.length ? title : "tool",
    text: texts.filter(Boolean).join("\n"),
    raw: "",
    calls,
    rest: results.some(({ isMarked }) => isMarked) ? { ...rest, is_error: true } : rest,
  };
}

/** The step of an item of the Responses API. */
function itemStep(message: Record<string, any>): ShownStep {
  const { role, type, content, tool_calls, name, arguments: args, output, ...rest } = message;
  if (isCall(type)) {
    const calls = shownCalls(message);
    return { title: "assistant", text: "", raw: "", calls, rest: name === undefined ? {} : rest };
  }
  if (/_output$/.test(type)) return { title: "tool", ...contentOf(output), calls: [], rest };
  const { summary, ...others } = rest;
  return {
    title: type,
    ...contentOf(content ?? summary),
    calls: [],
    rest: { ...others, ...(output && { output }) },
  };
}

/** The calls of a message, as evaluators read them. A call without a name stays in its own form. */
function shownCalls(message: Record<string, any>): ShownCall[] {
  const { tool_calls } = message;
  try {
    const read = callsOf(message, () => "");
    return rawCallsOf(message, () => "").map((raw, index) => {
      const { name, args } = read[index] ?? {};
      return callOf(typeof name === "string" ? { name, args } : raw);
    });
  } catch {
    return Array.isArray(tool_calls) ? tool_calls.map(callOf) : [];
  }
}

/** A content without the parts that are calls. */
const withoutCalls = (content: unknown): unknown =>
  Array.isArray(content) && content.some((part) => hasType(CALLS, part))
    ? content.filter((part) => !hasType(CALLS, part))
    : content;

/** The content of a message as text: a string, its parts, or JSON. */
function contentOf(content: unknown): Pick<ShownStep, "text" | "raw"> {
  if (content == null) return { text: "", raw: "" };
  if (Array.isArray(content) && !content.length) return { text: "", raw: "" };
  const parts = Array.isArray(content) ? content : [content];
  const texts = parts.map((part) => (typeof part === "string" ? part : part?.text));
  if (texts.every((text) => typeof text === "string")) {
    const raw = texts.join("\n");
    return { text: shown(raw), raw };
  }
  const others = parts.map((part, index) => texts[index] ?? otherText(part));
  if (others.every((text) => text === undefined)) return { text: textOf(content, 2), raw: "" };
  return { text: parts.map((part, index) => textOf(others[index] ?? part)).join("\n"), raw: "" };
}

/** A part without a text: its reasoning or refusal, or the kind of a file, whose data is long. */
function otherText(part: any): string | undefined {
  const { type } = Object(part);
  if (typeof type !== "string") return undefined;
  const [kind] = type.match(FILES) ?? [];
  if (kind) return `[${kind}]`;
  const own = part[type];
  return typeof own === "string" ? own : undefined;
}

/** The types of parts that are files, in all forms: `image_url`, `input_audio`. */
const FILES = /(?<![a-z])(?:image|audio|video|document|media|file)(?![a-z])/;

/** A call of OpenAI's form, or `{ name, args }`. */
export function callOf(call: any): ShownCall {
  const { name, arguments: text, args } = call?.function ?? call ?? {};
  if (typeof name !== "string")
    return { name: undefined, text: textOf(call), identity: textOf(sorted(call)) };
  const given = readArguments(text ?? args);
  const written = textOf(sorted(given));
  return { name, text: `${shown(name)}(${written})`, identity: `${name}(${written}` };
}

/** Arguments are often a string with JSON. */
function readArguments(args: unknown): unknown {
  if (typeof args !== "string") return args;
  try {
    const read = JSON.parse(args);
    // Parsing would round large numbers.
    return typeof read === "object" && !/\d{16}/.test(args) ? read : args;
  } catch {
    return args;
  }
}

/** `[["search", "answer"], …]`: the nodes of each turn. */
function graphSteps(turns: unknown): ShownStep[] | undefined {
  const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 0;
  if (!isList(turns)) return undefined;
  if (!turns.every((turn) => isList(turn) && turn.every((node) => typeof node === "string")))
    return undefined;
  return (turns as string[][]).flatMap((nodes, turn) =>
    nodes.map((title, place) => ({
      title,
      text: "",
      raw: "",
      calls: [],
      rest: turn > 0 && place === 0 ? { turn: turn + 1 } : {},
    })),
  );
}
