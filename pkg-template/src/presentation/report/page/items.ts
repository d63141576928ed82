/** The rows, with computed values that the table needs repeatedly. */

import { identity, identityOf } from "../../../core/records/row-identity.js";
import { scoreOf } from "../../../core/records/score.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { Bill } from "../../../experiments/stored/account.js";
import { Pricing } from "../../prices.js";
import { fails, ownErrors, resultPasses, rowName, scalesIn } from "../../reading.js";
import { textOf } from "../../value-text.js";
import type { ReportData } from "../data.js";

export interface Item {
  row: ExperimentRow;
  name: string;
  /** Its example and repetition. It stays the same in newer data. */
  identity: string;
  /** Its human label, if rows are labelled. */
  label?: LabelledItem | undefined;
  /** Its index in the experiment. */
  index: number;
  /** The first result of each key; the details show all of them. */
  results: Map<string, EvaluationResult>;
  /** The scores as numbers, by key. */
  scores: Map<string, number>;
  /** The keys that fail. */
  failing: Set<string>;
  /** Whether one of its results passes; a number without a pass mark does neither. */
  kindOf(result: EvaluationResult): "pass" | "fail" | "";
  /** The keys that have errors. */
  errors: Set<string>;
  /** The keys whose score differs from the baseline. */
  flipped: Set<string>;
  /** The same row of the baseline. */
  baseline: ExperimentRow | undefined;
  /** The same row of the experiments in between, in order. */
  between: (ExperimentRow | undefined)[];
  /** The tokens and cost of its judges. */
  bill: Bill | undefined;
  /** All of its text in lower case, computed by the first search. */
  text(): string;
}

/** The human label of a row. */
export interface LabelledItem {
  /** Whether the row passes, or its score; `null` if it is unlabelled, or its label was cleared. */
  label: boolean | number | null;
  note?: string | undefined;
}

export function readRows(data: ReportData): Item[] {
  const { experiment, baseline, comparisons = {} } = data;
  const scaleOf = scalesIn(experiment, data);
  const kindOf = (result: EvaluationResult) =>
    fails(result, scaleOf) ? "fail" : resultPasses(result, scaleOf) ? "pass" : "";
  const pricing = new Pricing(data.prices);
  const before = byIdentity(baseline);
  const between = data.between.map((one) => byIdentity(one.experiment));
  const flipped = new Map<string, Set<string>>();
  for (const [key, comparison] of Object.entries(comparisons))
    for (const { exampleId, repetition } of comparison.flipped) {
      const id = identity(exampleId, repetition);
      flipped.set(id, (flipped.get(id) ?? new Set()).add(key));
    }
  return experiment.rows.map((row, index) => {
    const id = identityOf(row);
    const results = new Map<string, EvaluationResult>();
    const scores = new Map<string, number>();
    for (const result of row.evaluationResults) {
      if (results.has(result.key)) continue;
      results.set(result.key, result);
      const score = scoreOf(result);
      if (score !== undefined) scores.set(result.key, Number(score));
    }
    let text: string | undefined;
    return {
      row,
      index,
      name: rowName(row),
      identity: id,
      results,
      scores,
      failing: new Set(row.evaluationResults.filter((one) => fails(one, scaleOf)).map(({ key }) => key)),
      kindOf,
      errors: new Set([...row.errors, ...(row.run.error ? [{ key: TARGET }] : [])].map(({ key }) => key)),
      flipped: flipped.get(id) ?? new Set<string>(),
      baseline: withExample(before.get(id), row),
      between: between.map((rows) => rows.get(id)),
      bill: pricing.billOfRows([row]),
      text: () => (text ??= textOfRow(row)),
    };
  });
}

/** A row of the baseline with what its example has in common with the same row, which the data has once. */
const withExample = (before: ExperimentRow | undefined, { example }: ExperimentRow) =>
  before && {
    ...before,
    example: { ...example, metadata: { ...example.metadata, ...before.example.metadata } },
  };

/** The key of the target's errors. */
const TARGET = "";

const byIdentity = (experiment: Experiment | undefined) =>
  new Map(experiment?.rows.map((row) => [identityOf(row), row]));

function textOfRow(row: ExperimentRow): string {
  const { example, run, evaluationResults } = row;
  const comments = evaluationResults.map(({ comment }) => comment);
  const failed = [run, ...ownErrors(row)].map(
    ({ error }) => error && `${error.code ?? error.name} ${error.message}`,
  );
  const values = [example.inputs, run.outputs, example.outputs, example.metadata].map((value) =>
    textOf(value),
  );
  return [rowName(row), ...values, ...comments, ...failed].filter(Boolean).join("\n").toLowerCase();
}
