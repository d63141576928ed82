/** The rows, with what the table asks of them again and again. */

import { scoreOf } from "../../../../core/records/score.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../../../core/records/types.js";
import type { Bill } from "../../../stored/account.js";
import { Pricing } from "../../prices.js";
import { fails, ownErrors, rowName, scalesIn } from "../../reading.js";
import type { ReportData } from "../data.js";
import { textOf } from "./dom.js";

export interface Item {
  row: ExperimentRow;
  name: string;
  /** What tells it from all others, also in newer data. */
  identity: string;
  /** What a person has said of it, where rows are labelled. */
  label?: LabelledItem | undefined;
  /** Its place in the experiment. */
  index: number;
  /** Of several results with one key the first; all of them are in the details. */
  results: Map<string, EvaluationResult>;
  /** As numbers, of those that have one. */
  scores: Map<string, number>;
  /** The keys with bad news, with errors, and with another score than the baseline has. */
  failing: Set<string>;
  errors: Set<string>;
  flipped: Set<string>;
  /** The same row of the baseline. */
  baseline: ExperimentRow | undefined;
  /** The same row of the experiments in between, in their order. */
  between: (ExperimentRow | undefined)[];
  /** What its judges used. */
  bill: Bill | undefined;
  /** All of its text, in lower case; made when it is searched for the first time. */
  text(): string;
}

/** What a person says of a row. */
export interface LabelledItem {
  /** Whether it passes; `null` if that was not said, or taken back. */
  label: boolean | null;
  note?: string | undefined;
}

export function readRows(data: ReportData): Item[] {
  const { experiment, baseline, comparisons = {} } = data;
  const scaleOf = scalesIn(experiment, data);
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
    const id = identity(row.example.id, row.run.repetition);
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
      errors: new Set([...row.errors, ...(row.run.error ? [{ key: TARGET }] : [])].map(({ key }) => key)),
      flipped: flipped.get(id) ?? new Set<string>(),
      baseline: before.get(id),
      between: between.map((rows) => rows.get(id)),
      bill: pricing.billOf(row.evaluationResults),
      text: () => (text ??= textOfRow(row)),
    };
  });
}

/** Stands among the keys of errors for the target. */
const TARGET = "";

const byIdentity = (experiment: Experiment | undefined) =>
  new Map(experiment?.rows.map((row) => [identity(row.example.id, row.run.repetition), row]));

export const identity = (id: string, repetition: number) => `${repetition} ${id}`;

function textOfRow(row: ExperimentRow): string {
  const { example, run, evaluationResults } = row;
  const said = evaluationResults.map(({ comment }) => comment);
  const failed = [run, ...ownErrors(row)].map(
    ({ error }) => error && `${error.code ?? error.name} ${error.message}`,
  );
  const values = [example.inputs, run.outputs, example.outputs, example.metadata].map((value) =>
    textOf(value),
  );
  return [rowName(row), ...values, ...said, ...failed].filter(Boolean).join("\n").toLowerCase();
}
