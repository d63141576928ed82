import { type Checks, check, checkOptions, oneOf } from "../../core/input/checks.js";
import { PASS_OPTIONS, withPassMark } from "../../core/scale.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import { type TrajectoryEvaluator, trajectoryEvaluator } from "./evaluator.js";
import { ARGS_MODES, MODES, type TrajectoryMatchEvaluatorOptions } from "./options.js";

/**
 * Makes an evaluator that compares the tool calls of an agent with those of a reference. What messages say is not
 * compared.
 *
 * Calls are matched as well as possible, so the order in which they come never makes a match fail. Messages may be
 * OpenAI's or LangChain's, tool calls `{ function: { name, arguments: "<JSON>" } }` or `{ name, args: {…} }`.
 *
 * Calls that are equal match at once, however many. Where the others have to be compared in pairs, which is so for
 * matchers, lists of fields and the modes `subset` and `superset` of arguments, more than a second or two of work is
 * refused, since it could not be interrupted: a matcher is asked about two million times at most, such as for 1,400 calls
 * of a tool on each side that none of the others match. With `scoring: "f1"` in `strict` mode, each message that calls
 * tools is compared with each of the reference from the first difference on: up to 1,000 on each side.
 *
 * @returns An evaluator whose result is `{ key: "trajectory_<mode>_match", score }` with `score` `true` or `false`; a
 * mismatch has a `comment` that says where and why. With `scoring: "f1"`, `score` is a number from 0 to 1, and
 * `metadata` (a `TrajectoryF1Metadata`) has precision, recall, and the calls that do not match.
 * @throws {@link OpenEvalsError} `invalid_config` for modes and options that do not exist. The evaluator throws
 * `invalid_input` for trajectories that are not lists of messages or too long, and for arguments in the reference that
 * are not JSON, and `callback_failed` with the `cause` when a matcher throws. (Arguments in the outputs that are not JSON are a
 * mistake of the agent, and a mismatch.)
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

const OPTIONS: Checks<TrajectoryMatchEvaluatorOptions> = {
  trajectoryMatchMode: oneOf(MODES),
  toolArgsMatchMode: oneOf(ARGS_MODES),
  // Each override is checked where it is read.
  toolArgsMatchOverrides: check("an object with a rule for each tool", (rules) => {
    return typeof rules === "object" && rules !== null && !Array.isArray(rules) && !(rules instanceof Map);
  }),
  scoring: oneOf(["boolean", "f1"]),
  ...PASS_OPTIONS,
};
