/** The filters of the table of rows. */

import { shown } from "../../value-text.js";
import type { ReportData } from "../data.js";
import { numbersIn } from "../label-numbers.js";
import { h } from "./dom.js";
import type { Filter } from "./selection.js";

/**
 * @param hasLabels Whether rows are labelled by hand.
 * @param changed Called when a filter changes.
 */
export function controls(data: ReportData, keys: readonly string[], hasLabels: boolean, changed: () => void) {
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
  const key = choice("key", [["", "any key"]]);
  const label = choice("label", [
    ["", "any label"],
    ["unlabelled", "unlabelled"],
    ["pass", "pass"],
    ["fail", "fail"],
    ...numbersIn(data).map((number) => [`${number}`, `${number}`] as const),
  ]);
  const metadata = choice("metadata", [["", "any"]]);
  metadata.append(...metadataGroups(data));
  addKeys(keys);
  const from = bound("from");
  const to = bound("to");

  /** Adds new keys to the choices. */
  function addKeys(all: readonly string[]) {
    const known = Array.from(key.options, ({ value }) => value);
    const added = all.filter((one) => !known.includes(one));
    key.append(...added.map((value) => h("option", { value }, shown(value))));
  }

  function update() {
    // A range of scores needs a key.
    for (const field of [from, to]) field.disabled = !key.value;
    changed();
  }
  const element = h(
    "form",
    { class: "controls", role: "search", oninput: update, onsubmit: (event) => event.preventDefault() },
    labelled("Search", search),
    labelled("Show", which),
    hasLabels && labelled("Label", label),
    metadata.length > 1 && labelled("Metadata", metadata),
    labelled("Key", key),
    labelled("Score from", from),
    labelled("to", to),
    h("button", { type: "reset", onclick: () => setTimeout(update) }, "Reset"),
  );
  for (const field of [from, to]) field.disabled = true;

  return {
    element,
    addKeys,
    read: (): Filter => ({
      search: search.value,
      which: which.value as Filter["which"],
      key: key.value,
      from: key.value && from.value !== "" ? Number(from.value) : -Infinity,
      to: key.value && to.value !== "" ? Number(to.value) : Infinity,
      metadata: metadata.value ? JSON.parse(metadata.value) : undefined,
      label: label.value as Filter["label"],
    }),
    /** Replaces all filters. */
    set(filter: Filter["which"], of: string) {
      element.reset();
      which.value = filter;
      key.value = of;
      update();
    },
  };
}

/** The most values of a field that can be chosen; more are ids, numbers or texts. */
const MAX_VALUES = 10;

/** The fields of the metadata that have few values, with these. */
function metadataGroups({ experiment }: ReportData): HTMLElement[] {
  const fields = new Map<string, Set<unknown>>();
  for (const { example } of experiment.rows)
    for (const [field, value] of Object.entries(example.metadata ?? {}))
      fields.set(field, (fields.get(field) ?? new Set()).add(value));
  return Array.from(fields).flatMap(([field, values]) => {
    const isChoice = values.size > 1 && values.size <= MAX_VALUES;
    if (!isChoice || Array.from(values).some((value) => Object(value) === value)) return [];
    const options = Array.from(values, (value) =>
      h("option", { value: JSON.stringify([field, value]) }, shown(`${field}: ${value}`)),
    );
    return h("optgroup", { label: shown(field) }, ...options);
  });
}

const labelled = (text: string, field: HTMLElement) =>
  h("label", { for: field.id }, h("span", {}, text), field);

const bound = (id: string) => h("input", { type: "number", id, step: "any", inputmode: "decimal" });

const choice = (id: string, options: readonly (readonly [string, string])[]) =>
  h("select", { id }, ...options.map(([value, label]) => h("option", { value }, label)));
