/** Imports datasets, which have rows and no evaluators. */

import { guessedMap } from "../../../../core/input/foreign-fields.js";
import { isRecord } from "../../../../core/input/objects.js";
import { usageError } from "../../mistake.js";
import type { Findings, Imported, ImportSource } from "../imported.js";
import { datasetFile, type ImportedRow, rowWithout } from "./rows.js";

/** Where the tools put fields of rows; the first that a row has counts. */
const FIELDS: Readonly<Record<"inputs" | "outputs" | "referenceOutputs" | "context", readonly string[]>> = {
  inputs: ["inputs", "input"],
  outputs: ["actual_output", "actualOutput", "output"],
  referenceOutputs: [
    ...["reference_outputs", "referenceOutputs", "reference_output"],
    ...["expected_output", "expectedOutput", "expected"],
  ],
  context: ["retrieval_context", "retrievalContext", "context"],
};

/** Fields of the tools' databases, which say nothing about a row. */
const OF_STORAGE = [
  ...["dataset_id", "datasetId", "datasetName", "dataset_name", "project_id", "org_id", "log_id", "span_id"],
  ...["root_span_id", "span_parents", "is_root", "_xact_id", "_pagination_key", "created", "created_at"],
  ...["modified_at", "createdAt", "updatedAt", "source_run_id", "sourceTraceId", "sourceObservationId"],
  ...["runs", "origin", "status", "attachment_urls"],
];

export function importDataset({ path, content, findings }: ImportSource): Imported {
  const isCsv = /\.csv$/i.test(path);
  const rows = listIn(content, path).flatMap(
    (row, index) => rowOf(row, isCsv, `row ${index + 1}`, findings) ?? [],
  );
  return { rows, code: (dataFile) => datasetFile(path, dataFile, rows) };
}

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
  const hasReference = FIELDS.referenceOutputs.some((name) => isThere(cells[name]));
  const names = {
    ...FIELDS,
    ...(hasReference
      ? { outputs: [...FIELDS.outputs, "outputs"] }
      : { referenceOutputs: [...FIELDS.referenceOutputs, "outputs"] }),
  };
  const field = (of: readonly string[]) => of.find((name) => isThere(cells[name]));
  const found = Object.entries(names).map(([target, of]) => [target, field(of)] as const);
  const { inputs, outputs, referenceOutputs, context } = Object.fromEntries(
    found.map(([target, name]) => [target, name === undefined ? undefined : cells[name]]),
  );
  if (inputs === undefined) return void findings.skip(place, missingInputs(Object.keys(given)));
  const used = found.flatMap(([, name]) => name ?? []);
  const metadata = {
    ...rowWithout(cells, [...used, ...OF_STORAGE, "id", "metadata"]),
    ...(isRecord(cells.metadata) && cells.metadata),
    ...(context !== undefined && { context }),
  };
  return {
    ...(isThere(cells.id) && { id: String(cells.id) }),
    inputs,
    ...(outputs !== undefined && { outputs }),
    ...(referenceOutputs !== undefined && { referenceOutputs }),
    ...(Object.keys(metadata).length && { metadata }),
  };
}

/** In DeepEval, `context` is the right one beside the retrieved one, and CSV joins their texts by lines. */
function withContexts(cells: Record<string, unknown>, isCsv: boolean): Record<string, unknown> {
  const { context, retrieval_context: retrieved, ...rest } = cells;
  if (retrieved === undefined) return cells;
  const texts = (value: unknown) => (isCsv && typeof value === "string" ? value.split("|") : value);
  if (!isThere(retrieved)) return { ...rest, context: isThere(context) ? texts(context) : undefined };
  return {
    ...rest,
    retrieval_context: texts(retrieved),
    ...(isThere(context) && { reference_context: texts(context) }),
  };
}

function missingInputs(names: readonly string[]): string {
  const map = guessedMap(names, false);
  const pairs = Object.entries(map).map(([field, source]) => `${field}=${source}`);
  return `it has no inputs${map.inputs === undefined ? "" : `. Use score --map ${pairs}`}`;
}

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Cells as values, and `inputs.question` or `input_question` as fields of `inputs`. */
function withPaths(row: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [name, given] of Object.entries(row)) {
    const value = readCell(given);
    const [, field, inner] =
      /^(inputs?|outputs?|reference_outputs?)(?:\.|_(?!outputs?$))(.+)$/.exec(name) ?? [];
    if (field === undefined || inner === undefined || inner === "__proto__") read[name] = value;
    else if (isThere(value)) {
      const whole = field.replace(/s?$/, "s");
      nested[whole] = { ...nested[whole], [inner]: value };
    }
  }
  for (const [field, fields] of Object.entries(nested)) if (!isThere(read[field])) read[field] = fields;
  return read;
}

/** The value of a cell, which is JSON where it begins with a bracket. */
export function readCell(cell: unknown): unknown {
  if (typeof cell !== "string" || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
