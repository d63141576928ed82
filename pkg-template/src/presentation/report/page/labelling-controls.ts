/** The visible part of the bar for labelling: buttons, a note, and keyboard shortcuts. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { shown } from "../../value-text.js";
import { h } from "./dom.js";
import type { Item, LabelledItem } from "./items.js";
import { labelName } from "./selection.js";

/** What the controls do. */
export interface LabellingActions {
  go(by: 1 | -1): void;
  label(verdict: LabelledItem["label"]): Promise<void>;
  /** Saves the note of the current row. */
  keepNote(): Promise<void>;
  /** Does one thing after the other, and then redraws. */
  enqueue(act: () => void | Promise<void>): void;
  current(): Item | undefined;
}

/** The state that the controls show. */
interface ShownState {
  /** The current row. */
  here: Item | undefined;
  items: readonly Item[];
  hasPrevious: boolean;
  hasNext: boolean;
}

export interface LabellingControls {
  element: HTMLElement;
  /** The field of the note. */
  note: HTMLInputElement;
  show(state: ShownState): void;
  /** Shows why a label was not saved; nothing if it was. */
  showProblem(message: string): void;
}

/** A button with its key. */
interface Control {
  name: string;
  key: string | undefined;
  run: () => void;
  button: HTMLButtonElement;
}

/** Draws the controls, and listens to keys. */
export function controlsOf(numbers: readonly number[], actions: LabellingActions): LabellingControls {
  const control = (name: string, key: string | undefined, act: () => void | Promise<void>): Control => {
    const run = () => actions.enqueue(act);
    const button = h("button", { type: "button", "aria-keyshortcuts": key, onclick: run }, name);
    return { name: name.toLowerCase(), key, run, button };
  };
  const previous = control("Previous", "k", () => actions.go(-1));
  const next = control("Next", "j", () => actions.go(1));
  const pass = control("Pass", "p", () => actions.label(true));
  const fail = control("Fail", "f", () => actions.label(false));
  // A key is one digit.
  const digits = numbers.filter((number) => number < 10);
  const scores = numbers.map((number) =>
    control(`${number}`, number < 10 ? `${number}` : undefined, () => actions.label(number)),
  );
  const clear = control("Clear", "u", () => actions.label(null));
  const controls = [previous, next, pass, fail, ...scores, clear];
  const verdicts = new Map<Control, boolean | number | undefined>([
    [pass, true],
    [fail, false],
    ...scores.map((score, index): [Control, number | undefined] => [score, numbers[index]]),
  ]);

  const status = h("p", { role: "status" });
  const problem = h("p", { role: "alert", class: "error" });
  const note = h("input", {
    id: "note",
    autocomplete: "off",
    maxlength: 2000,
    onchange: () => actions.enqueue(actions.keepNote),
  });
  const keys = h("input", { type: "checkbox", id: "keys", checked: true });
  const element = h(
    "section",
    { class: "labelling", "aria-label": "Labels" },
    h("div", { class: "said" }, status, problem),
    h(
      "div",
      { class: "actions" },
      ...controls.map(({ button }) => button),
      h("label", { for: "note" }, h("span", {}, "Note"), note),
    ),
    h(
      "p",
      { class: "keys quiet" },
      h("label", { for: "keys" }, keys, " Keyboard"),
      ...[next, previous, pass, fail, clear].flatMap(({ key, name }) => help(key, name)),
      ...(digits.length ? help(`${digits[0]}–${digits.at(-1)}`, "score") : []),
      ...help("n", "note"),
      ...help("Esc", "leave the note"),
    ),
  );
  listenToKeys(controls, { note, areOn: () => keys.checked, current: actions.current });

  return {
    element,
    note,
    show({ here, items, hasPrevious, hasNext }) {
      const done = items.filter((one) => labelName(one) !== "unlabelled").length;
      const advice = done === items.length ? ". calibrate() of openevals-wasm/judges reads the file" : "";
      const progress = `${whole(done)} of ${counted(items.length, "row")} labelled${advice}`;
      status.replaceChildren(
        ...(here
          ? [h("b", { dir: "auto" }, shown(here.name)), `: ${labelName(here)} · ${progress}`]
          : [progress]),
      );
      for (const { button } of [...verdicts.keys(), clear]) button.disabled = !here;
      note.disabled = !here;
      for (const [{ button }, verdict] of verdicts)
        button.setAttribute("aria-pressed", String(here?.label?.label === verdict));
      previous.button.disabled = !hasPrevious;
      next.button.disabled = !hasNext;
    },
    showProblem(message) {
      problem.textContent = message;
    },
  };
}

/** What shortcuts depend on. */
interface Keyboard {
  note: HTMLInputElement;
  /** Whether the user has shortcuts turned on. */
  areOn(): boolean;
  current(): Item | undefined;
}

function listenToKeys(controls: readonly Control[], { note, areOn, current }: Keyboard): void {
  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target === note && (key === "Escape" || key === "Enter")) {
      if (key === "Escape") note.value = current()?.label?.note ?? "";
      note.blur();
      if (current()) document.querySelector<HTMLElement>('[aria-current="true"] button')?.focus();
      event.preventDefault();
      return;
    }
    // Shortcuts must not interfere with typing, and can be turned off.
    if (!areOn() || isField(target)) return;
    if (key === "n") note.focus();
    else {
      const shortcut = controls.find((one) => one.key === key);
      if (!shortcut) return;
      shortcut.run();
    }
    event.preventDefault();
  });
}

const help = (key = "", name: string) => [h("span", {}, h("kbd", {}, key), ` ${name}`)];

/** Whether an element takes text; a checkbox does not. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'));
