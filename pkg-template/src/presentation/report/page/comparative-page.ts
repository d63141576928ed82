/** The page of a comparative experiment: rankings, pairs, and the answers side by side. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { decimal, duration } from "../../../core/number-text.js";
import type {
  ComparativeAggregate,
  ComparativeExperiment,
  ComparedPair,
} from "../../../core/records/comparative.js";
import { significanceLimit } from "../../../core/records/significance.js";
import type { Interval } from "../../../core/records/types.js";
import { chargesOf } from "../../../experiments/stored/account.js";
import { intervalTitle, rangeText } from "../../figures.js";
import { costOfBill, Pricing } from "../../prices.js";
import { comparativeHeadline } from "../../story/comparative-headline.js";
import { shown } from "../../value-text.js";
import type { ComparativeData } from "../data.js";
import { comparativeRows } from "./comparative-rows.js";
import { tokenText } from "./cost.js";
import { distinctErrors, errorItem } from "./distinct-errors.js";
import { breakable, h, minus, minute, readable } from "./dom.js";
import { pairs } from "./pairs.js";
import { strengths } from "./strengths.js";

const { experiment, prices }: ComparativeData = JSON.parse(
  document.querySelector("#data")?.textContent ?? "",
);

document.body.append(
  h(
    "main",
    {},
    heading(experiment),
    failures(experiment),
    ...Object.entries(experiment.aggregates).map(([key, aggregate], index) => scores(key, aggregate, index)),
    unpaired(experiment),
    comparativeRows(experiment),
  ),
);

function heading(comparative: ComparativeExperiment): HTMLElement {
  const { experimentName, description, metadata, stopped, startedAt, durationMs } = comparative;
  const { experiments, rows, usage } = comparative;
  const facts: [string, string | undefined][] = [
    ["Started", `${minute(startedAt)} UTC`],
    ["Duration", duration(durationMs)],
    ["Experiments", whole(experiments.length)],
    ["Rows", whole(rows.length)],
    ["Judges’ tokens", usage ? tokenText(usage) : undefined],
    ["Judges’ cost", costOfBill(new Pricing(prices).billOf(rows.flatMap(chargesOf)))],
    ...Object.entries(metadata ?? {}).map(([name, value]): [string, string] => [name, readable(value)]),
  ];
  return h(
    "header",
    {},
    h("p", { class: "quiet" }, h("b", { dir: "auto" }, shown(experimentName))),
    h("h1", { dir: "auto" }, shown(comparativeHeadline(comparative))),
    description && h("p", { dir: "auto" }, shown(description)),
    stopped && h("p", { class: "error" }, `Stopped before the end: ${shown(stopped.message)}`),
    h(
      "dl",
      { class: "facts" },
      ...facts.map(
        ([name, value]) => value && h("div", {}, h("dt", {}, shown(name)), h("dd", { dir: "auto" }, value)),
      ),
    ),
  );
}

/** The reasons of failed calls. */
function failures({ rows }: ComparativeExperiment): HTMLElement | false {
  const errors = distinctErrors(rows.flatMap((row) => row.errors.map((one) => ({ ...one, row }))));
  if (!errors.length) return false;
  const more = errors.length - MAX_ERRORS;
  return h(
    "section",
    { "aria-labelledby": "failures" },
    h("h2", { id: "failures" }, "Failures"),
    h("ul", { class: "failures" }, ...errors.slice(0, MAX_ERRORS).map((one) => errorItem(one))),
    more > 0 && h("p", { class: "quiet remark" }, `and ${counted(more, "other error")}, at their rows`),
  );
}

function scores(key: string, aggregate: ComparativeAggregate, index: number): HTMLElement {
  const { ranking, pairs: all, positionBias, errors } = aggregate;

  const why = ranking.find(({ strength }) => strength === null)?.comment;
  const intervals = ranking.map(({ interval }) => interval);
  const id = `key-${index}`;
  return h(
    "section",
    { "aria-labelledby": id },
    h("h2", { id }, ...breakable(key)),
    ranking.length > 0 && strengths(ranking, `Ranking by ${key}`),
    ranking.length > 0 && remark(why ? shown(why) : strengthsRemark(intervals)),
    all.length > 0 && pairs(all, `Pairs by ${key}`),
    all.some(({ count }) => count) && remark(pairsRemark(all)),
    positionBias && bias(positionBias),
    errors > 0 &&
      h(
        "p",
        { class: "error remark" },
        `${counted(errors, "call")} of the evaluator failed and ${errors === 1 ? "is" : "are"} not counted.`,
      ),
  );
}

function remark(text: string): HTMLElement {
  return h("p", { class: "quiet remark" }, text);
}

function strengthsRemark(intervals: readonly (Interval | null)[]): string {
  const scale =
    "A strength of 0 is average. An experiment that is stronger by 1 wins 73% of comparisons, by 2 88%.";
  return intervals.some(Boolean) ? `${scale} The bars show the ${intervalTitle(intervals)}.` : scale;
}

function pairsRemark(all: readonly ComparedPair[]): string {
  const tested = all.filter(({ pValue }) => pValue !== null).length;
  if (!tested) return "A tie is half a win.";
  const others =
    Object.keys(experiment.aggregates).length > 1 ? " of this key, and for those of the others" : "";
  return (
    `A tie is half a win. p is adjusted for ${counted(tested, "comparison")}${others}. ` +
    `Win rates with p below ${significanceLimit(all.map(({ interval }) => interval))} are coloured.`
  );
}

function bias({ value, interval }: NonNullable<ComparativeAggregate["positionBias"]>): HTMLElement {
  const range = interval ? ` (${rangeText(interval, false)})` : "";
  const isSignificant = interval && (interval.low > 0 || interval.high < 0);
  const meaning = isSignificant
    ? `: the judge prefers the answer shown ${value > 0 ? "first" : "second"}; such verdicts are ties`
    : "";
  return remark(minus(`Position bias ${decimal(value)}${range}, from −1 to 1${meaning}.`));
}

function unpaired({ unpaired: all, rows }: ComparativeExperiment): HTMLElement | false {
  if (!all.length) return false;
  const reasons = (row: (typeof all)[number]) =>
    [
      row.missing.length && `no row in ${row.missing.join(", ")}`,
      row.failed.length && `the target failed in ${row.failed.join(", ")}`,
      row.different.length && `different inputs in ${row.different.join(", ")}`,
    ].filter(Boolean);
  const shownRows = all.slice(0, MAX_UNPAIRED);
  return h(
    "section",
    { "aria-labelledby": "unpaired" },
    h("h2", { id: "unpaired" }, "Not compared between all experiments"),
    h(
      "details",
      { class: "unpaired" },
      h("summary", {}, `${counted(all.length, "row")}, in addition to ${whole(rows.length)} compared`),
      h(
        "ul",
        {},
        ...shownRows.map((row) =>
          h(
            "li",
            {},
            h(
              "b",
              { dir: "auto" },
              shown(row.repetition ? `${row.exampleId} #${row.repetition + 1}` : row.exampleId),
            ),
            `: ${shown(reasons(row).join("; "))}`,
          ),
        ),
        all.length > MAX_UNPAIRED &&
          h("li", { class: "quiet" }, `and ${whole(all.length - MAX_UNPAIRED)} more`),
      ),
    ),
  );
}

const MAX_UNPAIRED = 200;
const MAX_ERRORS = 5;
