/** The table of rows: searched, filtered, sorted, opened, and drawn a page at a time. */

import { counted, duration, whole } from "../../numerals.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { controls } from "./controls.js";
import { details, scoreText } from "./details.js";
import { breakable, h, minus, textOf } from "./dom.js";
import type { Item } from "./items.js";
import { type Order, select, type Value } from "./selection.js";
import { gist } from "./values.js";

/** So many rows are drawn at once that a page of them comes without delay. */
const PAGE = 100;

interface Column {
  title: string;
  value: Value;
  cell: (item: Item) => HTMLElement;
  /** Its class. */
  kind: string;
}

export function rowsSection(data: ReportData, items: readonly Item[]): { section: HTMLElement; show: Show } {
  const keys = Object.keys(data.experiment.aggregates);
  // Recorded outputs took no time.
  const hasTimes = data.experiment.rows.some(({ run }) => run.durationMs >= 1);
  const columns = [...textColumns, ...keys.map(scoreColumn), ...(hasTimes ? [timeColumn] : [])];
  let order: { column: Column; descending: boolean } | undefined;
  let selected: Item[] = [];
  let first = 0;

  const title = h("h2", { id: "rows", tabindex: -1 }, "Rows");
  const body = h("tbody");
  const status = h("p", { role: "status", class: "quiet" });
  const place = h("span");
  const earlier = turn("Previous", -PAGE);
  const later = turn("Next", PAGE);
  const pages = h("nav", { class: "pages", "aria-label": "Pages of rows" }, earlier, place, later);
  const heads = columns.map((column) => head(column));
  const filter = controls(data, keys, update);

  function update() {
    const by: Order | undefined = order && { value: order.column.value, descending: order.descending };
    selected = select(items, filter.read(), by);
    first = 0;
    status.textContent =
      selected.length === items.length
        ? counted(items.length, "row")
        : `${whole(selected.length)} of ${counted(items.length, "row")}`;
    draw();
  }

  function draw() {
    const drawn = selected.slice(first, first + PAGE);
    body.replaceChildren(
      ...drawn.map((item) => line(item, columns)),
      ...(drawn.length ? [] : [h("tr", {}, h("td", { colspan: columns.length }, "No row is like that."))]),
    );
    place.textContent = `${whole(first + 1)}–${whole(first + drawn.length)} of ${whole(selected.length)}`;
    pages.hidden = selected.length <= PAGE;
    earlier.disabled = first === 0;
    later.disabled = first + PAGE >= selected.length;
  }

  function turn(label: string, by: number): HTMLButtonElement {
    const onclick = () => {
      first += by;
      draw();
      title.focus();
      title.scrollIntoView();
    };
    return h("button", { type: "button", onclick }, label);
  }

  function head(column: Column): HTMLElement {
    const onclick = () => {
      if (order?.column !== column) order = { column, descending: false };
      else order = order.descending ? undefined : { column, descending: true };
      for (const [i, other] of columns.entries()) {
        const direction = order?.column === other && (order.descending ? "descending" : "ascending");
        if (direction) heads[i]?.setAttribute("aria-sort", direction);
        else heads[i]?.removeAttribute("aria-sort");
      }
      update();
    };
    const button = h("button", { type: "button", onclick }, ...breakable(column.title));
    return h("th", { scope: "col", class: column.kind }, button);
  }

  update();
  const section = h(
    "section",
    { "aria-labelledby": "rows" },
    title,
    filter.element,
    status,
    h(
      "div",
      { class: "scroll", role: "region", "aria-labelledby": "rows", tabindex: 0 },
      h("table", { class: "rows" }, h("thead", {}, h("tr", {}, ...heads)), body),
    ),
    pages,
  );
  const show: Show = (which, key) => {
    filter.set(which, key);
    title.focus();
    title.scrollIntoView();
  };
  return { section, show };
}

/** A row, with its details below it once it is opened. */
function line(item: Item, columns: readonly Column[]): HTMLElement {
  const [first, ...rest] = columns;
  const id = `row-${item.index}`;
  let opened: HTMLElement | undefined;
  const button = h(
    "button",
    { type: "button", class: "open", "aria-expanded": "false", "aria-controls": id, title: item.name },
    item.name ? textOf(item.name) : "–",
  );
  const row = h("tr", { onclick: toggle }, h("th", { scope: "row", class: first?.kind }, button));
  row.append(...rest.map(({ cell }) => cell(item)));

  function toggle(event: Event) {
    // Who selects text in a row does not want to open it.
    if (event.target !== button && getSelection()?.toString()) return;
    button.setAttribute("aria-expanded", String(!opened));
    if (opened) {
      opened.remove();
      opened = undefined;
    } else {
      opened = h("tr", { id, class: "opened" }, h("td", { colspan: columns.length }, details(item)));
      row.after(opened);
    }
  }
  return row;
}

const preview = (value: unknown): HTMLElement => h("td", { class: "text", dir: "auto" }, gist(value));

const textColumns: Column[] = [
  { title: "Row", kind: "name", value: ({ name }) => name, cell: () => h("td") },
  {
    title: "Inputs",
    kind: "text",
    value: ({ row }) => gist(row.example.inputs),
    cell: ({ row }) => preview(row.example.inputs),
  },
  {
    title: "Outputs",
    kind: "text",
    value: ({ row }) => gist(row.run.outputs),
    cell: ({ row }) =>
      row.run.error
        ? h("td", { class: "text error" }, textOf(row.run.error.message))
        : preview(row.run.outputs),
  },
];

const timeColumn: Column = {
  title: "Time",
  kind: "figure time",
  value: ({ row }) => row.run.durationMs,
  cell: ({ row }) => h("td", { class: "figure time quiet" }, duration(row.run.durationMs)),
};

const scoreColumn = (key: string): Column => ({
  title: key,
  kind: "figure",
  value: ({ scores }) => scores.get(key),
  cell(item) {
    const result = item.results.get(key);
    const change = item.flipped.has(key) && item.baseline?.evaluationResults.find((one) => one.key === key);
    if (!result) {
      return item.errors.has(key)
        ? h("td", { class: "figure error" }, "error")
        : h("td", { class: "figure quiet" }, "–");
    }
    const text = scoreText(result);
    const kind = item.failing.has(key) ? " fail" : text === "n/a" ? " quiet" : "";
    const before = change && h("span", { class: "quiet" }, `${scoreText(change)} → `);
    return h("td", { class: `figure${kind}` }, before, minus(text));
  },
});
