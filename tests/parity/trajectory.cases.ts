/**
 * The cases of the trajectory tests: a trajectory and an edited copy, each in one of the message formats.
 */
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import { asJson, type Mutation, mutate, mutations } from "./values.ts";

export type ArgsMode = "exact" | "ignore" | "subset" | "superset";

/**
 * The format of a call: OpenAI's with arguments as JSON text (or something else in its place), or the plain
 * `{ name, args }`. "digits" writes strings of digits without quotes: integers past 2^53.
 */
export type Spelling = "text" | "plain" | "object" | "missing" | "empty" | "broken" | "digits";
export interface Call {
  name: string;
  args: unknown;
  spelling: Spelling;
}
export interface Message {
  role: string;
  content: unknown;
  calls?: Call[];
}
export interface Trajectory {
  form: "list" | "wrapped" | "langchain";
  messages: Message[];
}

const place = fc.constantFrom<unknown>(
  { city: "Rome" },
  { city: "rome" },
  { city: "Rome", zip: ["1"] },
  null,
);
const objectArgs = fc.record(
  {
    q: fc.constantFrom("x", "X", "y"),
    n: fc.integer({ min: 0, max: 2 }),
    place,
    tags: fc.constantFrom(["1"], ["1", "2"]),
  },
  { requiredKeys: [] },
);
const digits = fc.constantFrom(
  "9007199254740992",
  "9007199254740993",
  "18446744073709551615",
  "-9223372036854775808",
);
export const toolNames = ["search", "book"];
const name = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...toolNames) },
  { weight: 1, arbitrary: fc.constantFrom("constructor", "toString") },
);
const call: fc.Arbitrary<Call> = fc.oneof(
  { weight: 60, arbitrary: fc.record({ name, args: objectArgs, spelling: fc.constant<Spelling>("text") }) },
  { weight: 4, arbitrary: fc.record({ name, args: objectArgs, spelling: fc.constant<Spelling>("plain") }) },
  { weight: 1, arbitrary: fc.record({ name, args: objectArgs, spelling: fc.constant<Spelling>("object") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name,
      args: fc.constant({}),
      spelling: fc.constantFrom<Spelling>("missing", "empty"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ name, args: objectArgs, spelling: fc.constant<Spelling>("broken") }) },
  {
    weight: 2,
    arbitrary: fc.record({
      name,
      args: fc.record({ id: digits }),
      spelling: fc.constant<Spelling>("digits"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name,
      args: fc.constantFrom<unknown>([], ["1"], "x", 3, null, {}),
      spelling: fc.constant<Spelling>("text"),
    }),
  },
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({
    role: fc.constantFrom("user", "system", "tool", "assistant", "developer", "critic"),
    content: fc.constantFrom<unknown>("", "hello", null, [{ type: "text", text: "hello" }]),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      role: fc.constant("assistant"),
      content: fc.constant(""),
      calls: fc.array(call, { maxLength: 3 }),
    }),
  },
);
const MAX_CALLS = 5; // so that all orders of them can be tried

interface Edit {
  kind:
    | "reverseCalls"
    | "swapMessages"
    | "respell"
    | "content"
    | "args"
    | "rename"
    | "dropCall"
    | "addCall"
    | "role"
    | "drop";
  at: number;
  args: Mutation[];
}
const keeping: Edit["kind"][] = ["reverseCalls", "content", "respell", "args"];
const changing: Edit["kind"][] = ["swapMessages", "rename", "dropCall", "addCall", "role", "drop"];
const edits = (kinds: Edit["kind"][], minLength: number) =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(20), args: mutations }), {
    minLength,
    maxLength: 3,
  });
const anyEdits = fc.oneof(edits(keeping, 0), edits(changing, 1), edits([...keeping, ...changing], 2));
const form = fc.constantFrom<Trajectory["form"]>("list", "list", "wrapped", "langchain");

export const pairs: fc.Arbitrary<{ outputs: Trajectory; referenceOutputs: Trajectory }> = fc
  .record({
    messages: fc.array(message, { maxLength: 4 }),
    steps: anyEdits,
    forms: fc.tuple(form, form),
    flip: fc.boolean(),
  })
  .map(({ messages, steps, forms, flip }) => {
    const first = { form: forms[0], messages: capped(messages) };
    const second = { form: forms[1], messages: capped(steps.reduce(edited, messages)) };
    return flip ? { outputs: second, referenceOutputs: first } : { outputs: first, referenceOutputs: second };
  });

function capped(messages: Message[]): Message[] {
  let left = MAX_CALLS;
  return messages.map((each) => {
    if (!each.calls) return each;
    const calls = each.calls.slice(0, left);
    left -= calls.length;
    return { ...each, calls };
  });
}

function edited(messages: Message[], { kind, at, args }: Edit): Message[] {
  const index = at % Math.max(1, messages.length);
  const target = messages[index];
  if (!target) return messages;
  const calls = target.calls ?? [];
  const position = at % Math.max(1, calls.length);
  const withMessage = (change: Partial<Message>) => messages.with(index, { ...target, ...change });
  const withCall = (change: (call: Call) => Call) =>
    target.calls
      ? withMessage({ calls: calls.map((each, i) => (i === position ? change(each) : each)) })
      : messages;
  switch (kind) {
    case "reverseCalls":
      return target.calls ? withMessage({ calls: [...calls].reverse() }) : messages;
    case "swapMessages":
      return [...messages].reverse();
    case "content":
      return withMessage({ content: "something else" });
    case "respell":
      return withCall((each) => ({ ...each, spelling: each.spelling === "text" ? "plain" : each.spelling }));
    case "args":
      return withCall((each) => ({ ...each, args: asJson(mutate(each.args, args)) }));
    case "rename":
      return withCall((each) => ({ ...each, name: `${each.name}!` }));
    case "dropCall":
      return target.calls ? withMessage({ calls: calls.slice(1) }) : messages;
    case "addCall":
      return withMessage({ calls: [...calls, { name: "search", args: { q: "x" }, spelling: "text" }] });
    case "role":
      return withMessage({ role: "user" });
    case "drop":
      return messages.toSpliced(index, 1);
  }
}

/** Both packages accept messages of any shape. */
export type Messages = any;

/** The messages as a caller would pass them. */
export function render({ form: shape, messages }: Trajectory): Messages {
  if (shape === "langchain" && messages.every(fitsLangChain)) return messages.map(langChainMessage);
  const list = messages.map(({ calls, ...rest }) =>
    calls ? { ...rest, tool_calls: calls.map(renderCall) } : rest,
  );
  return shape === "wrapped" ? { messages: list } : list;
}

function renderCall({ name: tool, args, spelling }: Call, index: number) {
  const id = `call_${index}`;
  if (spelling === "plain") return { id, name: tool, args };
  if (spelling === "object") return { id, type: "function", function: { name: tool, arguments: args } };
  if (spelling === "missing") return { id, type: "function", function: { name: tool } };
  return { id, type: "function", function: { name: tool, arguments: argumentText(args, spelling) } };
}

function argumentText(args: unknown, spelling: Spelling): string {
  if (spelling === "empty") return "";
  const text = JSON.stringify(args);
  if (spelling === "broken") return text.slice(0, -1) || "{";
  return spelling === "digits" ? text.replaceAll(/"(-?\d{9,})"/g, "$1") : text;
}

function fitsLangChain({ role, content, calls = [] }: Message): boolean {
  const fits = calls.every(({ args, spelling }) => {
    return (
      (spelling === "text" || spelling === "plain") &&
      typeof args === "object" &&
      args !== null &&
      !Array.isArray(args)
    );
  });
  return (
    typeof content === "string" && fits && (calls.length === 0 || role === "assistant") && role in langChain
  );
}

const langChain: Record<string, (content: string, calls: Call[]) => unknown> = {
  user: (content) => new HumanMessage(content),
  system: (content) => new SystemMessage(content),
  tool: (content) => new ToolMessage({ content, tool_call_id: "call_0" }),
  assistant: (content, calls) => {
    const tool_calls = calls.map(({ name: tool, args }, i) => ({
      name: tool,
      args: args as object,
      id: `call_${i}`,
    }));
    return new AIMessage({ content, tool_calls });
  },
};

function langChainMessage({ role, content, calls = [] }: Message): unknown {
  return langChain[role]?.(content as string, calls);
}
