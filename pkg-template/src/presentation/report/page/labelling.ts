/** The bar for labelling rows, with buttons and keyboard shortcuts. */

import { counted, whole } from "../../../core/records/numerals.js";
import { h, shown as shownText } from "./dom.js";
import type { Item, LabelledItem } from "./items.js";
import type { Labelling } from "./rows.js";
import { labelName } from "./selection.js";

/** The parts of the page that labelling uses. */
interface LabellingPage {
  /** The numbers that can be labels. */
  numbers: readonly number[];
  items(): readonly Item[];
  /** The rows of the table, in order. */
  shown(): readonly Item[];
  visit(item: Item): void;
  save(item: Item, label: LabelledItem): Promise<void>;
}

interface LabellingBar extends Pick<Labelling, "onOpen"> {
  element: HTMLElement;
  /** Redraws the label of the current row. */
  update(): void;
}

export function labellingOf({ numbers, items, shown, visit, save }: LabellingPage): LabellingBar {
  let current: string | undefined;
  /** Runs actions in order: the user may type faster than the file is written. */
  let queue: Promise<void> = Promise.resolve();

  const status = h("p", { role: "status" });
  const problem = h("p", { role: "alert", class: "error" });
  const note = h("input", {
    id: "note",
    autocomplete: "off",
    maxlength: 2000,
    onchange: () => enqueue(keepNote),
  });
  const previous = action("Previous", "k", () => go(-1));
  const next = action("Next", "j", () => go(1));
  const pass = action("Pass", "p", () => label(true));
  const fail = action("Fail", "f", () => label(false));
  // A key is one digit.
  const digits = numbers.filter((number) => number < 10);
  const scores = numbers.map((number) =>
    action(`${number}`, number < 10 ? `${number}` : undefined, () => label(number)),
  );
  const clear = action("Clear", "u", () => label(null));
  const keys = h("input", { type: "checkbox", id: "keys", checked: true });
  const element = h(
    "section",
    { class: "labelling", "aria-label": "Labels" },
    h("div", { class: "said" }, status, problem),
    h(
      "div",
      { class: "actions" },
      ...[previous, next, pass, fail, ...scores, clear].map(({ button }) => button),
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

  const item = () => items().find(({ identity }) => identity === current);

  function action(name: string, key: string | undefined, act: () => void | Promise<void>) {
    const run = () => enqueue(act);
    const button = h("button", { type: "button", "aria-keyshortcuts": key, onclick: run }, name);
    return { name: name.toLowerCase(), key, run, button };
  }

  function enqueue(act: () => void | Promise<void>) {
    queue = queue.then(async () => {
      try {
        await act();
        problem.textContent = "";
      } catch (error) {
        problem.textContent = `Not saved: ${shownText((error as Error).message)}`;
      }
      update();
    });
  }

  /** The row after or before the current one; without a current row, the first or the last. */
  function neighbour(by: 1 | -1): Item | undefined {
    const all = shown();
    const index = all.findIndex(({ identity }) => identity === current);
    return index < 0 ? all.at(by > 0 ? 0 : -1) : index + by < 0 ? undefined : all[index + by];
  }

  function go(by: 1 | -1) {
    const to = neighbour(by);
    if (!to) return;
    current = to.identity;
    visit(to);
    note.value = to.label?.note ?? "";
  }

  async function label(verdict: LabelledItem["label"]) {
    const labelled = item();
    if (!labelled) return;
    // Find the next row first: saving may filter this one out.
    const after = verdict === null ? undefined : neighbour(1);
    await save(labelled, noted(verdict));
    if (!after) return;
    current = after.identity;
    visit(after);
    note.value = after.label?.note ?? "";
  }

  async function keepNote() {
    const noting = item();
    if (!noting || note.value.trim() === (noting.label?.note ?? "")) return;
    await save(noting, noted(noting.label?.label ?? null));
  }

  function noted(verdict: LabelledItem["label"]): LabelledItem {
    const text = note.value.trim();
    return { label: verdict, ...(text && { note: text }) };
  }

  function update() {
    const here = item();
    const all = items();
    const done = all.filter((one) => labelName(one) !== "unlabelled").length;
    const progress = `${whole(done)} of ${counted(all.length, "row")} labelled`;
    status.replaceChildren(
      ...(here
        ? [h("b", { dir: "auto" }, shownText(here.name)), `: ${labelName(here)} · ${progress}`]
        : [progress]),
    );
    for (const { button } of [pass, fail, ...scores, clear]) button.disabled = !here;
    note.disabled = !here;
    for (const [{ button }, verdict] of [
      [pass, true],
      [fail, false],
      ...scores.map((score, index) => [score, numbers[index]] as const),
    ] as const)
      button.setAttribute("aria-pressed", String(here?.label?.label === verdict));
    previous.button.disabled = !neighbour(-1);
    next.button.disabled = !neighbour(1);
  }

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target === note && (key === "Escape" || key === "Enter")) {
      if (key === "Escape") note.value = item()?.label?.note ?? "";
      note.blur();
      const here = item();
      if (here) document.querySelector<HTMLElement>('[aria-current="true"] button')?.focus();
      event.preventDefault();
      return;
    }
    // Shortcuts must not interfere with typing, and can be turned off.
    if (!keys.checked || isField(target)) return;
    if (key === "n") note.focus();
    else {
      const shortcut = [previous, next, pass, fail, ...scores, clear].find((one) => one.key === key);
      if (!shortcut) return;
      shortcut.run();
    }
    event.preventDefault();
  });

  return {
    element,
    update,
    onOpen(opened) {
      current = opened.identity;
      note.value = opened.label?.note ?? "";
      update();
    },
  };
}

const help = (key = "", name: string) => [h("span", {}, h("kbd", {}, key), ` ${name}`)];

/** Whether an element takes text; a checkbox does not. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'));
