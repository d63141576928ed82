/** The table of rows, with search, filters, sorting, details and pages. */

import { counted, whole } from "../../../core/records/numerals.js";
import type { ReportData } from "../data.js";
import type { Show } from "./cards.js";
import { columnsOf, type ReportColumn } from "./columns.js";
import { controls } from "./controls.js";
import { csvOf } from "./csv.js";
import { details } from "./details.js";
import { breakable, h, textOf } from "./dom.js";
import { download, experimentWith, fileName } from "./download.js";
import type { Item } from "./items.js";
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
  let first = 0;
  /** The identities of the open rows. */
  const open = new Set<string>();
  /** The identity of the current row. */
  let current: string | undefined;

  const title = h("h2", { id: "rows", tabindex: -1 }, "Rows");
  const body = h("tbody");
  const status = h("p", { role: "status", class: "quiet" });
  const range = h("span");
  const earlier = turn("Previous", -PAGE);
  const later = turn("Next", PAGE);
  const pages = h("nav", { class: "pages", "aria-label": "Pages of rows" }, earlier, range, later);
  const heads = h("tr");
  const filter = controls(data, keys, labelling !== undefined, () => update());

  function currentColumns() {
    return columnsOf(data, items, hasScores ? keys : [], labelling !== undefined);
  }

  function update(isNew = true) {
    const column = order && columns.find(({ title }) => title === order?.title);
    const by: Order | undefined = order && column && { value: column.value, descending: order.descending };
    selected = select(items, filter.read(), by);
    if (isNew || first >= selected.length) first = 0;
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
    const drawn = selected.slice(first, first + PAGE);
    const focused = document.activeElement?.closest("tr")?.id;
    body.replaceChildren(
      ...drawn.flatMap((item) => line(item)),
      ...(drawn.length ? [] : [h("tr", {}, h("td", { colspan: columns.length }, "No row matches."))]),
    );
    range.textContent = `${whole(first + 1)}–${whole(first + drawn.length)} of ${whole(selected.length)}`;
    pages.hidden = selected.length <= PAGE;
    earlier.disabled = first === 0;
    later.disabled = first + PAGE >= selected.length;
    // Redrawing must not lose the keyboard focus.
    if (focused) document.getElementById(focused)?.querySelector("button")?.focus({ preventScroll: true });
  }

  function saveCsv() {
    // Without a byte order mark, spreadsheets do not read UTF-8.
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

  /** A row, with its details below it if it is open. */
  function line(item: Item): HTMLElement[] {
    const [first, ...rest] = columns;
    const id = `row-${item.index}`;
    const button = h(
      "button",
      {
        type: "button",
        class: "open",
        "aria-expanded": "false",
        "aria-controls": `${id}-details`,
        title: item.name,
      },
      item.name ? shortened(textOf(item.name)) : "–",
    );
    const isCurrent = current === item.identity;
    const row = h(
      "tr",
      { id, onclick: toggle, "aria-current": isCurrent && "true" },
      h("th", { scope: "row", class: first?.kind }, button),
    );
    row.append(...rest.map(({ cell }) => cell(item)));
    if (!open.has(item.identity)) return [row];
    button.setAttribute("aria-expanded", "true");
    return [row, opened(item)];

    function toggle(event: Event) {
      // Selecting text in a row must not open it.
      if (event.target !== button && getSelection()?.toString()) return;
      const isOpen = !open.delete(item.identity);
      button.setAttribute("aria-expanded", String(isOpen));
      if (!isOpen) {
        row.nextElementSibling?.remove();
        return;
      }
      open.add(item.identity);
      row.after(opened(item));
      scrollToDifference(row.nextElementSibling);
      if (labelling) {
        mark(item);
        labelling.onOpen(item);
      }
    }
  }

  const opened = (item: Item) =>
    h(
      "tr",
      { id: `row-${item.index}-details`, class: "opened" },
      h(
        "td",
        { colspan: columns.length },
        details(hasScores ? item : withoutScores(item), data, labelling && scoresButton(item)),
      ),
    );

  function scoresButton({ index }: Item): HTMLElement {
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
      const again = document.querySelector<HTMLElement>(`#row-${index}-details .scores`);
      again?.focus({ preventScroll: true });
      // What appeared above must not move the button.
      scrollBy(0, (again?.getBoundingClientRect().top ?? top) - top);
    }
  }

  function mark(item: Item) {
    body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    current = item.identity;
    document.getElementById(`row-${item.index}`)?.setAttribute("aria-current", "true");
  }

  function visit(item: Item) {
    const index = selected.indexOf(item);
    if (index < 0) return;
    first = index - (index % PAGE);
    open.clear();
    open.add(item.identity);
    current = item.identity;
    draw();
    const row = document.getElementById(`row-${item.index}`);
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
    h("div", { class: "toolbar" }, status, save("CSV", saveCsv), save("JSON", saveJson)),
    scrollable({ "aria-labelledby": "rows" }, h("table", { class: "rows" }, h("thead", {}, heads), body)),
    pages,
  );
  const show: Show = (which, key) => {
    filter.set(which, key);
    title.focus();
    title.scrollIntoView();
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

/** A name without its middle if it is long; rows may differ only at the end. */
const shortened = (name: string): string => name.replace(/^(.{60}).+(.{40})$/su, "$1…$2");

const save = (kind: string, onclick: () => void) =>
  h(
    "button",
    { type: "button", class: "link", title: "The rows that are shown", onclick },
    `Download ${kind}`,
  );

/** Scrolls long trajectories to their first difference. */
function scrollToDifference(opened: Element | null | undefined): void {
  for (const list of opened?.querySelectorAll<HTMLElement>(".steps") ?? []) {
    const first = list.querySelector<HTMLElement>(".differs");
    if (first) list.scrollTop = first.offsetTop - list.offsetTop - 8;
  }
}
