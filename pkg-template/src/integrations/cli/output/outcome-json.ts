/** The outcome of an experiment in a result of `--json`, short enough to be read by a program with a limited context. */

import { rowCountOf } from "../../../core/records/row-count.js";
import type { Comparison, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { hasPassed, type Outcome } from "../../../presentation/outcome.js";
import { fails, ownErrors, type ScaleOf, scalesIn } from "../../../presentation/reading.js";
import { statusCounts, statusOf } from "../../../presentation/story/row-status.js";
import { verdictOf } from "../../../presentation/verdict.js";

/** The range of failing rows to list. */
export interface Page {
  /** The first, from 0. */
  from: number;
  count: number;
}

/** The most characters of a value; a longer one is cut. */
const MAX_LENGTH = 1000;
const MAX_FLIPPED = 20;
const MAX_SLICES = 50;

export function outcomeJson(outcome: Outcome, page: Page = { from: 0, count: 10 }) {
  const { file, name, matrix, experiment, problems, mistake, notes, comparisons, lowerIsBetter } = outcome;
  const scaleOf = scalesIn(experiment ?? {}, { lowerIsBetter });
  return {
    ...{ file, name, ...(matrix !== undefined && { matrix }) },
    passed: hasPassed(outcome),
    problems,
    ...(mistake !== undefined && { mistake }),
    ...(notes?.length && { notes }),
    ...(experiment && { experiment: withoutRows(experiment), ...rowsOf(experiment, scaleOf, page) }),
    ...(comparisons && { comparisons: comparisonsOf(comparisons, scaleOf) }),
  };
}

function withoutRows(experiment: Experiment) {
  const { rows: _, rowCount: __, merging: ___, metadata: ____, prices: _____, ...rest } = experiment;
  return { ...rest, rows: rowCountOf(experiment) };
}

/** The rows that fail or have an error. */
function rowsOf({ rows }: Experiment, scaleOf: ScaleOf, { from, count }: Page) {
  if (!rows.length) return {};
  const failing = rows.filter((row) => ["fails", "error"].includes(statusOf(row, scaleOf)));
  return {
    statuses: statusCounts(rows, scaleOf),
    failures: failing.slice(from, from + count).map((row) => rowJson(row, scaleOf)),
  };
}

/** A row. Long values are cut unless `isWhole` is set. */
export function rowJson(row: ExperimentRow, scaleOf: ScaleOf, isWhole = false) {
  const { example, run, evaluationResults } = row;
  const cut = isWhole ? (value: unknown) => value : shortened;
  return {
    id: example.id,
    repetition: run.repetition,
    status: statusOf(row, scaleOf),
    inputs: cut(example.inputs),
    outputs: cut(run.outputs),
    referenceOutputs: cut(example.outputs),
    ...(run.error && { error: cut(run.error.message) }),
    results: evaluationResults.map((result) => ({
      key: result.key,
      score: result.score ?? null,
      fails: fails(result, scaleOf),
      comment: cut(result.comment),
      ...(isWhole && { metadata: result.metadata }),
    })),
    errors: ownErrors(row).map(({ key, error }) => ({ key, message: cut(error.message) })),
  };
}

/** The value, or the beginning of its text if it is long. */
function shortened(value: unknown): unknown {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  if (text.length <= MAX_LENGTH) return value;
  return `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}

const comparisonsOf = (comparisons: Readonly<Record<string, Comparison>>, scaleOf: ScaleOf) =>
  Object.fromEntries(
    Object.entries(comparisons).map(([key, { slices, ...comparison }]) => [
      key,
      {
        ...comparisonJson(key, comparison, scaleOf, MAX_FLIPPED),
        ...(slices && {
          slices: slices.slice(0, MAX_SLICES).map((slice) => comparisonJson(key, slice, scaleOf, 0)),
          sliceCount: slices.length,
        }),
      },
    ]),
  );

/** A comparison with its verdict, and so many of its rows. */
function comparisonJson<Compared extends Comparison>(
  key: string,
  comparison: Compared,
  scaleOf: ScaleOf,
  rows: number,
) {
  const { flipped } = comparison;
  return {
    verdict: verdictOf(key, comparison, scaleOf),
    ...comparison,
    flipped: flipped.slice(0, rows),
    flippedCount: flipped.length,
  };
}
