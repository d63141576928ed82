import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { decisionNotes, decisionText } from "../../decisions.js";
import { costText as costOf, timeTaken } from "../../figures.js";
import { combinationOf, labelOf } from "../../matrix/axes.js";
import { costOfBill, Pricing } from "../../prices.js";
import { scalesIn } from "../../reading.js";
import { headline, rowsText } from "../../story/headline.js";
import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { tokenText } from "./cost.js";
import { h, minute, readable } from "./dom.js";
import { simulatedNames } from "./simulations.js";

/**
 * The heading: the verdict; name, date and duration of the experiment.
 *
 * @param hasScores Whether the verdict is shown.
 */
export function heading(data: ReportData, hasScores: boolean): HTMLElement {
  const { experiment, baseline, prices, matrix } = data;
  const { experimentName, rows, stopped, usage, cost } = experiment;
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
      costOfBill(new Pricing(prices).billOfRows(rows)) ??
        (usage && cost && !rows.length ? costOf(cost) : undefined),
    ],
    ...metadataOf(experiment).map(([name, value]): [string, string] => [name, readable(value)]),
  ];
  const decisions = decisionText(experiment);
  return h(
    "header",
    {},
    h(
      "p",
      { class: "quiet" },
      h("b", { dir: "auto" }, shown(experimentName)),
      baseline && " compared with ",
      baseline && h("b", { dir: "auto" }, shown(baseline.experimentName)),
    ),
    h("h1", { dir: "auto" }, hasScores ? shown(headline(data)) : `${counted(rows.length, "row")} to label`),
    !hasScores && h("p", { class: "quiet" }, "Scores are hidden, so that they do not influence your labels."),
    hasScores &&
      matrix &&
      h(
        "p",
        {},
        `Rows and figures below are of the best mean, ${shown(labelOf(experiment))}: ` +
          `${rowsText(experiment, scalesIn(experiment, data))}.`,
      ),
    hasScores && decisions && h("p", { dir: "auto" }, shown(decisions)),
    ...(hasScores ? decisionNotes(experiment) : []).map((note) =>
      h("p", { class: "error", dir: "auto" }, shown(note)),
    ),
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

/** The metadata; of a combination, with its axes. The table of simulations has their users and tasks. */
function metadataOf(experiment: ReportData["experiment"]): [string, unknown][] {
  const { metadata } = experiment;
  const combination = combinationOf(experiment);
  return Object.entries(metadata ?? {}).flatMap(([name, value]): [string, unknown][] => {
    if (name === "simulations" && simulatedNames(metadata)) return [];
    return name === "matrix" && combination ? Object.entries(combination) : [[name, value]];
  });
}
