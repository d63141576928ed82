/** Code to read and to copy. */

import { h, inPause } from "./dom.js";
import type { Language } from "./shiki.js";

/** A button that copies what `text` returns, and says so. */
export function copyButton(text: () => string, label = "Copy"): HTMLButtonElement {
  const button = h("button", { type: "button", class: "small" }, label);
  let back: ReturnType<typeof setTimeout> | undefined;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Copying is not allowed here";
    }
    clearTimeout(back);
    back = setTimeout(() => {
      button.textContent = label;
    }, 1500);
  });
  return button;
}

/** A block of code that changes, with a button that copies it. Colours are loaded when it comes into view. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #code = h("code");
  readonly #language: Language;
  #text = "";
  #isSeen = false;

  /** @param name What the block is called. */
  constructor(name: string, language: Language = "typescript") {
    this.#language = language;
    this.element = h(
      "section",
      { class: "code-block", "aria-label": name, hidden: true },
      h(
        "div",
        { class: "bar" },
        h("h2", {}, name),
        copyButton(() => this.#text),
      ),
      h("pre", { tabindex: 0, "aria-label": `${name}: the text`, role: "region" }, this.#code),
    );
    new IntersectionObserver((entries, observer) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      this.#isSeen = true;
      void this.#colour();
    }).observe(this.element);
  }

  show(code: string): void {
    if (code === this.#text) return;
    this.#text = code;
    this.element.hidden = code === "";
    this.#code.textContent = code;
    if (this.#isSeen) this.#colourSoon();
  }

  readonly #colourSoon = inPause(100, () => void this.#colour());

  async #colour(): Promise<void> {
    const code = this.#text;
    const { linesOf } = await import("./shiki.js");
    const lines = await linesOf(code, this.#language);
    if (code !== this.#text) return;
    this.#code.replaceChildren(
      ...lines.flatMap((pieces, line) => [
        line ? "\n" : "",
        ...pieces.map(({ text, kind }) => (kind ? h("span", { class: `t-${kind}` }, text) : text)),
      ]),
    );
  }
}

/** A value as a literal of JavaScript, in lines of its own where it is long. */
export function literal(value: unknown, indent = 0): string {
  const flat = written(value);
  // What is nested more deeply nobody reads.
  if (flat.length + indent <= 76 || indent > 60 || typeof value !== "object" || value === null) return flat;
  const pad = " ".repeat(indent + 2);
  const inside = Array.isArray(value)
    ? value.map((item) => literal(item, indent + 2))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${keyOf(key)}: ${literal(member, indent + 2)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inside.map((line) => `${pad}${line},\n`).join("")}${" ".repeat(indent)}${close}`;
}

function written(value: unknown, depth = 0): string {
  const inside = (member: unknown): string => written(member, depth + 1);
  if (depth > 30) return JSON.stringify(value) ?? "undefined";
  if (Array.isArray(value)) return `[${value.map(inside).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.length
    ? `{ ${members.map(([key, member]) => `${keyOf(key)}: ${inside(member)}`).join(", ")} }`
    : "{}";
}

const isIdentifier = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key);
const keyOf = (key: string): string => (isIdentifier(key) ? key : JSON.stringify(key));

/** The access to a member: `.name`, `["its name"]`. */
export const member = (key: string): string => (isIdentifier(key) ? `.${key}` : `[${JSON.stringify(key)}]`);
