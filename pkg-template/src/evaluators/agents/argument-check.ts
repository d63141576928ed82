import { withoutStop } from "../../core/full-stop.js";
import { checkOptions, type OptionChecks, oneOf, required } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import { SHARE, VERDICT } from "../../core/scales.js";
import type { FindArgumentProblem } from "./argument-problems.js";
import { agentEvaluator } from "./evaluator.js";
import { type AgentTools, aListOfTools, readTools } from "./tools.js";
import { type AgentCall, type AgentTrajectory, placeOfCall, writtenArgs } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** The options of {@link createArgumentCheck}. */
export interface ArgumentCheckOptions extends PassOptions {
  /** The tools that may be called, with the schemas of their parameters. */
  tools: AgentTools;
  /** `boolean` (the default): whether all calls are valid. `share`: the share of the calls that are valid, from 0 to 1. */
  scoring?: "boolean" | "share";
}

/** A call that is not valid. A type alias, so that it is also a `Record`. */
export type InvalidCall = AgentCall & {
  /** The problem, with the path within the arguments. */
  problem: string;
};

/** The `metadata` of a result. */
export type ArgumentCheckMetadata = {
  /** The calls of unknown tools, and those whose arguments do not fit the schema. */
  invalid: InvalidCall[];
};

/** The result of {@link createArgumentCheck}. */
export type ArgumentCheckResult = {
  key: string;
  /** Whether all calls are valid, or the share of them; `null` if there is no call. */
  score: boolean | number | null;
  /** `false` if there is no call. */
  applicable?: false;
  comment?: string;
  metadata?: ArgumentCheckMetadata;
};

const KEY = "tool_arguments";
const NAME = "createArgumentCheck";

/**
 * Makes an evaluator that checks the arguments of all calls against the schemas of their tools. It needs no reference. The
 * validator, which judges share, is loaded on first use.
 *
 * @returns An evaluator whose result is `{ key: "tool_arguments", score }`. The `comment` says for each invalid call what is
 * wrong, with the path of the value; `metadata` (an {@link ArgumentCheckMetadata}) lists these calls. Without any call the
 * score is `null`, and the row counts as not applicable.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_config` for a
 * schema that cannot be checked, and `invalid_input` for a trajectory without messages.
 *
 * @example
 * ```ts
 * import { createArgumentCheck } from "openevals-wasm/agents";
 *
 * const parameters = { type: "object", properties: { order: { type: "integer" } }, required: ["order"] };
 * const check = createArgumentCheck({ tools: [{ name: "refund", parameters }] });
 * const { score, comment } = await check({
 *   outputs: [{ role: "assistant", content: "", tool_calls: [{ name: "refund", args: { order: "7" } }] }],
 * });
 * console.log(score, comment);
 * // false outputs[0].tool_calls[0]: refund: "order" is "7", but has to be of type integer.
 * ```
 */
export function createArgumentCheck(options: ArgumentCheckOptions): AgentEvaluator<ArgumentCheckResult> {
  const { tools, scoring = "boolean", ...marks } = checkOptions(NAME, options, OPTIONS);
  const namedTools = readTools(tools, NAME);
  let loading: Promise<ReadonlyMap<unknown, FindArgumentProblem>> | undefined;

  const score = async (rows: readonly AgentTrajectory[], pathOf: (row: number) => string) => {
    loading ??= loadFinders(namedTools);
    const finders = await loading;
    return Promise.all(rows.map((row, index) => check(row, pathOf(index), finders)));
  };
  const check = async (
    trajectory: AgentTrajectory,
    path: string,
    finders: ReadonlyMap<unknown, FindArgumentProblem>,
  ): Promise<ArgumentCheckResult> => {
    const { calls } = trajectory;
    if (!calls.length) {
      const comment = "Not applicable: there is no tool call.";
      return { key: KEY, score: null, applicable: false, comment };
    }
    const found = await Promise.all(
      calls.map((call) => problemOf(call, writtenArgs(trajectory, call), placeOfCall(call, path), finders)),
    );
    const invalid = calls.flatMap((call, index): InvalidCall[] => {
      const problem = found[index];
      return problem === undefined ? [] : [{ ...call, problem }];
    });
    const metadata: ArgumentCheckMetadata = { invalid };
    const share = (calls.length - invalid.length) / calls.length;
    const comment = commentOf(invalid, path);
    return {
      key: KEY,
      score: scoring === "share" ? share : invalid.length === 0,
      ...(comment && { comment }),
      metadata,
    };
  };
  const scale = withPassMark(scoring === "share" ? SHARE : VERDICT, marks);
  return agentEvaluator({ name: "The argument check", key: KEY, scale, score });
}

const OPTIONS: OptionChecks<ArgumentCheckOptions> = {
  tools: required(aListOfTools),
  scoring: oneOf(["boolean", "share"]),
  ...PASS_OPTIONS,
};

/** Makes the function that checks the arguments of each tool, by the tool's name. */
async function loadFinders(
  tools: ReturnType<typeof readTools>,
): Promise<ReadonlyMap<unknown, FindArgumentProblem>> {
  const { argumentProblemFinder } = await onUse(
    "The argument checker",
    () => import("./argument-problems.js"),
  );
  return new Map(
    tools.map(({ name, schema = {} }) => [name, argumentProblemFinder(schema, `the tool ${name}`)]),
  );
}

async function problemOf(
  { name }: AgentCall,
  args: unknown,
  place: string,
  finders: ReadonlyMap<unknown, FindArgumentProblem>,
): Promise<string | undefined> {
  const findProblem = finders.get(name);
  return findProblem ? findProblem(args, `${place}.args`) : "there is no such tool";
}

/** How many invalid calls a comment describes at most. */
const MAX_DESCRIBED = 5;

function commentOf(invalid: readonly InvalidCall[], path: string): string {
  const described = invalid.slice(0, MAX_DESCRIBED).map((call) => {
    const problem = withoutStop(call.problem);
    return `${placeOfCall(call, path)}: ${String(call.name)}: ${problem}.`;
  });
  if (invalid.length > MAX_DESCRIBED)
    described.push(`There are ${invalid.length - MAX_DESCRIBED} more invalid calls.`);
  return described.join(" ");
}
