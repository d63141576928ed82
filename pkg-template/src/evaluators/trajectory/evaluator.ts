/** The evaluator of trajectories. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { newJson, type Writer } from "../../core/input/json/writer.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import type { PassOptions } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, ScoreScale, Trajectory } from "../../core/types.js";
import * as bindings from "../../openevals.js";
import type { TrajectoryMatchConfig, TrajectoryOverlap } from "../../openevals.types.js";
import { writeLines } from "./lines.js";
import type { TrajectoryMatchEvaluatorOptions } from "./options.js";
import { nameOf, readOverrides } from "./overrides.js";
import { areSame, type ComparedSteps, copied, plainSteps } from "./steps.js";

/** The parameters of a trajectory evaluator. */
export interface TrajectoryMatchParams {
  /** The agent's trajectory. */
  outputs: Trajectory;
  /** The expected trajectory. */
  referenceOutputs: Trajectory;
  [extra: string]: unknown;
}

/** An evaluator of trajectories. */
export interface TrajectoryEvaluator {
  <Given extends { outputs: unknown } = TrajectoryMatchParams>(
    params: CalledWith<Given, TrajectoryMatchParams>,
  ): Promise<EvaluatorResult>;
  /** Scores many rows in one call into the engine; with a function as a matcher, in one call for each row. */
  batch(rows: readonly TrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
  /** The range, direction and pass mark of its scores; missing if they are `true` and `false`. */
  readonly scale?: ScoreScale;
}

const TASK = "a trajectory match";

/**
 * Makes an evaluator from checked options; the overrides are checked here.
 *
 * @internal
 */
export function trajectoryEvaluator(
  key: string,
  {
    scoring,
    toolArgsMatchOverrides,
    ...modes
  }: Required<Omit<TrajectoryMatchEvaluatorOptions, keyof PassOptions>>,
  framework?: string,
): TrajectoryEvaluator {
  const { overrides, matchers } = readOverrides(toolArgsMatchOverrides);
  const config = jsonOf<TrajectoryMatchConfig>({ ...modes, toolArgsMatchOverrides: overrides });
  const isF1 = scoring === "f1";
  // Without overrides, equal calls always match.
  const isPlain = overrides.length === 0;
  const result = (mismatch: string | null | undefined): EvaluatorResult =>
    mismatch == null ? { key, score: true } : { key, score: false, comment: mismatch };

  const score = async (comparison: ComparedValues, path: string): Promise<EvaluatorResult> => {
    const steps = plainSteps(comparison) ?? (await anySteps(comparison, path));
    if (isPlain && !isF1 && areSame(steps.outputs, steps.referenceOutputs)) return result(undefined);
    const lines = newJson();
    const second = writeSteps(lines, steps, path);
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const match = () => engine.keep(bindings.TrajectoryMatch, config);
    if (!matchers.size && !isF1)
      return result(engine.run(TASK, lines.length, () => match().mismatch(lines.take(), second)));
    const { runComparison, overlapResult } = await loadedMatchers();
    const compare = () => match().compare(lines.take(), second, isF1);
    const found = await runComparison(engine, TASK, lines.length, compare, matchers, nameOf, steps);
    return isF1 ? overlapResult(key, found as TrajectoryOverlap, steps) : result(found as string | null);
  };

  return tracedEvaluator(
    key,
    async (...args: unknown[]) => score(readArguments("The trajectory evaluator", args), ""),
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
      const comparisons = readRows("the trajectory evaluator", rows);
      const pathOf = (index: number) => `rows[${index}].`;
      if (matchers.size) {
        return Promise.all(comparisons.map((comparison, index) => score(comparison, pathOf(index))));
      }
      const steps = await Promise.all(
        comparisons.map((comparison, index) => plainSteps(comparison) ?? anySteps(comparison, pathOf(index))),
      );
      const lines = newJson();
      for (const [index, row] of steps.entries()) writeSteps(lines, row, pathOf(index), "\0");
      const engine = await scoresEngine.load();
      const match = () => engine.keep(bindings.TrajectoryMatch, config);
      if (!isF1)
        return parsed(engine.run(TASK, lines.length, () => match().mismatchBatch(lines.take()))).map(result);
      const { overlapResult } = await loadedMatchers();
      const overlaps = engine.run(TASK, lines.length, () => match().overlapBatch(lines.take()));
      return overlaps.map((overlap, index) => overlapResult(key, overlap, steps[index] as ComparedSteps));
    },
    {
      framework,
      inputs: {
        toolArgsMatchMode: modes.toolArgsMatchMode,
        ...(!isPlain && { toolArgsMatchOverrides }),
      },
    },
  );
}

async function anySteps({ outputs, referenceOutputs }: ComparedValues, path: string): Promise<ComparedSteps> {
  const copies = { outputs: copied(outputs), referenceOutputs: copied(referenceOutputs) };
  return (await onUse("The message reader", () => import("./any-steps.js"))).readSteps(copies, path);
}

const loadedMatchers = () => onUse("The matchers", () => import("./matchers.js"));

/** Writes both sides, each with `end` after it. Returns where the second begins. */
function writeSteps(
  lines: Writer,
  { outputs, referenceOutputs }: ComparedSteps,
  path: string,
  end = "",
): number {
  const second = writeLines(lines, outputs, `${path}outputs`).punctuation(end).length;
  writeLines(lines, referenceOutputs, `${path}referenceOutputs`).punctuation(end);
  return second;
}
