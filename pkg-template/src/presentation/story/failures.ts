/** The failing rows, with the repetitions of an example as one. */

import { decimal, whole } from "../../core/records/numerals.js";
import { rowsByExample } from "../../core/records/rows-by-example.js";
import { scoreOf } from "../../core/records/score.js";
import type { ExperimentRow } from "../../core/records/types.js";
import { fails, type ScaleOf } from "../reading.js";

/** An example that fails. */
export interface FailingExample {
  /** The first of its rows that fails. */
  row: ExperimentRow;
  /** The number of its rows. */
  runs: number;
  /** The number of its rows that do not fail. */
  passing: number;
  /** The keys that fail in any of them. */
  keys: FailingKey[];
}

interface FailingKey {
  key: string;
  /** The score, or how often it passes: `0 of 3`. */
  score: string;
  comment: string | undefined;
}

/** The examples with a failing row, in the order of the data. */
export function failingExamples(rows: readonly ExperimentRow[], scaleOf: ScaleOf): FailingExample[] {
  return [...rowsByExample(rows).values()].flatMap((runs) => {
    const failing = runs.filter((row) => row.evaluationResults.some((one) => fails(one, scaleOf)));
    const [row] = failing;
    if (!row) return [];
    const passing = runs.length - failing.length;
    return [{ row, runs: runs.length, passing, keys: keysOf(runs, scaleOf) }];
  });
}

function keysOf(runs: readonly ExperimentRow[], scaleOf: ScaleOf): FailingKey[] {
  const results = runs.flatMap(({ evaluationResults }) => evaluationResults);
  const failing = results.filter((one) => fails(one, scaleOf));
  return [...new Set(failing.map(({ key }) => key))].map((key) => {
    const scored = results.filter((one) => one.key === key && scoreOf(one) !== undefined);
    const failed = failing.filter((one) => one.key === key);
    const [first] = failed;
    const score = first && scoreOf(first);
    return {
      key,
      score:
        runs.length > 1
          ? `${whole(scored.length - failed.length)} of ${whole(scored.length)}`
          : typeof score === "number"
            ? decimal(score)
            : String(score),
      comment: first?.comment,
    };
  });
}
