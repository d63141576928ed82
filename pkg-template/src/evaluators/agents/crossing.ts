/** Writes rows of trajectories for the engine: see `src/agents/mod.rs`. */

import { newJson, type Writer } from "../../core/input/json/writer.js";
import { writeLines } from "../trajectory/lines.js";
import type { AgentTrajectory } from "./trajectory.js";

/**
 * Writes two texts for each row: a trajectory, and data about its calls.
 *
 * @param pathOf The name of a row's trajectory in errors.
 */
export function writeRows(
  rows: readonly AgentTrajectory[],
  pathOf: (row: number) => string,
  writeOther: (json: Writer, row: number) => void,
): Writer {
  const json = newJson();
  rows.forEach(({ steps }, row) => {
    writeLines(json, steps, pathOf(row)).punctuation("\0");
    writeOther(json, row);
    json.punctuation("\0");
  });
  return json;
}

/** The names of trajectories in errors: `outputs` for a single row. */
export const pathsOf =
  (isBatch: boolean) =>
  (row: number): string =>
    isBatch ? `rows[${row}].outputs` : "outputs";
