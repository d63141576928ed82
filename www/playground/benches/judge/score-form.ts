/** What kind of score the judge gives. */

import type { LLMAsJudgeOptions } from "openevals-wasm";
import { h } from "../../../shared/dom.js";
import { Editor, Line, Switch } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import type { State } from "../../bench.js";
import type { ScoreKind } from "./code.js";

const KINDS: Record<ScoreKind, string> = {
  boolean: "true or false",
  continuous: "0 to 1",
  choices: "one of",
  schema: "an object",
};

const FIRST_SCHEMA = JSON.stringify(
  {
    type: "object",
    properties: { verdict: { type: "string", enum: ["good", "fair", "poor"] }, reasons: { type: "string" } },
    required: ["verdict", "reasons"],
  },
  undefined,
  2,
);

export class ScoreForm {
  readonly elements: HTMLElement[];
  readonly #kind: Switch<ScoreKind>;
  readonly #choices: Line;
  readonly #schema: Editor;

  constructor(changed: () => void) {
    this.#kind = new Switch("Score", KINDS, changed);
    this.#choices = new Line("Scores", { placeholder: "0, 0.5, 1" }, changed);
    this.#schema = new Editor("JSON schema of the answer", { oninput: changed });
    this.elements = [
      h("div", { class: "toolbar" }, this.#kind.element, this.#choices.element),
      this.#schema.element,
    ];
  }

  open(state: State): void {
    this.#kind.value = state.kind ?? "boolean";
    this.#choices.value = state.choices ?? "0, 0.5, 1";
    this.#schema.text = state.schema ?? FIRST_SCHEMA;
  }

  state(): State {
    const { kind, choices, schema } = this;
    return { kind, ...(kind === "choices" && { choices }), ...(kind === "schema" && { schema }) };
  }

  get kind(): ScoreKind {
    return this.#kind.value;
  }

  get choices(): string {
    return this.#choices.value;
  }

  get choiceList(): number[] {
    return this.choices.split(",").map(Number);
  }

  get schema(): string {
    return this.#schema.text;
  }

  /** Shows the fields that the kind needs. */
  arrange(): void {
    this.#choices.element.hidden = this.kind !== "choices";
    this.#schema.element.hidden = this.kind !== "schema";
  }

  /** The options but for who judges; throws for what cannot be. */
  options(prompt: string): LLMAsJudgeOptions & { outputSchema?: object } {
    const { kind } = this;
    if (kind === "schema") {
      const { value, problem } = readJson(this.schema);
      this.#schema.complain(problem);
      if (problem !== undefined) throw new Error("The schema is no JSON.");
      return { prompt, outputSchema: value as object };
    }
    this.#schema.complain();
    if (kind === "choices") return { prompt, choices: this.choiceList };
    return kind === "continuous" ? { prompt, continuous: true } : { prompt };
  }
}
