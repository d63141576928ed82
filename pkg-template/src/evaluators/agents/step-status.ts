import { parsed } from "../../core/engine/crossing.js";
import { aFunction, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions, passesByMark, scaleOf, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import * as bindings from "../../openevals-agents.js";
import type { StepStatus, StepStatuses } from "../../openevals-agents.types.js";
import { type PartEvaluator, partResult } from "../calls/parts.js";
import { writeRows } from "./crossing.js";
import { agentEvaluator, askEngine } from "./evaluator.js";
import type { AgentCall, AgentTrajectory, IsToolError } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** The options of {@link stepStatus}. */
export interface StepStatusOptions extends PassOptions {
  /**
   * Returns whether the result of a call is an error. By default, these forms are errors: `is_error` of Anthropic,
   * `status: "error"` of LangChain, error results of the AI SDK, `isError` of MCP, failed items of OpenAI's Responses
   * API, a message with `status: "failed"`, `success: false` or an `error`, an object or JSON text with an `error`,
   * `success: false`, `ok: false` or `status: "error"`, and texts that begin with the name of an error. Its second parameter
   * is whether the result has such a form. It has to return `true` or `false`.
   */
  isError?: IsToolError;
  /**
   * Finds out whether the agent's messages mention a failure that was not retried: a function or a judge. It gets
   * `inputs`, the call with its result, and `outputs`, the messages after it. A failure that they do not mention is
   * `ignored`.
   */
  isMentioned?: PartEvaluator;
}

/** A call and its outcome. */
export type AgentStep = AgentCall & {
  /**
   * `ok`; `failed`: an error, and the tool is not called again; `retried`: later calls of the tool fail, too;
   * `recovered`: a later call of the tool succeeds; `ignored`: failed, and the agent does not say so; `unanswered`:
   * without a result.
   */
  status: StepStatus | "ignored";
};

/** The result of {@link stepStatus}. */
export type StepStatusResult = {
  key: string;
  /** The share of the answered calls that are `ok` or `recovered`; `null` if no call has a result. */
  score: number | null;
  /** `false` if no call has a result. */
  applicable?: false;
  comment?: string;
  metadata: {
    /** All calls, in order. */
    steps: AgentStep[];
  };
};

const NAME = "stepStatus";

/**
 * Makes an evaluator that finds out the outcome of each tool call: whether it failed, and whether the agent recovered.
 * Calls of one message do not retry each other.
 *
 * @returns An evaluator whose result is `{ key: "step_status", score }` with the share from 0 to 1 of the answered calls
 * that are `ok` or `recovered`, a `comment` on the first that is not, and `metadata.steps` with the status of each.
 * Without any result the score is `null`, and the row counts as not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for
 * a trajectory without messages, and `callback_failed` if `isError` throws.
 *
 * @example
 * ```ts
 * import { stepStatus } from "openevals-wasm/agents";
 *
 * const call = (id: string) => ({
 *   role: "assistant" as const,
 *   content: "",
 *   tool_calls: [{ id, name: "search", args: {} }],
 * });
 * const result = (id: string, content: string) => ({ role: "tool" as const, tool_call_id: id, content });
 * const { score, metadata } = await stepStatus()({
 *   outputs: [call("1"), result("1", "Error: timeout"), call("2"), result("2", "12 °C")],
 * });
 * console.log(score); // 1
 * console.log(metadata.steps.map(({ status }) => status)); // ["recovered", "ok"]
 * ```
 */
export function stepStatus(options: StepStatusOptions = {}): AgentEvaluator<StepStatusResult> {
  const { isError, isMentioned, ...marks } = checkOptions(NAME, options, OPTIONS);
  const score = async (trajectories: readonly AgentTrajectory[], pathOf: (row: number) => string) => {
    const json = writeRows(trajectories, pathOf, (json, row) => {
      json.punctuation((trajectories[row] as AgentTrajectory).outcomes);
    });
    const found = await askEngine(NAME, json, (rows) => bindings.stepStatuses(rows));
    return Promise.all(
      parsed(found).map((statuses, row) =>
        resultOf(statuses, trajectories[row] as AgentTrajectory, isMentioned),
      ),
    );
  };
  return agentEvaluator({
    name: NAME,
    key: "step_status",
    scale: withPassMark(SHARE, marks),
    isError,
    score,
  });
}

const OPTIONS: OptionChecks<StepStatusOptions> = {
  isError: aFunction,
  isMentioned: aFunction,
  ...PASS_OPTIONS,
};

async function resultOf(
  { statuses, score, comment }: StepStatuses,
  { messages, calls }: AgentTrajectory,
  isMentioned: PartEvaluator | undefined,
): Promise<StepStatusResult> {
  const steps = await Promise.all(
    calls.map(async (call, index): Promise<AgentStep> => {
      const status = statuses[index] as StepStatus;
      if (status !== "failed" || !isMentioned) return { ...call, status };
      const params = { inputs: call, outputs: messages.slice(call.message + 1) };
      const { key, score } = await partResult(isMentioned, params, "isMentioned");
      return { ...call, status: passesByMark(key, score, scaleOf(isMentioned)) ? status : "ignored" };
    }),
  );
  const key = "step_status";
  const metadata = { steps };
  if (score != null) return { key, score, ...(comment && { comment }), metadata };
  const none = "Not applicable: no tool call has a result.";
  return { key, score: null, applicable: false, comment: none, metadata };
}
