/** The fields that say which rows are shown. */

import type { ReportData } from "../data.js";
import { h, shown } from "./dom.js";
import type { Filter } from "./selection.js";

/** The fields; `changed` is called whenever one of them is. */
export function controls(data: ReportData, keys: readonly string[], changed: () => void) {
  const search = h("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    placeholder: "Words in any field",
  });
  const which = choice("which", [
    ["all", "all rows"],
    ["failing", "failing"],
    ["errors", "errors"],
    ...(data.baseline ? [["flipped", "flipped"] as const] : []),
  ]);
  const key = choice("key", [["", "any key"], ...keys.map((key) => [key, shown(key)] as const)]);
  const from = bound("from");
  const to = bound("to");

  function update() {
    // A range is one of a key.
    for (const field of [from, to]) field.disabled = !key.value;
    changed();
  }
  const element = h(
    "form",
    { class: "controls", role: "search", oninput: update, onsubmit: (event) => event.preventDefault() },
    labelled("Search", search),
    labelled("Show", which),
    labelled("Key", key),
    labelled("Score from", from),
    labelled("to", to),
    h("button", { type: "reset", onclick: () => setTimeout(update) }, "Reset"),
  );
  for (const field of [from, to]) field.disabled = true;

  return {
    element,
    read: (): Filter => ({
      search: search.value,
      which: which.value as Filter["which"],
      key: key.value,
      from: key.value && from.value !== "" ? Number(from.value) : -Infinity,
      to: key.value && to.value !== "" ? Number(to.value) : Infinity,
    }),
    /** Shows those rows, whatever was searched for before. */
    set(filter: Filter["which"], of: string) {
      element.reset();
      which.value = filter;
      key.value = of;
      update();
    },
  };
}

const labelled = (text: string, field: HTMLElement) =>
  h("label", { for: field.id }, h("span", {}, text), field);

const bound = (id: string) => h("input", { type: "number", id, step: "any", inputmode: "decimal" });

const choice = (id: string, options: readonly (readonly [string, string])[]) =>
  h("select", { id }, ...options.map(([value, label]) => h("option", { value }, label)));
