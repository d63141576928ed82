/** Rules for single tools: a row for each tool that is called. */

import type { ToolArgsMatchMode, ToolArgsMatchOverrides } from "openevals-wasm";
import { h } from "../../../shared/dom.js";

const RULES = {
  "": "as above",
  exact: "equal",
  ignore: "not compared",
  subset: "part of the reference's",
  superset: "have all of the reference's",
  fields: "only these fields:",
};

type Rule = ToolArgsMatchMode | string[];

const isRule = (rule: unknown): rule is Rule =>
  Array.isArray(rule)
    ? rule.length > 0 && rule.every((field) => typeof field === "string")
    : typeof rule === "string" && Object.hasOwn(RULES, rule) && rule !== "" && rule !== "fields";

export class Overrides {
  readonly element: HTMLDetailsElement;
  readonly #rows = h("div", { class: "override-rows" });
  readonly #summary = h("summary", {});
  readonly #changed: () => void;
  #rules = new Map<string, Rule>();
  #shown = "";

  constructor(changed: () => void) {
    this.#changed = changed;
    this.element = h("details", { class: "overrides" }, this.#summary, this.#rows);
    this.#count();
  }

  /** Reads what a link holds; what is no rule is left out. */
  open(text = "{}"): void {
    this.#rules = new Map();
    this.#shown = "";
    try {
      for (const [tool, rule] of Object.entries<unknown>(JSON.parse(text) ?? {})) {
        if (isRule(rule)) this.#rules.set(tool, rule);
      }
    } catch {
      // A link that somebody has cut.
    }
    this.element.open = this.#rules.size > 0;
    this.#count();
  }

  get value(): ToolArgsMatchOverrides {
    return Object.fromEntries(this.#rules);
  }

  /** The tools that there are: those that are called, and those with a rule. */
  set tools(names: readonly string[]) {
    const tools = [...new Set([...names, ...this.#rules.keys()])].sort();
    const key = JSON.stringify(tools);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#rows.replaceChildren(...tools.map((tool) => this.#row(tool)));
  }

  #row(tool: string): HTMLElement {
    const rule = this.#rules.get(tool);
    const fields = h("input", {
      type: "text",
      "aria-label": `Fields of ${tool}`,
      placeholder: "city, filters.date",
      spellcheck: "false",
      value: Array.isArray(rule) ? rule.join(", ") : "",
    });
    const select = h("select", { "aria-label": `Arguments of ${tool}` });
    for (const [value, label] of Object.entries(RULES)) select.append(h("option", { value }, label));
    select.value = Array.isArray(rule) ? "fields" : (rule ?? "");
    const read = () => {
      fields.hidden = select.value !== "fields";
      const list = fields.value.split(",").flatMap((field) => field.trim() || []);
      const chosen = select.value === "fields" ? list : select.value;
      // A rule that names no field yet would compare nothing, and every call would match.
      if (isRule(chosen)) this.#rules.set(tool, chosen);
      else this.#rules.delete(tool);
    };
    read();
    for (const field of [select, fields])
      field.addEventListener("input", () => {
        read();
        this.#count();
        this.#changed();
      });
    return h("div", { class: "override" }, h("code", {}, h("bdi", {}, tool)), select, fields);
  }

  #count(): void {
    const { size } = this.#rules;
    this.#summary.textContent = `Rules for single tools${size ? ` (${size})` : ""}`;
  }
}
