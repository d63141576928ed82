import { loadEngine, loadedEngine } from "../engine/load.js";
import { callbackFailed, fromEngine, OpenEvalsError } from "../errors.js";
import { knownOptions, listOfStrings, oneOf } from "../input/options.js";
import { type Comparison, readArguments, readRows } from "../input/params.js";
import { tracedEvaluator } from "../tracing/hook.js";
import type {
  EvaluatorResult,
  LangSmithParams,
  ToolArgsMatcher,
  ToolArgsMatchMode,
  ToolArgsMatchOverrides,
  Trajectory,
  TrajectoryMatchMode,
} from "../types.js";
import { overlapResults } from "./f1.js";
import { areSame, argumentsOf, readTrajectory, type Step, stepsToText } from "./steps.js";

/** The options of {@link createTrajectoryMatchEvaluator}. */
export interface TrajectoryMatchEvaluatorOptions {
  /**
   * How trajectories are compared: `strict` (the default), the same messages by role in the same order, each with
   * the same tool calls; `unordered`, the same tool calls in any order; `subset`, no tool call that the reference
   * does not have; `superset`, every tool call that the reference has.
   */
  trajectoryMatchMode?: TrajectoryMatchMode;
  /** When two calls of the same tool match; `exact` is the default. */
  toolArgsMatchMode?: ToolArgsMatchMode;
  /** Rules for single tools, by name. */
  toolArgsMatchOverrides?: ToolArgsMatchOverrides;
  /**
   * `boolean` (the default): whether the trajectories match. `f1`: how much of them does, from 0 to 1, the harmonic mean
   * of the shares of calls that match on both sides. It is 1 where nobody calls a tool, and 0 where only one side does.
   * In `strict`, calls match in messages that come in the same order; in all other modes, in any order.
   */
  scoring?: "boolean" | "f1";
}

/** What a trajectory evaluator compares. */
export interface TrajectoryMatchParams {
  /** What the agent did. */
  outputs: Trajectory;
  /** What it should have done. */
  referenceOutputs: Trajectory;
  [extra: string]: unknown;
}

/** An evaluator of trajectories. */
export interface TrajectoryEvaluator {
  (params: LangSmithParams): Promise<EvaluatorResult>;
  (params: TrajectoryMatchParams): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine (one for each row where a matcher is a function). */
  batch(rows: readonly TrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
}

const TASK = "a trajectory match";

/** @internal */
export const MODES = ["strict", "unordered", "subset", "superset"];
const ARGS_MODES = ["exact", "ignore", "subset", "superset"];
const OPTIONS = ["trajectoryMatchMode", "toolArgsMatchMode", "toolArgsMatchOverrides", "scoring"];

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
  knownOptions("createTrajectoryMatchEvaluator", options, OPTIONS);
  const {
    trajectoryMatchMode = "strict",
    toolArgsMatchMode = "exact",
    toolArgsMatchOverrides = {},
    scoring = "boolean",
  } = options;
  oneOf("trajectoryMatchMode", trajectoryMatchMode, MODES);
  oneOf("toolArgsMatchMode", toolArgsMatchMode, ARGS_MODES);
  oneOf("scoring", scoring, ["boolean", "f1"]);
  return trajectoryEvaluator(`trajectory_${trajectoryMatchMode}_match`, {
    trajectoryMatchMode,
    toolArgsMatchMode,
    toolArgsMatchOverrides,
    scoring,
  });
}

/** An evaluator for options that have been checked, but for the overrides. */
function trajectoryEvaluator(
  key: string,
  { scoring, ...options }: Required<TrajectoryMatchEvaluatorOptions>,
  framework?: string,
): TrajectoryEvaluator {
  const { config, matchers } = readOptions(options);
  const isF1 = scoring === "f1";
  // Without overrides, every call matches itself.
  const isPlain = config.toolArgsMatchOverrides.length === 0;
  const configText = JSON.stringify(config);
  const result = (mismatch: string | null | undefined): EvaluatorResult =>
    mismatch == null ? { key, score: true } : { key, score: false, comment: mismatch };

  const score = async (comparison: Comparison, path: string): Promise<EvaluatorResult> => {
    const { outputs, referenceOutputs } = readSteps(comparison, path);
    if (isPlain && !isF1 && areSame(outputs, referenceOutputs)) return result(undefined);
    const outputsText = stepsToText(outputs, `${path}outputs`);
    const referenceText = stepsToText(referenceOutputs, `${path}referenceOutputs`);
    const size = outputsText.length + referenceText.length;
    const custom = matchers.size ? customMatcher(matchers, outputs, referenceOutputs) : undefined;
    const engine = loadedEngine() ?? (await loadEngine());
    const matcher = () => engine.keep("TrajectoryMatch", configText);
    if (!custom && !isF1)
      return result(engine.run(TASK, size, () => matcher().mismatch(outputsText, referenceText)));
    try {
      if (isF1) {
        const texts = `${outputsText}\0${referenceText}\0`;
        const numbers = await engine.wait(TASK, size, () => matcher().overlaps(texts, custom?.ask, false));
        return overlapResults(key, numbers, [{ outputs, referenceOutputs }])[0] as EvaluatorResult;
      }
      return result(
        await engine.wait(TASK, size, () => {
          return matcher().mismatchWith(outputsText, referenceText, custom?.ask as () => unknown);
        }),
      );
    } catch (error) {
      throw custom?.failure ?? fromEngine(error);
    }
  };

  return tracedEvaluator(
    key,
    async (...args: unknown[]) => score(readArguments("The trajectory evaluator", args), ""),
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
      const comparisons = readRows("the trajectory evaluator", rows);
      if (matchers.size) {
        return Promise.all(comparisons.map((comparison, index) => score(comparison, `rows[${index}].`)));
      }
      const steps = comparisons.map((comparison, index) => readSteps(comparison, `rows[${index}].`));
      const text = steps
        .map(({ outputs, referenceOutputs }, index) => {
          const outputsText = stepsToText(outputs, `rows[${index}].outputs`);
          return `${outputsText}\0${stepsToText(referenceOutputs, `rows[${index}].referenceOutputs`)}\0`;
        })
        .join("");
      const engine = await loadEngine();
      const matcher = () => engine.keep("TrajectoryMatch", configText);
      if (isF1) {
        const overlaps = engine.wait(TASK, text.length, () => matcher().overlaps(text, undefined, true));
        const numbers = await overlaps.catch((error) => {
          throw fromEngine(error);
        });
        return overlapResults(key, numbers, steps);
      }
      const mismatches: (string | null)[] = JSON.parse(
        engine.run(TASK, text.length, () => matcher().mismatchBatch(text)),
      );
      return mismatches.map(result);
    },
    {
      framework,
      inputs: {
        toolArgsMatchMode: options.toolArgsMatchMode,
        ...(!isPlain && { toolArgsMatchOverrides: options.toolArgsMatchOverrides }),
      },
    },
  );
}

const readSteps = ({ outputs, referenceOutputs }: Comparison, path: string) => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});

/** Separates what the engine can do itself from the functions that it has to ask. */
function readOptions({
  toolArgsMatchOverrides,
  ...modes
}: Omit<Required<TrajectoryMatchEvaluatorOptions>, "scoring">) {
  const matchers = new Map<string, ToolArgsMatcher>();
  const entries = Object.entries(toolArgsMatchOverrides).map(([tool, override]) => {
    const name = `toolArgsMatchOverrides[${JSON.stringify(tool)}]`;
    if (typeof override === "function") {
      matchers.set(tool, override);
      return [tool, null] as const;
    }
    if (Array.isArray(override)) listOfStrings(name, override);
    else if (typeof override === "string") oneOf(name, override, ARGS_MODES);
    else {
      throw new OpenEvalsError(
        "invalid_config",
        `${name} has to be a mode (${ARGS_MODES.join(", ")}), a list of field paths or a function.`,
      );
    }
    return [tool, override] as const;
  });
  return { config: { ...modes, toolArgsMatchOverrides: entries }, matchers };
}

/** What the engine asks about two calls; keeps how a matcher failed, which does not cross the boundary. */
function customMatcher(
  matchers: ReadonlyMap<string, ToolArgsMatcher>,
  outputs: readonly Step[],
  referenceOutputs: readonly Step[],
) {
  const outputCalls = outputs.flatMap(({ calls }) => calls);
  // Each is read once, however often it is asked about.
  const outputArguments = outputCalls.map(argumentsOf);
  const referenceArguments = referenceOutputs.flatMap(({ calls }) => calls).map(argumentsOf);
  const state: { failure?: OpenEvalsError; ask(output: number, reference: number): unknown } = {
    ask(output, reference) {
      const tool = outputCalls[output]?.name as string;
      const keep = (thrown: unknown): never => {
        state.failure = callbackFailed(`toolArgsMatchOverrides[${JSON.stringify(tool)}]`, thrown);
        throw state.failure;
      };
      const matcher = matchers.get(tool) as ToolArgsMatcher;
      try {
        const answer = matcher(
          outputArguments[output] as Record<string, unknown>,
          referenceArguments[reference] as Record<string, unknown>,
        );
        return typeof answer === "object" ? Promise.resolve(answer).catch(keep) : answer;
      } catch (error) {
        return keep(error);
      }
    },
  };
  return state;
}

/** What the evaluators of AgentEvals compare. */
export interface AgentTrajectoryParams {
  /** What the agent did. */
  outputs: Trajectory;
  /** What it should have done. */
  referenceOutputs: Trajectory;
}

/** An evaluator of AgentEvals, which needs no making. */
export interface AgentTrajectoryEvaluator<Params extends AgentTrajectoryParams = AgentTrajectoryParams> {
  (params: LangSmithParams): Promise<EvaluatorResult>;
  (params: Params): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine. */
  batch(rows: readonly Params[]): Promise<EvaluatorResult[]>;
}

/** Arguments are not compared by the evaluators of AgentEvals, but for one. */
const agentEvaluator = (key: string, mode: TrajectoryMatchMode, args: ToolArgsMatchMode = "ignore") =>
  trajectoryEvaluator(
    key,
    {
      trajectoryMatchMode: mode,
      toolArgsMatchMode: args,
      toolArgsMatchOverrides: {},
      scoring: "boolean",
    },
    "agentevals",
  ) as AgentTrajectoryEvaluator;

const strictIgnoringArgs = /* @__PURE__ */ agentEvaluator("trajectory_strict_match", "strict");
const strictWithArgs = /* @__PURE__ */ agentEvaluator("trajectory_strict_match", "strict", "exact");

/** What {@link trajectoryStrictMatch} compares. */
export interface TrajectoryStrictMatchParams extends AgentTrajectoryParams {
  /** Whether arguments are compared; they are not by default. */
  toolCallArgsExactMatch?: boolean;
}

/**
 * Scores whether two trajectories have the same messages by role in the same order, each with calls of the same tools;
 * with `toolCallArgsExactMatch` with the same arguments, too. From AgentEvals.
 *
 * @returns `{ key: "trajectory_strict_match", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "strict"`.
 */
export const trajectoryStrictMatch: AgentTrajectoryEvaluator<TrajectoryStrictMatchParams> =
  /* @__PURE__ */ Object.assign(
    async (params: any) => (params?.toolCallArgsExactMatch ? strictWithArgs : strictIgnoringArgs)(params),
    {
      async batch(rows: readonly TrajectoryStrictMatchParams[]) {
        const exact = rows.filter((row) => row?.toolCallArgsExactMatch).length;
        if (exact === rows.length) return strictWithArgs.batch(rows);
        if (exact === 0) return strictIgnoringArgs.batch(rows);
        return Promise.all(rows.map((row) => trajectoryStrictMatch(row)));
      },
    },
  );

/**
 * Scores whether two trajectories call the same tools, in any order and with any arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_unordered_match", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "unordered"`.
 */
export const trajectoryUnorderedMatch: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_unordered_match",
  "unordered",
);

/**
 * Scores whether every tool call of the outputs is in the reference, whatever its arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_subset", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "subset"`.
 */
export const trajectorySubset: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_subset",
  "subset",
);

/**
 * Scores whether every tool call of the reference is in the outputs, whatever its arguments. From AgentEvals.
 *
 * @returns `{ key: "trajectory_superset", score }`; a mismatch has a `comment`.
 * @deprecated Use {@link createTrajectoryMatchEvaluator} with `trajectoryMatchMode: "superset"`.
 */
export const trajectorySuperset: AgentTrajectoryEvaluator = /* @__PURE__ */ agentEvaluator(
  "trajectory_superset",
  "superset",
);
