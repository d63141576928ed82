/** A table of more than two experiments: a row for each key, a column for each experiment. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { ownValue } from "../../../core/input/objects.js";
import { difference, duration, figure, pEquation } from "../../../core/number-text.js";
import { significanceLimit } from "../../../core/records/significance.js";
import type { Comparison, Experiment } from "../../../core/records/types.js";
import { comparedRange, isMeanOfBooleans, rangeText } from "../../figures.js";
import { medianTime } from "../../matrix/table.js";
import { costOfBill, Pricing } from "../../prices.js";
import { change, scalesIn } from "../../reading.js";
import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { tokenText } from "./cost.js";
import { breakable, h, minus, minute } from "./dom.js";
import { scrollable, table } from "./tables.js";
import { type Point, trend } from "./trend.js";

interface ExperimentColumn {
  experiment: Experiment;
  /** The comparisons with the baseline; missing for the baseline itself. */
  comparisons?: Record<string, Comparison> | undefined;
}

export function sideBySide(data: ReportData): HTMLElement | undefined {
  const { baseline, between, experiment, comparisons } = data;
  if (!baseline || !between.length) return undefined;
  const columns: ExperimentColumn[] = [{ experiment: baseline }, ...between, { experiment, comparisons }];
  const all = columns.map((column) => column.experiment);
  const keys = namesIn(all.map(({ aggregates }) => Object.keys(aggregates)));
  const metrics = namesIn(all.map(({ summaryResults }) => summaryResults.map(({ key }) => key)));
  const compared = columns.flatMap((one) => Object.values(one.comparisons ?? {}));
  const tested = compared.filter((one) => one.pValue !== null).length;
  const heads = [h("th", { scope: "col" }, "Key"), h("th", { scope: "col" }, "Trend"), ...columns.map(head)];
  const lines = [
    ...keys.map((key) => keyLine(key, columns, data)),
    ...metrics.map((key) => metricLine(key, all)),
    ...factLines(all, data),
  ];
  return h(
    "section",
    { "aria-labelledby": "experiments" },
    h("h2", { id: "experiments" }, `${whole(all.length)} experiments`),
    scrollable({ "aria-labelledby": "experiments" }, table("series", heads, lines)),
    h(
      "p",
      { class: "quiet remark" },
      `Differences are from ${shown(baseline.experimentName)}, over the rows that have a score in both. ` +
        `p is adjusted for ${whole(tested)} comparisons; intervals are not, except those marked “adj.”, which would contradict their p. ` +
        `Differences with an adjusted p below ${significanceLimit(compared.map(({ interval }) => interval))} are coloured.`,
    ),
  );
}

const namesIn = (lists: string[][]): string[] => [...new Set(lists.flat())];

function head({ experiment, comparisons }: ExperimentColumn): HTMLElement {
  const { experimentName, startedAt } = experiment;
  return h(
    "th",
    { scope: "col", class: "figure" },
    h("b", { dir: "auto" }, ...breakable(experimentName)),
    h("span", {}, minute(startedAt)),
    !comparisons && h("span", {}, "baseline"),
  );
}

function keyLine(key: string, columns: readonly ExperimentColumn[], data: ReportData): HTMLElement {
  const aggregates = columns.map(({ experiment }) => ownValue(experiment.aggregates, key));
  const rate = aggregates.some((one) => isMeanOfBooleans(one));
  const points = aggregates.map((one) => ({ value: one?.mean, interval: one?.interval }));
  return line(key, points, rate, (point, index) => {
    const comparison = ownValue(columns[index]?.comparisons ?? {}, key);
    const errors = aggregates[index]?.errors;
    return [
      ...meanCell(point, rate),
      comparison?.difference != null && differenceText(key, comparison, rate, data),
      errors ? h("span", { class: "error" }, counted(errors, "error")) : false,
    ];
  });
}

function differenceText(key: string, comparison: Comparison, rate: boolean, data: ReportData): HTMLElement {
  const { difference: by, adjustedPValue: p, unpaired } = comparison;
  const left = unpaired.first + unpaired.second;
  const facts = [p !== null && `adjusted ${pEquation(p)}`, left > 0 && `${whole(left)} unpaired`].filter(
    Boolean,
  );
  return h(
    "span",
    { class: "by" },
    h(
      "b",
      { class: change(key, comparison, scalesIn(data.experiment, data)) },
      minus(difference(by as number, rate)),
    ),
    facts.length > 0 && ` ${facts.join(", ")}`,
    h("span", { class: "quiet" }, minus(comparedRange(comparison, rate))),
  );
}

function metricLine(key: string, all: readonly Experiment[]): HTMLElement {
  const points = all.map(({ summaryResults }): Point => {
    const { score, interval } = summaryResults.find((one) => one.key === key) ?? {};
    return { value: typeof score === "number" ? score : undefined, interval };
  });
  return line(key, points, false, (point) => meanCell(point, false));
}

function meanCell({ value, interval }: Point, rate: boolean): (Node | string | false)[] {
  if (value == null) return ["–"];
  return [
    h("b", {}, minus(figure(value, rate))),
    interval ? h("span", { class: "quiet" }, minus(rangeText(interval, rate))) : false,
  ];
}

/** Rows, failures, time, tokens and cost of each experiment. */
function factLines(all: readonly Experiment[], { prices }: ReportData): (HTMLElement | false)[] {
  const pricing = new Pricing(prices);
  const bills = all.map(({ rows }) => pricing.billOfRows(rows));
  const times = all.map(medianTime);
  const fact = (
    name: string,
    values: readonly (number | undefined)[],
    text: (value: number, index: number) => string,
  ) =>
    values.some((value) => value !== undefined) &&
    line(
      name,
      values.map((value) => ({ value })),
      false,
      ({ value }, index) => [value == null ? "–" : text(value, index)],
    );
  return [
    fact(
      "Rows",
      all.map(({ rows }) => rows.length),
      (count) => whole(count),
    ),
    fact(
      "Failed runs",
      all.map(({ rows }) => rows.filter(({ run }) => run.error).length),
      (count) => whole(count),
    ),
    // Recorded outputs have no duration.
    times.some((time) => time >= 1) && fact("Median time of a run", times, (time) => duration(time)),
    fact(
      "Judges’ tokens",
      bills.map((bill) => bill && bill.inputTokens + bill.outputTokens),
      (_, index) => {
        const bill = bills[index];
        return bill ? tokenText(bill) : "–";
      },
    ),
    pricing.hasPrices &&
      fact(
        "Judges’ cost",
        bills.map((bill) => bill?.cost),
        (_, index) => costOfBill(bills[index]) ?? "no price",
      ),
  ];
}

function line(
  name: string,
  points: readonly Point[],
  rate: boolean,
  cell: (point: Point, index: number) => (Node | string | false | null | undefined)[],
): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, ...breakable(name)),
    h("td", {}, trend(points, rate)),
    ...points.map((point, index) => h("td", { class: "figure" }, ...cell(point, index))),
  );
}
