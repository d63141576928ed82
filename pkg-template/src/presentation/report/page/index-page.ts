/** The page of an index: a table for each series of experiments, the newest first. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { ownValue } from "../../../core/input/objects.js";
import { figure } from "../../../core/number-text.js";
import { prefixOf } from "../../../core/records/experiment-name.js";
import { isMeanOfBooleans, timeTaken } from "../../figures.js";
import { combinationOf } from "../../matrix/axes.js";
import { costOfBill } from "../../prices.js";
import { shown, textOf } from "../../value-text.js";
import type { IndexData, IndexEntry } from "../data.js";
import { tokenText } from "./cost.js";
import { breakable, h, minus, minute } from "./dom.js";
import { scrollable, table } from "./tables.js";
import { trend } from "./trend.js";

/** A column of the index: the mean of a key, or the score of a summary evaluator. */
interface IndexedMetric {
  name: string;
  isRate: boolean;
  of(
    entry: IndexEntry,
  ): { value: number; low?: number | undefined; high?: number | undefined; errors: number } | undefined;
}

const data: IndexData = JSON.parse(document.querySelector("#data")?.textContent ?? "");
const { entries } = data;
const search = h("input", {
  type: "search",
  id: "search",
  autocomplete: "off",
  placeholder: "Words in names and metadata",
});
const status = h("p", { role: "status", class: "quiet" });
const tables = h("div");

search.addEventListener("input", draw);
draw();
document.body.append(
  h(
    "main",
    {},
    h("header", {}, h("h1", { dir: "auto" }, shown(data.title))),
    h(
      "form",
      { class: "controls index", role: "search", onsubmit: (event: Event) => event.preventDefault() },
      h("label", { for: "search" }, h("span", {}, "Search"), search),
    ),
    status,
    tables,
  ),
);

function draw(): void {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter((entry) => {
    const text = `${entry.experimentName} ${textOf(entry.metadata)}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const series = new Map<string, IndexEntry[]>();
  for (const entry of found) {
    const name = seriesOf(entry);
    series.set(name, [...(series.get(name) ?? []), entry]);
  }
  status.textContent =
    found.length === entries.length
      ? counted(entries.length, "experiment")
      : `${whole(found.length)} of ${counted(entries.length, "experiment")}`;
  tables.replaceChildren(
    ...[...series].map(([name, list], index) => seriesSection(name, list, `series-${index}`)),
  );
}

/**
 * The series of an experiment: its `experimentPrefix`, without the eight random characters. The combinations of a matrix, whose
 * names end with their values, are one series.
 */
function seriesOf(entry: IndexEntry): string {
  const prefix = prefixOf(entry);
  const values = Object.values(combinationOf(entry) ?? {}).join("-");
  return values && prefix.endsWith(`-${values}`) ? prefix.slice(0, -values.length - 1) : prefix;
}

function seriesSection(name: string, list: readonly IndexEntry[], id: string): HTMLElement {
  const metrics = metricsOf(list);
  const hasBills = list.some(({ bill }) => bill);
  const facts = [
    ...["Rows", "Failed runs", "Took"],
    ...(hasBills ? ["Judges’ tokens"] : []),
    ...(hasBills && data.hasPrices ? ["Judges’ cost"] : []),
  ];
  const heads = [
    h("th", { scope: "col" }, "Experiment"),
    h("th", { scope: "col", class: "date" }, "Started, UTC"),
    ...[...metrics.map((one) => one.name), ...facts].map((head) =>
      h("th", { scope: "col", class: "figure count" }, ...breakable(head)),
    ),
  ];
  const lines = [
    list.length > 1 && !list.some(combinationOf) && trends(list, metrics, facts.length),
    ...list.map((entry) => line(entry, metrics, hasBills)),
  ];
  return h(
    "section",
    { "aria-labelledby": id },
    h("h2", { id, dir: "auto" }, shown(name)),
    scrollable({ "aria-labelledby": id }, table("series listing", heads, lines)),
  );
}

function metricsOf(list: readonly IndexEntry[]): IndexedMetric[] {
  const keys = new Set(list.flatMap(({ aggregates }) => Object.keys(aggregates)));
  const summaries = new Set(
    list.flatMap(({ summaryResults }) =>
      summaryResults.flatMap(({ key, score }) => (typeof score === "number" ? [key] : [])),
    ),
  );
  return [
    ...Array.from(keys, (name): IndexedMetric => {
      const of = ({ aggregates }: IndexEntry) => ownValue(aggregates, name);
      return {
        name,
        isRate: list.some((entry) => isMeanOfBooleans(of(entry))),
        of(entry) {
          const { mean, interval, errors = 0 } = of(entry) ?? {};
          return mean == null ? undefined : { value: mean, low: interval?.low, high: interval?.high, errors };
        },
      };
    }),
    ...Array.from(
      summaries,
      (name): IndexedMetric => ({
        name,
        isRate: false,
        of({ summaryResults }) {
          const { score, interval } = summaryResults.find(({ key }) => key === name) ?? {};
          return typeof score === "number"
            ? { value: score, low: interval?.low, high: interval?.high, errors: 0 }
            : undefined;
        },
      }),
    ),
  ];
}

/** The row with the trends, from the oldest to the newest experiment. */
function trends(list: readonly IndexEntry[], metrics: readonly IndexedMetric[], rest: number): HTMLElement {
  const oldestFirst = [...list].reverse();
  const cells = metrics.map((metric) => {
    const points = oldestFirst.map((entry) => {
      const { value, low, high } = metric.of(entry) ?? {};
      return { value, interval: low === undefined || high === undefined ? null : { low, high, level: 0.95 } };
    });
    return h("td", { class: "figure" }, trend(points, metric.isRate));
  });
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, "Trend"),
    h("td", { class: "date quiet" }, "from the oldest"),
    ...cells,
    h("td", { colspan: rest }),
  );
}

function line(entry: IndexEntry, metrics: readonly IndexedMetric[], hasBills: boolean): HTMLElement {
  const { experimentName, href, stopped, stoppedEarly, rows, failedRuns, durationMs, bill } = entry;
  const name = breakable(experimentName);
  return h(
    "tr",
    {},
    h(
      "th",
      { scope: "row", dir: "auto" },
      href === undefined ? h("span", {}, ...name) : h("a", { href }, ...name),
      stopped && h("span", { class: "error" }, " stopped before the end"),
      stoppedEarly && h("span", { class: "quiet" }, " stopped early"),
    ),
    h("td", { class: "date" }, minute(entry.startedAt)),
    ...metrics.map((metric) => {
      const { value, low, high, errors = 0 } = metric.of(entry) ?? {};
      if (value === undefined) return h("td", { class: "figure quiet" }, "–");
      const text = (bound: number) => figure(bound, metric.isRate);
      return h(
        "td",
        { class: "figure" },
        h("b", {}, minus(text(value))),
        low !== undefined &&
          high !== undefined &&
          h("span", { class: "quiet" }, minus(`${text(low)} to ${text(high)}`)),
        errors > 0 && h("span", { class: "error" }, counted(errors, "error")),
      );
    }),
    h("td", { class: "figure count" }, whole(rows)),
    h("td", { class: failedRuns ? "figure count error" : "figure count quiet" }, whole(failedRuns)),
    h("td", { class: "figure count quiet" }, timeTaken({ durationMs, stopped }) ?? "–"),
    hasBills && h("td", { class: "figure count quiet tokens" }, bill ? tokenText(bill) : "–"),
    hasBills &&
      data.hasPrices &&
      h("td", { class: "figure count" }, costOfBill(bill) ?? (bill ? "no price" : "–")),
  );
}
