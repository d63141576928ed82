/** Links to rows: `#row=<id>`, with `&run=2` for the second repetition. */

import { identity } from "../../../core/records/row-identity.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import type { Item } from "./items.js";

export function addressOf({ example, run }: ExperimentRow): string {
  const { repetition } = run;
  return `#${new URLSearchParams({ row: example.id, ...(repetition && { run: `${repetition + 1}` }) })}`;
}

/** The row that the address of the page names. */
export function linkedItem(items: readonly Item[]): Item | undefined {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const id = parameters.get("row");
  if (id === null) return undefined;
  const wanted = identity(id, Number(parameters.get("run") ?? 1) - 1);
  return items.find((item) => item.identity === wanted);
}

/** Opens the row that the address names, now and whenever a link is followed. */
export function followLinks(items: () => readonly Item[], goTo: (item: Item) => void): void {
  const follow = () => {
    const item = linkedItem(items());
    if (item) goTo(item);
  };
  addEventListener("hashchange", follow);
  addEventListener("click", (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event;
    const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[href^='#row=']");
    if (!link || ctrlKey || metaKey || shiftKey) return;
    // In a frame made of text, the link itself would lead to the page around it.
    event.preventDefault();
    if (location.hash === link.hash) follow();
    else location.hash = link.hash;
  });
  follow();
}
