/** Shows inputs and outputs: texts, trajectories, and other values as JSON. */

import { isRecord } from "../../../core/input/objects.js";
import type { EvaluationResult, ExperimentRow } from "../../../core/records/types.js";
import { besideMessages, readSteps, type ShownStep } from "../../steps.js";
import { mainField, shown, sorted, textOf } from "../../value-text.js";
import { h } from "./dom.js";
import { eventsOf } from "./step-events.js";
import { stepList } from "./step-list.js";
import { markedSteps, reportedMarks } from "./step-marks.js";
import { differingParts } from "./text-difference.js";
import { text } from "./text-parts.js";

/** @param results The results of the run that has this value as outputs: they are shown at the steps of a trajectory. */
export function shownValue(value: unknown, results: readonly EvaluationResult[] = []): HTMLElement {
  const steps = readSteps(value);
  return steps
    ? withOthers(value, stepList(steps, undefined, eventsOf(steps, results)))
    : text([[textOf(sorted(value), 2), false]]);
}

/** A timeline, and below it what the value has besides messages. */
function withOthers(value: unknown, timeline: HTMLElement): HTMLElement {
  const others = besideMessages(value);
  return others ? h("div", {}, timeline, text([[textOf(sorted(others), 2), false]])) : timeline;
}

/** Outputs and reference outputs with their differences marked: words of texts and JSON, steps of trajectories. */
export function shownBeside(
  outputs: unknown,
  reference: unknown,
  results: readonly EvaluationResult[],
): [HTMLElement, HTMLElement] {
  const sides = [readSteps(outputs), readSteps(reference)];
  if (sides[0] && sides[1]) {
    const both: [ShownStep[], ShownStep[]] = [sides[0], sides[1]];
    const derived = markedSteps(...both);
    const marks = reportedMarks(results, both, derived) ?? derived;
    return [
      withOthers(outputs, stepList(both[0], marks, eventsOf(both[0], results))),
      withOthers(reference, stepList(both[1], marks)),
    ];
  }
  const parts =
    sides[0] || sides[1]
      ? undefined
      : differingParts(textOf(sorted(outputs), 2), textOf(sorted(reference), 2));
  return parts ? [text(parts[0]), text(parts[1])] : [shownValue(outputs, results), shownValue(reference)];
}

/** The trajectories of two runs with their differences marked; `undefined` for other outputs. */
export function shownRuns(
  before: ExperimentRow,
  after: ExperimentRow,
): [HTMLElement, HTMLElement] | undefined {
  const [earlier, later] = [readSteps(before.run.outputs), readSteps(after.run.outputs)];
  if (!earlier || !later) return undefined;
  const marks = markedSteps(later, earlier, ["not in the earlier run", "not in the later run"]);
  return [
    withOthers(before.run.outputs, stepList(earlier, marks, eventsOf(earlier, before.evaluationResults))),
    withOthers(after.run.outputs, stepList(later, marks, eventsOf(later, after.evaluationResults))),
  ];
}

/** A value in one line, for a table cell: the last message of a conversation, or the main field of an object, or all of them. */
export function gist(value: unknown): string {
  const last = readSteps(value)?.at(-1);
  if (last) return inLine([last.text, ...last.calls.map((call) => call.text)].find(Boolean) ?? last.title);
  if (!isRecord(value)) return inLine(textOf(cut(value)));
  const main = mainField(value);
  if (main !== value) return inLine(textOf(cut(main)));
  const texts = Object.entries(value)
    .slice(0, MAX_LENGTH)
    .map(([name, field]) => `${shown(name)}: ${textOf(cut(field))}`);
  return inLine(texts.join(", "));
}

const cut = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, MAX_LENGTH) : value);

/** No table cell shows more characters. */
const MAX_LENGTH = 300;

const inLine = (text: string): string => text.slice(0, MAX_LENGTH).replaceAll(/\s+/g, " ");
