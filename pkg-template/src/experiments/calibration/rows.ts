/** The rows that people have labelled, and what the judge said of each. */

import { callbackFailed, invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { Example, Experiment } from "../../core/records/types.js";
import { dataFile } from "../evaluate/data/file.js";
import type { DataRow } from "../evaluate/data/types.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { RowEvaluator } from "../evaluate/evaluators/evaluators.js";
import type { CalibrateOptions, LabelField, LabelledRow } from "./options.js";

/** What a row says of itself. */
export interface TakenRow {
  /** What each person said; `undefined` where one said nothing. */
  labels: unknown[];
  /** At which place it stood, and who wrote it, where that is known. */
  position: unknown;
  author: unknown;
}

/** What has been judged, and what people say of each example, by its id. */
export interface Judged {
  experiment: Experiment;
  labelled: Map<string, TakenRow>;
}

/** Runs the judge over the rows. */
export async function judgeRows(judge: RowEvaluator, options: CalibrateOptions): Promise<Judged> {
  const rows = await readRows(options.data);
  const places = [labelFields(options), options.position, options.author].flat();
  const own = new Set(places.filter((place) => typeof place === "string"));
  const { mapInputs, maxConcurrency, numRepetitions, cache, cacheMode, signal } = options;
  const experiment = await evaluate(undefined, {
    // What people said is none of the judge's business, and may have any name.
    data: rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name) || isField(name))),
    ),
    evaluators: [judge],
    mapInputs,
    maxConcurrency,
    numRepetitions,
    cache,
    cacheMode,
    signal,
    progress: false,
  });
  if (experiment.stopped) throw new OpenEvalsError("aborted", experiment.stopped.message);
  return { experiment, labelled: labelsOf(rows, options) };
}

/** Takes an experiment that has run; labels stand in its examples, or in rows with their ids. */
export async function judgedRows(experiment: Experiment, options: CalibrateOptions): Promise<Judged> {
  const rows = options.data === undefined ? undefined : await readRows(options.data);
  if (rows) return { experiment, labelled: labelsOf(rows, options) };
  const examples = new Map(experiment.rows.map(({ example }) => [example.id, example]));
  return { experiment, labelled: labelsOf([...examples.values()], options) };
}

/** The rows that people have labelled, however they are given. */
export async function readRows(data: CalibrateOptions["data"]): Promise<LabelledRow[]> {
  if (data === undefined) throw invalidConfig("calibrate needs data: rows that people have labelled");
  const rows: unknown[] = [];
  if (typeof data === "string" || data instanceof URL) {
    for await (const part of dataFile(data).read()) for (const { row } of part) rows.push(row);
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
    if (typeof row !== "object" || row === null || Array.isArray(row))
      throw new OpenEvalsError("invalid_input", `data[${index}] is ${show(row)}; a row is an object.`);
  }
  return rows as LabelledRow[];
}

const isField = (name: string): boolean =>
  ["id", "inputs", "outputs", "metadata", "attachments"].includes(name);

export const labelFields = ({ label }: CalibrateOptions): readonly LabelField[] =>
  Array.isArray(label) ? label : [label as LabelField];

/** What people said of each example, by its id. */
export function labelsOf(
  rows: readonly (LabelledRow | Example)[],
  options: CalibrateOptions,
): Map<string, TakenRow> {
  const fields = labelFields(options);
  return new Map(
    rows.map((row, index) => [
      row.id == null ? String(index + 1) : String(row.id),
      {
        labels: fields.map((field) => read(row, field, "label")),
        position: options.position && read(row, options.position, "position"),
        author: options.author && read(row, options.author, "author"),
      },
    ]),
  );
}

/** The field of a row, of its metadata or of its reference; `undefined` if it is nowhere, or empty. */
function read(row: DataRow, field: LabelField, option: string): unknown {
  let found: unknown;
  if (typeof field === "function") {
    try {
      found = field(row);
    } catch (error) {
      throw callbackFailed(option, error);
    }
  } else {
    const places = [row, row.metadata, row.referenceOutputs, row.reference_outputs, row.outputs];
    const place = places.find((place) => {
      return typeof place === "object" && place !== null && Object.hasOwn(place, field);
    });
    found = (place as Record<string, unknown> | undefined)?.[field];
  }
  return found === null || found === "" ? undefined : found;
}
