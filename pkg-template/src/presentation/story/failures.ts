/** The failing rows, with the repetitions of an example as one. */

import { whole } from "../../core/input/counts.js";
import { decimal } from "../../core/number-text.js";
import { isPassing } from "../../core/passing.js";
import { rowsByExample } from "../../core/records/rows-by-example.js";
import { scoreOf } from "../../core/records/score.js";
import type { ExperimentRow } from "../../core/records/types.js";
import { passesIn } from "../limits/score-limits.js";
import { fails, type ScaleOf } from "../reading.js";
import { statusCounts, statusOf } from "./row-status.js";

/** An example that fails. */
export interface FailingExample {
  /** The first of its rows that fails. */
  row: ExperimentRow;
  /** The number of its rows. */
  runs: number;
  /** The number of its rows that fail. */
  failing: number;
  /** The number of its rows that pass. Rows with an error do neither. */
  passing: number;
  /** The keys that fail in any of them. */
  keys: FailingKey[];
}

interface FailingKey {
  key: string;
  /** The score, or how often it passes: `0 of 3`. An error counts as a failure. */
  score: string;
  comment: string | undefined;
}

/** The examples with a failing row, in the order of the data. */
export function failingExamples(rows: readonly ExperimentRow[], scaleOf: ScaleOf): FailingExample[] {
  return [...rowsByExample(rows).values()].flatMap((runs) => {
    const row = runs.find((one) => statusOf(one, scaleOf) === "fails");
    if (!row) return [];
    const { fails: failing, passes: passing } = statusCounts(runs, scaleOf);
    return [{ row, runs: runs.length, failing, passing, keys: keysOf(runs, scaleOf) }];
  });
}

function keysOf(runs: readonly ExperimentRow[], scaleOf: ScaleOf): FailingKey[] {
  const results = runs.flatMap(({ evaluationResults }) => evaluationResults);
  const failing = results.filter((one) => fails(one, scaleOf));
  return [...new Set(failing.map(({ key }) => key))].map((key) => {
    const first = failing.find((one) => one.key === key);
    const score = first && scoreOf(first);
    const passes = passesIn(runs, key, (each) => isPassing(each, scaleOf(key)));
    return {
      key,
      score:
        runs.length > 1
          ? `${whole(passes.filter(Boolean).length)} of ${whole(passes.length)}`
          : typeof score === "number"
            ? decimal(score)
            : String(score),
      comment: first?.comment,
    };
  });
}
