/** The table of rows: searched, filtered, sorted, opened, and drawn a page at a time. */

import { counted, whole } from "../../numerals.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { type Column, columnsOf } from "./columns.js";
import { controls } from "./controls.js";
import { csvOf } from "./csv.js";
import { details } from "./details.js";
import { breakable, h, textOf } from "./dom.js";
import { download, experimentWith, fileName } from "./download.js";
import type { Item } from "./items.js";
import { type Order, select } from "./selection.js";

/** So many rows are drawn at once that a page of them comes without delay. */
const PAGE = 100;

export function rowsSection(data: ReportData, items: readonly Item[]): { section: HTMLElement; show: Show } {
  const keys = Object.keys(data.experiment.aggregates);
  const columns = columnsOf(data, items, keys);
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
      ...drawn.map((item) => line(item, columns, data)),
      ...(drawn.length ? [] : [h("tr", {}, h("td", { colspan: columns.length }, "No row is like that."))]),
    );
    place.textContent = `${whole(first + 1)}–${whole(first + drawn.length)} of ${whole(selected.length)}`;
    pages.hidden = selected.length <= PAGE;
    earlier.disabled = first === 0;
    later.disabled = first + PAGE >= selected.length;
  }

  /** The rows that are shown, in their order. */
  function saveCsv() {
    // Without the mark at the beginning, spreadsheets take it for another encoding.
    download(`${savedName()}.csv`, "text/csv;charset=utf-8", `\ufeff${csvOf(selected, keys)}`);
  }

  function saveJson() {
    const { experiment } = data;
    const rows = selected.map(({ row }) => row);
    const saved = selected.length === items.length ? experiment : experimentWith(experiment, rows);
    download(`${savedName()}.json`, "application/json", `${JSON.stringify(saved)}\n`);
  }

  function savedName(): string {
    const some =
      selected.length === items.length ? "" : `-${counted(selected.length, "row").replaceAll(/[ ,]/g, "-")}`;
    return fileName(data.experiment.experimentName) + some;
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
    h("div", { class: "toolbar" }, status, save("CSV", saveCsv), save("JSON", saveJson)),
    h(
      "div",
      { class: "scroll", role: "group", "aria-labelledby": "rows", tabindex: 0 },
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

const save = (kind: string, onclick: () => void) =>
  h(
    "button",
    { type: "button", class: "link", title: "The rows that are shown", onclick },
    `Download ${kind}`,
  );

/** A row, with its details below it once it is opened. */
function line(item: Item, columns: readonly Column[], data: ReportData): HTMLElement {
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
      opened = h("tr", { id, class: "opened" }, h("td", { colspan: columns.length }, details(item, data)));
      row.after(opened);
      // Where a long trajectory differs is what it was opened for.
      for (const list of opened.querySelectorAll<HTMLElement>(".steps")) {
        const first = list.querySelector<HTMLElement>(".differs");
        if (first) list.scrollTop = first.offsetTop - list.offsetTop - 8;
      }
    }
  }
  return row;
}
