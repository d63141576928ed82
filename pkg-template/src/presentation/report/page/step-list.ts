/** Shows a trajectory as a timeline: its turns and steps with their calls, and the findings of evaluators at each. */

import { whole } from "../../../core/input/counts.js";
import type { ShownCall, ShownStep } from "../../steps.js";
import { textOf } from "../../value-text.js";
import { h } from "./dom.js";
import { pill } from "./pill.js";
import type { CallEvents, StepEvents } from "./step-events.js";
import type { StepMarks } from "./step-marks.js";
import { differingParts, type TextPart } from "./text-difference.js";
import { more, text } from "./text-parts.js";

const MAX_STEPS = 300;

/**
 * @param marks Where it differs from another trajectory.
 * @param events The findings of evaluators.
 */
export function stepList(steps: readonly ShownStep[], marks?: StepMarks, events?: StepEvents): HTMLElement {
  const list = h("ol", { class: "steps", tabindex: 0, "aria-label": "Steps" });
  const draw = (some: readonly ShownStep[]) =>
    list.append(...some.map((step) => stepItem(step, marks, events)));
  draw(steps.slice(0, MAX_STEPS));
  const all = () => draw(steps.slice(MAX_STEPS));
  const parts = [
    ...(events?.missing ?? []).map((missing) => h("p", { class: "broken" }, missing)),
    list,
    ...(steps.length > MAX_STEPS ? [more(`Show all ${whole(steps.length)} steps`, all)] : []),
  ];
  return parts.length > 1 ? h("div", {}, ...parts) : list;
}

function stepItem(
  step: ShownStep,
  marks: StepMarks | undefined,
  events: StepEvents | undefined,
): HTMLElement {
  const why = marks?.steps.get(step);
  const differs = why !== undefined || step.calls.some((call) => marks?.calls.has(call));
  const found = events?.steps.get(step);
  const facts = [found?.turn && `turn ${whole(found.turn)}`, found?.time].filter(Boolean).join(" · ");
  const classes = [differs && "differs", found?.turn && "turn", found?.isInLoop && "looping"];
  return h(
    "li",
    { class: classes.filter(Boolean).join(" ") || undefined },
    h("b", { dir: "auto" }, textOf(step.title)),
    facts !== "" && h("span", { class: "facts" }, facts),
    reason(why),
    step.text !== "" && text([[step.text, false]]),
    ...step.calls.flatMap((call) => callParts(call, marks, found?.calls.get(call))),
    ...(found?.own ? eventParts(found.own) : []),
    otherFields(step),
  );
}

/** Fields of a message that say nothing more: times, which are shown elsewhere, and ids. */
const LEFT_OUT = ["timestamp", "createdAt", "created_at", "tool_call_id", "id"];

function otherFields({ rest }: ShownStep): HTMLElement | false {
  const others = Object.entries(rest).filter(([name]) => !LEFT_OUT.includes(name));
  return others.length > 0 && h("p", { class: "note" }, textOf(Object.fromEntries(others)));
}

function callParts(call: ShownCall, marks: StepMarks | undefined, events: CallEvents | undefined) {
  const mark = marks?.calls.get(call);
  const side = mark?.other && differingParts(call.text, mark.other.text)?.[0];
  const parts: TextPart[] = side ?? [[call.text, mark !== undefined]];
  return [text([["→ ", false], ...parts]), reason(mark?.why), ...(events ? eventParts(events) : [])];
}

/** The outcome of a call, the rules that it breaks, and the loops that begin with it. */
const eventParts = ({ status, broken, loops }: CallEvents): HTMLElement[] => [
  ...(status === undefined ? [] : [h("p", {}, pill(STATUS[status] ?? "error", status))]),
  ...broken.map((comment) => h("p", { class: "broken" }, comment)),
  ...loops.map((comment) => h("p", { class: "why" }, comment)),
];

const STATUS: Record<string, "pass" | "fail" | ""> = { ok: "pass", recovered: "", unanswered: "" };

const reason = (why: string | undefined) => why !== undefined && h("p", { class: "why" }, why);
