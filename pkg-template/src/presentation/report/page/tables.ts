/** Tables, and the box in which they scroll. */

import { type Child, h } from "./dom.js";

/** A table with one row of headings. */
export const table = (
  className: string | undefined,
  heads: readonly Child[],
  lines: readonly Child[],
  caption?: string,
): HTMLTableElement =>
  h(
    "table",
    { class: className },
    caption !== undefined && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...lines),
  );

/** A box that scrolls sideways, also with the keyboard. Screen readers read its label. */
export const scrollable = (
  label: { "aria-label": string } | { "aria-labelledby": string },
  content: HTMLTableElement,
): HTMLElement => h("div", { class: "scroll", tabindex: 0, role: "group", ...label }, content);
