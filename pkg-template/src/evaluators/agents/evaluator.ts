/** The common part of evaluators of agents: they read trajectories, and call the engine with rows of them. */

import { agentsEngine } from "../../core/engine/agents.js";
import type { Writer } from "../../core/input/json/writer.js";
import { readOutputArguments } from "../../core/input/params.js";
import { readOutputRows } from "../../core/input/rows.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { ScoreScale } from "../../core/types.js";
import { pathsOf } from "./crossing.js";
import { type AgentTrajectory, type IsToolError, readAgentRun } from "./trajectory.js";
import type { AgentEvaluator } from "./types.js";

/** The definition of an evaluator of agents. */
interface AgentEvaluatorSpec<Result> {
  /** Its name in errors. */
  name: string;
  key: string;
  scale: ScoreScale;
  isError?: IsToolError | undefined;
  /** Scores the trajectories of rows; `pathOf` names them in errors. */
  score(rows: readonly AgentTrajectory[], pathOf: (row: number) => string): Promise<Result[]>;
}

/** Makes an evaluator of agents. */
export function agentEvaluator<Result>(spec: AgentEvaluatorSpec<Result>): AgentEvaluator<Result> {
  const { name, key, scale, isError } = spec;
  const scored = (rows: readonly unknown[], isBatch: boolean) => {
    const pathOf = pathsOf(isBatch);
    return spec.score(
      rows.map((row, index) => readAgentRun(row, pathOf(index), isError)),
      pathOf,
    );
  };
  const evaluator = tracedEvaluator(
    key,
    async (...args: unknown[]) => (await scored([readOutputArguments(name, args)], false))[0],
    async (rows: readonly unknown[]) => scored(readOutputRows(name, rows), true),
  );
  return Object.assign(evaluator, { scale }) as AgentEvaluator<Result>;
}

/** Calls the engine with written rows. */
export async function askEngine<Found>(
  name: string,
  json: Writer,
  call: (rows: ReturnType<Writer["take"]>) => Found,
): Promise<Found> {
  return agentsEngine.run(name, json.length, () => call(json.take()));
}
