/** The table of a matrix: a row for each combination, the best first. */

import { whole } from "../../../core/input/counts.js";
import { duration, figure } from "../../../core/number-text.js";
import { rangeText } from "../../figures.js";
import { legendOf, MARKS } from "../../matrix/marks.js";
import type { MatrixCell, MatrixLine, MatrixTable } from "../../matrix/table.js";
import { billText } from "../../prices.js";
import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { breakable, h, minus } from "./dom.js";
import { scrollable, table } from "./tables.js";

export function matrixSection({ matrix }: ReportData): HTMLElement | undefined {
  if (!matrix) return undefined;
  const { axes, keys, lines, tested } = matrix;
  const facts = factsOf(matrix);
  const heads = [
    ...axes.map((axis, index) =>
      index
        ? h("th", { scope: "col", class: "axis-value" }, ...breakable(axis))
        : h("th", { scope: "col" }, ...breakable(axis), onPhones(axes.slice(1))),
    ),
    ...keys.map(({ key }) => h("th", { scope: "col", class: "figure" }, ...breakable(key))),
    ...facts.map(({ title }) => h("th", { scope: "col", class: "figure count" }, title)),
  ];
  const rows = lines.map((line) =>
    h(
      "tr",
      {},
      ...line.labels.map((label, index) =>
        index
          ? h("td", { dir: "auto", class: "axis-value" }, shown(label))
          : h("th", { scope: "row", dir: "auto" }, shown(label), onPhones(line.labels.slice(1))),
      ),
      ...line.cells.map((cell, index) => meanCell(cell, keys[index]?.isRate ?? false)),
      ...facts.map(({ text }) => h("td", { class: "figure count" }, text(line))),
    ),
  );
  return h(
    "section",
    { "aria-labelledby": "combinations" },
    h("h2", { id: "combinations" }, `${whole(lines.length)} combinations`),
    scrollable({ "aria-labelledby": "combinations" }, table("series matrix", heads, rows)),
    h("p", { class: "quiet remark" }, legendOf(tested)),
  );
}

/** The other axes, which phones show in the first column: beside it there is no space for more than a mean. */
const onPhones = (others: readonly string[]) =>
  others.length > 0 && h("span", { class: "on-phones" }, shown(` · ${others.join(" · ")}`));

function meanCell({ mean, interval, standing }: MatrixCell, isRate: boolean): HTMLElement {
  if (mean === null) return h("td", { class: "figure quiet" }, "–");
  const kind = standing === "best" ? "better" : standing === "worse" ? "quiet" : undefined;
  return h(
    "td",
    { class: "figure" },
    h("b", { class: kind }, minus(figure(mean, isRate)), standing && ` ${MARKS[standing]}`),
    interval && h("span", { class: "quiet" }, minus(rangeText(interval, isRate))),
  );
}

interface Fact {
  title: string;
  text: (line: MatrixLine) => string;
}

/** The details in addition to the scores. */
function factsOf({ lines }: MatrixTable): Fact[] {
  return [
    { title: "Failing", text: ({ failing, rows }) => `${whole(failing)} of ${whole(rows)}` },
    ...(lines.some(({ errors }) => errors)
      ? [{ title: "Errors", text: ({ errors }: MatrixLine) => whole(errors) }]
      : []),
    ...(lines.some(({ time }) => time >= 1)
      ? [{ title: "Median time", text: ({ time }: MatrixLine) => duration(time) }]
      : []),
    ...(lines.some(({ bill }) => bill)
      ? [{ title: "Judges’ cost", text: ({ bill }: MatrixLine) => billText(bill) }]
      : []),
  ];
}
