/** Tables on a terminal. */

import { padEnd, padStart, truncate, truncateMiddle, width, wrap } from "../../core/terminal-text.js";
import type { Paint, TextLayout } from "./style.js";

/** A column of a table. */
export interface TerminalColumn<Row> {
  title: string;
  text: (row: Row) => string;
  /** Figures are aligned on the right. */
  right?: boolean;
  /** Omits the column. */
  hidden?: boolean;
  /** Columns to leave out on a narrow terminal, those with the highest number first. */
  optional?: number;
  /** The column of sentences, which is cut at their ends if the table is still too wide. Default: the first, in the middle. */
  shrinks?: boolean;
  /** Remarks below the table, if the column is shown. */
  notes?: readonly string[];
  paint?: (row: Row) => Paint;
}

/** The lines of a table, at most `size` columns wide, with the titles of columns that are left out. */
export function table<Row>(
  rows: readonly Row[],
  columns: TerminalColumn<Row>[],
  { size, style }: TextLayout,
): string[] {
  const cells = columns
    .filter(({ hidden }) => !hidden)
    .map((column) => {
      const texts = rows.map(column.text);
      return { ...column, texts, size: Math.max(...[column.title, ...texts].map(width)) };
    });
  let shown = cells;
  let gap = 2;
  const total = () => shown.reduce((sum, column) => sum + column.size, gap * (shown.length - 1));
  const narrow = shown.find(({ shrinks }) => shrinks) ?? shown[0];
  const fullSize = narrow?.size ?? 0;
  /** Cuts a column to fit the rest, but not below this size. */
  const fit = (least: number) => {
    if (narrow)
      narrow.size = Math.min(fullSize, Math.max(narrow.size + size - total(), Math.min(fullSize, least)));
  };
  // One long key would otherwise leave out columns of all keys.
  fit(READABLE);
  const ranks = new Set(cells.flatMap(({ optional }) => optional ?? []));
  for (const rank of [...ranks].sort((a, b) => b - a))
    if (total() > size) shown = shown.filter(({ optional }) => optional !== rank);
  fit(READABLE);
  const missing = new Set(
    cells.flatMap((cell) => (cell.title && !shown.includes(cell) ? cell.title.trim() : [])),
  );
  const leftOut = missing.size ? [`Left out in ${size} columns: ${[...missing].join(", ")}`] : [];
  if (total() > size) gap = 1;
  fit(LEAST);

  const line = (cell: (column: (typeof cells)[number]) => string) =>
    shown.map(cell).join(" ".repeat(gap)).trimEnd();
  const pad = ({ right, shrinks, size }: (typeof cells)[number], text: string) =>
    (right ? padStart : padEnd)((shrinks ? truncate : truncateMiddle)(text, size), size);
  return [
    line((column) => style.dim(pad(column, column.title))),
    style.dim("─".repeat(Math.min(total(), size))),
    ...rows.map((row, i) =>
      line((column) => (column.paint?.(row) ?? plain)(pad(column, column.texts[i] ?? ""))),
    ),
    ...[...shown.flatMap(({ notes = [] }) => notes), ...leftOut]
      .flatMap((note) => wrap(note, size))
      .map(style.dim),
  ];
}

/** The width to which a column is cut before others are left out, and its smallest width. */
const READABLE = 24;
const LEAST = 8;

const plain: Paint = (text) => text;

/** Items side by side, wrapped into lines. `size` is the width of an item without its colour codes. */
export function flow(items: readonly { text: string; size: number }[], size: number): string[] {
  const lines: string[] = [];
  let line = "";
  let used = 0;
  for (const item of items) {
    if (line && used + 3 + item.size > size) {
      lines.push(line);
      line = "";
      used = 0;
    }
    used += item.size + (line ? 3 : 0);
    line += line ? `   ${item.text}` : item.text;
  }
  return line ? [...lines, line] : lines;
}
