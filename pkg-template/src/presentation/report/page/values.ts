/** Inputs and outputs: text, trajectories, and all else as JSON. */

import type { EvaluationResult } from "../../../experiment/types.js";
import { whole } from "../../numerals.js";
import { h, shown, sorted, textOf } from "./dom.js";
import { type Marks, markedSteps, toldMarks } from "./step-marks.js";
import { readSteps, type Step } from "./steps.js";
import { differingParts, type Part } from "./text-difference.js";

/** Longer texts are cut until somebody wants to see all of them: browsers take their time to lay them out. */
const LONGEST_TEXT = 20_000;
const MOST_STEPS = 300;

export function shownValue(value: unknown): HTMLElement {
  const steps = readSteps(value);
  return steps ? stepList(steps) : text([[textOf(sorted(value), 2), false]]);
}

/** Outputs and their reference, with what differs marked: words of texts and of JSON, steps of trajectories. */
export function shownBeside(
  outputs: unknown,
  reference: unknown,
  results: readonly EvaluationResult[],
): [HTMLElement, HTMLElement] {
  const sides = [readSteps(outputs), readSteps(reference)];
  if (sides[0] && sides[1]) {
    const both: [Step[], Step[]] = [sides[0], sides[1]];
    const derived = markedSteps(...both);
    const marks = toldMarks(results, both, derived) ?? derived;
    return [stepList(both[0], marks), stepList(both[1], marks)];
  }
  const parts =
    sides[0] || sides[1]
      ? undefined
      : differingParts(textOf(sorted(outputs), 2), textOf(sorted(reference), 2));
  return parts ? [text(parts[0]), text(parts[1])] : [shownValue(outputs), shownValue(reference)];
}

/**
 * A value in one line, which is cut where its column ends: of a conversation the end, of
 * an object its fields, of a single field what is in it.
 */
export function gist(value: unknown): string {
  const last = readSteps(value)?.at(-1);
  if (last) return inLine([last.text, ...last.calls.map((call) => call.text)].find(Boolean) ?? last.title);
  if (typeof value !== "object" || !value || Array.isArray(value)) return inLine(textOf(cut(value)));
  const fields = Object.entries(value);
  if (fields.length === 1) return inLine(textOf(cut(fields[0]?.[1])));
  const texts = fields.slice(0, MOST).map(([name, field]) => `${shown(name)}: ${textOf(cut(field))}`);
  return inLine(texts.join(", "));
}

const cut = (value: unknown): unknown => (typeof value === "string" ? value.slice(0, MOST) : value);

/** More than this would never be seen. */
const MOST = 300;

const inLine = (text: string): string => text.slice(0, MOST).replaceAll(/\s+/g, " ");

function text(parts: readonly Part[]): HTMLElement {
  const size = parts.reduce((sum, [part]) => sum + part.length, 0);
  const pre = h("pre", { tabindex: 0, dir: "auto" });
  let left = LONGEST_TEXT;
  for (const [part, differs] of parts) {
    const seen = part.slice(0, Math.max(0, left));
    left -= part.length;
    if (seen) pre.append(differs ? h("mark", {}, seen) : seen);
  }
  if (left >= 0) return pre;
  const all = () =>
    pre.replaceChildren(...parts.map(([part, differs]) => (differs ? h("mark", {}, part) : part)));
  return h("div", {}, pre, more(`Show all ${whole(size)} characters`, all));
}

function stepList(steps: readonly Step[], marks?: Marks): HTMLElement {
  const list = h("ol", { class: "steps", tabindex: 0, "aria-label": "Steps" });
  const draw = (some: readonly Step[]) => list.append(...some.map((step) => stepItem(step, marks)));
  draw(steps.slice(0, MOST_STEPS));
  if (steps.length <= MOST_STEPS) return list;
  const all = () => draw(steps.slice(MOST_STEPS));
  return h("div", {}, list, more(`Show all ${whole(steps.length)} steps`, all));
}

function stepItem(step: Step, marks: Marks | undefined): HTMLElement {
  const why = marks?.steps.get(step);
  const differs = why !== undefined || step.calls.some((call) => marks?.calls.has(call));
  return h(
    "li",
    { class: differs && "differs" },
    h("b", { dir: "auto" }, textOf(step.title)),
    reason(why),
    step.text !== "" && text([[step.text, false]]),
    ...step.calls.flatMap((call) => {
      const mark = marks?.calls.get(call);
      const side = mark?.other && differingParts(call.text, mark.other.text)?.[0];
      const parts: Part[] = side ?? [[call.text, mark !== undefined]];
      return [text([["→ ", false], ...parts]), reason(mark?.why)];
    }),
    Object.keys(step.rest).length > 0 && h("p", { class: "note" }, textOf(step.rest)),
  );
}

const reason = (why: string | undefined) => why !== undefined && h("p", { class: "why" }, why);

/** A button that does something once. */
function more(label: string, show: () => void): HTMLElement {
  const button = h("button", { type: "button", class: "link" }, label);
  button.addEventListener("click", () => {
    show();
    button.remove();
  });
  return button;
}
