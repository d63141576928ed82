/** Which columns of a table are inputs, outputs and references. */

import { h } from "../../../shared/dom.js";
import { Choice } from "../../../shared/editor.js";
import type { Mapping } from "./messages.js";

/** Names by which columns are often known. */
const USUAL: Record<keyof Mapping, RegExp> = {
  inputs: /^(inputs?|question|prompt|query|text)$/i,
  outputs: /^(outputs?|answer|prediction|response|completion|generated|actual)/i,
  reference: /^(reference(_?outputs)?|expected|ground_?truth|target|label|ideal)/i,
};

/** A choice for each role. */
export class Columns {
  readonly element: HTMLElement;
  readonly #choices: Record<keyof Mapping, Choice>;
  /** The mapping that the next table gets, as far as it has these columns. */
  wanted: Partial<Mapping> = {};

  constructor(changed: () => void) {
    this.#choices = {
      inputs: new Choice("Input", {}, changed),
      outputs: new Choice("Output", {}, changed),
      reference: new Choice("Reference", {}, changed),
    };
    const choices = Object.values(this.#choices).map(({ element }) => element);
    this.element = h("div", { class: "field-grid" }, ...choices);
  }

  get mapping(): Mapping {
    const { inputs, outputs, reference } = this.#choices;
    return { inputs: inputs.value, outputs: outputs.value, reference: reference.value };
  }

  /** Offers the columns of a table, with the usual ones chosen. */
  show(columns: readonly string[]): void {
    for (const [role, choice] of Object.entries(this.#choices) as [keyof Mapping, Choice][]) {
      const options = columns.map((name) => h("option", { value: name }, name));
      choice.field.replaceChildren(
        ...(role === "outputs" ? [] : [h("option", { value: "" }, "none")]),
        ...options,
      );
      const wanted = this.wanted[role];
      const usual = columns.find((name) => USUAL[role].test(name));
      const isThere = wanted === "" || (wanted !== undefined && columns.includes(wanted));
      choice.value = isThere ? wanted : (usual ?? "");
    }
  }
}
