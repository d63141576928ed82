/** Which columns of a table are inputs, outputs and references. */

import type { FieldMap } from "openevals-wasm/evaluation";
import { h, say } from "../../../shared/dom.js";
import { Choice } from "../../../shared/editor.js";
import type { Mapping } from "./messages.js";

/** The field of rows that each column becomes. */
const FIELDS: Record<keyof Mapping, string> = {
  inputs: "inputs",
  outputs: "outputs",
  reference: "referenceOutputs",
};

const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** A choice for each role. */
export class Columns {
  readonly element: HTMLElement;
  readonly #choices: Record<keyof Mapping, Choice>;
  readonly #note = h("p", { class: "mapped quiet", "aria-live": "polite" });
  /** The mapping that the next table gets, as far as it has these columns. */
  wanted: Partial<Mapping> = {};

  constructor(changed: () => void) {
    const chosen = () => {
      this.#explain();
      changed();
    };
    this.#choices = {
      inputs: new Choice("Input", {}, chosen),
      outputs: new Choice("Output", {}, chosen),
      reference: new Choice("Reference", {}, chosen),
    };
    const choices = Object.values(this.#choices).map(({ element }) => element);
    this.element = h("div", {}, h("div", { class: "field-grid" }, ...choices), this.#note);
  }

  get mapping(): Mapping {
    const { inputs, outputs, reference } = this.#choices;
    return { inputs: inputs.value, outputs: outputs.value, reference: reference.value };
  }

  /** Offers the columns of a table. Without others that are wanted, those of its fields are chosen, by their names or by `map`. */
  show(columns: readonly string[], map: FieldMap): void {
    for (const [role, choice] of Object.entries(this.#choices) as [keyof Mapping, Choice][]) {
      const options = columns.map((name) => h("option", { value: name }, name));
      choice.field.replaceChildren(
        ...(role === "outputs" ? [] : [h("option", { value: "" }, "none")]),
        ...options,
      );
      const wanted = this.wanted[role];
      const field = FIELDS[role];
      const own = columns.find((name) => letters(name) === letters(field));
      const isThere = wanted === "" || (wanted !== undefined && columns.includes(wanted));
      choice.value = isThere ? wanted : (own ?? map[field] ?? "");
    }
    this.#explain();
  }

  /** Says which columns have another name than their field. */
  #explain(): void {
    const pairs = Object.entries(this.mapping).flatMap(([role, column]) => {
      const field = FIELDS[role as keyof Mapping];
      return column && letters(column) !== letters(field) ? [`${column} → ${field}`] : [];
    });
    say(this.#note, pairs.join(", "));
  }
}
