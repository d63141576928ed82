/** Rows from CSV, as RFC 4180 has it. */

import { OpenEvalsError } from "../../../core/errors.js";
import { FIELDS, misspelled } from "./fields.js";
import { InexactNumber, readJson } from "./json.js";
import { MAX_LINE } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** A cell. An empty one is missing; in quotes, it is the empty text. */
type CsvField = string | undefined;

/**
 * Reads CSV whose first line names the columns: `inputs`, `outputs`, `referenceOutputs` (or `reference_outputs`), `id`,
 * `metadata`, `attachments`; or fields of these, `inputs.question`, which make objects. A cell is text, unless it holds
 * a JSON object or list. An empty cell is missing, but for an empty text in quotes.
 *
 * The text comes in pieces.
 */
export class CsvReader {
  readonly #name: string;
  readonly #parser: CsvParser;
  #columns: string[][] | undefined;

  /** @param name What messages call the text. */
  constructor(name: string) {
    this.#name = name;
    this.#parser = new CsvParser(name);
  }

  /** The rows that a piece completes. */
  read(piece: string): FileRow[] {
    return this.#rows(this.#parser.parse(piece, false));
  }

  /** The rows that the end completes. */
  end(): FileRow[] {
    const rows = this.#rows(this.#parser.parse("", true));
    if (!this.#columns) throw invalid(this.#name, 1, "has no columns; the first line names them");
    return rows;
  }

  #rows(records: CsvRecord[]): FileRow[] {
    if (!records.length) return [];
    if (!this.#columns) {
      const [header, ...rest] = records as [CsvRecord, ...CsvRecord[]];
      this.#columns = readColumns(
        header.cells.map((cell) => cell ?? ""),
        this.#name,
      );
      return this.#rows(rest);
    }
    const columns = this.#columns;
    return records.map(({ cells, line }) => {
      if (cells.length !== columns.length) {
        throw invalid(this.#name, line, `has ${cells.length} cells, and the header has ${columns.length}`);
      }
      const row: Record<string, unknown> = {};
      for (let index = 0; index < columns.length; index++)
        put(row, columns[index] as string[], readCell(cells[index], this.#name, line));
      return { row: row as DataRow, place: `${this.#name}:${line}` };
    });
  }
}

/** What columns hold, as paths. */
export function readColumns(titles: readonly string[], name: string): string[][] {
  const columns = titles.map((title) => title.trim().split("."));
  const wrong = titles.filter((_, index) => !isColumn(columns[index] as string[]));
  if (wrong.length) throw invalid(name, 1, wrongColumns(wrong, titles));
  const taken: Taken = new Map();
  for (const column of columns) {
    if (!take(column, taken)) throw invalid(name, 1, `has the column "${column.join(".")}" more than once`);
  }
  return columns;
}

const isColumn = ([field = "", ...path]: string[]): boolean =>
  (FIELDS as readonly string[]).includes(field) && path.every(Boolean) && !path.includes("__proto__");

/** Says which columns there are not, all at once, and what to call them. */
function wrongColumns(wrong: readonly string[], titles: readonly string[]): string {
  const quoted = wrong.map((title) => `"${title}"`).join(", ");
  const known = `columns are ${FIELDS.join(", ")}, or fields of these with a dot`;
  const said = `has the column${wrong.length > 1 ? "s" : ""} ${quoted}; ${known}`;
  if (wrong.length === 1) return `${said}${hintFor(wrong[0] as string, titles)}`;
  const names = wrong.flatMap((title) => {
    const meant = meantBy(title.trim(), titles);
    return meant ? [`"${title}" "${meant}"`] : [];
  });
  const rest =
    names.length < wrong.length ? '; call what is asked of the application "inputs." and its name' : "";
  return `${said}${names.length ? `; call ${names.join(", ")}` : ""}${rest}`;
}

function hintFor(title: string, titles: readonly string[]): string {
  const name = title.trim();
  const [field = ""] = name.split(".");
  if (!field || (FIELDS as readonly string[]).includes(field)) return "";
  const mark = /[;\t|]/.exec(name)?.[0];
  if (mark) return `; cells are told apart by commas here, not by ${JSON.stringify(mark)}`;
  const meant = meantBy(name, titles);
  if (meant) return `; did you mean "${meant}"?`;
  return `; if it is asked of the application, call it "inputs.${name}"`;
}

/** What other tools call the expected answer. */
const REFERENCES = /^(expected|reference|answer)([_ ]?(outputs?|answer))?$/i;

/** The field that a column is meant to be, if there is none of that name yet. */
function meantBy(title: string, titles: readonly string[]): string | undefined {
  const [field = ""] = title.split(".");
  const meant =
    misspelled({ [field]: undefined })?.meant ?? (REFERENCES.test(field) ? "referenceOutputs" : undefined);
  return meant && !titles.some((one) => one.trim() === meant) ? meant : undefined;
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

/** Puts a value where its column is in a row; what is missing has no place. */
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
    if (error instanceof InexactNumber) throw invalid(name, line, error.message);
    // A text that begins with a bracket.
    return cell;
  }
}

interface CsvRecord {
  cells: CsvField[];
  /** The line that it begins in: quoted cells may go over several. */
  line: number;
}

/** A cell with what ends it: in quotes, or without any. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** A quote beside text, which no text that follows can mend. */
const STRAY_QUOTE = /"[^"]*(?:""[^"]*)*"[^",\r\n]|[^",\r\n]+"/y;

/** Takes text apart that comes in pieces. */
class CsvParser {
  readonly #name: string;
  /** What has not been understood yet: a cell whose end has not come. */
  #text = "";
  /** Before it is so long, nothing new can be said of that: so a long cell is not looked at with each piece. */
  #enough = 0;
  #cells: CsvField[] = [];
  #line = 1;
  #first = 1;

  constructor(name: string) {
    this.#name = name;
  }

  /** The records that a piece completes. */
  parse(piece: string, isLast: boolean): CsvRecord[] {
    this.#text += piece;
    if (this.#text.length < this.#enough && !isLast) return [];
    const text = this.#text;
    const records: CsvRecord[] = [];
    let place = 0;
    while (place < text.length || (isLast && this.#cells.length)) {
      CELL.lastIndex = place;
      const match = CELL.exec(text);
      // What reaches the end may go on.
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
      // A line with nothing in it is no row.
      if (this.#cells.length > 1 || this.#cells[0] !== undefined)
        records.push({ cells: this.#cells, line: this.#first });
      this.#cells = [];
      this.#first = this.#line;
    }
    this.#text = text.slice(place);
    this.#enough = 2 * this.#text.length;
    if (this.#text.length > MAX_LINE)
      throw invalid(
        this.#name,
        this.#line,
        "has a cell that is longer than 128 MB, or a quote that is not closed",
      );
    return records;
  }

  /** Whether what follows can make no other cell of it. */
  #isOver(match: RegExpExecArray | null, place: number): boolean {
    if (match) return match[3] === "," || match[3] === "\n" || match[3] === "\r\n";
    STRAY_QUOTE.lastIndex = place;
    return STRAY_QUOTE.test(this.#text);
  }
}

const invalid = (name: string, line: number, problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${name}:${line} ${problem}${problem.endsWith("?") ? "" : "."}`);
