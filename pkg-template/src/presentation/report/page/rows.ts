/** The table of rows, with search, filters, sorting, details and pages. */

import { counted, whole } from "../../../core/records/numerals.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { columnsOf, type ReportColumn } from "./columns.js";
import { controls } from "./controls.js";
import { details } from "./details.js";
import { breakable, h } from "./dom.js";
import type { Item } from "./items.js";
import { pager } from "./pager.js";
import { rowDownloads } from "./row-downloads.js";
import { detailsId, rowId, rowLines, scrollToDifference } from "./row-lines.js";
import { type Order, select } from "./selection.js";
import { scrollable } from "./tables.js";

/** The number of rows of a page: few enough to draw without delay. */
const PAGE = 100;

export interface RowsSection {
  section: HTMLElement;
  show: Show;
  /** Replaces the data. The filters, the order and the open rows stay. */
  replace(data: ReportData, items: readonly Item[]): void;
  /** Redraws the rows. */
  redraw(): void;
  /** The rows that pass the filters, in order, on all pages. */
  shown(): readonly Item[];
  /** Makes a row the current one: closes all others, opens it and scrolls to it. */
  visit(item: Item): void;
  /** Visits a row, which may be filtered out: then all rows are shown. */
  goTo(item: Item): void;
}

/** The hooks of the page for labelling, on which the scores are hidden at first: a person who sees them follows them. */
export interface Labelling {
  /** Called with a row that the user opens. */
  onOpen(item: Item): void;
  /** Called when the user shows or hides the scores. */
  onScores(areShown: boolean): void;
}

export function rowsSection(
  initialData: ReportData,
  initialItems: readonly Item[],
  labelling?: Labelling,
): RowsSection {
  let data = initialData;
  let items = initialItems;
  let keys = Object.keys(data.experiment.aggregates);
  let hasScores = !labelling;
  let columns = currentColumns();
  let order: { title: string; descending: boolean } | undefined;
  let selected: Item[] = [];
  const lines = rowLines(detailsOf, labelling?.onOpen);

  const title = h("h2", { id: "rows", tabindex: -1 }, "Rows");
  const body = h("tbody");
  const status = h("p", { role: "status", class: "quiet" });
  const pages = pager(PAGE, () => {
    draw();
    toTitle();
  });
  const heads = h("tr");
  const filter = controls(data, keys, labelling !== undefined, () => update());

  function currentColumns() {
    return columnsOf(data, items, hasScores ? keys : [], labelling !== undefined);
  }

  function update(isNew = true) {
    const column = order && columns.find(({ title }) => title === order?.title);
    const by: Order | undefined = order && column && { value: column.value, descending: order.descending };
    selected = select(items, filter.read(), by);
    if (isNew || pages.first >= selected.length) pages.first = 0;
    const focused = Array.from(heads.children).findIndex((one) => one.contains(document.activeElement));
    heads.replaceChildren(...columns.map(head));
    heads.children[focused]?.querySelector("button")?.focus();
    status.textContent =
      selected.length === items.length
        ? counted(items.length, "row")
        : `${whole(selected.length)} of ${counted(items.length, "row")}`;
    draw();
  }

  function draw() {
    const drawn = selected.slice(pages.first, pages.first + PAGE);
    const focused = document.activeElement?.closest("tr")?.id;
    body.replaceChildren(
      ...drawn.flatMap((item) => lines.of(item, columns)),
      ...(drawn.length ? [] : [h("tr", {}, h("td", { colspan: columns.length }, "No row matches."))]),
    );
    pages.update(drawn.length, selected.length);
    // Redrawing must not lose the keyboard focus.
    if (focused) document.getElementById(focused)?.querySelector("button")?.focus({ preventScroll: true });
  }

  function toTitle() {
    title.focus();
    title.scrollIntoView();
  }

  function head({ title, kind }: ReportColumn): HTMLElement {
    const isOrder = order?.title === title;
    const onclick = () => {
      if (!isOrder) order = { title, descending: false };
      else order = order?.descending ? undefined : { title, descending: true };
      update();
    };
    const button = h("button", { type: "button", onclick }, ...breakable(title));
    const direction = isOrder && (order?.descending ? "descending" : "ascending");
    return h("th", { scope: "col", class: kind, "aria-sort": direction }, button);
  }

  function detailsOf(item: Item): HTMLElement {
    return details(hasScores ? item : withoutScores(item), data, labelling && scoresButton(item));
  }

  function scoresButton(item: Item): HTMLElement {
    const button = h(
      "button",
      { type: "button", class: "scores", onclick },
      `${hasScores ? "Hide" : "Show"} scores`,
    );
    return button;

    function onclick() {
      const { top } = button.getBoundingClientRect();
      hasScores = !hasScores;
      columns = currentColumns();
      labelling?.onScores(hasScores);
      update(false);
      const again = document.querySelector<HTMLElement>(`#${detailsId(item)} .scores`);
      again?.focus({ preventScroll: true });
      // What appeared above must not move the button.
      scrollBy(0, (again?.getBoundingClientRect().top ?? top) - top);
    }
  }

  function visit(item: Item) {
    const index = selected.indexOf(item);
    if (index < 0) return;
    pages.first = index - (index % PAGE);
    lines.openOnly(item);
    draw();
    const row = document.getElementById(rowId(item));
    scrollToDifference(row?.nextElementSibling);
    row?.querySelector("button")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "start" });
  }

  update();
  const section = h(
    "section",
    { "aria-labelledby": "rows" },
    title,
    filter.element,
    h("div", { class: "toolbar" }, status, ...rowDownloads(() => ({ data, items, selected, keys }))),
    scrollable({ "aria-labelledby": "rows" }, h("table", { class: "rows" }, h("thead", {}, heads), body)),
    pages.element,
  );
  const show: Show = (which, key) => {
    filter.set(which, key);
    toTitle();
  };
  return {
    section,
    show,
    replace(newer, newerItems) {
      data = newer;
      items = newerItems;
      keys = Object.keys(data.experiment.aggregates);
      columns = currentColumns();
      filter.addKeys(keys);
      update(false);
    },
    redraw: () => update(false),
    shown: () => selected,
    visit,
    goTo(item) {
      if (!selected.includes(item)) filter.set("all", "");
      visit(item);
    },
  };
}

/** A row as its evaluators got it. */
const withoutScores = (item: Item): Item => ({
  ...item,
  row: { ...item.row, evaluationResults: [], errors: [] },
});
