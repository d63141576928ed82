/** The intended differences of trajectory match, and the rewritten cases for the reference. */
import type { Difference } from "./compare.ts";
import type { ArgsMode, Call, Message, Spelling, Trajectory } from "./trajectory.cases.ts";
import { rewrite } from "./values.ts";

export type Matcher = "sameQuery" | "sameQueryLater" | "atMost" | "never";
export type Override = ArgsMode | string[] | { matcher: Matcher };

export interface Case {
  mode: "strict" | "unordered" | "subset" | "superset";
  argsMode: ArgsMode;
  overrides?: Record<string, Override>;
  outputs: Trajectory;
  referenceOutputs: Trajectory;
}

/** A case for the reference. */
export interface Question extends Case {
  /** True if it is true for any order of the calls: there is a perfect matching. */
  anyOrder?: boolean;
  /** Matchers get (output, reference), which the reference does only in strict and superset mode. */
  swapped?: boolean;
}

const MARK = "\u0000"; // in names that no case contains

export const differences: Difference<Question>[] = [
  {
    name: "arguments may stand in either form as text or as a value (reference: each form has one)",
    isListed: (input) =>
      calls(input).some(({ spelling, args }) => spelling === "object" || isTextInPlainCall(spelling, args)),
    instead: changeCalls((call) => {
      if (isTextInPlainCall(call.spelling, call.args)) return readText(call);
      return call.spelling === "object" ? { ...call, spelling: "plain" } : call;
    }),
  },
  {
    name: "reference arguments that are not JSON are refused",
    isListed: ({ referenceOutputs }) => callsOf(referenceOutputs).some(isBroken),
    instead: "refused",
  },
  {
    name: "output arguments that are not JSON match nothing, unless they are ignored (reference: SyntaxError)",
    isListed: ({ outputs }) => callsOf(outputs).some(isBroken),
    instead: (input) =>
      changeCalls((call) => {
        if (!isBroken(call)) return call;
        return {
          name: isIgnored(input, call.name) ? call.name : call.name + MARK,
          args: {},
          spelling: "text",
        };
      })(input),
  },
  {
    name: "missing, null or empty arguments are {}",
    isListed: (input) => calls(input).some(isMissing),
    instead: changeCalls((call) => (isMissing(call) ? { ...call, args: {}, spelling: "text" } : call)),
  },
  {
    name: "plain calls are compared in strict mode too",
    isListed: (input) => calls(input).some(({ spelling }) => spelling === "plain"),
    instead: changeCalls((call) => (call.spelling === "plain" ? { ...call, spelling: "text" } : call)),
  },
  {
    name: "no tool calls and an empty list of them are the same",
    isListed: (input) => messages(input).some((message) => message.calls?.length === 0),
    instead: changeMessages((message) => {
      const { calls: list, ...rest } = message;
      return list?.length === 0 ? rest : message;
    }),
  },
  {
    name: "integers past 2^53 are compared exactly",
    isListed: (input) => calls(input).some(({ spelling }) => spelling === "digits"),
    instead: changeCalls((call) => {
      const tagged = (end: unknown) =>
        typeof end === "string" && /^-?\d{9,}$/.test(end) ? `integer ${end}` : end;
      return call.spelling === "digits"
        ? { ...call, args: rewrite(call.args, tagged), spelling: "text" }
        : call;
    }),
  },
  {
    name: "tools named like inherited properties are ordinary tools",
    isListed: (input) => calls(input).some(({ name }) => name in Object.prototype),
    instead: (input) => {
      const renamed = (name: string) => (name in Object.prototype ? name + MARK : name);
      const overrides = Object.entries(input.overrides ?? {}).map(([name, each]) => [renamed(name), each]);
      const changed = changeCalls((call) => ({ ...call, name: renamed(call.name) }))(input);
      return input.overrides ? { ...changed, overrides: Object.fromEntries(overrides) } : changed;
    },
  },
  {
    name: "arguments that are no object match only equal ones in subset and superset mode",
    isListed: (input) =>
      calls(input).some(({ args }) => !isObject(args)) &&
      matchersOf(input).some((m) => m === "subset" || m === "superset"),
    // An object gets a key that the others lack, and the others become an object with another key.
    instead: changeCalls((call) => ({
      ...call,
      args: isObject(call.args) ? { ...call.args, [`${MARK}object`]: true } : { [`${MARK}value`]: call.args },
    })),
  },
  {
    name: "matchers and modes always see (output, reference), in subset and unordered mode too",
    isListed: ({ mode, swapped, ...input }) =>
      !swapped && (mode === "subset" || mode === "unordered") && matchersOf(input).some(isOneSided),
    instead: (input) => ({ ...input, swapped: true }),
  },
  {
    name: "calls are matched optimally, not greedily",
    isListed: (input) => matchersOf(input).some(isLoose),
    instead: (input) => ({ ...input, anyOrder: true }),
  },
];

export function callsOf(trajectory: Trajectory): Call[] {
  return trajectory.messages.flatMap((message) => message.calls ?? []);
}

function messages({ outputs, referenceOutputs }: Pick<Case, "outputs" | "referenceOutputs">): Message[] {
  return [...outputs.messages, ...referenceOutputs.messages];
}

function calls(input: Pick<Case, "outputs" | "referenceOutputs">): Call[] {
  return messages(input).flatMap((message) => message.calls ?? []);
}

function changeMessages(change: (message: Message) => Message) {
  const changed = (trajectory: Trajectory) => ({ ...trajectory, messages: trajectory.messages.map(change) });
  return (input: Question): Question => ({
    ...input,
    outputs: changed(input.outputs),
    referenceOutputs: changed(input.referenceOutputs),
  });
}

function changeCalls(change: (call: Call) => Call) {
  return changeMessages((message) =>
    message.calls ? { ...message, calls: message.calls.map(change) } : message,
  );
}

function isBroken(call: Call): boolean {
  return call.spelling === "broken";
}

function isMissing({ spelling, args }: Call): boolean {
  return spelling === "missing" || spelling === "empty" || (spelling === "plain" && args == null);
}

function isTextInPlainCall(spelling: Spelling, args: unknown): args is string {
  return (spelling === "plain" || spelling === "object") && typeof args === "string";
}

function readText(call: Call): Call {
  try {
    return { ...call, args: JSON.parse(call.args as string), spelling: "text" };
  } catch {
    return { ...call, spelling: "broken" };
  }
}

function isIgnored({ argsMode, overrides = {} }: Case, tool: string): boolean {
  return (Object.hasOwn(overrides, tool) ? overrides[tool] : argsMode) === "ignore";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function matchersOf({ argsMode, overrides = {} }: Pick<Case, "argsMode" | "overrides">): Override[] {
  return [argsMode, ...Object.values(overrides)];
}

/** Whether swapping the sides changes the question. */
function isOneSided(matcher: Override): boolean {
  return (
    matcher === "subset" || matcher === "superset" || (isFunction(matcher) && matcher.matcher === "atMost")
  );
}

/** Whether one call can match two different ones, so that the pairing matters. */
function isLoose(matcher: Override): boolean {
  return matcher === "subset" || matcher === "superset" || isFunction(matcher);
}

function isFunction(matcher: Override): matcher is { matcher: Matcher } {
  return typeof matcher === "object" && !Array.isArray(matcher);
}
