/** The page of a comparative experiment: rankings, pairs, and the answers side by side. */

import type { ComparativeAggregate, ComparativeExperiment } from "../../../core/records/comparative.js";
import {
  counted,
  decimal,
  duration,
  intervalTitle,
  rangeText,
  whole,
} from "../../../core/records/numerals.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import { costOfBill, Pricing } from "../../prices.js";
import type { ComparativeData } from "../data.js";
import { comparativeRows } from "./comparative-rows.js";
import { tokenText } from "./cost.js";
import { breakable, h, minus, minute, shown, textOf } from "./dom.js";
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
    ...Object.entries(experiment.aggregates).map(([key, aggregate], index) => scores(key, aggregate, index)),
    unpaired(experiment),
    comparativeRows(experiment),
  ),
);

function heading({
  experimentName,
  description,
  metadata,
  stopped,
  ...rest
}: ComparativeExperiment): HTMLElement {
  const { startedAt, durationMs, experiments, rows, usage } = rest;
  const results = rows.flatMap(({ evaluationResults }) => evaluationResults as readonly EvaluationResult[]);
  const facts: [string, string | undefined][] = [
    ["Started", `${minute(startedAt)} UTC`],
    ["Duration", duration(durationMs)],
    ["Experiments", whole(experiments.length)],
    ["Rows compared", whole(rows.length)],
    ["Judges’ tokens", usage ? tokenText(usage) : undefined],
    ["Judges’ cost", costOfBill(new Pricing(prices).billOf(results))],
    ...Object.entries(metadata ?? {}).map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
  return h(
    "header",
    {},
    h("h1", { dir: "auto" }, ...breakable(experimentName)),
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

function scores(key: string, aggregate: ComparativeAggregate, index: number): HTMLElement {
  const { ranking, pairs: all, positionBias, errors } = aggregate;

  const why = ranking.find(({ strength }) => strength === null)?.comment;
  const intervals = ranking.map(({ interval }) => interval);
  const tested = all.filter(({ pValue }) => pValue !== null).length;
  const id = `key-${index}`;
  return h(
    "section",
    { "aria-labelledby": id },
    h("h2", { id }, ...breakable(key)),
    ranking.length > 0 && strengths(ranking, `Ranking by ${key}`),
    h(
      "p",
      { class: "quiet remark" },
      why
        ? shown(why)
        : "A strength of 0 is average. An experiment that is stronger by 1 wins 73% of comparisons, by 2 88%. " +
            `The bars show the ${intervalTitle(intervals)}.`,
    ),
    all.length > 0 && pairs(all, `Pairs by ${key}`),
    h(
      "p",
      { class: "quiet remark" },
      `A tie is half a win. p is adjusted for ${counted(tested, "comparison")}` +
        `${Object.keys(experiment.aggregates).length > 1 ? " of this key, and for those of the others" : ""}. Win rates with p below 0.05 are coloured.`,
    ),
    positionBias && bias(positionBias),
    errors > 0 &&
      h(
        "p",
        { class: "error remark" },
        `${counted(errors, "call")} of the evaluator failed and ${errors === 1 ? "is" : "are"} not counted.`,
      ),
  );
}

function bias({ value, interval }: NonNullable<ComparativeAggregate["positionBias"]>): HTMLElement {
  const range = interval ? ` (${rangeText(interval, false)})` : "";
  const isSignificant = interval && (interval.low > 0 || interval.high < 0);
  const meaning = isSignificant
    ? `: the judge prefers the answer shown ${value > 0 ? "first" : "second"}; such verdicts are ties`
    : "";
  return h(
    "p",
    { class: "quiet remark" },
    minus(`Position bias ${decimal(value)}${range}, from −1 to 1${meaning}.`),
  );
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
