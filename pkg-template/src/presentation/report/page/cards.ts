/** A card for each key: its mean with the interval, and the distribution of its scores. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { difference, figure, pEquation } from "../../../core/number-text.js";
import type { Aggregate, Interval } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import {
  areAdjusted,
  differenceRange,
  intervalTitle,
  isMeanOfBooleans,
  rangeText,
  trueDifferenceText,
} from "../../figures.js";
import { whyNoInterval } from "../../missing-intervals.js";
import { change, fails, scalesIn } from "../../reading.js";
import { strictMark } from "../../story/strict-marks.js";
import { marginText } from "../../verdict.js";
import type { ReportData } from "../data.js";
import { breakable, h, minus } from "./dom.js";
import { plot } from "./plot.js";

/** Filters the table of rows by a key. */
export type Show = (which: "failing" | "errors" | "flipped", key: string) => void;

export function cards(data: ReportData, show: Show): HTMLElement | undefined {
  const entries = Object.entries(data.experiment.aggregates);
  if (!entries.length) return undefined;
  return h(
    "section",
    { "aria-labelledby": "scores" },
    h("h2", { id: "scores" }, "Scores"),
    h("div", { class: "cards" }, ...entries.map(([key, aggregate]) => card(data, key, aggregate, show))),
  );
}

function card(data: ReportData, key: string, aggregate: Aggregate, show: Show): HTMLElement {
  const rate = isMeanOfBooleans(aggregate);
  const { mean, count, errors, notApplicable, values = 0 } = aggregate;
  const before = data.baseline?.aggregates[key];
  const noInterval = whyNoInterval(aggregate);
  const scaleOf = scalesIn(data.experiment, data);
  const failing = data.experiment.rows.filter(({ evaluationResults }) =>
    evaluationResults.some((one) => one.key === key && fails(one, scaleOf)),
  ).length;
  return h(
    "article",
    { class: "card" },
    h("h3", {}, ...breakable(key)),
    h(
      "p",
      { class: "mean" },
      h("strong", {}, mean == null ? "–" : minus(figure(mean, rate))),
      aggregate.interval && h("span", { class: "quiet" }, intervalText(aggregate.interval, rate)),
      noInterval !== undefined && h("span", { class: "quiet" }, `No interval: ${noInterval}`),
    ),
    aggregate.corrected?.value != null &&
      h(
        "p",
        { class: "counts" },
        h("span", {}, "true rate ", minus(figure(aggregate.corrected.value, true))),
        aggregate.corrected.interval &&
          h("span", { class: "quiet" }, intervalText(aggregate.corrected.interval, true)),
      ),
    plot(aggregate, before, scaleOf(key)),
    aggregate.distribution?.kind === "number" &&
      h("p", { class: "counts" }, h("span", { class: "quiet" }, markText(aggregate, scaleOf(key)))),
    h(
      "p",
      { class: "counts" },
      count != null && h("span", {}, "n = ", whole(count)),
      errors > 0 && link(counted(errors, "error"), "error", () => show("errors", key)),
      values > 0 && h("span", {}, counted(values, "value")),
      notApplicable > 0 && h("span", {}, `${whole(notApplicable)} not applicable`),
      failing > 0 && link(`${whole(failing)} failing`, "fail", () => show("failing", key)),
    ),
    data.baseline && h("div", { class: "versus" }, ...versus(data, key, rate, () => show("flipped", key))),
  );
}

/** The unit and the pass mark of a key. */
const markText = (aggregate: Pick<Aggregate, "distribution">, scale: ScoreScale): string =>
  [
    ...(scale.unit ? [`in ${scale.unit}`] : []),
    scale.passAt === undefined ? "no pass mark" : `passes ${strictMark(aggregate, scale) ?? passing(scale)}`,
  ].join(", ");

/** The scores that pass. "At least 1" would read as a number of rows. */
const passing = ({ direction, passAt, min, max }: ScoreScale): string =>
  passAt === (direction === "lower" ? min : max)
    ? `at ${passAt}`
    : `${direction === "lower" ? "up to" : "from"} ${passAt}`;

function intervalText(interval: Interval, rate: boolean): string {
  return minus(`${intervalTitle([interval])} ${rangeText(interval, rate)}`);
}

function versus(data: ReportData, key: string, rate: boolean, onflips: () => void) {
  const comparison = data.comparisons?.[key];
  if (comparison?.difference == null) return [h("span", { class: "quiet" }, "Nothing to compare with")];
  const { interval, flipped, count, clusters, means, unpaired, repetitions } = comparison;
  const up = flipped.filter(({ from, to }) => Number(to) > Number(from)).length;
  const { adjustedPValue, adjustedInterval, corrected } = comparison;
  // P-values are adjusted for all keys; an interval is, where it would contradict its p-value.
  const [plain, adjusted] = areAdjusted(Object.values(data.comparisons ?? {}))
    ? [adjustedInterval ? ", adjusted" : ", unadjusted", "adjusted "]
    : ["", ""];
  const p = adjustedPValue === null ? "" : `${adjusted}${pEquation(adjustedPValue)}, `;
  const left = unpaired.first + unpaired.second;
  const scaleOf = scalesIn(data.experiment, data);
  const margin = marginText(key, comparison, scaleOf, rate);
  return [
    h("b", { class: change(key, comparison, scaleOf) }, minus(difference(comparison.difference, rate))),
    h(
      "span",
      {},
      means.first !== null && `from ${minus(figure(means.first, rate))}`,
      (left > 0 || repetitions) &&
        means.second !== null &&
        ` to ${minus(figure(means.second, rate))} in the pairs`,
    ),
    interval && h("span", { class: "quiet" }, intervalTitle([interval]) + plain),
    interval && h("span", { class: "quiet" }, minus(differenceRange(adjustedInterval ?? interval, rate))),
    h("span", { class: "quiet" }, "Paired"),
    h(
      "span",
      { class: "quiet" },
      p + counted(count, "pair"),
      clusters !== undefined && ` in ${counted(clusters, "cluster")}`,
      left > 0 && `, ${whole(left)} unpaired`,
      repetitions && `, of ${whole(repetitions.first)} and ${whole(repetitions.second)} repetitions`,
    ),
    corrected && h("span", { class: "quiet" }, "True difference"),
    corrected && h("span", {}, minus(trueDifferenceText(corrected))),
    margin !== undefined && h("span", { class: "quiet" }, "Margin"),
    margin !== undefined && h("span", {}, minus(margin)),
    h("span", { class: "quiet" }, "Flipped"),
    flipped.length
      ? link(`${whole(up)} up, ${whole(flipped.length - up)} down`, "", onflips)
      : h("span", { class: "quiet" }, "none"),
  ];
}

const link = (text: string, kind: string, onclick: () => void) =>
  h("button", { type: "button", class: `link ${kind}`, onclick }, text);
