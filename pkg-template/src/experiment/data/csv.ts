/** Rows from CSV, as RFC 4180 has it. */

import { OpenEvalsError } from "../../errors.js";
import { FIELDS, misspelled } from "./fields.js";
import { InexactNumber, readJson } from "./json.js";
import type { DataRow, FileRow } from "./types.js";

/** A cell. An empty one is missing; in quotes, it is the empty text. */
type Cell = string | undefined;

/**
 * Reads CSV whose first line names the columns: `inputs`, `outputs`, `referenceOutputs` (or `reference_outputs`), `id`,
 * `metadata`, `attachments`; or fields of these, `inputs.question`, which make objects. A cell is text, unless it holds
 * a JSON object or list. An empty cell is missing, but for an empty text in quotes.
 */
export function readCsv(text: string, name: string): FileRow[] {
  const [header, ...records] = parse(text, name);
  if (!header) throw invalid(name, 1, "has no columns; the first line names them");
  const columns = header.cells.map((cell) => readColumn(cell ?? "", name));
  const taken: Taken = new Map();
  for (const column of columns) {
    if (!take(column, taken)) throw invalid(name, 1, `has the column "${column.join(".")}" more than once`);
  }
  return records.map(({ cells, line }) => {
    if (cells.length !== columns.length) {
      throw invalid(name, line, `has ${cells.length} cells, and the header has ${columns.length}`);
    }
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) put(row, column, readCell(cells[index], name, line));
    return { row: row as DataRow, place: `${name}:${line}` };
  });
}

/** A column as the path of what it holds. */
function readColumn(title: string, name: string): string[] {
  const [field = "", ...path] = title.trim().split(".");
  const isField = (FIELDS as readonly string[]).includes(field);
  if (isField && path.every(Boolean) && !path.includes("__proto__")) return [field, ...path];
  const hint = field && !isField ? hintFor(title.trim(), field) : "";
  throw invalid(
    name,
    1,
    `has the column "${title}"; columns are ${FIELDS.join(", ")}, or fields of these with a dot${hint}`,
  );
}

function hintFor(title: string, field: string): string {
  const mark = /[;\t|]/.exec(title)?.[0];
  if (mark) return `; cells are told apart by commas here, not by ${JSON.stringify(mark)}`;
  const typo = misspelled({ [field]: undefined });
  if (typo) return `; did you mean "${typo.meant}"?`;
  return `; if it is asked of the application, call it "inputs.${title}"`;
}

/** The columns so far, by the names on their paths. Nothing is in the place where one ends. */
interface Taken extends Map<string, Taken> {}

/** Adds a column; `false`, if it holds an earlier one, or is in one. */
function take(column: readonly string[], taken: Taken): boolean {
  let place = taken;
  let isNew = false;
  for (const name of column) {
    let next = place.get(name);
    if (next && !next.size) return false;
    isNew = !next;
    if (!next) {
      next = new Map();
      place.set(name, next);
    }
    place = next;
  }
  return isNew;
}

function put(row: Record<string, unknown>, column: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let object = row;
  for (const name of column.slice(0, -1)) {
    if (!Object.hasOwn(object, name)) object[name] = {};
    object = object[name] as Record<string, unknown>;
  }
  object[column.at(-1) as string] = value;
}

function readCell(cell: Cell, name: string, line: number): unknown {
  if (cell === undefined || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return readJson(cell);
  } catch (error) {
    if (error instanceof InexactNumber) throw invalid(name, line, error.message);
    // A text that begins with a bracket.
    return cell;
  }
}

interface CsvRecord {
  cells: Cell[];
  /** The line that it begins in: quoted cells may go over several. */
  line: number;
}

/** A cell with what ends it: in quotes, or without any. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

function parse(text: string, name: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: Cell[] = [];
  let line = 1;
  let first = 1;
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || cells.length) {
    const match = CELL.exec(text);
    if (!match) throw invalid(name, line, "has a quote that is not closed, or text beside a quoted cell");
    const [whole, quoted, bare, end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? (bare || undefined));
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ",") continue;
    // A line with nothing in it is no row.
    if (cells.length > 1 || cells[0] !== undefined) records.push({ cells, line: first });
    cells = [];
    first = line;
  }
  return records;
}

const invalid = (name: string, line: number, problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${name}:${line} ${problem}.`);
