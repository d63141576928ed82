import { whole } from "../../../core/input/counts.js";
import { decimal } from "../../../core/number-text.js";
import type { SummaryResult } from "../../../core/records/types.js";
import { type ClassMatrix, classMatrix } from "../../class-matrix.js";
import { rangeText } from "../../figures.js";
import { shown, textOf } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { breakable, h, minus } from "./dom.js";
import { failure } from "./failure.js";
import { scrollable, table } from "./tables.js";

/** The table of the summary evaluators' results. */
export function summary({ experiment, baseline }: ReportData): HTMLElement | undefined {
  const { summaryResults } = experiment;
  if (!summaryResults.length) return undefined;
  const before = new Map(baseline?.summaryResults.map((one) => [one.key, one]));
  const figures = [...(baseline ? ["Before", "After"] : ["Score"]), "Interval"];
  const heads = [
    h("th", { scope: "col" }, "Metric"),
    ...figures.map((head) => h("th", { scope: "col", class: "figure" }, head)),
    h("th", { scope: "col" }, "Remarks"),
  ];
  const lines = summaryResults.map((result) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, ...breakable(result.key)),
      baseline && h("td", { class: "figure" }, score(before.get(result.key))),
      h("td", { class: "figure" }, score(result)),
      h("td", { class: "figure" }, interval(result)),
      h("td", {}, remarks(result)),
    ),
  );
  return h(
    "section",
    { "aria-labelledby": "summary" },
    h("h2", { id: "summary" }, "Summary"),
    scrollable({ "aria-labelledby": "summary" }, table("summary", heads, lines)),
  );
}

const score = (result: SummaryResult | undefined) =>
  typeof result?.score === "number" ? minus(decimal(result.score)) : String(result?.score ?? "–");

const interval = ({ interval }: SummaryResult) => interval && minus(rangeText(interval, false));

function remarks({ error, comment, value }: SummaryResult): HTMLElement | undefined {
  if (error) return failure(error);
  const text = comment && h("p", { dir: "auto" }, shown(comment));
  const matrix = classMatrix(value);
  return h("div", {}, text, matrix ? heatTable(matrix) : value != null && h("pre", {}, textOf(value, 2)));
}

/** A larger table is unreadable and slow. */
const MAX_CLASSES = 50;

/** A darker cell has a larger share of its row. */
function heatTable({ labels, matrix }: ClassMatrix): HTMLElement {
  if (labels.length > MAX_CLASSES)
    return h("p", { class: "quiet" }, `${whole(labels.length)} classes: too many to show`);
  const names = labels.map((label) => textOf(label));
  const heads = [h("td"), ...names.map((name) => h("th", { scope: "col" }, name))];
  const lines = matrix.map((row, i) => {
    const sum = row.reduce((all, count) => all + count, 0);
    const cells = row.map((count, j) => {
      const cell = h("td", { class: i === j ? "figure right" : "figure wrong" }, textOf(count));
      cell.style.setProperty("--share", `${sum ? Math.round((count / sum) * 70) : 0}%`);
      return cell;
    });
    return h("tr", {}, h("th", { scope: "row" }, names[i]), ...cells);
  });
  return table("heat", heads, lines, "Rows: reference. Columns: outputs.");
}
