/** Compares the experiments of a report. */

import { identity, identityOf } from "../../core/records/row-identity.js";
import type { Comparison, EvaluationResult, Experiment, ExperimentRow } from "../../core/records/types.js";
import { adjustPValues } from "../../experiments/comparison/adjust.js";
import { type ComparisonOptions, compareExperiments } from "../../experiments/comparison/compare.js";
import { compareMatrix } from "../../experiments/comparison/compare-matrix.js";
import { partsOf } from "../../experiments/stored/account.js";
import { matrixTable } from "../matrix/table.js";
import type { ReadingOptions } from "../options.js";
import { readAs } from "../reading.js";
import type { ReportData } from "./data.js";
import { marksIn } from "./marks-in.js";

type RowMetadata = Record<string, unknown>;

type Series = Pick<ReportData, "experiment" | "baseline" | "comparisons" | "between" | "matrix">;

/** Compares the combinations of a matrix. The one with the best mean is shown in full. */
export async function compareCombinations(
  experiments: readonly Experiment[],
  options: NonNullable<Parameters<typeof matrixTable>[2]>,
): Promise<Series> {
  const matrix = matrixTable(
    experiments,
    await compareMatrix(experiments.map((one) => readAs(one, options))),
    options,
  );
  const best = matrix.lines[0]?.experimentName;
  const experiment = experiments.find((one) => one.experimentName === best) as Experiment;
  const others = experiments.filter((one) => one !== experiment);
  return {
    experiment,
    between: others.map((one) => ({ experiment: compact(one), comparisons: {} })),
    matrix,
  };
}

/**
 * Compares each experiment with the first, the baseline. The last is shown in full. P-values are adjusted for all comparisons of
 * the page.
 */
export async function compareAll(
  experiments: readonly Experiment[],
  { margin, sliceBy, ...options }: ReadingOptions & Pick<ComparisonOptions, "margin" | "sliceBy"> = {},
): Promise<Series> {
  const [baseline, ...later] = experiments as [Experiment, ...Experiment[]];
  const experiment = later.pop();
  if (!experiment) return { experiment: baseline, between: [] };
  const compare = (one: Experiment, more: Pick<ComparisonOptions, "sliceBy"> = {}) =>
    compareExperiments(readAs(baseline, options), readAs(one, options), { margin, ...more });
  const compared = [await compare(experiment, { sliceBy })];
  for (const one of later) compared.push(await compare(one));
  const [comparisons = {}, ...others] = later.length ? await adjustPValues(compared) : compared;
  // The page shows which rows flipped for the last experiment only.
  for (const other of others) for (const comparison of Object.values(other)) comparison.flipped = [];
  for (const { slices = [] } of Object.values(comparisons)) for (const slice of slices) slice.flipped = [];
  const between = later.map((one, index) => ({ experiment: compact(one), comparisons: others[index] ?? {} }));
  return { experiment, baseline: withReasons(baseline, experiment, comparisons), comparisons, between };
}

/** The compact baseline with the reasons for the scores that differ from those of the experiment: comments, verdicts and contexts. */
function withReasons(
  baseline: Experiment,
  experiment: Experiment,
  comparisons: Record<string, Comparison>,
): Experiment {
  const flipped = new Map(
    Object.entries(comparisons).map(([key, one]) => [
      key,
      new Set(one.flipped.map(({ exampleId, repetition }) => identity(exampleId, repetition))),
    ]),
  );
  const later = new Map(experiment.rows.map((row) => [identityOf(row), row]));
  const rows = compact(baseline, marksIn).rows.map((compacted, index) => {
    const row = baseline.rows[index] as ExperimentRow;
    const id = identityOf(row);
    const isFlipped = (result: EvaluationResult) => flipped.get(result.key)?.has(id) === true;
    if (!row.evaluationResults.some(isFlipped)) return compacted;
    const context = row.example.metadata?.context ?? null;
    const isSame =
      JSON.stringify(context) === JSON.stringify(later.get(id)?.example.metadata?.context ?? null);
    return {
      ...compacted,
      example: { ...compacted.example, ...(!isSame && { metadata: { context } }) },
      evaluationResults: row.evaluationResults.map((result, at) =>
        isFlipped(result) ? result : (compacted.evaluationResults[at] as EvaluationResult),
      ),
    };
  });
  return { ...baseline, rows };
}

/**
 * The experiment without the data that the page takes from the last one, such as inputs, to keep the report small.
 *
 * @param more The metadata to keep besides costs.
 */
function compact(experiment: Experiment, more: (metadata: object) => RowMetadata = () => ({})): Experiment {
  return {
    ...experiment,
    rows: experiment.rows.map(({ example, run, evaluationResults }) => ({
      example: { id: example.id, inputs: null },
      run,
      evaluationResults: evaluationResults.map(({ key, score, applicable, metadata }) => ({
        key,
        ...(score !== undefined && { score }),
        ...(applicable !== undefined && { applicable }),
        ...withMetadata({ ...(metadata?.usage !== undefined && costsIn(metadata)), ...more(metadata ?? {}) }),
      })),
      errors: [],
    })),
  };
}

/** The metadata from which the page computes the cost of a result and its parts. */
function costsIn(metadata: RowMetadata): RowMetadata {
  const { usage, model, cached } = metadata;
  const parts = partsOf(metadata).map((part) => ({ metadata: costsIn(Object(Object(part).metadata)) }));
  return { usage, model, cached, ...(parts.length && { parts }) };
}

const withMetadata = (metadata: RowMetadata) => (Object.keys(metadata).length ? { metadata } : {});
