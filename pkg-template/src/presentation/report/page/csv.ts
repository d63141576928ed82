/** Rows as CSV, as RFC 4180 has it, for spreadsheets. */

import { scoreOf } from "../../../experiment/score.js";
import { costText } from "./cost.js";
import type { Item } from "./items.js";

type Cell = string | number | boolean | undefined;

/** The rows with their scores; the columns of a key that all rows leave empty are left out. */
export function csvOf(items: readonly Item[], keys: readonly string[]): string {
  const columns: [string, (item: Item) => Cell][] = [
    ["id", ({ row }) => row.example.id],
    ["repetition", ({ row }) => row.run.repetition],
    ["inputs", ({ row }) => written(row.example.inputs)],
    ["outputs", ({ row }) => written(row.run.outputs)],
    ["reference_outputs", ({ row }) => written(row.example.outputs)],
    ["metadata", ({ row }) => written(row.example.metadata)],
    ["run_error", ({ row }) => row.run.error?.message],
    ...keys.flatMap((key): [string, (item: Item) => Cell][] => [
      [key, ({ results }) => results.get(key) && scoreOf(results.get(key) as never)],
      [`${key} comment`, ({ results }) => results.get(key)?.comment],
      [
        `${key} error`,
        ({ row }) => (row.run.error ? undefined : row.errors.find((one) => one.key === key)?.error.message),
      ],
    ]),
    ["duration_ms", ({ row }) => row.run.durationMs],
    ["input_tokens", ({ bill }) => bill?.inputTokens],
    ["output_tokens", ({ bill }) => bill?.outputTokens],
    ["cost_usd", ({ bill }) => (costText(bill) ? bill?.cost : undefined)],
  ];
  const all = columns.map(([title, cell]) => ({ title, cells: items.map(cell) }));
  const told = all.filter(({ title, cells }) => title === "id" || cells.some((cell) => cell !== undefined));
  const lines = [
    told.map(({ title }) => escaped(title)),
    ...items.map((_, row) => told.map(({ cells }) => escaped(cells[row]))),
  ];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const written = (value: unknown): string | undefined =>
  typeof value === "string" ? value : value === undefined ? undefined : JSON.stringify(value);

/** Spreadsheets run what begins like this as a formula; an apostrophe before it makes it text. Numbers are harmless. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** Where cells end with a semicolon or a tab, as in Excel of many countries, one begins after each. Lists stay lists. */
const LATER_FORMULA = /([;\t\r\n][\v\f\p{Z}\p{Cf}"]*)(?=[=@＝＠]|[+\-＋－](?!\s))/gu;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

function escaped(cell: Cell): string {
  if (cell === undefined) return "";
  if (typeof cell !== "string") return String(cell);
  const guarded = cell.replace(LATER_FORMULA, "$1'");
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${guarded}` : guarded;
  return /[",\r\n;\t]|^\s|\s$/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;
}
