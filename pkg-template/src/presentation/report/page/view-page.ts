/** The page of `view`: a live report of a file, whose rows can be labelled. */

import { identity } from "../../../core/records/row-identity.js";
import { titleOf } from "../../story/headline.js";
import type { LabelLine, ViewData } from "../data.js";
import { numbersIn } from "../label-numbers.js";
import { h } from "./dom.js";
import { type Item, type LabelledItem, readRows } from "./items.js";
import { labellingOf } from "./labelling.js";
import { followLinks, linkedItem } from "./links.js";
import { RowsSection } from "./rows.js";
import { labelName } from "./selection.js";
import { topOf } from "./top.js";

const initial: ViewData = JSON.parse(document.querySelector("#data")?.textContent ?? "");

/** The labels so far, by the identity of the row; `undefined` if rows cannot be labelled. */
const labels = initial.labels && new Map<string, LabelledItem>(initial.labels.map(entryOf));

let version = initial.version;
let { report } = initial;
let items = itemsOf(initial);
let hasScores = !labels;
const labelling =
  labels && labellingOf({ numbers: numbersIn(report), items: () => items, shown, visit, save });
const rows = new RowsSection(report, items, labelling && { onOpen: labelling.onOpen, onScores });
const top = h("div");
const state = h("p", { class: "live quiet" });
drawTop();
document.body.append(h("main", {}, state, top, rows.section), ...(labelling ? [labelling.element] : []));
labelling?.update();
followLinks(() => items, open);
if (labelling && !linkedItem(items)) openUnlabelled();
void follow();

/** Opens a row, as the current one of the labels. */
function open(item: Item): void {
  rows.goTo(item);
  labelling?.onOpen(item);
}

function openUnlabelled(): void {
  const first = items.find((item) => labelName(item) === "unlabelled");
  if (first) open(first);
}

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

function drawTop(): void {
  document.title = hasScores ? titleOf(report) : report.experiment.experimentName;
  top.replaceChildren(...topOf(report, rows, hasScores));
}

function onScores(areShown: boolean): void {
  hasScores = areShown;
  drawTop();
}

/** Saves a label to the file. Throws the message of the program if that fails. */
async function save(item: Item, label: LabelledItem): Promise<void> {
  const { example, run } = item.row;
  const response = await fetch("labels", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ id: example.id, repetition: run.repetition, ...label }),
  }).catch(() => {
    throw new Error("The program has ended. Start it again with the same file, and reload this page.");
  });
  if (!response.ok) throw new Error(await response.text());
  labels?.set(item.identity, label);
  for (const one of items) if (one.identity === item.identity) one.label = label;
  rows.redraw();
}

/** Polls for newer data while the program runs. */
async function follow(): Promise<void> {
  for (;;) {
    const started = performance.now();
    try {
      if (document.visibilityState === "visible") await take();
    } catch {
      state.textContent = "The program has ended. This page no longer updates.";
      state.classList.add("error");
      return;
    }
    // Poll large files less often.
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
    report = newer.report;
    drawTop();
    rows.replace(report, items);
    labelling?.update();
  }
  state.textContent = "Live: updates when the file changes.";
}
