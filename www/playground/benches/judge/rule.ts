/** A rule instead of a model: it shows what a judge is, and needs nothing. */

import type { JudgeFunction } from "openevals-wasm";
import { member } from "../../../shared/code.js";
import { h } from "../../../shared/dom.js";
import { Choice, Line } from "../../../shared/editor.js";
import type { State } from "../../bench.js";
import type { ScoreKind } from "./code.js";
import { paramOf } from "./prompts.js";

const TESTS = {
  contains: "contains",
  lacks: "does not contain",
  equals: "is",
  shorter: "has at most this many words:",
};

type Test = keyof typeof TESTS;

export class Rule {
  readonly element: HTMLElement;
  readonly #variable: Choice;
  readonly #test: Choice;
  readonly #text: Line;

  constructor(changed: () => void) {
    this.#variable = new Choice("The score is full if", {}, changed);
    this.#test = new Choice("", TESTS, changed);
    this.#test.field.setAttribute("aria-label", "Test");
    this.#text = new Line("", { "aria-label": "What is looked for" }, changed);
    this.element = h(
      "div",
      { class: "rule" },
      this.#variable.element,
      this.#test.element,
      this.#text.element,
    );
  }

  set variables(names: readonly string[]) {
    const { value } = this.#variable;
    if (Array.from(this.#variable.field.options, (option) => option.value).join() === names.join()) return;
    this.#variable.field.replaceChildren(...names.map((name) => h("option", { value: name }, name)));
    this.#variable.value = value || "outputs";
    if (!names.includes(value) && names.includes("outputs")) this.#variable.value = "outputs";
  }

  open({ rule = "contains", text = "" }: State): void {
    this.#test.value = rule;
    this.#text.value = text;
  }

  state(): State {
    return { rule: this.#test.value, text: this.#text.value };
  }

  /** The judge; `values` are what the variables stand for. */
  judge(values: Record<string, string>): JudgeFunction {
    const name = this.#variable.value;
    const [value, text] = [values[name] ?? "", this.#text.value];
    const verdict = holds(this.#test.value as Test, value, text);
    const reasoning = `${name} ${TESTS[this.#test.value as Test]} “${text}”: ${verdict ? "yes" : "no"}.`;
    return ({ schema }) => ({ reasoning, score: scoreFor(schema, verdict) });
  }

  /** The same as an option; it reads what is judged from `params`. */
  code(kind: ScoreKind, choices: readonly number[]): string {
    const value = `params${member(paramOf(this.#variable.value))}`;
    const text = JSON.stringify(this.#text.value);
    const tests: Record<Test, string> = {
      contains: `${value}.includes(${text})`,
      lacks: `!${value}.includes(${text})`,
      equals: `${value}.trim() === ${text}.trim()`,
      shorter: `${value}.split(/\\s+/).filter(Boolean).length <= ${Number(this.#text.value) || 0}`,
    };
    const test = tests[this.#test.value as Test];
    const [best, worst] = kind === "choices" ? [Math.max(...choices), Math.min(...choices)] : [1, 0];
    const score = kind === "boolean" ? test : `${test} ? ${best} : ${worst}`;
    return `// A rule instead of a model. It gets { messages, schema }.\n  judge: () => ({ reasoning: "A rule.", score: ${score} }),`;
  }
}

function holds(test: Test, value: string, text: string): boolean {
  if (test === "contains") return value.includes(text);
  if (test === "lacks") return !value.includes(text);
  if (test === "equals") return value.trim() === text.trim();
  return value.split(/\s+/).filter(Boolean).length <= (Number(text) || 0);
}

/** `true` or `false`, or the highest or lowest number that the schema has. */
function scoreFor(schema: Record<string, any>, verdict: boolean): boolean | number {
  const { type, enum: choices } = schema?.properties?.score ?? {};
  if (Array.isArray(choices)) return verdict ? Math.max(...choices) : Math.min(...choices);
  return type === "number" ? Number(verdict) : verdict;
}
