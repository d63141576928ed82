import { type Engine, loadEngine, loadedEngine } from "./engine.js";
import { fromEngine, OpenEvalsError, throwing } from "./errors.js";
import { areSame, argumentsOf, readTrajectory, type Step, stepsToText } from "./messages.js";
import { knownOptions, listOfStrings, oneOf } from "./options.js";
import { type Comparison, readArguments, readRows } from "./params.js";
import type {
  EvaluatorResult,
  ToolArgsMatcher,
  ToolArgsMatchMode,
  ToolArgsMatchOverrides,
  Trajectory,
  TrajectoryMatchMode,
} from "./types.js";

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
  (params: TrajectoryMatchParams): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine (one for each row where a matcher is a function). */
  batch(rows: readonly TrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
}

const TRAJECTORY_MODES = ["strict", "unordered", "subset", "superset"];
const ARGS_MODES = ["exact", "ignore", "subset", "superset"];
const OPTIONS = ["trajectoryMatchMode", "toolArgsMatchMode", "toolArgsMatchOverrides"];

/**
 * Makes an evaluator that compares the tool calls of an agent with those of a reference. What messages say is not
 * compared.
 *
 * Calls are matched as well as possible, so the order in which they come never makes a match fail. Messages may be
 * OpenAI's or LangChain's, tool calls `{ function: { name, arguments: "<JSON>" } }` or `{ name, args: {…} }`.
 *
 * @returns An evaluator whose result is `{ key: "trajectory_<mode>_match", score }` with `score` `true` or `false`; a
 * mismatch has a `comment` that says where and why.
 * @throws {@link OpenEvalsError} `invalid_config` for modes and options that do not exist. The evaluator throws
 * `invalid_input` for trajectories that are not lists of messages and for arguments in the reference that are not
 * JSON, and `callback_failed` with the `cause` when a matcher throws. (Arguments in the outputs that are not JSON are a
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
  } = options;
  knownOptions("createTrajectoryMatchEvaluator", options, OPTIONS);
  oneOf("trajectoryMatchMode", trajectoryMatchMode, TRAJECTORY_MODES);
  oneOf("toolArgsMatchMode", toolArgsMatchMode, ARGS_MODES);
  return trajectoryEvaluator(`trajectory_${trajectoryMatchMode}_match`, {
    trajectoryMatchMode,
    toolArgsMatchMode,
    toolArgsMatchOverrides,
  });
}

/** An evaluator for options that have been checked, but for the overrides. */
function trajectoryEvaluator(
  key: string,
  options: Required<TrajectoryMatchEvaluatorOptions>,
): TrajectoryEvaluator {
  const { config, matchers } = readOptions(options);
  // Without overrides, every call matches itself.
  const isPlain = config.toolArgsMatchOverrides.length === 0;
  let matcher: InstanceType<Engine["TrajectoryMatch"]> | undefined;
  const matcherOf = (engine: Engine) =>
    (matcher ??= throwing(() => new engine.TrajectoryMatch(JSON.stringify(config))));
  const result = (mismatch: string | null | undefined): EvaluatorResult =>
    mismatch == null ? { key, score: true } : { key, score: false, comment: mismatch };

  const score = async (comparison: Comparison, path: string): Promise<EvaluatorResult> => {
    const { outputs, referenceOutputs } = readSteps(comparison, path);
    if (isPlain && areSame(outputs, referenceOutputs)) return result(undefined);
    const outputsText = stepsToText(outputs, `${path}outputs`);
    const referenceText = stepsToText(referenceOutputs, `${path}referenceOutputs`);
    const matcher = matcherOf(loadedEngine() ?? (await loadEngine()));
    if (!matchers.size) return result(throwing(() => matcher.mismatch(outputsText, referenceText)));
    const custom = customMatcher(matchers, outputs, referenceOutputs);
    try {
      return result(await matcher.mismatchWith(outputsText, referenceText, custom.ask));
    } catch (error) {
      throw fromEngine(error, custom.thrown);
    }
  };

  return Object.assign(
    async (...args: unknown[]) => score(readArguments("The trajectory evaluator", args), ""),
    {
      async batch(rows: readonly unknown[]): Promise<EvaluatorResult[]> {
        const comparisons = readRows("the trajectory evaluator", rows);
        const engine = await loadEngine();
        if (matchers.size) {
          return Promise.all(comparisons.map((comparison, index) => score(comparison, `rows[${index}].`)));
        }
        const texts = comparisons.map((comparison, index) => {
          const row = `rows[${index}]`;
          const { outputs, referenceOutputs } = readSteps(comparison, `${row}.`);
          const outputsText = stepsToText(outputs, `${row}.outputs`);
          return `${outputsText}\0${stepsToText(referenceOutputs, `${row}.referenceOutputs`)}\0`;
        });
        const mismatches: (string | null)[] = JSON.parse(
          throwing(() => matcherOf(engine).mismatchBatch(texts.join(""))),
        );
        return mismatches.map(result);
      },
    },
  );
}

const readSteps = ({ outputs, referenceOutputs }: Comparison, path: string) => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});

/** Separates what the engine can do itself from the functions that it has to ask. */
function readOptions({ toolArgsMatchOverrides, ...modes }: Required<TrajectoryMatchEvaluatorOptions>) {
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

/** What the engine asks about two calls; keeps what a matcher throws, which does not cross the boundary. */
function customMatcher(
  matchers: ReadonlyMap<string, ToolArgsMatcher>,
  outputs: readonly Step[],
  referenceOutputs: readonly Step[],
) {
  const outputCalls = outputs.flatMap(({ calls }) => calls);
  // Each is read once, however often it is asked about.
  const outputArguments = outputCalls.map(argumentsOf);
  const referenceArguments = referenceOutputs.flatMap(({ calls }) => calls).map(argumentsOf);
  const state: { thrown?: unknown; ask(output: number, reference: number): unknown } = {
    ask(output, reference) {
      const keep = (error: unknown): never => {
        state.thrown = error;
        throw error;
      };
      const matcher = matchers.get(outputCalls[output]?.name as string) as ToolArgsMatcher;
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
  (params: Params): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine. */
  batch(rows: readonly Params[]): Promise<EvaluatorResult[]>;
}

/** Arguments are not compared by the evaluators of AgentEvals, but for one. */
const agentEvaluator = (key: string, mode: TrajectoryMatchMode, args: ToolArgsMatchMode = "ignore") =>
  trajectoryEvaluator(key, {
    trajectoryMatchMode: mode,
    toolArgsMatchMode: args,
    toolArgsMatchOverrides: {},
  }) as AgentTrajectoryEvaluator;

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
    async (params: TrajectoryStrictMatchParams) =>
      (params?.toolCallArgsExactMatch ? strictWithArgs : strictIgnoringArgs)(params),
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
