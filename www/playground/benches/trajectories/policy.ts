/** A tool policy that one writes as JSON: its verdict on the output, and the rules that are broken. */

import { h, say } from "../../../shared/dom.js";
import { Editor } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import { verdictOf } from "../../../shared/scores.js";
import type { Broken } from "./rules.js";

/** What a policy says about messages. */
export interface Judged {
  /** The options, as they are written. */
  options: object;
  score: number | boolean;
  broken: readonly Broken[];
}

/** Rules as JSON, one a line. */
export const policyText = (rules: object): string =>
  `{\n${Object.entries(rules)
    .map(([name, rule]) => `  ${JSON.stringify(name)}: ${JSON.stringify(rule)}`)
    .join(",\n")}\n}`;

export class Policy {
  readonly element: HTMLDetailsElement;
  readonly #editor: Editor;
  readonly #outcome = h("div", { class: "policy-outcome" });
  readonly #spoken = h("p", { class: "unseen", "aria-live": "polite" });
  #tools: readonly string[] = [];
  #wasOpen = false;

  constructor(changed: () => void) {
    const placeholder = 'options of createToolPolicy, as JSON: { "deny": ["delete_*"] }';
    this.#editor = new Editor("Policy", { rows: 5, placeholder, oninput: changed });
    this.element = h(
      "details",
      {
        class: "policy",
        ontoggle: () => {
          // Links open it as well.
          if (this.element.open === this.#wasOpen) return;
          this.#wasOpen = this.element.open;
          if (this.element.open && this.#editor.text.trim() === "") this.#editor.text = this.#suggested();
          changed();
        },
      },
      h("summary", {}, "Tool policy: rules for the output, without a reference"),
      h("div", { class: "columns" }, this.#editor.element, this.#outcome),
      this.#spoken,
    );
  }

  /** The options as text; empty if the policy is not used. */
  get text(): string {
    return this.element.open ? this.#editor.text : "";
  }

  open(text = ""): void {
    this.#editor.text = text;
    this.#wasOpen = text !== "";
    this.element.open = this.#wasOpen;
  }

  /** Judges messages by the policy, if it is open: what it says, or what is wrong with it. */
  async judge(outputs: readonly object[]): Promise<Judged | string | undefined> {
    if (!this.element.open) return undefined;
    const { value, problem } = readJson(this.#editor.text);
    if (problem !== undefined) return problem;
    try {
      const { judged } = await import("./rules.js");
      return { options: value as object, ...(await judged(value, outputs)) };
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Shows what {@link judge} returned. `tools` are those that a first policy allows. */
  show(judged: Judged | string | undefined, tools: readonly string[]): void {
    this.#tools = tools;
    const isJudged = typeof judged === "object";
    this.#outcome.classList.toggle("stale", !isJudged);
    this.#editor.complain(isJudged ? "" : judged);
    if (!isJudged) return;
    const { score, broken } = judged;
    this.#outcome.replaceChildren(
      verdictOf(score),
      broken.length
        ? h("ul", {}, ...broken.map(({ comment }) => h("li", {}, h("bdi", {}, comment))))
        : h("p", { class: "quiet" }, "All rules are kept."),
    );
    say(
      this.#spoken,
      `Tool policy: ${broken.length || "no"} broken ${broken.length === 1 ? "rule" : "rules"}`,
    );
  }

  /** Rules that the reference keeps: no other tools, and each at least once. */
  #suggested(): string {
    const tools = [...new Set(this.#tools)];
    const rules = tools.length ? { allow: tools, required: tools, maxRepeats: 1 } : { maxRepeats: 1 };
    return policyText(rules);
  }
}
