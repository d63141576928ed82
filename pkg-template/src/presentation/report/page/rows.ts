/** The table of rows, with search, filters, sorting, details and pages. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
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

/** The hooks of the page for labelling, on which the scores are hidden at first: a person who sees them follows them. */
export interface Labelling {
  /** Called with a row that the user opens. */
  onOpen(item: Item): void;
  /** Called when the user shows or hides the scores. */
  onScores(areShown: boolean): void;
}

/** The section of the rows. */
export class RowsSection {
  readonly section: HTMLElement;
  #data: ReportData;
  #items: readonly Item[];
  readonly #labelling: Labelling | undefined;
  #keys: string[];
  #hasScores: boolean;
  #columns: ReportColumn[];
  #order: { title: string; descending: boolean } | undefined;
  /** The rows that pass the filters, in order, on all pages. */
  #selected: Item[] = [];

  readonly #title = h("h2", { id: "rows", tabindex: -1 }, "Rows");
  readonly #body = h("tbody");
  readonly #status = h("p", { role: "status", class: "quiet" });
  readonly #heads = h("tr");
  readonly #pages = pager(PAGE, () => {
    this.#draw();
    this.#toTitle();
  });
  readonly #lines: ReturnType<typeof rowLines>;
  readonly #filter: ReturnType<typeof controls>;

  constructor(data: ReportData, items: readonly Item[], labelling?: Labelling) {
    this.#data = data;
    this.#items = items;
    this.#labelling = labelling;
    this.#keys = Object.keys(data.experiment.aggregates);
    this.#hasScores = !labelling;
    this.#columns = this.#currentColumns();
    this.#lines = rowLines((item) => this.#detailsOf(item), labelling?.onOpen);
    this.#filter = controls(data, this.#keys, labelling !== undefined, () => this.#update());
    this.#update();
    const downloads = rowDownloads(() => ({
      ...{ data: this.#data, items: this.#items, selected: this.#selected, keys: this.#keys },
    }));
    const table = h("table", { class: "rows" }, h("thead", {}, this.#heads), this.#body);
    this.section = h(
      "section",
      { "aria-labelledby": "rows" },
      this.#title,
      this.#filter.element,
      h("div", { class: "toolbar" }, this.#status, ...downloads),
      scrollable({ "aria-labelledby": "rows" }, table),
      this.#pages.element,
    );
  }

  /** Filters the rows. */
  readonly show: Show = (which, key) => {
    this.#filter.set(which, key);
    this.#toTitle();
  };

  /** Replaces the data. The filters, the order and the open rows stay. */
  replace(data: ReportData, items: readonly Item[]): void {
    this.#data = data;
    this.#items = items;
    this.#keys = Object.keys(data.experiment.aggregates);
    this.#columns = this.#currentColumns();
    this.#filter.addKeys(this.#keys);
    this.redraw();
  }

  redraw(): void {
    this.#update(false);
  }

  /** The rows that pass the filters, in order, on all pages. */
  shown(): readonly Item[] {
    return this.#selected;
  }

  /** Makes a row the current one: closes all others, opens it and scrolls to it. */
  visit(item: Item): void {
    const index = this.#selected.indexOf(item);
    if (index < 0) return;
    this.#pages.first = index - (index % PAGE);
    this.#lines.openOnly(item);
    this.#draw();
    const row = document.getElementById(rowId(item));
    scrollToDifference(row?.nextElementSibling);
    row?.querySelector("button")?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "start" });
  }

  /** Visits a row, which may be filtered out: then all rows are shown. */
  goTo(item: Item): void {
    if (!this.#selected.includes(item)) this.#filter.set("all", "");
    this.visit(item);
  }

  #currentColumns(): ReportColumn[] {
    const keys = this.#hasScores ? this.#keys : [];
    return columnsOf(this.#data, this.#items, keys, this.#labelling !== undefined);
  }

  /** Selects the rows again. */
  #update(isNew = true): void {
    const order = this.#order;
    const column = order && this.#columns.find(({ title }) => title === order.title);
    const by: Order | undefined = order && column && { value: column.value, descending: order.descending };
    const selected = select(this.#items, this.#filter.read(), by);
    this.#selected = selected;
    if (isNew || this.#pages.first >= selected.length) this.#pages.first = 0;
    const focused = Array.from(this.#heads.children).findIndex((one) => one.contains(document.activeElement));
    this.#heads.replaceChildren(...this.#columns.map((column) => this.#head(column)));
    this.#heads.children[focused]?.querySelector("button")?.focus();
    const all = counted(this.#items.length, "row");
    this.#status.textContent =
      selected.length === this.#items.length ? all : `${whole(selected.length)} of ${all}`;
    this.#draw();
  }

  /** Draws the rows of the page. */
  #draw(): void {
    const { first } = this.#pages;
    const drawn = this.#selected.slice(first, first + PAGE);
    const focused = document.activeElement?.closest("tr")?.id;
    const none = h("tr", {}, h("td", { colspan: this.#columns.length }, "No row matches."));
    this.#body.replaceChildren(
      ...drawn.flatMap((item) => this.#lines.of(item, this.#columns)),
      ...(drawn.length ? [] : [none]),
    );
    this.#pages.update(drawn.length, this.#selected.length);
    // Redrawing must not lose the keyboard focus.
    if (focused) document.getElementById(focused)?.querySelector("button")?.focus({ preventScroll: true });
  }

  #toTitle(): void {
    this.#title.focus();
    this.#title.scrollIntoView();
  }

  /** The head of a column, which orders by it: ascending, descending, and not at all. */
  #head({ title, kind }: ReportColumn): HTMLElement {
    const order = this.#order?.title === title ? this.#order : undefined;
    const onclick = () => {
      if (!order) this.#order = { title, descending: false };
      else this.#order = order.descending ? undefined : { title, descending: true };
      this.#update();
    };
    const button = h("button", { type: "button", onclick }, ...breakable(title));
    const direction = order && (order.descending ? "descending" : "ascending");
    return h("th", { scope: "col", class: kind, "aria-sort": direction }, button);
  }

  #detailsOf(item: Item): HTMLElement {
    const scores = this.#labelling && this.#scoresButton(item);
    return details(this.#hasScores ? item : withoutScores(item), this.#data, scores);
  }

  #scoresButton(item: Item): HTMLElement {
    const onclick = () => {
      const { top } = button.getBoundingClientRect();
      this.#hasScores = !this.#hasScores;
      this.#columns = this.#currentColumns();
      this.#labelling?.onScores(this.#hasScores);
      this.redraw();
      const again = document.querySelector<HTMLElement>(`#${detailsId(item)} .scores`);
      again?.focus({ preventScroll: true });
      // What appeared above must not move the button.
      scrollBy(0, (again?.getBoundingClientRect().top ?? top) - top);
    };
    const label = `${this.#hasScores ? "Hide" : "Show"} scores`;
    const button = h("button", { type: "button", class: "scores", onclick }, label);
    return button;
  }
}

/** A row as its evaluators got it. */
const withoutScores = (item: Item): Item => ({
  ...item,
  row: { ...item.row, evaluationResults: [], errors: [] },
});
