/** The evaluator of trajectories: what it compares crosses as lines, and comes back as a result. */

import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { fromEngine } from "../../core/errors.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { newJson } from "../../core/input/writer.js";
import type { PassOptions, ScoreScale } from "../../core/scale.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { CalledWith, EvaluatorResult, Trajectory } from "../../core/types.js";
import * as bindings from "../../openevals.js";
import type { TrajectoryMatchConfig } from "../../openevals.types.js";
import { overlapResult } from "./f1.js";
import { writeLines } from "./lines.js";
import type { TrajectoryMatchEvaluatorOptions } from "./options.js";
import { customMatcher, readOverrides } from "./overrides.js";
import { areSame, type ComparedSteps, readTrajectory } from "./steps.js";

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
  <Given extends { outputs: unknown } = TrajectoryMatchParams>(
    params: CalledWith<Given, TrajectoryMatchParams>,
  ): Promise<EvaluatorResult>;
  /** Scores many rows in one crossing into the engine (one for each row where a matcher is a function). */
  batch(rows: readonly TrajectoryMatchParams[]): Promise<EvaluatorResult[]>;
  /** What its scores mean; missing where they are `true` and `false`. */
  readonly scale?: ScoreScale;
}

const TASK = "a trajectory match";

/**
 * An evaluator for options that have been checked, but for the overrides.
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
  // Without overrides, every call matches itself.
  const isPlain = overrides.length === 0;
  const result = (mismatch: string | null | undefined): EvaluatorResult =>
    mismatch == null ? { key, score: true } : { key, score: false, comment: mismatch };

  const score = async (comparison: ComparedValues, path: string): Promise<EvaluatorResult> => {
    const steps = readSteps(comparison, path);
    const { outputs, referenceOutputs } = steps;
    if (isPlain && !isF1 && areSame(outputs, referenceOutputs)) return result(undefined);
    const lines = writeLines(newJson(), outputs, `${path}outputs`);
    const size = lines.length;
    writeLines(lines, referenceOutputs, `${path}referenceOutputs`);
    const custom = matchers.size ? customMatcher(matchers, outputs, referenceOutputs) : undefined;
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const match = () => engine.keep(bindings.TrajectoryMatch, config);
    if (!custom && !isF1) {
      return result(engine.run(TASK, lines.length, () => match().mismatch(lines.take(), size)));
    }
    try {
      if (isF1) {
        const overlap = engine.wait(TASK, lines.length, () =>
          match().overlap(lines.take(), size, custom?.ask),
        );
        return overlapResult(key, await overlap, steps);
      }
      const ask = custom?.ask as () => unknown;
      const mismatch = engine.wait(TASK, lines.length, () => match().mismatchWith(lines.take(), size, ask));
      return result(await mismatch);
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
      const lines = newJson();
      steps.forEach(({ outputs, referenceOutputs }, index) => {
        writeLines(lines, outputs, `rows[${index}].outputs`).punctuation("\0");
        writeLines(lines, referenceOutputs, `rows[${index}].referenceOutputs`).punctuation("\0");
      });
      const engine = await scoresEngine.load();
      const match = () => engine.keep(bindings.TrajectoryMatch, config);
      if (isF1) {
        const overlaps = engine.run(TASK, lines.length, () => match().overlapBatch(lines.take()));
        return overlaps.map((overlap, index) => overlapResult(key, overlap, steps[index] as ComparedSteps));
      }
      return parsed(engine.run(TASK, lines.length, () => match().mismatchBatch(lines.take()))).map(result);
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

const readSteps = ({ outputs, referenceOutputs }: ComparedValues, path: string): ComparedSteps => ({
  outputs: readTrajectory(outputs, `${path}outputs`),
  referenceOutputs: readTrajectory(referenceOutputs, `${path}referenceOutputs`),
});
