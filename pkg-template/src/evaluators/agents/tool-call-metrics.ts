import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { newJson } from "../../core/input/json/writer.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, ScoreScale, Trajectory } from "../../core/types.js";
import * as bindings from "../../openevals.js";
import type { ToolArgsMatchMode, TrajectoryMatchConfig, TrajectoryOverlap } from "../../openevals.types.js";
import {
  extraText,
  missingText,
  overlapResult,
  type TrajectoryF1Metadata,
  withComment,
} from "../trajectory/f1.js";
import { writeLines } from "../trajectory/lines.js";
import { ARGS_MODES } from "../trajectory/options.js";
import { type FunctionCall, readCalls } from "./call-list.js";

/** The options of {@link createToolCallMetrics}. */
export interface ToolCallMetricsOptions extends PassOptions {
  /**
   * How the arguments of two calls of the same tool are compared: `exact` (the default) as JSON, `ignore` not at all; with
   * `subset` or `superset`, a call may lack arguments of the reference, or have more.
   */
  toolArgsMatchMode?: ToolArgsMatchMode;
}

/** The parameters of {@link createToolCallMetrics}. */
export interface ToolCallMetricsParams {
  /** The agent's messages, or a list of its calls. */
  outputs: Trajectory | readonly FunctionCall[];
  /** The expected calls: messages, or a list of calls. */
  referenceOutputs: Trajectory | readonly FunctionCall[];
  [extra: string]: unknown;
}

/** An evaluator of tool calls with three results. */
export interface ToolCallMetrics {
  <Given extends { outputs: unknown } = ToolCallMetricsParams>(
    params: CalledWith<Given, ToolCallMetricsParams>,
  ): Promise<EvaluatorResult[]>;
  /** Scores many rows in one call into the engine. */
  batch(rows: readonly ToolCallMetricsParams[]): Promise<EvaluatorResult[][]>;
  /** Its scores are from 0 to 1. */
  readonly scale: ScoreScale;
  /** The keys of its results. */
  readonly resultKeys: readonly string[];
}

const NAME = "The evaluator of tool calls";

/**
 * Makes an evaluator of the calls that an agent makes, compared with expected ones. Calls are matched one to
 * one, in any order, so a repeated call counts as often as it is made. As many as possible are matched.
 *
 * @returns An evaluator with three results, from 0 to 1: `tool_call_precision` (the share of the calls made that are expected),
 * `tool_call_recall` (the share of the expected calls that are made), and `tool_call_f1`, their harmonic mean. A share of
 * nothing is 1, so without calls on both sides, all are 1; F1 is 0 if only one side has calls. The `comment` lists the tools of
 * calls that are missing or not expected. The `metadata` of F1 is a `TrajectoryF1Metadata`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for
 * values without messages or calls.
 *
 * @example
 * ```ts
 * import { createToolCallMetrics } from "openevals-wasm/agents";
 *
 * const call = (q: string) => ({ name: "search", args: { q } });
 * const results = await createToolCallMetrics()({
 *   outputs: [call("a"), call("a"), call("b")],
 *   referenceOutputs: [call("a"), call("c")],
 * });
 * console.log(results.map(({ score }) => score)); // [0.3333333333333333, 0.5, 0.4]
 * console.log(results[2]?.comment); // Missing: search. Not expected: search (2 times).
 * ```
 */
export function createToolCallMetrics(options: ToolCallMetricsOptions = {}): ToolCallMetrics {
  const { toolArgsMatchMode = "exact", ...marks } = checkOptions("createToolCallMetrics", options, OPTIONS);
  const config = jsonOf<TrajectoryMatchConfig>({
    trajectoryMatchMode: "unordered",
    toolArgsMatchMode,
    toolArgsMatchOverrides: [],
  });
  const score = async (rows: readonly ComparedValues[], pathOf: (row: number) => string) => {
    const json = newJson();
    const steps = rows.map((row, index) => {
      const path = pathOf(index);
      const outputs = readCalls(row.outputs, `${path}outputs`);
      const referenceOutputs = readCalls(row.referenceOutputs, `${path}referenceOutputs`);
      writeLines(json, outputs, `${path}outputs`).punctuation("\0");
      writeLines(json, referenceOutputs, `${path}referenceOutputs`).punctuation("\0");
      return { outputs, referenceOutputs };
    });
    const found = await scoresEngine.run("a comparison of tool calls", json.length, (engine) =>
      engine.keep(bindings.TrajectoryMatch, config).overlapBatch(json.take()),
    );
    return steps.map((compared, row) => {
      const overlap = found[row] as TrajectoryOverlap;
      const f1 = overlapResult("tool_call_f1", overlap, compared);
      const { unmatchedOutputs, unmatchedReferenceOutputs } = f1.metadata as TrajectoryF1Metadata;
      return [
        withComment({ key: "tool_call_precision", score: overlap.precision }, extraText(unmatchedOutputs)),
        withComment(
          { key: "tool_call_recall", score: overlap.recall },
          missingText(unmatchedReferenceOutputs),
        ),
        f1,
      ];
    });
  };
  const evaluator = tracedEvaluator(
    "tool_call_metrics",
    async (...args: unknown[]) => (await score([readArguments(NAME, args)], () => ""))[0],
    async (rows: readonly unknown[]) => score(readRows(NAME, rows), (row) => `rows[${row}].`),
  );
  return Object.assign(evaluator, {
    scale: withPassMark(SHARE, marks),
    resultKeys: ["tool_call_precision", "tool_call_recall", "tool_call_f1"],
  }) as ToolCallMetrics;
}

const OPTIONS: OptionChecks<ToolCallMetricsOptions> = {
  toolArgsMatchMode: oneOf(ARGS_MODES),
  ...PASS_OPTIONS,
};
