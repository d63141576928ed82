/** The lines of a table of rows, each with its details below it while it is open. */

import { shown, textOf } from "../../value-text.js";
import type { ReportColumn } from "./columns.js";
import { h } from "./dom.js";
import type { Item } from "./items.js";

export interface RowLines {
  /** A row, with its details if it is open. */
  of(item: Item, columns: readonly ReportColumn[]): HTMLElement[];
  /** Opens a row when it is drawn next, as the current one, and closes all others. */
  openOnly(item: Item): void;
}

/**
 * @param detailsOf Draws the details of a row.
 * @param onOpen Called with a row that the user opens; then that row is the current one.
 */
export function rowLines(detailsOf: (item: Item) => HTMLElement, onOpen?: (item: Item) => void): RowLines {
  /** The identities of the open rows. */
  const open = new Set<string>();
  /** The identity of the current row. */
  let current: string | undefined;
  return {
    of(item, columns) {
      const [first, ...rest] = columns;
      const button = h(
        "button",
        {
          type: "button",
          class: "open",
          "aria-expanded": String(open.has(item.identity)),
          "aria-controls": detailsId(item),
          title: item.name,
        },
        item.name ? shortened(textOf(item.name)) : "–",
      );
      const isCurrent = current === item.identity;
      const row = h(
        "tr",
        {
          id: rowId(item),
          onclick: (event: Event) => toggle(event, item, row, button),
          "aria-current": isCurrent && "true",
        },
        h("th", { scope: "row", class: first?.kind }, button),
        ...rest.map((column) => titled(column, item)),
      );
      return open.has(item.identity) ? [row, opened(item, columns.length)] : [row];
    },
    openOnly(item) {
      open.clear();
      open.add(item.identity);
      current = item.identity;
    },
  };

  function toggle(event: Event, item: Item, row: HTMLTableRowElement, button: HTMLElement) {
    // Selecting text in a row must not open it.
    if (event.target !== button && getSelection()?.toString()) return;
    const isOpen = !open.delete(item.identity);
    button.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) {
      row.nextElementSibling?.remove();
      return;
    }
    open.add(item.identity);
    row.after(opened(item, row.cells.length));
    scrollToDifference(row.nextElementSibling);
    if (!onOpen) return;
    row.parentElement?.querySelector("[aria-current]")?.removeAttribute("aria-current");
    row.setAttribute("aria-current", "true");
    current = item.identity;
    onOpen(item);
  }

  function opened(item: Item, columns: number): HTMLElement {
    return h("tr", { id: detailsId(item), class: "opened" }, h("td", { colspan: columns }, detailsOf(item)));
  }
}

/** A cell with the title of its column, which phones show beside it. */
function titled({ cell, title }: ReportColumn, item: Item): HTMLElement {
  const element = cell(item);
  element.dataset.title = shown(title);
  return element;
}

export const rowId = ({ index }: Item): string => `row-${index}`;
export const detailsId = (item: Item): string => `${rowId(item)}-details`;

/** A name without its middle if it is long; rows may differ only at the end. */
const shortened = (name: string): string => name.replace(/^(.{60}).+(.{40})$/su, "$1…$2");

/** Scrolls long trajectories to their first difference. */
export function scrollToDifference(opened: Element | null | undefined): void {
  for (const list of opened?.querySelectorAll<HTMLElement>(".steps") ?? []) {
    const first = list.querySelector<HTMLElement>(".differs");
    if (first) list.scrollTop = first.offsetTop - list.offsetTop - 8;
  }
}
