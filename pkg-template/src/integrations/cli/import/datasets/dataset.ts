/** Imports datasets: rows without evaluators. */

import { guessedMap } from "../../../../core/input/foreign-fields.js";
import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../cli-error.js";
import type { Findings, Imported, ImportSource } from "../imported.js";
import { datasetFile, type ImportedRow, readRows, rowWithout } from "./rows.js";

/** The names of fields in the tools; the first that a row has counts. */
const FIELDS: Readonly<Record<"inputs" | "outputs" | "referenceOutputs" | "context", readonly string[]>> = {
  inputs: ["inputs", "input"],
  outputs: ["actual_output", "actualOutput", "output"],
  referenceOutputs: [
    ...["reference_outputs", "referenceOutputs", "reference_output"],
    ...["expected_output", "expectedOutput", "expected"],
  ],
  context: ["retrieval_context", "retrievalContext", "context"],
};

/** Fields of the tools' databases that do not describe a row. */
const STORAGE_FIELDS = [
  ...["dataset_id", "datasetId", "datasetName", "dataset_name", "project_id", "org_id", "log_id", "span_id"],
  ...["root_span_id", "span_parents", "is_root", "_xact_id", "_pagination_key", "created", "created_at"],
  ...["modified_at", "createdAt", "updatedAt", "source_run_id", "sourceTraceId", "sourceObservationId"],
  ...["runs", "origin", "status", "attachment_urls"],
];

export function importDataset({ path, content, findings }: ImportSource): Imported {
  const isCsv = /\.csv$/i.test(path);
  const list = listIn(content, path);
  const rows = readRows(list, placeOfRow, findings, (row, place) => rowOf(row, isCsv, place, findings));
  return { rows, code: (dataFile) => datasetFile(path, dataFile, rows) };
}

export const placeOfRow = (index: number): string => `row ${index + 1}`;

/** The rows of a list, or of an export that wraps one. */
function listIn(content: unknown, path: string): unknown[] {
  if (Array.isArray(content)) return content;
  const wrapped = isRecord(content)
    ? ["goldens", "test_cases", "data", "items", "examples", "rows", "events"].map((name) => content[name])
    : [];
  const list = wrapped.find(Array.isArray);
  if (list) return list;
  throw usageError(`${path} has no list of rows`);
}

function rowOf(given: unknown, isCsv: boolean, place: string, findings: Findings): ImportedRow | undefined {
  if (!isRecord(given)) return void findings.skip(place, "it is not an object");
  if (given.status === "ARCHIVED") return void findings.differ(place, "archived items are not imported");
  if (given.turns !== undefined || given.scenario !== undefined)
    return void findings.skip(place, "conversations are not imported. Pass their messages as inputs");
  const cells = withContexts(withPaths(given), isCsv);
  // In a dataset of LangSmith, `outputs` are the expected ones; beside reference outputs, they are recorded.
  const hasReference = FIELDS.referenceOutputs.some((name) => hasValue(cells[name]));
  const names = {
    ...FIELDS,
    ...(hasReference
      ? { outputs: [...FIELDS.outputs, "outputs"] }
      : { referenceOutputs: [...FIELDS.referenceOutputs, "outputs"] }),
  };
  const fieldIn = (candidates: readonly string[]) => candidates.find((name) => hasValue(cells[name]));
  const found = Object.entries(names).map(([target, candidates]) => [target, fieldIn(candidates)] as const);
  const { inputs, outputs, referenceOutputs, context } = Object.fromEntries(
    found.map(([target, name]) => [target, name === undefined ? undefined : cells[name]]),
  );
  if (inputs === undefined) return void findings.skip(place, missingInputs(Object.keys(given)));
  const used = found.flatMap(([, name]) => name ?? []);
  const metadata = {
    ...rowWithout(cells, [...used, ...STORAGE_FIELDS, "id", "metadata"]),
    ...(isRecord(cells.metadata) && cells.metadata),
    ...(context !== undefined && { context }),
  };
  return {
    ...(hasValue(cells.id) && { id: String(cells.id) }),
    inputs,
    ...(outputs !== undefined && { outputs }),
    ...(referenceOutputs !== undefined && { referenceOutputs }),
    ...(Object.keys(metadata).length && { metadata }),
  };
}

/** In DeepEval, `context` is the reference beside the retrieved context. Its CSV joins the texts by `|`. */
function withContexts(cells: Record<string, unknown>, isCsv: boolean): Record<string, unknown> {
  const { context, retrieval_context: retrieved, ...rest } = cells;
  if (retrieved === undefined) return cells;
  const texts = (value: unknown) => (isCsv && typeof value === "string" ? value.split("|") : value);
  if (!hasValue(retrieved)) return { ...rest, context: hasValue(context) ? texts(context) : undefined };
  return {
    ...rest,
    retrieval_context: texts(retrieved),
    ...(hasValue(context) && { reference_context: texts(context) }),
  };
}

function missingInputs(names: readonly string[]): string {
  const map = guessedMap(names, false);
  const pairs = Object.entries(map).map(([field, source]) => `${field}=${source}`);
  return `it has no inputs${map.inputs === undefined ? "" : `. Use score --map ${pairs}`}`;
}

const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** The values of cells. Columns such as `inputs.question` and `input_question` become fields of `inputs`. */
function withPaths(row: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [name, given] of Object.entries(row)) {
    const value = readCell(given);
    const [, field, inner] =
      /^(inputs?|outputs?|reference_outputs?)(?:\.|_(?!outputs?$))(.+)$/.exec(name) ?? [];
    if (field === undefined || inner === undefined || inner === "__proto__") read[name] = value;
    else if (hasValue(value)) {
      const plural = field.replace(/s?$/, "s");
      nested[plural] = { ...nested[plural], [inner]: value };
    }
  }
  for (const [field, fields] of Object.entries(nested)) if (!hasValue(read[field])) read[field] = fields;
  return read;
}

/** The value of a cell, which may be JSON if it begins with a bracket or a brace. */
export function readCell(cell: unknown): unknown {
  if (typeof cell !== "string" || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
