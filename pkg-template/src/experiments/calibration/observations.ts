/** What the judge and people said, brought to what can be compared. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { fieldOf } from "../../core/input/field.js";
import { newJson } from "../../core/input/writer.js";
import { scoreOf } from "../../core/records/score.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../core/records/types.js";
import * as bindings from "../../openevals-statistics.js";
import type { CalibrateOptions } from "./options.js";
import type { Judged, TakenRow } from "./rows.js";

/** A result of the judge for a row that people have labelled. */
export interface Observation {
  row: ExperimentRow;
  result: EvaluationResult;
  labelled: TakenRow;
  /** What the judge said. */
  verdict: unknown;
  /** What people said together. */
  label: unknown;
}

/** What has been compared, and what has not. */
export interface Observations {
  key: string;
  kind: "verdicts" | "scores" | "classes";
  list: Observation[];
  /** What each person said of each example that somebody labelled. */
  people: unknown[][];
  leftOut: { unlabelled: number; undecided: number; errors: number; notApplicable: number };
}

/** Finds what can be compared. */
export async function observe(judged: Judged, options: CalibrateOptions): Promise<Observations> {
  const { experiment, labelled } = judged;
  const key = keyOf(experiment, options);
  const leftOut = { unlabelled: 0, undecided: 0, errors: 0, notApplicable: 0 };
  const found: Observation[] = [];
  for (const row of experiment.rows) {
    const own = labelled.get(row.example.id);
    const result = row.evaluationResults.find((one) => one.key === key);
    const verdict = result && verdictOf(result, options);
    if (!own?.labels.some((label) => label !== undefined)) leftOut.unlabelled++;
    else if (!result) leftOut.errors++;
    else if (verdict === undefined) leftOut.notApplicable++;
    else found.push({ row, result, labelled: own, verdict, label: undefined });
  }
  const rowsOfPeople = [...labelled.values()].map(({ labels }) => labels);
  const labels = rowsOfPeople.flat().filter((label) => label !== undefined);
  const read = readerOf(labels, found);
  const kind = kindOf(labels.map(read), found, options);
  // One may write 1 where another writes true.
  const labelOf = (label: unknown) => (kind === "verdicts" ? Number(read(label)) === 1 : read(label));
  const list: Observation[] = [];
  for (const one of found) {
    const own = one.labelled.labels.filter((label) => label !== undefined).map(labelOf);
    const label = kind === "scores" ? meanOf(own as (number | boolean)[]) : await majority(own);
    if (label === undefined) leftOut.undecided++;
    else list.push({ ...one, label });
  }
  const people = rowsOfPeople.map((row) =>
    row.map((label) => (label === undefined ? label : labelOf(label))),
  );
  return { key, kind, list, people, leftOut };
}

/** The key of the judge's results. */
function keyOf({ rows }: Experiment, { key }: CalibrateOptions): string {
  const keys = new Set(
    rows.flatMap(({ evaluationResults }) => evaluationResults.map((result) => result.key)),
  );
  if (!keys.size) {
    const failure = rows.flatMap(({ errors }) => errors)[0]?.error;
    const why = failure ? `; the first failed with: ${failure.message}` : "";
    throw invalidInput(`calibrate has no result of the judge in any of ${rows.length} rows${why}`);
  }
  const [only] = keys;
  const others = [...keys].map(show).join(", ");
  if (key === undefined && keys.size > 1)
    throw invalidInput(`calibrate found results with the keys ${others}; say with key which are meant`);
  if (key !== undefined && !keys.has(key))
    throw invalidInput(`calibrate found no results with the key ${show(key)}; there are ${others}`);
  return key ?? (only as string);
}

function verdictOf(result: EvaluationResult, { verdict }: CalibrateOptions): unknown {
  if (result.applicable === false) return undefined;
  if (verdict !== undefined) return fieldOf("verdict", result, "the result", "verdict", verdict, undefined);
  return scoreOf(result) ?? result.value ?? undefined;
}

const isScore = (value: unknown): value is number | boolean =>
  typeof value === "boolean" || typeof value === "number";
const isBinary = (value: unknown): boolean => typeof value === "boolean" || value === 0 || value === 1;

/** Files of CSV hold texts: where the judge gives scores, labels that all read as such are. */
function readerOf(labels: readonly unknown[], found: readonly Observation[]): (label: unknown) => unknown {
  const reads = (label: unknown): unknown => {
    if (typeof label !== "string") return label;
    const text = label.trim().toLowerCase();
    if (text === "true" || text === "false") return text === "true";
    return text && Number.isFinite(Number(text)) ? Number(text) : label;
  };
  const areScores =
    found.every(({ verdict }) => isScore(verdict)) && labels.every((label) => isScore(reads(label)));
  return areScores ? reads : (label) => label;
}

function kindOf(
  labels: readonly unknown[],
  found: readonly Observation[],
  { threshold }: CalibrateOptions,
): Observations["kind"] {
  const verdicts = found.map(({ verdict }) => verdict);
  if (![...labels, ...verdicts].every(isScore)) {
    if (threshold !== undefined)
      throw new OpenEvalsError(
        "invalid_config",
        "threshold is for scores, and there are labels or verdicts that are none.",
      );
    return "classes";
  }
  const outside = [...labels, ...verdicts].find((value) => !(Number(value) >= 0 && Number(value) <= 1));
  if (outside !== undefined)
    throw invalidInput(`calibrate takes scores and labels from 0 to 1, and found ${show(outside)}`);
  if (!labels.every(isBinary)) return "scores";
  if (threshold === undefined && !verdicts.every(isBinary)) {
    throw invalidInput(
      "The labels are true or false, and the judge gives scores between; say with threshold from which score on a row passes",
    );
  }
  return "verdicts";
}

const meanOf = (scores: readonly (number | boolean)[]): number =>
  scores.reduce<number>((sum, score) => sum + Number(score), 0) / scores.length;

/** What most said; `undefined` if as many said something else. */
async function majority(labels: readonly unknown[]): Promise<unknown> {
  if (labels.length === 1) return labels[0];
  const { numbers } = await classesOf(labels);
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const first = [...counts].filter(([, count]) => count === most);
  return first.length === 1 ? labels[numbers.indexOf(first[0]?.[0] as number)] : undefined;
}

/** The classes that values name: those that are equal as JSON are the same. */
export async function classesOf(
  values: readonly unknown[],
): Promise<{ numbers: number[]; classes: unknown[] }> {
  const json = newJson().punctuation("[");
  for (const [index, value] of values.entries()) {
    if (index > 0) json.punctuation(",");
    json.value(value, "label");
  }
  json.punctuation("]");
  const { numbers, firsts } = await statisticsEngine.run("classes", json.length, () =>
    bindings.classesOf(json.take()),
  );
  return { numbers: Array.from(numbers), classes: Array.from(firsts, (first) => values[first]) };
}
