/** The layout that benches share: a form and its results, side by side. */

import type { CodeBlock } from "../shared/code.js";
import { h } from "../shared/dom.js";
import type { ScoreLine } from "../shared/scores.js";

/** A form that calls `run` when it is submitted. */
export const formOf = (run: () => Promise<void>, ...children: HTMLElement[]): HTMLElement =>
  h(
    "form",
    {
      class: "stack",
      onsubmit: (event: Event) => {
        event.preventDefault();
        void run();
      },
    },
    ...children,
  );

/** A part of the results, with a title and perhaps something beside it. */
export const panel = (title: string, more: HTMLElement | false, ...children: HTMLElement[]): HTMLElement =>
  h(
    "section",
    { class: "panel", "aria-label": title },
    h("div", { class: "bar" }, h("h2", {}, title), more),
    ...children,
  );

/** A form beside its results, with the code below. */
export const sides = (
  name: string,
  form: HTMLElement,
  results: HTMLElement,
  code: CodeBlock,
  line: ScoreLine,
): HTMLElement =>
  h("div", { class: name }, h("div", { class: "sides" }, form, results), code.element, line.element);

/** Dims results of something else than what is shown now. */
export function dim(isStale: boolean, ...elements: HTMLElement[]): void {
  for (const element of elements) element.classList.toggle("outdated", isStale);
}
