/** The navigation between the pages of a table. */

import { whole } from "../../../core/input/counts.js";
import { h } from "./dom.js";

export interface Pager {
  element: HTMLElement;
  /** The index of the first row of the current page. */
  first: number;
  /** Says which of all rows the page has. */
  update(drawn: number, all: number): void;
}

/**
 * @param size The number of rows of a page.
 * @param onTurn Called when the user turns the page.
 */
export function pager(size: number, onTurn: () => void): Pager {
  const range = h("span");
  const earlier = turn("Previous", -size);
  const later = turn("Next", size);
  const element = h("nav", { class: "pages", "aria-label": "Pages of rows" }, earlier, range, later);
  const self: Pager = {
    element,
    first: 0,
    update(drawn, all) {
      range.textContent = `${whole(self.first + 1)}–${whole(self.first + drawn)} of ${whole(all)}`;
      element.hidden = all <= size;
      earlier.disabled = self.first === 0;
      later.disabled = self.first + size >= all;
    },
  };
  return self;

  function turn(label: string, by: number): HTMLButtonElement {
    const onclick = () => {
      self.first += by;
      onTurn();
    };
    return h("button", { type: "button", onclick }, label);
  }
}
