/** The modes of a match, each with its result, one of which is drawn. */

import type { TrajectoryMatchMode } from "openevals-wasm";
import { h, newId } from "../../../shared/dom.js";
import { shown, verdictOf } from "../../../shared/scores.js";
import { MODES, type Verdict } from "./matching.js";

const ASKS: Record<TrajectoryMatchMode, string> = {
  strict: "the same messages by role, in the same order, each with the same calls",
  unordered: "the same calls, in any order",
  subset: "no call that the reference does not have",
  superset: "every call that the reference has",
};

/** A card for each mode. */
export class Modes {
  readonly element: HTMLFieldSetElement;
  readonly #group = newId();
  readonly #cards = new Map<TrajectoryMatchMode, HTMLElement>();

  constructor(changed: () => void) {
    this.element = h(
      "fieldset",
      { class: "modes", onchange: changed },
      h("legend", { class: "unseen" }, "Mode that is drawn"),
      ...MODES.map((mode) => this.#card(mode)),
    );
  }

  get mode(): TrajectoryMatchMode {
    return this.element.querySelector<HTMLInputElement>("input:checked")?.value as TrajectoryMatchMode;
  }

  set mode(mode: string) {
    const inputs = Array.from(this.element.querySelectorAll("input"));
    const chosen = inputs.find(({ value }) => value === mode) ?? inputs[0];
    if (chosen) chosen.checked = true;
  }

  show(verdicts: readonly Verdict[]): void {
    this.element.hidden = false;
    for (const verdict of verdicts) this.#cards.get(verdict.mode)?.replaceChildren(...resultOf(verdict));
  }

  #card(mode: TrajectoryMatchMode): HTMLElement {
    const result = h("div", { class: "result" }, verdictOf(undefined));
    this.#cards.set(mode, result);
    return h(
      "label",
      { class: "mode", "data-mode": mode },
      h("input", { type: "radio", name: this.#group, value: mode }),
      h("span", { class: "title" }, mode),
      h("span", { class: "asks" }, ASKS[mode]),
      result,
    );
  }
}

function resultOf({ score, comment, f1 }: Verdict): HTMLElement[] {
  return [
    h("span", { class: "pair" }, verdictOf(score), h("span", { class: "f1" }, "F1 ", h("b", {}, shown(f1)))),
    ...(comment ? [h("span", { class: "comment", title: comment }, h("bdi", {}, comment))] : []),
  ];
}
