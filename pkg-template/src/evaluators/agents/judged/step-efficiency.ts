import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { check, checkOptions, type OptionChecks, show } from "../../../core/input/checks.js";
import { countedAre } from "../../../core/input/counted.js";
import { wellFormed } from "../../../core/input/json/well-formed.js";
import { readOutputArguments } from "../../../core/input/params.js";
import { allRows, readOutputRows } from "../../../core/input/rows.js";
import { PASS_OPTIONS, withPassMark } from "../../../core/passing.js";
import { SHARE } from "../../../core/scales.js";
import { tracedEvaluator } from "../../../core/tracing/hook.js";
import { callUserFunction } from "../../../core/user-function.js";
import { verdictComment } from "../../item-verdicts/comments.js";
import type { JudgedMetadata } from "../../item-verdicts/evaluator.js";
import type { Verdict } from "../../item-verdicts/questions.js";
import { type AgentCall, placeOfCall, readAgentTrajectory } from "../trajectory.js";
import type { AgentEvaluator } from "../types.js";
import { JUDGED_AGENT_OPTIONS, type JudgedAgentOptions, judgedAgentEvaluator } from "./evaluator.js";
import { NECESSITY } from "./questions/necessity.js";
import { callText } from "./record.js";

/** The options of {@link createStepEfficiency}. */
export interface StepEfficiencyOptions extends JudgedAgentOptions {
  /**
   * How many tool calls the task takes, from 0; or a function of the parameters of the evaluator, such as
   * `({ referenceOutputs }) => referenceOutputs.calls`. With it, no model is asked.
   */
  optimal?: number | ((params: any) => number | Promise<number>) | undefined;
}

/** A tool call, with a verdict if a judge was asked. */
export type JudgedCall = AgentCall & {
  /** 1 if the task needed it, otherwise 0. */
  verdict?: 0 | 1;
  /** The reason of the judge. */
  reason?: string;
};

/** The result of {@link createStepEfficiency}. */
export type StepEfficiencyResult = {
  key: string;
  /** The share of the calls that are needed, from 0 to 1; `null` if no call was made. */
  score: number | null;
  /** `false` if no call was made. */
  applicable?: false;
  comment: string;
  /** All calls, and the optimum or, if a judge was asked, the usage of its questions. */
  metadata: { calls?: JudgedCall[]; optimal?: number } & Partial<JudgedMetadata>;
};

const MAKER = "createStepEfficiency";
const KEY = "step_efficiency";
const NONE = "Not applicable: the agent made no tool call.";

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/**
 * Makes an evaluator for step efficiency: the share of an agent's tool calls that the task needs. With `optimal`, the score is
 * that number divided by the number of calls made, and no model is asked. Otherwise a judge decides about each call, up to 12 in
 * a question.
 *
 * Efficiency is not success: a run with fewer calls than the optimum scores 1. Combine it with {@link createTaskCompletion}.
 *
 * @returns An evaluator whose result is `{ key: "step_efficiency", score, comment, metadata }`, with a score from 0 to 1 (best).
 * `metadata.calls` has each call, with the verdict and reason of the judge. Without a call it is not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, such as `optimal` with a model. The evaluator
 * throws `invalid_input` for `outputs` that are not messages, and for an optimum that is not a whole number from 0;
 * `callback_failed` if `optimal` throws; and with a judge, the errors of {@link createGoalAccuracy}.
 *
 * @example
 * ```ts
 * import { createStepEfficiency } from "openevals-wasm/agents";
 *
 * const search = { role: "assistant" as const, content: "", tool_calls: [{ name: "search", args: { q: "x" } }] };
 * const { score, comment } = await createStepEfficiency({ optimal: 1 })({ outputs: [search, search] });
 * console.log(score, comment); // 0.5 2 calls were made, and 1 is needed.
 * ```
 */
export function createStepEfficiency(options: StepEfficiencyOptions): AgentEvaluator<StepEfficiencyResult> {
  const { optimal, ...judged } = checkOptions(MAKER, options, OPTIONS);
  if (optimal === undefined)
    return judgedAgentEvaluator<{ calls: JudgedCall[] }>(MAKER, JUDGED_METRIC, judged);
  const { feedbackKey: key = KEY, passAt, lowerIsBetter, ...others } = judged;
  const extra = Object.entries(others).find(([, value]) => value !== undefined);
  if (extra)
    throw invalidConfig(
      `${MAKER}: optimal asks no model, so ${extra[0]} does not apply; leave one of them out`,
    );
  const evaluate = async (params: unknown): Promise<StepEfficiencyResult> => {
    const { calls } = readAgentTrajectory(readOutputArguments(MAKER, [params]), "outputs");
    const needed = await optimumOf(optimal, params);
    const metadata = { calls: [...calls], optimal: needed };
    if (!calls.length) return { key, score: null, applicable: false, comment: NONE, metadata };
    const score = Math.min(needed / calls.length, 1);
    const callsMade = calls.length === 1 ? "1 call was made" : `${calls.length} calls were made`;
    const comment = `${callsMade}, and ${countedAre(needed)} needed.`;
    return { key, score, comment, metadata };
  };
  const evaluator = tracedEvaluator(key, evaluate, async (rows: readonly unknown[]) => {
    readOutputRows(MAKER, rows);
    return allRows(rows, evaluate);
  });
  const scale = withPassMark(SHARE, { passAt, lowerIsBetter });
  return Object.assign(evaluator, { scale }) as AgentEvaluator<StepEfficiencyResult>;
}

const OPTIONS: OptionChecks<StepEfficiencyOptions> = {
  ...JUDGED_AGENT_OPTIONS,
  ...PASS_OPTIONS,
  optimal: check(
    "a whole number from 0, or a function",
    (optimal) => typeof optimal === "function" || isCount(optimal),
  ),
};

async function optimumOf(
  optimal: NonNullable<StepEfficiencyOptions["optimal"]>,
  params: unknown,
): Promise<number> {
  if (typeof optimal === "number") return optimal;
  const found: unknown = await callUserFunction("optimal", () => optimal(params));
  if (isCount(found)) return found;
  throw invalidInput(`optimal returned ${show(found)}; it has to return a whole number from 0`);
}

/** The metric without `optimal`: a judge decides which calls are needed. */
const JUDGED_METRIC: Parameters<typeof judgedAgentEvaluator<{ calls: JudgedCall[] }>>[1] = {
  key: KEY,
  async score({ messages }, questions, { outputs }) {
    const callsMade = readAgentTrajectory(outputs, "outputs").calls;
    if (!callsMade.length) return { comment: NONE };
    const items = callsMade.map((call) => {
      return wellFormed(`Message ${call.message}: ${callText(call, placeOfCall(call, "outputs"))}`);
    });
    const answers = await questions.ask<Verdict>(NECESSITY, items, { contexts: messages });
    const calls = answers.map(({ verdict, reason }, index) => ({
      ...(callsMade[index] as AgentCall),
      verdict,
      reason,
    }));
    const label = (call: AgentCall) => `${call.name} in ${placeOfCall(call, "outputs")}`;
    return {
      score: await questions.mean(calls.map(({ verdict }) => verdict)),
      comment: verdictComment(calls, { noun: "call", good: "needed", label }),
      details: { calls },
    };
  },
};
