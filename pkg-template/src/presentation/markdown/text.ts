/** Text in GitHub-flavoured Markdown. The text of models and data is untrusted, so nothing in it may act as Markdown. */

import { truncate, visible } from "../../core/terminal-text.js";

/** The number of characters shown of a text. */
const MAX_LENGTH = 200;

/**
 * Escapes a text to one line: nothing in it acts as Markdown, HTML or a cell border. Sites link mentions, issues and URLs after
 * they parse Markdown, where escaping has no effect; a zero-width space breaks these.
 */
export const text = (given: string): string =>
  visible(truncate(given, MAX_LENGTH))
    .replaceAll(/[\\`*_[\]<>~|$]/g, "\\$&")
    .replaceAll("&", "&amp;")
    .replaceAll(/(?:@|#|:(?=\/\/)|\bwww(?=\.)|\bGH(?=-\d))/gi, "$&&#8203;");

/** Escapes a value; values other than strings as JSON. */
export const value = (given: unknown): string =>
  given === undefined ? "" : text(typeof given === "string" ? given : (JSON.stringify(given) ?? ""));

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
