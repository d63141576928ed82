import type { Experiment } from "../../../experiment/types.js";
import { counted, duration, whole } from "../../numerals.js";
import type { ReportData } from "../data.js";
import { h, shown, textOf } from "./dom.js";

/** The heading: name, date and duration of the experiment. */
export function heading({ experiment, baseline }: ReportData): HTMLElement {
  const { experimentName, metadata = {}, rows, stopped } = experiment;
  const examples = new Set(rows.map(({ example }) => example.id)).size;
  const failed = rows.filter(({ run }) => run.error).length;
  const facts: [string, string | undefined][] = [
    ["Started", `${experiment.startedAt.slice(0, 16).replace("T", " ")} UTC`],
    ["Duration", duration(experiment.durationMs)],
    [
      "Rows",
      examples === rows.length
        ? whole(rows.length)
        : `${whole(rows.length)} of ${counted(examples, "example")}`,
    ],
    ["Failed runs", failed ? whole(failed) : undefined],
    ["Judges’ tokens", tokens(experiment)],
    ...Object.entries(metadata).map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
  return h(
    "header",
    {},
    h("h1", { dir: "auto" }, shown(experimentName)),
    baseline &&
      h("p", { class: "quiet" }, "Compared with ", h("b", { dir: "auto" }, shown(baseline.experimentName))),
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

const tokens = ({ usage }: Experiment) =>
  usage ? `${whole(usage.inputTokens)} in, ${whole(usage.outputTokens)} out` : undefined;
