/** Reads the labelled rows, and runs the judge on them. */

import { anySignal } from "../../core/abort.js";
import { invalidConfig, invalidInput, OpenEvalsError } from "../../core/errors.js";
import { withStop } from "../../core/full-stop.js";
import { show } from "../../core/input/checks.js";
import { didYouMean } from "../../core/input/near.js";
import { isRecord } from "../../core/input/objects.js";
import { rowId } from "../../core/input/row-id.js";
import { scaleOf } from "../../core/passing.js";
import type { Example, Experiment } from "../../core/records/types.js";
import { callAtOnce } from "../../core/user-function.js";
import { type RowEvaluator, withMapping } from "../../evaluators/calls/row-evaluators.js";
import { dataFile } from "../evaluate/data/file.js";
import { RowMapping } from "../evaluate/data/mapping.js";
import type { DataRow } from "../evaluate/data/types.js";
import { evaluate } from "../evaluate/evaluate.js";
import { withFinished } from "../evaluate/with-finished.js";
import type { CalibrateOptions, LabelField, LabelledRow } from "./options.js";
import {
  asScore,
  checkThreshold,
  isBooleanOrNumber,
  mismatchWithLabels,
  outsideOf,
  scoreBounds,
  unscoredAmong,
  verdictAmong,
} from "./verdicts.js";

/** The fields of a labelled row that the judge does not see. */
export interface RowLabels {
  /** The label of each person; `undefined` for a missing one. */
  labels: unknown[];
  position: unknown;
  author: unknown;
}

/** The experiment of the judge, and the labels of each example by its id. */
export interface Judged {
  experiment: Experiment;
  labelled: Map<string, RowLabels>;
  /** The number of results that were not requested, because their rows have no label. */
  notAsked: number;
  /** The number of labelled rows that the experiment does not have. */
  unmatched: number;
}

/** Runs the judge on the rows that have a label. */
export async function judgeRows(
  judge: RowEvaluator,
  rows: readonly LabelledRow[],
  options: CalibrateOptions,
): Promise<Judged> {
  const labelled = labelsOf(rows, options);
  const range = scoreBounds(options.verdict === undefined ? scaleOf(withMapping(judge).evaluator) : {});
  checkThreshold(options, range);
  const asked = withIds(rows).filter(({ id }) => hasLabel(labelled.get(String(id))));
  const fields = [labelFields(options), options.position, options.author].flat();
  const hidden = new Set(fields.filter((field) => typeof field === "string"));
  const { mapInputs, maxConcurrency, numRepetitions = 1, judges, signal } = options;
  const mistake = new AbortController();
  const running = evaluate(undefined, {
    // The judge must not see the labels.
    data: asked.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name) || isRowField(name))),
    ),
    evaluators: [judge],
    mapInputs,
    maxConcurrency,
    numRepetitions,
    judges,
    signal: signal ? anySignal(signal, mistake.signal) : mistake.signal,
    progress: false,
  });
  const labels = labelsIn(labelled);
  const unscored = unscoredAmong(labels);
  const place = labelPlace(rows, options);
  const wrongLabel = outsideOf(labels.map(asScore), range);
  for await (const { evaluationResults } of running) {
    const verdict = verdictAmong(evaluationResults, options);
    const areScores = isBooleanOrNumber(verdict) && !unscored.length;
    // Judging the remaining rows would cost money for nothing.
    const problem =
      mismatchWithLabels(verdict, unscored, place) ??
      (areScores ? (wrongLabel ?? outsideOf([verdict], range)) : undefined);
    if (problem) mistake.abort(problem);
  }
  const experiment = await running;
  if (mistake.signal.aborted) throw withFinished("calibrate", mistake.signal.reason, { experiment });
  if (experiment.stopped) throw new OpenEvalsError("aborted", experiment.stopped.message, { experiment });
  return { experiment, labelled, notAsked: (rows.length - asked.length) * numRepetitions, unmatched: 0 };
}

/** Uses an experiment that has run. The labels are in `data`, by id, or in the examples. */
export async function judgedRows(experiment: Experiment, options: CalibrateOptions): Promise<Judged> {
  const examples = new Map(experiment.rows.map(({ example }) => [example.id, example]));
  if (options.data === undefined && options.map !== undefined)
    throw invalidConfig("map renames the fields of data, which is missing. Add data, or leave map out");
  const rows = options.data === undefined ? [...examples.values()] : await readLabels(options);
  checkFields(rows, options);
  const labelled = labelsOf(rows, options);
  const unscored = unscoredAmong(labelsIn(labelled));
  const place = labelPlace(rows, options);
  for (const { evaluationResults } of experiment.rows) {
    const problem = mismatchWithLabels(verdictAmong(evaluationResults, options), unscored, place);
    if (problem) throw problem;
  }
  return { experiment, labelled, notAsked: 0, unmatched: countUnmatched(labelled, examples) };
}

/**
 * Counts the labels whose id the experiment does not have.
 *
 * @throws {@link OpenEvalsError} `invalid_input` if these are all labels.
 */
function countUnmatched(labelled: Judged["labelled"], examples: ReadonlyMap<string, unknown>): number {
  const ids = [...labelled].flatMap(([id, row]) => (hasLabel(row) ? [id] : []));
  const unmatched = ids.filter((id) => !examples.has(id)).length;
  const [example] = examples.keys();
  if (example !== undefined && unmatched === ids.length) {
    throw invalidInput(
      `No label belongs to a row of the experiment: labels have ids such as ${show(ids[0])}, and rows such as ${show(example)}. ` +
        "Give each label the id of its row",
    );
  }
  return unmatched;
}

/** Reads the rows with the labels of an experiment, perhaps from a file that `view` wrote until it was stopped. */
async function readLabels(options: CalibrateOptions): Promise<LabelledRow[]> {
  try {
    return await readRows(options);
  } catch (error) {
    const { cause, message } = error as Error;
    if (!(cause instanceof SyntaxError)) throw error;
    const hint = "If this is an incomplete last line of view --label, start that again: it removes the line";
    throw new OpenEvalsError("invalid_input", `${withStop(message)} ${hint}.`, { cause });
  }
}

/** Reads the rows, and checks that some have labels. */
export async function readLabelledRows(options: CalibrateOptions): Promise<LabelledRow[]> {
  const rows = await readRows(options);
  checkFields(rows, options);
  return rows;
}

/** Default ids are positions in the data, so they are assigned before rows are left out. */
export const withIds = <Row extends DataRow>(rows: readonly Row[]): Row[] =>
  rows.map((row, index) => (row.id == null ? { ...row, id: String(index + 1) } : row));

const labelsIn = (labelled: Map<string, RowLabels>): unknown[] =>
  [...labelled.values()].flatMap(({ labels }) => labels.filter((label) => label !== undefined));

const hasLabel = (row: RowLabels | undefined): boolean =>
  row?.labels.some((label) => label !== undefined) ?? false;

/**
 * Rejects a field that no row has: its name is probably misspelt.
 *
 * @throws {@link OpenEvalsError} `invalid_input`
 */
function checkFields(rows: readonly (LabelledRow | Example)[], options: CalibrateOptions): void {
  const { position, author } = options;
  for (const field of labelFields(options)) checkField(rows, "label", field);
  if (position !== undefined) checkField(rows, "position", position);
  if (author !== undefined) checkField(rows, "author", author);
}

function checkField(
  rows: readonly (LabelledRow | Example)[],
  option: "label" | "position" | "author",
  field: LabelField,
): void {
  if (!rows.length || rows.some((row) => read(row, field, option) !== undefined)) return;
  if (typeof field === "function")
    throw invalidInput(`The function ${option} returned no ${option} for any row`);
  const names = new Set(rows.flatMap((row) => placesIn(row).flatMap(Object.keys)));
  // The field exists, but is empty.
  if (names.has(field))
    throw invalidInput(`No row has ${option === "author" ? "an" : "a"} ${option} in ${show(field)}`);
  const others = [...names].filter((name) => !isRowField(name));
  const listed = others.length
    ? `the rows have ${others.map(show).join(", ")}.`
    : `the rows have no ${option}s.`;
  throw invalidInput(`No row has the ${option} ${show(field)}; ${didYouMean(field, others, listed, show)}`);
}

/**
 * Reads the rows from a list, an iterable or a file, and renames their fields.
 *
 * @param hasTarget Whether `outputs` are the expected answers instead of the recorded ones.
 */
export async function readRows(
  { data, map }: Pick<CalibrateOptions, "data" | "map">,
  hasTarget = false,
): Promise<LabelledRow[]> {
  if (data === undefined) throw invalidConfig("calibrate needs data, the labelled rows");
  const rows: unknown[] = [];
  if (typeof data === "string" || data instanceof URL) {
    const file = await dataFile(data, { isMapped: map !== undefined, hasTarget });
    for await (const part of file.read()) for (const { row } of part) rows.push(row);
  } else if (
    typeof data === "object" &&
    data !== null &&
    (Symbol.iterator in data || Symbol.asyncIterator in data)
  ) {
    for await (const row of data as Iterable<unknown>) rows.push(row);
  } else {
    throw invalidConfig(
      `data is ${show(data)}; it has to be a list of rows, an iterable, or the path of a file`,
    );
  }
  for (const [index, row] of rows.entries()) {
    if (!isRecord(row)) throw invalidInput(`data[${index}] is ${show(row)}; a row is an object`);
  }
  if (map === undefined) return rows as LabelledRow[];
  const mapping = new RowMapping(map);
  const mapped = rows.map((row) => mapping.apply(row));
  mapping.end();
  return mapped as LabelledRow[];
}

const isRowField = (name: string): boolean =>
  ["id", "inputs", "outputs", "metadata", "attachments"].includes(name);

const labelFields = ({ label }: CalibrateOptions): readonly LabelField[] =>
  Array.isArray(label) ? label : [label as LabelField];

/** The labels of each example, by its id. */
export function labelsOf(
  rows: readonly (LabelledRow | Example)[],
  options: CalibrateOptions,
): Map<string, RowLabels> {
  const fields = labelFields(options);
  return new Map(
    rows.map((row, index) => [
      rowId(row, `data[${index}]`) ?? String(index + 1),
      {
        labels: fields.map((field) => read(row, field, "label")),
        position: options.position && read(row, options.position, "position"),
        author: options.author && read(row, options.author, "author"),
      },
    ]),
  );
}

/** Reads a field of a row, of its metadata or of its outputs; `undefined` if it is missing or empty. */
function read(row: DataRow, field: LabelField, option: string): unknown {
  const found =
    typeof field === "function"
      ? callAtOnce(option, () => field(row))
      : placesIn(row).find((place) => Object.hasOwn(place, field))?.[field];
  if (found instanceof Promise)
    throw invalidInput(`${option} returned a promise; it must not be asynchronous`);
  return found === null || found === "" ? undefined : found;
}

/** The fields of a row that may have labels, besides the row itself. */
const PLACES = ["metadata", "referenceOutputs", "reference_outputs", "outputs"] as const;

/** The objects of a row that may have labels. */
const placesIn = (row: DataRow): Record<string, unknown>[] =>
  [row, ...PLACES.map((place) => row[place])].filter((place): place is Record<string, unknown> =>
    isRecord(place),
  );

/** Where a row has its label, as code: `row.metadata.human`. */
function labelPlace(rows: readonly (LabelledRow | Example)[], options: CalibrateOptions): string {
  const [field] = labelFields(options);
  if (typeof field !== "string") return "row.human";
  const key = /^[\w$]+$/.test(field) ? `.${field}` : `[${show(field)}]`;
  const has = (place: unknown) => isRecord(place) && Object.hasOwn(place, field);
  const isOnRow = rows.some((row) => has(row));
  const within = isOnRow
    ? undefined
    : PLACES.find((place) => rows.some((row) => has((row as DataRow)[place])));
  return `row${within ? `.${within}` : ""}${key}`;
}
