import { check, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { PASS_OPTIONS, withPassMark } from "../../core/passing.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import { type TrajectoryEvaluator, trajectoryEvaluator } from "./evaluator.js";
import { ARGS_MODES, MODES, type TrajectoryMatchEvaluatorOptions } from "./options.js";

/**
 * Makes an evaluator that compares the tool calls of an agent with those of a reference. The texts of messages are not
 * compared.
 *
 * Calls are paired optimally, so their order never makes a match fail. Messages may be in OpenAI's or LangChain's
 * format, tool calls `{ function: { name, arguments: "<JSON>" } }` or `{ name, args: {…} }`.
 *
 * Equal calls match immediately, whatever their number. Other calls are compared in pairs if there are matchers, lists
 * of fields, or the argument modes `subset` and `superset`. Such a comparison cannot be interrupted, so one that would
 * take more than about two seconds is rejected: a matcher is called at most two million times, which allows 1,400
 * unequal calls of a tool on each side. With `scoring: "f1"` in `strict` mode, messages with tool calls after the first
 * difference are compared in pairs: up to 1,000 on each side.
 *
 * @returns An evaluator whose result is `{ key: "trajectory_<mode>_match", score }` with `score` `true` or `false`. A
 * mismatch has a `comment` that says where and why. With `scoring: "f1"`, `score` is a number from 0 to 1, and
 * `metadata` (a `TrajectoryF1Metadata`) has precision, recall and the unmatched calls, which `comment` names.
 * @throws {@link OpenEvalsError} `invalid_config` for unknown options and modes. The evaluator throws `invalid_input`
 * for a trajectory that is not a list of messages or too long, and for arguments in the reference that are not valid
 * JSON; `callback_failed`, with the `cause`, if a matcher throws. (Invalid arguments in the outputs are a mismatch: the
 * agent's mistake.)
 *
 * @example
 * ```ts
 * import { createTrajectoryMatchEvaluator } from "openevals-wasm";
 *
 * const evaluator = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
 * const call = (city: string) => ({ name: "get_weather", args: { city } });
 * const result = await evaluator({
 *   outputs: [{ role: "assistant", content: "", tool_calls: [call("Oslo"), call("Rome")] }],
 *   referenceOutputs: [{ role: "assistant", content: "", tool_calls: [call("Rome")] }],
 * });
 * console.log(result); // { key: "trajectory_superset_match", score: true }
 * ```
 */
export function createTrajectoryMatchEvaluator(
  options: TrajectoryMatchEvaluatorOptions = {},
): TrajectoryEvaluator {
  const {
    trajectoryMatchMode = "strict",
    toolArgsMatchMode = "exact",
    toolArgsMatchOverrides = {},
    scoring = "boolean",
    ...marks
  } = checkOptions("createTrajectoryMatchEvaluator", options, OPTIONS);
  const evaluator = trajectoryEvaluator(`trajectory_${trajectoryMatchMode}_match`, {
    trajectoryMatchMode,
    toolArgsMatchMode,
    toolArgsMatchOverrides,
    scoring,
  });
  return Object.assign(evaluator, { scale: withPassMark(scoring === "f1" ? SHARE : VERDICT, marks) });
}

const OPTIONS: OptionChecks<TrajectoryMatchEvaluatorOptions> = {
  trajectoryMatchMode: oneOf(MODES),
  toolArgsMatchMode: oneOf(ARGS_MODES),
  // readOverrides() checks each rule.
  toolArgsMatchOverrides: check("an object of rules by tool", (rules) => {
    return isRecord(rules) && !(rules instanceof Map);
  }),
  scoring: oneOf(["boolean", "f1"]),
  ...PASS_OPTIONS,
};
