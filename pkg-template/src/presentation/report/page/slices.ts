/** The differences of the slices from the baseline, the worst first. */

import { whole } from "../../../core/input/counts.js";
import { difference, pValue } from "../../../core/number-text.js";
import { columnTitles, comparedRange, isMeanOfBooleans, meanText } from "../../figures.js";
import { change, scalesIn } from "../../reading.js";
import { sliceName, sliceTable } from "../../story/slices.js";
import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { breakable, h, minus } from "./dom.js";
import { scrollable, table } from "./tables.js";

export function slices(data: ReportData): HTMLElement | undefined {
  const { experiment, comparisons = {} } = data;
  const scaleOf = scalesIn(experiment, data);
  const found = sliceTable(comparisons, scaleOf);
  if (!found) return undefined;
  const { by, notes } = found;
  const titles = columnTitles(found.lines);
  const figures = ["Before", "After", "Difference", titles.interval, titles.p, "Pairs"];
  const heads = [
    h("th", { scope: "col" }, ...breakable(by || "Slice")),
    h("th", { scope: "col" }, "Key"),
    ...figures.map((head) => h("th", { scope: "col", class: "figure" }, head)),
  ];
  const lines = found.lines.map((slice) => {
    const { key, means, adjustedPValue, count } = slice;
    const aggregate = experiment.aggregates[key];
    const rate = isMeanOfBooleans(aggregate);
    const by = slice.difference === null ? "–" : minus(difference(slice.difference, rate));
    const figure = (...content: (Node | string)[]) => h("td", { class: "figure" }, ...content);
    return h(
      "tr",
      {},
      h("th", { scope: "row", dir: "auto" }, ...breakable(sliceName(slice, found.by))),
      h("td", { dir: "auto" }, ...breakable(key)),
      figure(minus(meanText(means.first, aggregate))),
      figure(minus(meanText(means.second, aggregate))),
      figure(h("b", { class: change(key, slice, scaleOf) }, by)),
      figure(minus(comparedRange(slice, rate, titles.isMixed))),
      figure(pValue(adjustedPValue)),
      figure(whole(count)),
    );
  });
  return h(
    "section",
    { "aria-labelledby": "slices" },
    h("h2", { id: "slices" }, "Slices"),
    lines.length > 0 && scrollable({ "aria-labelledby": "slices" }, table("summary", heads, lines)),
    ...notes.map((note) => h("p", { class: "quiet remark" }, shown(note))),
  );
}
