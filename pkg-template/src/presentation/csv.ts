/** Tables as CSV (RFC 4180), safe to open in spreadsheets. */

import { scoreOf } from "../core/records/score.js";
import type { ExperimentRow } from "../core/records/types.js";

export type CsvCell = string | number | boolean | undefined;
export type CsvColumn<Row> = [title: string, cell: (row: Row) => CsvCell];

/** A table without its empty columns. The first column always stays. */
export function csvTable<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const all = columns.map(([title, cell]) => ({ title, cells: rows.map(cell) }));
  const filled = all.filter(({ cells }, index) => index === 0 || cells.some((cell) => cell !== undefined));
  const lines = [
    filled.map(({ title }) => escaped(title)),
    ...rows.map((_, row) => filled.map(({ cells }) => escaped(cells[row]))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

/** The columns for the rows of an experiment. */
export const rowColumns = (keys: readonly string[]): CsvColumn<ExperimentRow>[] => [
  ["id", ({ example }) => example.id],
  ["repetition", ({ run }) => run.repetition],
  ["inputs", ({ example }) => written(example.inputs)],
  ["outputs", ({ run }) => written(run.outputs)],
  ["reference_outputs", ({ example }) => written(example.outputs)],
  ["metadata", ({ example }) => written(example.metadata)],
  ["run_error", ({ run }) => run.error?.message],
  ...keys.flatMap((key): CsvColumn<ExperimentRow>[] => {
    const resultOf = ({ evaluationResults }: ExperimentRow) =>
      evaluationResults.find((one) => one.key === key);
    return [
      [key, (row) => scoreOf(resultOf(row) ?? { key })],
      [`${key} comment`, (row) => resultOf(row)?.comment],
      [
        `${key} error`,
        ({ run, errors }) => (run.error ? undefined : errors.find((one) => one.key === key)?.error.message),
      ],
    ];
  }),
  ["duration_ms", ({ run }) => run.durationMs],
];

const written = (value: unknown): string | undefined =>
  typeof value === "string" ? value : value === undefined ? undefined : JSON.stringify(value);

/** Spreadsheets run such cells as formulas (CSV injection); a leading apostrophe makes them text. Numbers are harmless. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** In many locales, Excel splits cells at semicolons and tabs, so a formula may begin there. List items (`- x`) are harmless. */
const LATER_FORMULA = /([;\t\r\n][\v\f\p{Z}\p{Cf}"]*)(?=[=@＝＠]|[+\-＋－](?!\s))/gu;
/** A terminal that shows the file obeys these, and other readers reject some. */
const CONTROL = /(?![\t\r\n])\p{Cc}/gu;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

function escaped(cell: CsvCell): string {
  if (cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const shown = cell.replace(CONTROL, (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const guarded = shown.replace(LATER_FORMULA, "$1'");
  const text = FORMULA.test(shown) && !NUMBER.test(shown) ? `'${guarded}` : guarded;
  return /[",\r\n;\t]|^\s|\s$/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
}
