/** Reads the labelled rows, and runs the judge on them. */

import { callbackFailed, invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { Example, Experiment } from "../../core/records/types.js";
import { dataFile } from "../evaluate/data/file.js";
import type { DataRow } from "../evaluate/data/types.js";
import { evaluate } from "../evaluate/evaluate.js";
import type { RowEvaluator } from "../evaluate/evaluators/evaluators.js";
import type { CalibrateOptions, LabelField, LabelledRow } from "./options.js";

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
}

/** Runs the judge on the rows. */
export async function judgeRows(judge: RowEvaluator, options: CalibrateOptions): Promise<Judged> {
  const rows = await readRows(options.data);
  const places = [labelFields(options), options.position, options.author].flat();
  const own = new Set(places.filter((place) => typeof place === "string"));
  const { mapInputs, maxConcurrency, numRepetitions, judges, signal } = options;
  const experiment = await evaluate(undefined, {
    // The judge must not see the labels.
    data: rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !own.has(name) || isField(name))),
    ),
    evaluators: [judge],
    mapInputs,
    maxConcurrency,
    numRepetitions,
    judges,
    signal,
    progress: false,
  });
  if (experiment.stopped) throw new OpenEvalsError("aborted", experiment.stopped.message);
  return { experiment, labelled: labelsOf(rows, options) };
}

/** Uses an experiment that has run. The labels are in `data`, by id, or in the examples. */
export async function judgedRows(experiment: Experiment, options: CalibrateOptions): Promise<Judged> {
  const rows = options.data === undefined ? undefined : await readRows(options.data);
  if (rows) return { experiment, labelled: labelsOf(rows, options) };
  const examples = new Map(experiment.rows.map(({ example }) => [example.id, example]));
  return { experiment, labelled: labelsOf([...examples.values()], options) };
}

/** Reads the rows from a list, an iterable or a file. */
export async function readRows(data: CalibrateOptions["data"]): Promise<LabelledRow[]> {
  if (data === undefined) throw invalidConfig("calibrate needs data, the labelled rows");
  const rows: unknown[] = [];
  if (typeof data === "string" || data instanceof URL) {
    for await (const part of (await dataFile(data)).read()) for (const { row } of part) rows.push(row);
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

/** The labels of each example, by its id. */
export function labelsOf(
  rows: readonly (LabelledRow | Example)[],
  options: CalibrateOptions,
): Map<string, RowLabels> {
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

/** Reads a field of a row, of its metadata or of its outputs; `undefined` if it is missing or empty. */
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
