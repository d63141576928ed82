/** Labelling: the current row, and what is saved of it. */

import { shown as shownText } from "../../value-text.js";
import type { Item, LabelledItem } from "./items.js";
import { controlsOf } from "./labelling-controls.js";
import type { Labelling } from "./rows.js";

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

/** Makes the bar for labelling rows. */
export function labellingOf({ numbers, items, shown, visit, save }: LabellingPage): LabellingBar {
  /** The identity of the current row. */
  let here: string | undefined;
  /** Runs actions in order: the user may type faster than the file is written. */
  let queue: Promise<void> = Promise.resolve();
  const controls = controlsOf(numbers, { go, label, keepNote, enqueue, current });
  const { element, note } = controls;

  function current(): Item | undefined {
    return items().find(({ identity }) => identity === here);
  }

  function enqueue(act: () => void | Promise<void>) {
    queue = queue.then(async () => {
      try {
        await act();
        controls.showProblem("");
      } catch (error) {
        controls.showProblem(`Not saved: ${shownText((error as Error).message)}`);
      }
      update();
    });
  }

  /** The row after or before the current one; without a current row, the first or the last. */
  function neighbour(by: 1 | -1): Item | undefined {
    const all = shown();
    const index = all.findIndex(({ identity }) => identity === here);
    return index < 0 ? all.at(by > 0 ? 0 : -1) : index + by < 0 ? undefined : all[index + by];
  }

  function enter(item: Item) {
    here = item.identity;
    note.value = item.label?.note ?? "";
  }

  function go(by: 1 | -1) {
    const to = neighbour(by);
    if (!to) return;
    enter(to);
    visit(to);
  }

  async function label(verdict: LabelledItem["label"]) {
    const labelled = current();
    if (!labelled) return;
    // Find the next row first: saving may filter this one out.
    const after = verdict === null ? undefined : neighbour(1);
    await save(labelled, noted(verdict));
    if (!after) return;
    enter(after);
    visit(after);
  }

  async function keepNote() {
    const noting = current();
    if (!noting || note.value.trim() === (noting.label?.note ?? "")) return;
    await save(noting, noted(noting.label?.label ?? null));
  }

  function noted(verdict: LabelledItem["label"]): LabelledItem {
    const text = note.value.trim();
    return { label: verdict, ...(text && { note: text }) };
  }

  function update() {
    const [hasPrevious, hasNext] = [neighbour(-1) !== undefined, neighbour(1) !== undefined];
    controls.show({ here: current(), items: items(), hasPrevious, hasNext });
  }

  return {
    element,
    update,
    onOpen(opened) {
      enter(opened);
      update();
    },
  };
}
