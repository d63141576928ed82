/** A matrix in Markdown: one table of its combinations. */

import { whole } from "../../core/input/counts.js";
import { duration, figure } from "../../core/number-text.js";
import { rangeText } from "../figures.js";
import { legendOf, MARKS } from "../matrix/marks.js";
import type { ComparedMatrix } from "../matrix/outcomes.js";
import { type MatrixCell, type MatrixLine, matrixTable } from "../matrix/table.js";
import { billText } from "../prices.js";
import { type MarkdownColumn, table, text } from "./text.js";

export function matrixLines({ name, experiments, pairs, lowerIsBetter }: ComparedMatrix): string[] {
  const { axes, keys, lines, tested, headline } = matrixTable(experiments, pairs, { lowerIsBetter });
  const columns: MarkdownColumn<MatrixLine>[] = [
    ...axes.map((title, axis) => ({
      title: text(title),
      cell: ({ labels }: MatrixLine) => text(labels[axis] ?? ""),
    })),
    ...keys.map(({ key, isRate }, at) => ({
      title: text(key),
      right: true,
      cell: ({ cells }: MatrixLine) => cellText(cells[at] as MatrixCell, isRate),
    })),
    { title: "Failing", right: true, cell: ({ failing, rows }) => `${whole(failing)} of ${whole(rows)}` },
    {
      title: "Errors",
      right: true,
      hidden: lines.every(({ errors }) => !errors),
      cell: ({ errors }) => whole(errors),
    },
    {
      title: "Median time",
      right: true,
      hidden: lines.every(({ time }) => time < 1),
      cell: ({ time }) => duration(time),
    },
    {
      title: "Judges' cost",
      right: true,
      hidden: lines.every(({ bill }) => !bill),
      cell: ({ bill }) => billText(bill),
    },
  ];
  return [`### ${text(name)}: ${text(headline)}`, "", ...table(lines, columns), "", legendOf(tested)];
}

/** `**81.2%** ★ (65.0% to 91.3%)`. */
function cellText({ mean, interval, standing }: MatrixCell, isRate: boolean): string {
  if (mean === null) return "–";
  const shown = figure(mean, isRate);
  const mark = standing ? ` ${MARKS[standing]}` : "";
  const range = interval ? ` (${rangeText(interval, isRate)})` : "";
  return `${standing === "best" ? `**${shown}**` : shown}${mark}${range}`;
}
