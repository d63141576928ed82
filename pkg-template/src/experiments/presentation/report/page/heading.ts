import { costText as costOf, counted, timeTaken, whole } from "../../../../core/records/numerals.js";
import { decisionText } from "../../decisions.js";
import { Pricing } from "../../prices.js";
import type { ReportData } from "../data.js";
import { costText, tokenText } from "./cost.js";
import { h, minute, shown, textOf } from "./dom.js";

/** The heading: name, date and duration of the experiment. */
export function heading({ experiment, baseline, prices }: ReportData): HTMLElement {
  const { experimentName, metadata, rows, stopped, usage, cost } = experiment;
  const examples = new Set(rows.map(({ example }) => example.id)).size;
  const failed = rows.filter(({ run }) => run.error).length;
  const facts: [string, string | undefined][] = [
    ["Started", `${minute(experiment.startedAt)} UTC`],
    ["Duration", timeTaken(experiment)],
    [
      "Rows",
      examples === rows.length
        ? whole(rows.length)
        : `${whole(rows.length)} of ${counted(examples, "example")}`,
    ],
    ["Failed runs", failed ? whole(failed) : undefined],
    ["Judges’ tokens", experiment.usage ? tokenText(experiment.usage) : undefined],
    [
      "Judges’ cost",
      costText(new Pricing(prices).billOfRows(rows)) ??
        (usage && cost && !rows.length ? costOf(cost) : undefined),
    ],
    ...Object.entries(metadata ?? {}).map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
  const decisions = decisionText(experiment);
  return h(
    "header",
    {},
    h("h1", { dir: "auto" }, shown(experimentName)),
    baseline &&
      h("p", { class: "quiet" }, "Compared with ", h("b", { dir: "auto" }, shown(baseline.experimentName))),
    decisions && h("p", { dir: "auto" }, shown(decisions)),
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
