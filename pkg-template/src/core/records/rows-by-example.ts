import type { ExperimentRow } from "./types.js";

/** The rows of each example, by its id, in the order of the data. */
export function rowsByExample(rows: readonly ExperimentRow[]): Map<string, ExperimentRow[]> {
  const examples = new Map<string, ExperimentRow[]>();
  for (const row of rows) {
    const { id } = row.example;
    const runs = examples.get(id);
    if (runs) runs.push(row);
    else examples.set(id, [row]);
  }
  return examples;
}
