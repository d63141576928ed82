/** The page of `view`: the report of a file as it grows, whose rows are labelled. */

import type { LabelLine, ViewData } from "../data.js";
import { cards } from "./cards.js";
import { costs } from "./cost.js";
import { h } from "./dom.js";
import { heading } from "./heading.js";
import { type Item, identity, type LabelledItem, readRows } from "./items.js";
import { labellingOf } from "./labelling.js";
import { rowsSection } from "./rows.js";
import { summary } from "./summary-results.js";

const given: ViewData = JSON.parse(document.querySelector("#data")?.textContent ?? "");

/** The labels so far, by the identities of rows; nothing where rows are not labelled. */
const labels = given.labels && new Map<string, LabelledItem>(given.labels.map(entryOf));

let version = given.version;
let items = itemsOf(given);
const labelling = labels && labellingOf({ items: () => items, shown, visit, save });
const rows = rowsSection(given.report, items, labelling);
const top = h("div");
const state = h("p", { class: "live quiet" });
drawTop(given);
document.body.append(h("main", {}, state, top, rows.section), ...(labelling ? [labelling.element] : []));
labelling?.update();
void follow();

function shown(): readonly Item[] {
  return rows.shown();
}

function visit(item: Item): void {
  rows.visit(item);
}

function entryOf({ id, repetition, label, note }: LabelLine): [string, LabelledItem] {
  return [identity(id, repetition), { label, ...(note === undefined ? undefined : { note }) }];
}

function itemsOf({ report }: ViewData): Item[] {
  const read = readRows(report);
  for (const item of read) item.label = labels?.get(item.identity);
  return read;
}

function drawTop({ report }: ViewData): void {
  const parts = [heading(report), cards(report, rows.show), summary(report), costs(report)];
  top.replaceChildren(...parts.filter((part) => part !== undefined));
}

/** Has a label written to the file; throws what the program says if it cannot be. */
async function save(item: Item, label: LabelledItem): Promise<void> {
  const { example, run } = item.row;
  const response = await fetch("labels", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: example.id, repetition: run.repetition, ...label }),
  });
  if (!response.ok) throw new Error(await response.text());
  labels?.set(item.identity, label);
  for (const one of items) if (one.identity === item.identity) one.label = label;
  rows.redraw();
}

/** Asks for what is newer, for as long as the page is open and the program runs. */
async function follow(): Promise<void> {
  for (;;) {
    const started = performance.now();
    try {
      if (document.visibilityState === "visible") await take();
    } catch {
      state.textContent = "The program has ended; the page stays as it was.";
      state.classList.add("error");
      return;
    }
    // What is large is asked for less often.
    const took = performance.now() - started;
    await new Promise((resolve) => setTimeout(resolve, Math.max(1000, 10 * took)));
  }
}

async function take(): Promise<void> {
  const response = await fetch(`data?since=${encodeURIComponent(version)}`, { cache: "no-store" });
  if (!response.ok) throw new Error(response.statusText);
  if (response.status === 200) {
    const newer: ViewData = await response.json();
    version = newer.version;
    items = itemsOf(newer);
    drawTop(newer);
    rows.replace(newer.report, items);
    labelling?.update();
  }
  state.textContent = "Live: what is written to the file shows here.";
}
