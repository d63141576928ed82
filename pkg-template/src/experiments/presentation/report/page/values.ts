/** Inputs and outputs: text, trajectories, and all else as JSON. */

import { whole } from "../../../../core/records/numerals.js";
import type { EvaluationResult } from "../../../../core/records/types.js";
import { h, shown, sorted, textOf } from "./dom.js";
import { type Marks, markedSteps, toldMarks } from "./step-marks.js";
import { readSteps, type ShownStep } from "./steps.js";
import { differingParts, type TextPart } from "./text-difference.js";

/** Longer texts are cut until somebody wants to see all of them: browsers take their time to lay them out. */
export const LONGEST_TEXT = 20_000;
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
    const both: [ShownStep[], ShownStep[]] = [sides[0], sides[1]];
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

/** Text of any length. */
export const longText = (content: string): HTMLElement => text([[content, false]]);

function text(parts: readonly TextPart[]): HTMLElement {
  const size = parts.reduce((sum, [part]) => sum + part.length, 0);
  const pre = h("pre", { tabindex: 0, dir: "auto" });
  if (size <= LONGEST_TEXT) {
    pre.append(...parts.map(marked));
    return pre;
  }
  const pieces = piecesOf(parts);
  const draw = (some: readonly TextPart[][]) =>
    pre.append(...some.map((piece) => h("span", { class: "piece" }, ...piece.map(marked))));
  draw(pieces.slice(0, 1));
  return h(
    "div",
    {},
    pre,
    more(`Show all ${whole(size)} characters`, () => draw(pieces.slice(1))),
  );
}

const marked = ([part, differs]: TextPart): HTMLElement | string => (differs ? h("mark", {}, part) : part);

/** The parts in pieces that are laid out one by one: lines of a text of a megabyte are not found in seconds. */
function piecesOf(parts: readonly TextPart[]): TextPart[][] {
  const pieces: TextPart[][] = [];
  let left = 0;
  for (const [part, differs] of parts) {
    for (let start = 0; start < part.length; ) {
      if (!left) {
        pieces.push([]);
        left = LONGEST_TEXT;
      }
      const end = start + Math.min(left, part.length - start);
      // At the end of a line or of a word, if there is one.
      const lastBreak =
        end < part.length ? Math.max(part.lastIndexOf("\n", end), part.lastIndexOf(" ", end)) : -1;
      const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(part.slice(end - 1, end + 1));
      const cut = lastBreak > start ? lastBreak + 1 : isPair ? end + 1 : end;
      pieces.at(-1)?.push([part.slice(start, cut), differs]);
      left = cut < part.length ? 0 : Math.max(0, left - (cut - start));
      start = cut;
    }
  }
  return pieces;
}

function stepList(steps: readonly ShownStep[], marks?: Marks): HTMLElement {
  const list = h("ol", { class: "steps", tabindex: 0, "aria-label": "Steps" });
  const draw = (some: readonly ShownStep[]) => list.append(...some.map((step) => stepItem(step, marks)));
  draw(steps.slice(0, MOST_STEPS));
  if (steps.length <= MOST_STEPS) return list;
  const all = () => draw(steps.slice(MOST_STEPS));
  return h("div", {}, list, more(`Show all ${whole(steps.length)} steps`, all));
}

function stepItem(step: ShownStep, marks: Marks | undefined): HTMLElement {
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
      const parts: TextPart[] = side ?? [[call.text, mark !== undefined]];
      return [text([["→ ", false], ...parts]), reason(mark?.why)];
    }),
    Object.keys(step.rest).length > 0 && h("p", { class: "note" }, textOf(step.rest)),
  );
}

const reason = (why: string | undefined) => why !== undefined && h("p", { class: "why" }, why);

/** A button that does something once; what stands before it has the focus then. */
function more(label: string, show: () => void): HTMLElement {
  const button = h("button", { type: "button", class: "link" }, label);
  button.addEventListener("click", () => {
    show();
    if (button.previousElementSibling instanceof HTMLElement) button.previousElementSibling.focus();
    button.remove();
  });
  return button;
}
