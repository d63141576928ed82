/** Matches the judge's verdicts with human labels. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidConfig, invalidInput } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { newJson } from "../../core/input/json/writer.js";
import { ownValue } from "../../core/input/objects.js";
import type { CalibrationReport, JudgeErrors } from "../../core/records/calibration.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import * as bindings from "../../openevals-statistics.js";
import { reachedThreshold } from "../statistics/correct-rate.js";
import type { CalibrateOptions } from "./options.js";
import type { Judged, RowLabels } from "./rows.js";
import {
  asScore,
  checkThreshold,
  isBooleanOrNumber,
  isUnit,
  outsideOf,
  readAsScores,
  type ScoreBounds,
  scoreBounds,
  verdictOf,
} from "./verdicts.js";

/** A result of the judge for a labelled row. */
export interface Observation {
  row: ExperimentRow;
  result: EvaluationResult;
  labelled: RowLabels;
  verdict: unknown;
  /** The majority of the labels; of grades, their median; of scores with many values, their mean. */
  label: unknown;
}

/** Scores with more different values than this are not treated as classes. */
export const MAX_STEPS = 10;

/** The observations, and the numbers of rows without one. */
export interface Observations {
  key: string;
  kind: "verdicts" | "scores" | "classes";
  list: Observation[];
  /** The labels of each labelled example, one for each person. */
  people: unknown[][];
  /** The labelled rows on which the judge failed or is not applicable. */
  unjudged: ExperimentRow[];
  leftOut: CalibrationReport["leftOut"];
  /** The range of scores. */
  range: ScoreBounds;
  /** The option, or the recorded pass mark. */
  threshold?: number;
  /** Set if lower scores of the key are better. */
  lowerIsBetter?: true;
}

export async function observe(judged: Judged, options: CalibrateOptions): Promise<Observations> {
  const { experiment, labelled, notAsked, unmatched } = judged;
  const key = keyOf(experiment, options);
  const none = { undecided: 0, errors: 0, notApplicable: 0 };
  const leftOut = { unlabelled: notAsked, ...none, ...(unmatched && { unmatched }) };
  const found: Observation[] = [];
  const unjudged: ExperimentRow[] = [];
  for (const row of experiment.rows) {
    const rowLabels = labelled.get(row.example.id);
    const result = row.evaluationResults.find((one) => one.key === key);
    const verdict = result && verdictOf(result, options);
    if (!rowLabels?.labels.some((label) => label !== undefined)) leftOut.unlabelled++;
    else if (!result || verdict === undefined) {
      leftOut[result ? "notApplicable" : "errors"]++;
      unjudged.push(row);
    } else found.push({ row, result, labelled: rowLabels, verdict, label: undefined });
  }
  const rowsOfPeople = [...labelled.values()].map(({ labels }) => labels);
  const labels = rowsOfPeople.flat().filter((label) => label !== undefined);
  // With the option `verdict`, the value is not a score on the scale of the key.
  const scale = options.verdict === undefined ? scaleIn(experiment, key) : {};
  const range = scoreBounds(scale);
  checkThreshold(options, range);
  const isLower = scale.direction === "lower";
  const read = readerOf(labels, found, isLower);
  const readLabels = labels.map(read);
  const threshold = options.threshold ?? markOf(scale, range, readLabels, found);
  const kind = kindOf(readLabels, found, range, threshold);
  // One person may write 1 where another writes true.
  const labelOf = (label: unknown) => (kind === "verdicts" ? Number(read(label)) === 1 : read(label));
  const ofRows = found.map(({ labelled }) =>
    labelled.labels.filter((label) => label !== undefined).map(labelOf),
  );
  const passing = {
    ...(threshold !== undefined && { threshold }),
    ...(isLower && { lowerIsBetter: true as const }),
  };
  const areGrades = new Set(ofRows.flat().map(Number)).size <= MAX_STEPS;
  const agreed =
    kind !== "scores"
      ? await majoritiesOf(ofRows)
      : areGrades
        ? mediansOf(ofRows, passing)
        : await meansOf(ofRows);
  const list: Observation[] = [];
  for (const [index, one] of found.entries()) {
    const label = agreed[index];
    if (label === undefined) leftOut.undecided++;
    else list.push({ ...one, label });
  }
  const people = rowsOfPeople.map((row) =>
    row.map((label) => (label === undefined ? label : labelOf(label))),
  );
  return {
    ...{ key, kind, list, people, unjudged, leftOut, range },
    ...passing,
  };
}

/** The key of the judge's results. */
function keyOf({ rows }: Experiment, { key }: CalibrateOptions): string {
  const keys = new Set(
    rows.flatMap(({ evaluationResults }) => evaluationResults.map((result) => result.key)),
  );
  if (!keys.size) {
    const failure = rows.flatMap(({ errors }) => errors)[0]?.error;
    const why = failure ? `; the first failed with: ${failure.message}` : "";
    throw invalidInput(`The judge has no result in any of ${rows.length} rows${why}`);
  }
  const [only] = keys;
  const others = [...keys].map(show).join(", ");
  if (key === undefined && keys.size > 1)
    throw invalidInput(`The results have the keys ${others}; choose one with the option key`);
  if (key !== undefined && !keys.has(key))
    throw invalidInput(`No result has the key ${show(key)}; the keys are ${others}`);
  return key ?? (only as string);
}

/** Whether all values are true or false. From 0 to 1, these are also 1 and 0. */
const areBinary = (values: readonly unknown[], range: ScoreBounds): boolean =>
  values.every((value) => typeof value === "boolean" || (isUnit(range) && (value === 0 || value === 1)));

const scaleIn = ({ scales = {} }: Experiment, key: string): ScoreScale => ownValue(scales, key) ?? {};

/**
 * The pass mark between the lowest and the best score, if it decides between true and false. The best score is the mark of keys
 * without one.
 */
function markOf(
  { passAt }: ScoreScale,
  range: ScoreBounds,
  labels: readonly unknown[],
  found: readonly Observation[],
): number | undefined {
  const verdicts = found.map(({ verdict }) => verdict);
  const isNeeded =
    verdicts.every(isBooleanOrNumber) && areBinary(labels, range) && !areBinary(verdicts, range);
  const decides = passAt !== undefined && passAt > range.min && passAt < range.max;
  return isNeeded && decides ? passAt : undefined;
}

/**
 * If the judge returns scores and all labels read as scores, they are scores. `true` says that a row passes, so it is the score
 * `false` if lower is better.
 */
function readerOf(
  labels: readonly unknown[],
  found: readonly Observation[],
  isLower: boolean,
): (label: unknown) => unknown {
  const areScores = found.every(({ verdict }) => isBooleanOrNumber(verdict)) && readAsScores(labels);
  if (!areScores) return (label) => label;
  return (label) => {
    const score = asScore(label);
    return isLower && typeof score === "boolean" ? !score : score;
  };
}

function kindOf(
  labels: readonly unknown[],
  found: readonly Observation[],
  range: ScoreBounds,
  threshold: number | undefined,
): Observations["kind"] {
  const verdicts = found.map(({ verdict }) => verdict);
  const [verdict] = verdicts;
  if (verdict !== undefined && !verdicts.some(isBooleanOrNumber) && labels.every(isBooleanOrNumber)) {
    throw invalidInput(
      `The labels are scores, such as ${show(labels[0])}, but the judge returned ${show(verdict)}, which equals none. ` +
        `Pass a function as verdict, such as ({ value }) => value === ${show(verdict)}`,
    );
  }
  if (![...labels, ...verdicts].every(isBooleanOrNumber)) {
    if (threshold !== undefined)
      throw invalidConfig("threshold applies only to scores, but some labels or verdicts are not scores");
    return "classes";
  }
  const outside = outsideOf([...labels, ...verdicts], range);
  if (outside) throw outside;
  const score = labels.find((label) => typeof label === "number");
  if (!isUnit(range) && score !== undefined && labels.some((label) => typeof label === "boolean")) {
    throw invalidInput(
      `Some labels are true or false, and others are scores from ${range.min} to ${range.max}, such as ${score}. Label all rows in one way, or pass a function as label that returns whether the row passes`,
    );
  }
  if (!areBinary(labels, range)) return "scores";
  if (threshold === undefined && !areBinary(verdicts, range)) {
    throw invalidInput(
      `The labels are true or false, but the judge returns scores between ${range.min} and ${range.max}. Set threshold to the lowest score that passes`,
    );
  }
  return "verdicts";
}

/**
 * The median of the grades of each row. A value between two grades would equal no verdict, so a row is left out if the two in the
 * middle differ; with a threshold, only if one of them passes.
 */
function mediansOf(
  rows: readonly unknown[][],
  passing: Pick<JudgeErrors, "threshold" | "lowerIsBetter">,
): (number | undefined)[] {
  return rows.map((grades) => {
    const sorted = Float64Array.from(grades, Number).sort();
    const middle = [
      sorted[(sorted.length - 1) >> 1] as number,
      sorted[sorted.length >> 1] as number,
    ] as const;
    const [low, high] = middle;
    if (low === high) return low;
    const passed = passing.threshold !== undefined && reachedThreshold(middle, passing);
    return passed && passed[0] === passed[1] ? (low + high) / 2 : undefined;
  });
}

/** The mean score of each row. */
const meansOf = (rows: readonly unknown[][]): Promise<number[]> =>
  statisticsEngine.run("calibrate", rows.length, () =>
    rows.map((scores) => bindings.mean(Float64Array.from(scores, Number))),
  );

/** The label that most people gave each row; `undefined` for a tie. */
async function majoritiesOf(rows: readonly unknown[][]): Promise<unknown[]> {
  const { numbers, classes } = await classesOf(rows.flat());
  let start = 0;
  return statisticsEngine.run("calibrate", numbers.length, () =>
    rows.map(({ length }) => {
      const majority = bindings.majorityOf(Uint32Array.from(numbers.slice(start, start + length)));
      start += length;
      return majority === undefined ? undefined : classes[majority];
    }),
  );
}

/** Numbers the classes of values. Values that are equal as JSON are the same class. */
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
