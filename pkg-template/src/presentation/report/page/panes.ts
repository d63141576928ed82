/** The inputs, outputs and reference outputs of a row, beside each other, with their marks. */

import type { ExperimentRow } from "../../../core/records/types.js";
import { readSteps } from "../../steps.js";
import { shown } from "../../value-text.js";
import { keysWithMarks, markedText } from "./claim-marks.js";
import { contextPane } from "./contexts.js";
import { h } from "./dom.js";
import { failure } from "./failure.js";
import type { Item } from "./items.js";
import { stepList } from "./step-list.js";
import { text } from "./text-parts.js";
import { shownBeside, shownRuns, shownValue } from "./values.js";

/** The panes, and buttons that choose what is marked if there is a choice. */
export function panes(item: Item): HTMLElement[] {
  const box = h("div", { class: "panes" });
  const keys = keysWithMarks(item.row);
  const choices = new Map<string | undefined, HTMLElement>();
  const choose = (key: string | undefined) => {
    for (const [one, button] of choices) button.setAttribute("aria-pressed", String(one === key));
    box.replaceChildren(...content(item, key));
  };
  for (const key of keys.length ? [...keys, undefined] : []) {
    const name = key === undefined ? "Data" : `Claims of ${shown(key)}`;
    choices.set(key, h("button", { type: "button", onclick: () => choose(key) }, name));
  }
  choose(keys[0]);
  const buttons = { class: "toolbar choices", role: "group", "aria-label": "What is shown" };
  return choices.size ? [h("div", buttons, ...choices.values()), box] : [box];
}

/** The panes with the claims of a key marked, or without marks. */
function content({ row, baseline }: Item, key: string | undefined): HTMLElement[] {
  const { example, run, evaluationResults } = row;
  const hasReference = example.outputs !== undefined;
  const runs = baseline && !hasReference ? shownRuns(baseline, row) : undefined;
  const [plain, plainReference] = runs
    ? [runs[1], undefined]
    : hasReference && !run.error
      ? shownBeside(run.outputs, example.outputs, evaluationResults)
      : [outputsOf(row), hasReference ? shownValue(example.outputs) : undefined];
  const outputs = claimsOf(row, key, "claims");
  const reference = claimsOf(row, key, "referenceClaims");
  const before = baseline && (claimsOf(baseline, key, "claims") ?? runs?.[0] ?? outputsOf(baseline));
  return [
    pane("Inputs", shownValue(example.inputs)),
    ...contextPanes(row, baseline, outputs === undefined),
    ...(before ? [pane("Outputs before", before)] : []),
    pane(baseline ? "Outputs after" : "Outputs", outputs ?? plain),
    ...(plainReference ? [pane("Reference outputs", reference ?? plainReference)] : []),
  ];
}

/** The contexts, and those of the baseline if they differ. */
function contextPanes(
  row: ExperimentRow,
  baseline: ExperimentRow | undefined,
  hasOutputs: boolean,
): HTMLElement[] {
  const contexts = contextPane(row, hasOutputs);
  const before = baseline && contextPane(baseline, hasOutputs);
  if (!before || before.isEqualNode(contexts ?? null)) return contexts ? [pane("Contexts", contexts)] : [];
  return [pane("Contexts before", before), ...(contexts ? [pane("Contexts after", contexts)] : [])];
}

/** The text of a side with the claims of a key marked. */
function claimsOf(row: ExperimentRow, key: string | undefined, field: "claims" | "referenceClaims") {
  const value = field === "claims" ? row.run.outputs : row.example.outputs;
  for (const result of row.evaluationResults) {
    const parts = result.key === key && markedText(result, value, field);
    if (parts) return text(parts);
  }
  return undefined;
}

const pane = (title: string, content: Node) => h("section", {}, h("h3", {}, title), content);

/** The outputs of a row, or its failure with the messages until then. */
export function outputsOf({ run: { error, outputs }, evaluationResults }: ExperimentRow): HTMLElement {
  if (!error) return shownValue(outputs, evaluationResults);
  const steps = readSteps(error.trajectory);
  return steps ? h("div", {}, failure(error), stepList(steps)) : failure(error);
}
