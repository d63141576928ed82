/** Rows out of JSON lines and CSV, with whatever columns they have. */

export type Row = Record<string, unknown>;

export interface Table {
  columns: string[];
  rows: Row[];
}

/** Reads JSON lines, a JSON list, or CSV with a header; throws for what is none of them, with the line. */
export function readTable(text: string): Table {
  const trimmed = text.replace(/^\uFEFF/, "");
  const rows = /^\s*\[/.test(trimmed)
    ? readList(trimmed)
    : /^\s*\{/.test(trimmed)
      ? readLines(trimmed)
      : readCsv(trimmed);
  const columns = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) columns.add(name);
  if (!rows.length) throw new Error("There are no rows.");
  return { columns: [...columns], rows };
}

/** Whether all rows have an `id`, each its own. */
export function haveIds(rows: readonly Row[]): boolean {
  const ids = rows.map(({ id }) => (typeof id === "number" ? String(id) : id));
  return ids.every((id) => typeof id === "string" && id !== "") && new Set(ids).size === ids.length;
}

function readList(text: string): Row[] {
  return (JSON.parse(text) as unknown[]).map((row, index): Row => checked(row, `Row ${index + 1}`));
}

function readLines(text: string): Row[] {
  return text.split("\n").flatMap((line, index): Row[] => {
    if (!line.trim()) return [];
    try {
      return [checked(JSON.parse(line), `Line ${index + 1}`)];
    } catch (error) {
      if (error instanceof SyntaxError) throw new Error(`Line ${index + 1} is no JSON: ${error.message}`);
      throw error;
    }
  });
}

function checked(row: unknown, place: string): Row {
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row as Row;
  throw new Error(`${place} is no object.`);
}

/** A cell with what ends it: in quotes, or without any. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

function readCsv(text: string): Row[] {
  const [header = [], ...records] = cellsOf(text);
  const mark = header.length === 1 ? /[;\t|]/.exec(header[0] ?? "")?.[0] : undefined;
  if (mark) throw new Error(`Cells have to be separated by commas, not by ${JSON.stringify(mark)}.`);
  const names = header.map((name, index) => name.trim() || `column ${index + 1}`);
  return records.map((cells, index) => {
    if (cells.length !== names.length)
      throw new Error(`Row ${index + 1} has ${cells.length} cells, and the header has ${names.length}.`);
    return Object.fromEntries(names.map((name, column) => [name, cellValue(cells[column] ?? "")]));
  });
}

/** A cell is text, unless it is a JSON object or list. */
function cellValue(cell: string): unknown {
  if (!/^\s*[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}

function cellsOf(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < text.length || cells.length) {
    const match = CELL.exec(text);
    if (!match)
      throw new Error(`Row ${records.length} has a quote that is not closed, or text beside a quoted cell.`);
    const [, quoted, bare = "", end] = match;
    cells.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === ",") continue;
    // A line with nothing in it is no row.
    if (cells.length > 1 || cells[0] !== "") records.push(cells);
    cells = [];
  }
  return records;
}
