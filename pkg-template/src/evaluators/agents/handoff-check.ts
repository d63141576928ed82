import { parsed } from "../../core/engine/crossing.js";
import { invalidInput } from "../../core/errors.js";
import { aFunction, checkOptions, type OptionChecks, oneOf, show } from "../../core/input/checks.js";
import { wellFormed } from "../../core/input/json/well-formed.js";
import { newJson } from "../../core/input/json/writer.js";
import { readOutputArguments, referenceOf } from "../../core/input/params.js";
import { readOutputRows } from "../../core/input/rows.js";
import { VERDICT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Trajectory } from "../../core/types.js";
import { callAtOnce } from "../../core/user-function.js";
import { type AnyMessage, isItem } from "../../models/conversation/forms.js";
import { roleOf } from "../../models/conversation/roles.js";
import * as bindings from "../../openevals-agents.js";
import type { HandoffVerdict } from "../../openevals-agents.types.js";
import type { ComparedStep } from "../trajectory/steps.js";
import { askEngine } from "./evaluator.js";
import { textsIn } from "./reference-texts.js";
import { type AgentCall, readAgentRun } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** The options of {@link createHandoffCheck}. */
export interface HandoffCheckOptions {
  /** Whether hand-offs that `referenceOutputs` does not list are allowed; `deny` by default. */
  extraHandoffs?: "allow" | "deny" | undefined;
  /**
   * Returns the name of the agent that wrote a message; `undefined` for none. By default its `name` (LangGraph), `sender`
   * (Swarm), or `agent`, a text or an object with a `name`.
   */
  agentOf?: ((message: any) => string | undefined) | undefined;
  /**
   * Returns the name of the agent to which a tool call hands off; `undefined` for other calls. By default, calls of
   * `transfer_to_NAME`, `transfer_back_to_NAME` and `handoff_to_NAME` do.
   */
  handoffTo?: ((call: { name: unknown; args: unknown }) => string | undefined) | undefined;
}

/** The parameters of a hand-off check. */
export interface HandoffParams {
  /** The messages of all agents. */
  outputs: Trajectory;
  /** The names of the agents that should take over, in order. Without them, only lost hand-offs fail. */
  referenceOutputs?: readonly string[] | string | Readonly<Record<string, unknown>> | undefined;
  [extra: string]: unknown;
}

/** A hand-off. */
export type Handoff = {
  /** The agent that spoke before; missing if it has no name. */
  from?: string;
  /** The agent that takes over. */
  to: string;
  /** The index of the message that hands off, or without a call, of the first message of the new agent. */
  message: number;
  /** Whether the agent never took over. */
  lost: boolean;
  /** Whether `referenceOutputs` lists it in this place. */
  expected: boolean;
};

/** The result of {@link createHandoffCheck}. */
export type HandoffResult = {
  key: string;
  /** Whether all expected hand-offs happened and none was lost; `null` without a hand-off. */
  score: boolean | null;
  /** `false` without a hand-off. */
  applicable?: false;
  comment?: string;
  metadata: {
    /** All hand-offs, in order. */
    handoffs: Handoff[];
    /** The expected agents that did not take over in their place. */
    missing: string[];
  };
};

const NAME = "The hand-off check";
const KEY = "handoffs";

/**
 * Makes an evaluator of hand-offs between agents. It needs no model. An agent hands off with a call such as
 * `transfer_to_billing`. The hand-off is lost unless the next message of an agent comes from that agent, or has no name. If the
 * result of the call is an error, the hand-off is still not lost if that agent speaks next under its name, or if the first agent
 * repeats the call before another agent speaks.
 *
 * If messages have the names of their agents, a change of the name is a hand-off, too. Case and punctuation of names do not
 * count.
 *
 * @returns An evaluator whose result is `{ key: "handoffs", score, comment, metadata }`: `true` if no hand-off is lost, the
 * agents in `referenceOutputs` took over in that order, and no others did. Without any hand-off, and without a reference, it is
 * not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for
 * `outputs` without messages and for a reference that is not a list of names, and `callback_failed` if a function throws.
 *
 * @example
 * ```ts
 * import { createHandoffCheck } from "openevals-wasm/agents";
 *
 * const { score, comment } = await createHandoffCheck()({
 *   outputs: [
 *     { role: "assistant", name: "triage", content: "", tool_calls: [{ name: "transfer_to_billing", args: {} }] },
 *     { role: "assistant", name: "triage", content: "What else can I do for you?" },
 *   ],
 *   referenceOutputs: ["billing"],
 * });
 * console.log(score, comment); // false outputs[0]: the hand-off to billing is lost.
 * ```
 */
export function createHandoffCheck(
  options: HandoffCheckOptions = {},
): AgentEvaluator<HandoffResult, HandoffParams> {
  const { extraHandoffs, ...readers } = checkOptions("createHandoffCheck", options, OPTIONS);
  const score = async (
    rows: readonly unknown[],
    outputs: readonly unknown[],
    pathOf: (row: number) => string,
  ) => {
    const expected = rows.map((row, index) => expectedOf(row, pathOf(index)));
    const json = newJson();
    outputs.forEach((value, row) => {
      const path = `${pathOf(row)}outputs`;
      const names = expected[row];
      const texts = [linesOf(value, path, readers), names ? [".", ...names].join("\n") : ""];
      for (const text of texts) json.verbatim(text, path).punctuation("\0");
    });
    const verdicts = await askEngine(NAME, json, (rows) =>
      bindings.handoffVerdicts(rows, extraHandoffs === "allow"),
    );
    return parsed(verdicts).map((verdict, row) => resultOf(verdict, expected[row]));
  };
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => (await score(args, [readOutputArguments(NAME, args)], () => ""))[0],
    async (rows: readonly unknown[]) => score(rows, readOutputRows(NAME, rows), (row) => `rows[${row}].`),
  );
  return Object.assign(evaluator, { scale: VERDICT }) as AgentEvaluator<HandoffResult, HandoffParams>;
}

const OPTIONS: OptionChecks<HandoffCheckOptions> = {
  extraHandoffs: oneOf(["allow", "deny"]),
  agentOf: aFunction,
  handoffTo: aFunction,
};

/** A line for each message, and for each hand-off in it, as the engine reads them. */
function linesOf(
  outputs: unknown,
  path: string,
  { agentOf = agentIn, handoffTo = targetIn }: Omit<HandoffCheckOptions, "extraHandoffs">,
): string {
  const { messages, steps, calls: all, outcomes } = readAgentRun(outputs, path);
  let callIndex = 0;
  const lines = messages.map((message, index) => {
    const { calls } = steps[index] as ComparedStep;
    if (roleOf(message as AnyMessage) !== "assistant" && !calls.length) return ".";
    const requests = calls.flatMap(() => {
      const { name, args } = all[callIndex] as AgentCall;
      const mark = outcomes[callIndex++] === "f" ? "!" : ">";
      const agent = nameBy("handoffTo", () => handoffTo({ name, args }));
      return agent ? `\n${mark}${agent}` : [];
    });
    return `=${nameBy("agentOf", () => agentOf(message))}${requests.join("")}`;
  });
  return lines.join("\n");
}

/** Calls the function of an option; returns the name of an agent in one line, empty for none. */
function nameBy(option: string, read: () => unknown): string {
  const name = callAtOnce(option, read);
  if (typeof (name ?? "") === "string") return inLine((name as string | undefined) ?? "");
  throw invalidInput(`${option} returned ${show(name)}; it has to return the name of an agent, or undefined`);
}

const inLine = (name: string): string => wellFormed(name).replace(/[\s\0]+/g, " ");

function agentIn(message: AnyMessage): string | undefined {
  const { name, sender, agent } = message;
  // An item has the name of its tool.
  const named = [isItem(message) ? undefined : name, sender, agent, Object(agent).name];
  return named.find((name) => typeof name === "string" && name !== "");
}

const targetIn = ({ name }: { name: unknown }): string | undefined =>
  /^(?:transfer|hand_?off)_(?:back_)?to_(.+)$/i.exec(String(name))?.[1];

function expectedOf(params: unknown, path: string): string[] | undefined {
  const reference = referenceOf(Object(params), path);
  if (reference == null) return undefined;
  const names = textsIn(reference);
  if (names) return names.map(inLine);
  throw invalidInput(
    `${path}referenceOutputs is ${show(reference)}; it has to be a list of the names of agents, in the order in which they take over`,
  );
}

function resultOf(
  { handoffs, missing, comment }: HandoffVerdict,
  expected: string[] | undefined,
): HandoffResult {
  const metadata = {
    handoffs: handoffs.map(({ from, ...handoff }) => ({ ...(from != null && { from }), ...handoff })),
    missing,
  };
  if (expected || handoffs.length)
    return { key: KEY, score: comment == null, ...(comment && { comment }), metadata };
  const none = "Not applicable: there is no hand-off, and none is expected.";
  return { key: KEY, score: null, applicable: false, comment: none, metadata };
}
