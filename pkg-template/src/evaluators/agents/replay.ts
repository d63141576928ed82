import { invalidConfig, reasonOf } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks, required } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { ownCopy } from "../../core/input/own-copy.js";
import type { Trajectory } from "../../core/types.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import { type FunctionCall, readCalls } from "./call-list.js";

/**
 * A tool for {@link replay}: it gets the arguments, and changes the state. It may return a promise. The caller is the role of the
 * message with the call: `"assistant"`, or `"user"` if simulated users have tools, too.
 */
export type ReplayTool<State> = (args: any, state: State, caller: string) => unknown;

/** The options of {@link replay}. */
export interface ReplayOptions<State> {
  /** The tools, by name. */
  tools: Readonly<Record<string, ReplayTool<State>>>;
  /** The state before the run. Each replay begins with a copy. */
  initialState: State;
}

/** A replayed call. */
export interface ReplayedCall {
  /** The name of the tool. */
  name: unknown;
  /** Its arguments. */
  args: unknown;
  /** What the tool returned. */
  result?: unknown;
  /** Why there is no result: the tool threw, does not exist, or has no valid arguments. */
  error?: string;
}

/** The result of a replay. */
export interface Replayed<State> {
  /** The state after all calls. */
  state: State;
  /** The calls, in order. */
  calls: ReplayedCall[];
}

/**
 * Runs recorded calls against tools in JavaScript, one after the other, to obtain the state after a run. If a call
 * fails, the next one still follows, as in the run.
 *
 * @returns A function of messages, or of a list of calls.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and for a state that cannot be copied. The
 * function throws `invalid_input` for values without messages or calls.
 *
 * @example
 * ```ts
 * import { createStateMatch, replay } from "openevals-wasm/agents";
 *
 * const run = replay({
 *   tools: { deposit: ({ amount }, account) => (account.balance += amount) },
 *   initialState: { balance: 10 },
 * });
 * const { state } = await run([{ name: "deposit", args: { amount: 5 } }]);
 * const { score } = await createStateMatch()({ outputs: state, referenceOutputs: { balance: 15 } });
 * console.log(score); // true
 * ```
 */
export function replay<State>(
  options: ReplayOptions<State>,
): (outputs: Trajectory | readonly FunctionCall[]) => Promise<Replayed<State>> {
  const { tools, initialState } = checkOptions(
    "replay",
    options,
    OPTIONS as OptionChecks<ReplayOptions<State>>,
  );
  const initial = copyOf(initialState);
  return async (outputs) => {
    const state = copyOf(initial);
    const calls: ReplayedCall[] = [];
    for (const step of readCalls(outputs, "outputs")) {
      const caller = String(step.role ?? "assistant");
      for (const call of step.calls) calls.push(await runCall(tools, call, state, caller));
    }
    return { state, calls };
  };
}

const OPTIONS: OptionChecks<ReplayOptions<unknown>> = {
  tools: required(
    check("an object of functions, by name", (tools) => {
      return isRecord(tools) && Object.values(tools).every((tool) => typeof tool === "function");
    }),
  ),
  initialState: required(check("a state", () => true)),
};

function copyOf<State>(state: State): State {
  try {
    return structuredClone(state);
  } catch (error) {
    throw invalidConfig(`initialState of replay cannot be copied: ${reasonOf(error)}`);
  }
}

async function runCall<State>(
  tools: ReplayOptions<State>["tools"],
  { name, args: given }: ToolCall,
  state: State,
  caller: string,
): Promise<ReplayedCall> {
  let args = given ?? {};
  if (typeof args === "string") {
    try {
      args = JSON.parse(args.trim() || "{}");
    } catch {
      return { name, args, error: "the arguments are not valid JSON" };
    }
  }
  const tool = typeof name === "string" && Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (!tool) return { name, args, error: "there is no such tool" };
  try {
    // A tool may change its arguments, and a later one may change a result that belongs to the state: both are copied.
    return { name, args, result: ownCopy(await tool(structuredClone(args), state, caller)) };
  } catch (error) {
    return { name, args, error: reasonOf(error) };
  }
}
