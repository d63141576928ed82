import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { memberPath } from "../../core/input/json/flaw.js";
import { passesByMark, scaleOf, withPassMark } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import type { EvaluatorResult, Trajectory } from "../../core/types.js";
import * as bindings from "../../openevals-agents.js";
import type {
  ArgumentMisfit,
  BrokenToolRule,
  CallFacts,
  CallQuestion,
  ToolPolicyConfig,
  ToolRule,
  ToolRuleKind,
} from "../../openevals-agents.types.js";
import { type PartEvaluator, partResult } from "../calls/parts.js";
import type { FindArgumentProblem } from "./argument-problems.js";
import { writeRows } from "./crossing.js";
import { agentEvaluator, askEngine } from "./evaluator.js";
import { readPolicy, type ToolPolicyOptions } from "./policy-rules.js";
import { type AgentCall, type AgentTrajectory, placeOfCall, withCall, writtenArgs } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** A rule that calls break. A type alias, so that it is also a `Record`. */
export type BrokenRule = {
  /** The option that has the rule. */
  rule: ToolRuleKind;
  /** The tools that it is about. */
  tools: string[];
  /** The calls that break it; none if a call is missing. */
  calls: AgentCall[];
  /** The problem, with the place of the first call. */
  comment: string;
};

/** The `metadata` of a policy's results. */
export type ToolPolicyMetadata = {
  /** How many rules the policy has. */
  rules: number;
  /** The rules that calls break. */
  broken: BrokenRule[];
};

/** What a policy says about a call that is about to be made. */
export interface ToolPolicyCheck {
  /** Whether the call keeps all rules. */
  allowed: boolean;
  /** The rules that it breaks. */
  broken: BrokenRule[];
  /** The problem; missing if it is allowed. */
  comment?: string;
}

/** A policy: an evaluator of trajectories, and a check of single calls. */
export interface ToolPolicy extends AgentEvaluator {
  /**
   * Checks a call before it is made. `after` and `required`, which only a whole trajectory can break, are left out; all
   * other rules are judged as in the evaluator.
   *
   * @param call The call, in the form of any package.
   * @param history The messages before it. They may end with the message that has the call, found by its id; then `call`
   * replaces it.
   * @throws {@link OpenEvalsError} As the evaluator. Do not make the call then.
   */
  check(call: object, history?: Trajectory): Promise<ToolPolicyCheck>;
}

const NAME = "The tool policy";

/**
 * Makes a policy: rules for the tools that an agent calls. It judges whole trajectories, without a reference, and single
 * calls before they are made.
 *
 * @returns An evaluator whose result is `{ key: "tool_policy", score }`: `true` if all rules are kept, or with
 * `scoring: "share"`, the share of them from 0 to 1. The `comment` names each broken rule with the place of its first
 * call, one a line. `metadata` (a {@link ToolPolicyMetadata}) has all calls that break one.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, and for no rule. The evaluator throws
 * `invalid_config` for a schema that cannot be checked, `invalid_input` for a trajectory without messages,
 * `callback_failed` if `isError` throws, and the error of `isConfirmed`.
 *
 * @example
 * ```ts
 * import { createToolPolicy } from "openevals-wasm/agents";
 *
 * const policy = createToolPolicy({ deny: ["db.*"], before: [["authenticate", "refund"]], maxCalls: { search: 5 } });
 * const { score, comment } = await policy({
 *   outputs: [{ role: "assistant", content: "", tool_calls: [{ name: "refund", args: { order: 7 } }] }],
 * });
 * console.log(score, comment);
 * // false outputs[0].tool_calls[0]: refund is called before a call of authenticate has succeeded.
 * ```
 */
export function createToolPolicy(options: ToolPolicyOptions): ToolPolicy {
  const { options: checked, rules, schemas } = readPolicy(options);
  const { isConfirmed, isError, scoring = "boolean", passAt, lowerIsBetter } = checked;
  const config = jsonOf<ToolPolicyConfig>({ rules: [...rules] });
  const needsFacts = rules.some(({ kind }) => kind === "args" || kind === "confirm");
  let loading: Promise<ReadonlyMap<number, FindArgumentProblem>> | undefined;

  const judge = async (
    trajectories: readonly AgentTrajectory[],
    pathOf: (row: number) => string,
    live?: number,
  ): Promise<BrokenRule[][]> => {
    let facts = trajectories.map((row) => factsOf(row, live));
    if (needsFacts) {
      const json = writeRows(trajectories, pathOf, (json) =>
        json.punctuation(live === undefined ? "" : String(live)),
      );
      const questions = parsed(
        await askEngine(NAME, json, (rows) => bindings.toolPolicyQuestions(config, rows)),
      );
      if (schemas.size) loading ??= loadFinders(schemas, rules);
      const finders = await loading;
      facts = await Promise.all(
        trajectories.map(async (row, index) => {
          const answers = await answersOf(questions[index] ?? [], row, pathOf(index), finders, isConfirmed);
          return { ...(facts[index] as CallFacts), ...answers };
        }),
      );
    }
    const json = writeRows(trajectories, pathOf, (json, row) => json.verbatim(jsonOf(facts[row]), "facts"));
    const broken = parsed(await askEngine(NAME, json, (rows) => bindings.brokenToolRules(config, rows)));
    return broken.map((ofRow, row) =>
      ofRow.map((rule) => withCalls(rule, rules, trajectories[row] as AgentTrajectory)),
    );
  };

  const score = async (
    trajectories: readonly AgentTrajectory[],
    pathOf: (row: number) => string,
  ): Promise<EvaluatorResult[]> =>
    (await judge(trajectories, pathOf)).map((broken) => {
      const metadata: ToolPolicyMetadata = { rules: rules.length, broken };
      const share = (rules.length - broken.length) / rules.length;
      const comment = commentOf(broken);
      return {
        key: "tool_policy",
        score: scoring === "share" ? share : broken.length === 0,
        ...(comment && { comment }),
        metadata,
      };
    });

  const scale = withPassMark(scoring === "share" ? SHARE : VERDICT, { passAt, lowerIsBetter });
  return Object.assign(agentEvaluator({ name: NAME, key: "tool_policy", scale, isError, score }), {
    async check(call: object, history: Trajectory = []): Promise<ToolPolicyCheck> {
      const { trajectory, live } = withCall(call, history, isError);
      const [broken = []] = await judge([trajectory], () => "history", live);
      const comment = commentOf(broken);
      return { allowed: broken.length === 0, broken, ...(comment && { comment }) };
    },
  }) as ToolPolicy;
}

const commentOf = (broken: readonly BrokenRule[]): string => broken.map(({ comment }) => comment).join("\n");

/**
 * The facts about a trajectory, where a call without a result has failed unless results are missing in general. Before a live
 * call, such a call is still running: the live one will have a result.
 */
function factsOf({ outcomes, beforeLastStep }: AgentTrajectory, live: number | undefined): CallFacts {
  const hasResults = live !== undefined || /[of]/.test(outcomes);
  const failed = Array.from(outcomes).flatMap((outcome, call) => {
    const isOpen = outcome === "-" && hasResults && call < beforeLastStep;
    return outcome === "f" || isOpen ? [call] : [];
  });
  return { failed, confirmed: [], misfits: [], live };
}

function withCalls(
  { rule, calls, comment }: BrokenToolRule,
  rules: readonly ToolRule[],
  trajectory: AgentTrajectory,
) {
  const { kind, tools } = rules[rule] as ToolRule;
  return { rule: kind, tools, calls: calls.map((call) => trajectory.calls[call] as AgentCall), comment };
}

/** Makes the function that checks arguments for each rule of `args`, by the rule's index. */
async function loadFinders(
  schemas: ReadonlyMap<number, object>,
  rules: readonly ToolRule[],
): Promise<ReadonlyMap<number, FindArgumentProblem>> {
  const { argumentProblemFinder } = await onUse(
    "The argument checker",
    () => import("./argument-problems.js"),
  );
  const ownerOf = (rule: number) =>
    `${memberPath("args", String(rules[rule]?.tools[0]))} of createToolPolicy`;
  return new Map(
    Array.from(schemas, ([rule, schema]) => [rule, argumentProblemFinder(schema, ownerOf(rule))]),
  );
}

/** Answers the questions of the engine: which arguments do not fit, and which calls the user agreed to. */
async function answersOf(
  questions: readonly CallQuestion[],
  trajectory: AgentTrajectory,
  path: string,
  finders: ReadonlyMap<number, FindArgumentProblem> | undefined,
  isConfirmed: PartEvaluator | undefined,
): Promise<Pick<CallFacts, "confirmed" | "misfits">> {
  const { messages, calls } = trajectory;
  const confirmed: number[] = [];
  const misfits: ArgumentMisfit[] = [];
  // Several rules may ask about the same call; `isConfirmed` is called once.
  const asked = new Map<number, Promise<boolean>>();
  await Promise.all(
    questions.map(async ({ rule, call }) => {
      const about = calls[call] as AgentCall;
      const findProblem = finders?.get(rule);
      if (findProblem) {
        const place = `${placeOfCall(about, path)}.args`;
        const what = await findProblem(writtenArgs(trajectory, about), place);
        if (what !== undefined) misfits.push({ rule, call, what });
        return;
      }
      if (!isConfirmed) return;
      if (!asked.has(call)) asked.set(call, hasAgreed(isConfirmed, about, messages));
      if (await asked.get(call)) confirmed.push(call);
    }),
  );
  misfits.sort((a, b) => a.call - b.call);
  return { confirmed, misfits };
}

async function hasAgreed(
  isConfirmed: PartEvaluator,
  call: AgentCall,
  messages: readonly unknown[],
): Promise<boolean> {
  const { name, args } = call;
  const params = { inputs: messages.slice(0, call.message), outputs: { name, args } };
  const { key, score } = await partResult(isConfirmed, params, "isConfirmed");
  return passesByMark(key, score, scaleOf(isConfirmed));
}
