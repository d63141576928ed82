/** Reads rows from CSV (RFC 4180). */

import { invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import { completeMap, mapAdvice, writtenMap } from "../../../core/input/foreign-fields.js";
import { FIELDS, misspelled } from "./fields.js";
import { ChangedValue, readJson } from "./json.js";
import { MAX_LINE } from "./lines.js";
import { separatorHint } from "./separator.js";
import type { DataRow, FileRow } from "./types.js";

/** How columns are read. */
export interface ColumnReading {
  /** Whether a map reads them; columns may then have any name. */
  isMapped: boolean;
  hasTarget: boolean;
}

/** A cell. An empty cell is missing; in quotes, it is the empty string. */
type CsvField = string | undefined;

/**
 * Reads CSV in pieces. The first line names the columns: `inputs`, `outputs`, `referenceOutputs` (or `reference_outputs`), `id`,
 * `metadata`, `attachments`; or fields of these, such as `inputs.question`, which become objects. A cell is a string, unless it
 * is a JSON object or list. An empty cell is missing; an empty cell in quotes is the empty string.
 */
export class CsvReader {
  readonly #name: string;
  readonly #parser: CsvParser;
  readonly #reading: ColumnReading;
  #columns: string[][] | undefined;

  /** @param name The name of the text in messages. */
  constructor(name: string, reading: ColumnReading) {
    this.#name = name;
    this.#reading = reading;
    this.#parser = new CsvParser(name);
  }

  /** The rows that a piece completes. */
  read(piece: string): FileRow[] {
    return this.#rows(this.#parser.parse(piece, false));
  }

  /** The rows that the end completes. */
  end(): FileRow[] {
    const rows = this.#rows(this.#parser.parse("", true));
    if (!this.#columns) throw invalid(this.#name, 1, "has no columns; the first line has to name them");
    return rows;
  }

  #rows(records: CsvRecord[]): FileRow[] {
    if (!records.length) return [];
    if (!this.#columns) {
      const [header, ...rest] = records as [CsvRecord, ...CsvRecord[]];
      this.#columns = readColumns(
        header.cells.map((cell) => cell ?? ""),
        this.#name,
        this.#reading,
      );
      return this.#rows(rest);
    }
    const columns = this.#columns;
    return records.map(({ cells, line }) => {
      if (cells.length !== columns.length) {
        const titles = columns.map((path) => path.join("."));
        const counts = `has ${cells.length} cells, but the header has ${columns.length}`;
        throw invalid(this.#name, line, counts + separatorHint(titles));
      }
      const row: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index++)
        put(row, columns[index] as string[], readCell(cells[index], this.#name, line));
      return { row: row as DataRow, place: `${this.#name}:${line}` };
    });
  }
}

/** The paths of columns. */
export function readColumns(titles: readonly string[], name: string, reading: ColumnReading): string[][] {
  const { isMapped } = reading;
  const columns = titles.map((title) => {
    const path = title.trim().split(".");
    return isMapped && !isColumn(path) && title.trim() !== "__proto__" ? [title.trim()] : path;
  });
  const wrong = isMapped ? [] : titles.filter((_, index) => !isColumn(columns[index] as string[]));
  if (wrong.length) throw invalid(name, 1, wrongColumns(wrong, titles, reading));
  const taken: TakenNames = new Map();
  for (const [index, column] of columns.entries())
    if (!take(column, taken)) throw invalid(name, 1, takenTwice(column, columns.slice(0, index)));
  return columns;
}

/** The message about a column that an earlier one has, contains, or is a field of. */
function takenTwice(column: readonly string[], earlier: readonly string[][]): string {
  const isWithin = (one: readonly string[], other: readonly string[]) =>
    one.length > other.length && other.every((part, depth) => part === one[depth]);
  const other = earlier.find((one) => isWithin(one, column) || isWithin(column, one));
  const title = column.join(".");
  return other
    ? `has the columns "${other.join(".")}" and "${title}", one of which contains the other; remove one of them`
    : `has the column "${title}" more than once`;
}

const isColumn = ([field = "", ...path]: string[]): boolean =>
  (FIELDS as readonly string[]).includes(field) && path.every(Boolean) && !path.includes("__proto__");

/** Where a message leaves the choice of a column to the reader. */
const BLANK = "<column>";

/** The message about all unknown columns, with the right names. */
function wrongColumns(wrong: readonly string[], titles: readonly string[], reading: ColumnReading): string {
  const quoted = wrong.map((title) => `"${title}"`).join(", ");
  const known = `columns are ${FIELDS.join(", ")}, or fields of these with a dot`;
  const message = `has the column${wrong.length > 1 ? "s" : ""} ${quoted}; ${known}`;
  const [first = ""] = wrong;
  const hint = separatorHint(wrong);
  if (hint) return message + hint;
  if (wrong.length === 1) {
    const [field = ""] = first.trim().split(".");
    const meant = misspelled({ [field]: undefined })?.meant;
    if (meant && !titles.some((one) => one.trim() === meant)) return `${message}; did you mean "${meant}"?`;
    if (!field || (FIELDS as readonly string[]).includes(field)) return message;
  }
  const name = wrong.length === 1 ? first.trim() : BLANK;
  const names = titles.map((title) => title.trim());
  const map = completeMap(names, reading.hasTarget);
  if (Object.keys(map).length) return `${message}. ${mapAdvice(map)}`;
  const it = wrong.length === 1 ? "it" : "them";
  const into = (field: string) => writtenMap({ [`${field}.${name}`]: name });
  return `${message}; to keep ${it}, pass ${into("metadata")}, and to pass ${it} to the application, ${into("inputs")}`;
}

/** The columns so far as a tree of names. `undefined` marks the end of a column. */
interface TakenNames extends Map<string, TakenNames> {}

/** Adds a column; `false` if it contains an earlier one or is inside one. */
function take(column: readonly string[], taken: TakenNames): boolean {
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

/** Sets a value at the path of its column, unless it is missing. */
export function put(row: Record<string, unknown>, column: readonly string[], value: unknown): void {
  if (value === undefined) return;
  let object = row;
  for (const name of column.slice(0, -1)) {
    if (!Object.hasOwn(object, name)) object[name] = {};
    object = object[name] as Record<string, unknown>;
  }
  object[column.at(-1) as string] = value;
}

/** The value of a cell. */
export function readCell(cell: CsvField, name: string, line: number): unknown {
  if (cell === undefined || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return readJson(cell);
  } catch (error) {
    if (error instanceof ChangedValue) throw invalid(name, line, error.message);
    // Text that only begins with a bracket.
    return cell;
  }
}

interface CsvRecord {
  cells: CsvField[];
  /** The first line of the record; quoted cells may span several. */
  line: number;
}

/** A cell with its separator: in quotes, or without. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** A quote next to text, which is an error whatever follows. */
const STRAY_QUOTE = /"[^"]*(?:""[^"]*)*"[^",\r\n]|[^",\r\n]+"/y;

/** Splits text that arrives in pieces into records. */
class CsvParser {
  readonly #name: string;
  /** The rest of the text: an incomplete cell. */
  #text = "";
  /** Parsing waits for this length of text, so that a long cell is not parsed again with every piece. */
  #parseFrom = 0;
  #cells: CsvField[] = [];
  #line = 1;
  #first = 1;

  constructor(name: string) {
    this.#name = name;
  }

  /** The records that a piece completes. */
  parse(piece: string, isLast: boolean): CsvRecord[] {
    this.#text += piece;
    if (this.#text.length < this.#parseFrom && !isLast) return [];
    const text = this.#text;
    const records: CsvRecord[] = [];
    let place = 0;
    while (place < text.length || (isLast && this.#cells.length)) {
      CELL.lastIndex = place;
      const match = CELL.exec(text);
      // A cell at the end of the piece may continue.
      if (!isLast && (!match || CELL.lastIndex === text.length) && !this.#isOver(match, place)) break;
      if (!match) {
        const problem = "has a quote that is not closed, or text beside a quoted cell";
        throw invalid(this.#name, this.#line, problem);
      }
      const [whole, quoted, bare, end] = match;
      place = CELL.lastIndex;
      this.#cells.push(quoted?.replaceAll('""', '"') ?? (bare || undefined));
      this.#line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
      if (end === ",") continue;
      // Empty lines are skipped.
      if (this.#cells.length > 1 || this.#cells[0] !== undefined)
        records.push({ cells: this.#cells, line: this.#first });
      this.#cells = [];
      this.#first = this.#line;
    }
    this.#text = text.slice(place);
    this.#parseFrom = 2 * this.#text.length;
    if (this.#text.length > MAX_LINE)
      throw invalid(
        this.#name,
        this.#line,
        "has a cell that is longer than 128 MB, or a quote that is not closed",
      );
    return records;
  }

  /** Whether the cell is complete, whatever follows. */
  #isOver(match: RegExpExecArray | null, place: number): boolean {
    if (match) return match[3] === "," || match[3] === "\n" || match[3] === "\r\n";
    STRAY_QUOTE.lastIndex = place;
    return STRAY_QUOTE.test(this.#text);
  }
}

const invalid = (name: string, line: number, problem: string): OpenEvalsError =>
  invalidInput(`${name}:${line} ${problem}`);
