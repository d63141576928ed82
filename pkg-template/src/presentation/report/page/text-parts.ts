/** Shows texts of any length, with parts that are marked. */

import { whole } from "../../../core/input/counts.js";
import { h } from "./dom.js";
import type { TextPart } from "./text-difference.js";

/** Longer texts are cut, with a button to show all: browsers lay them out slowly. */
export const MAX_TEXT_LENGTH = 20_000;

/** A mark with another meaning than a difference. */
export interface Mark {
  kind: string;
  /** The meaning of the colour, for screen readers. */
  words: string;
  title: string;
}

/** A part of a text with its mark; `true` if it differs from another text. */
export type MarkedPart = TextPart | [text: string, mark: Mark];

/** Text of any length. */
export const longText = (content: string): HTMLElement => text([[content, false]]);

/** Text with marks, of any length. */
export function text(parts: readonly MarkedPart[]): HTMLElement {
  const size = parts.reduce((sum, [part]) => sum + part.length, 0);
  const pre = h("pre", { tabindex: 0, dir: "auto" });
  if (size <= MAX_TEXT_LENGTH) {
    pre.append(...parts.map(marked));
    return pre;
  }
  const pieces = piecesOf(parts);
  const draw = (some: readonly MarkedPart[][]) =>
    pre.append(...some.map((piece) => h("span", { class: "piece" }, ...piece.map(marked))));
  draw(pieces.slice(0, 1));
  return h(
    "div",
    {},
    pre,
    more(`Show all ${whole(size)} characters`, () => draw(pieces.slice(1))),
  );
}

function marked([part, mark]: MarkedPart): HTMLElement | string {
  if (typeof mark !== "object") return mark ? h("mark", {}, part) : part;
  const { kind, words, title } = mark;
  return h("mark", { class: kind, title }, part, h("span", { class: "unseen" }, ` (${words})`));
}

/** Splits the parts into pieces that are laid out separately: laying out a megabyte at once takes seconds. */
function piecesOf(parts: readonly MarkedPart[]): MarkedPart[][] {
  const pieces: MarkedPart[][] = [];
  let left = 0;
  for (const [part, mark] of parts) {
    for (let start = 0; start < part.length; ) {
      if (!left) {
        pieces.push([]);
        left = MAX_TEXT_LENGTH;
      }
      const end = start + Math.min(left, part.length - start);
      // Prefer to split at the end of a line or a word.
      const lastBreak =
        end < part.length ? Math.max(part.lastIndexOf("\n", end), part.lastIndexOf(" ", end)) : -1;
      const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(part.slice(end - 1, end + 1));
      const cut = lastBreak > start ? lastBreak + 1 : isPair ? end + 1 : end;
      pieces.at(-1)?.push([part.slice(start, cut), mark] as MarkedPart);
      left = cut < part.length ? 0 : Math.max(0, left - (cut - start));
      start = cut;
    }
  }
  return pieces;
}

/** A button for one use. It then moves the focus to the element before it. */
export function more(label: string, show: () => void): HTMLElement {
  const button = h("button", { type: "button", class: "link" }, label);
  button.addEventListener("click", () => {
    show();
    if (button.previousElementSibling instanceof HTMLElement) button.previousElementSibling.focus();
    button.remove();
  });
  return button;
}
