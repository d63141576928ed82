/** Texts in the Markdown of GitHub and its like. What they come from (models, data) has no power over it. */

import { truncate, visible } from "../terminal/text.js";

/** How many characters of a text are shown. */
const MOST = 200;

/**
 * A text as it reads, in one line: nothing in it is Markdown or HTML, breaks a table, calls anybody by `@name`, or refers to
 * an issue or an address, all of which sites look for after Markdown is read. They find none with a space of no width in it.
 */
export const text = (given: string): string =>
  visible(truncate(given, MOST))
    .replaceAll(/[\\`*_[\]<>~|$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll(/(?:@|#|:(?=\/\/)|\bwww(?=\.)|\bGH(?=-\d))/gi, "$&&#8203;");

/** A value as it reads. */
export const value = (given: unknown): string =>
  given === undefined ? "" : text(typeof given === "string" ? given : (JSON.stringify(given) ?? ""));

/** A column: figures are aligned on the right. */
export interface MarkdownColumn<Row> {
  title: string;
  cell: (row: Row) => string;
  right?: boolean;
  hidden?: boolean;
}

/** The lines of a table; titles and cells are Markdown. */
export function table<Row>(rows: readonly Row[], columns: readonly MarkdownColumn<Row>[]): string[] {
  const shown = columns.filter(({ hidden }) => !hidden);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(shown.map(({ title }) => title)),
    line(shown.map(({ right }) => (right ? "---:" : "---"))),
    ...rows.map((row) => line(shown.map(({ cell }) => cell(row)))),
  ];
}
