/** A field for a text, with its name above it and what is wrong below. */

import { h, newId, say } from "./dom.js";

export interface EditorOptions {
  rows?: number;
  /** What stands there as long as nothing else does. */
  placeholder?: string;
  /** Whether it is prose, which is not set in the type of code. */
  prose?: boolean;
  oninput(): void;
}

export class Editor {
  readonly element: HTMLElement;
  readonly field: HTMLTextAreaElement;
  readonly #problem: HTMLElement;

  constructor(name: string, { rows = 6, placeholder, prose = false, oninput }: EditorOptions) {
    const id = newId();
    this.#problem = h("p", { class: "problem", id: `${id}-problem` });
    this.field = h("textarea", {
      id,
      rows,
      placeholder,
      dir: "auto",
      class: prose ? "prose" : "",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      "aria-describedby": `${id}-problem`,
      oninput,
    });
    this.element = h("div", { class: "editor" }, h("label", { for: id }, name), this.field, this.#problem);
  }

  get text(): string {
    return this.field.value;
  }

  set text(text: string) {
    this.field.value = text;
  }

  /** Says what is wrong with the text; nothing is by default. */
  complain(problem = ""): void {
    say(this.#problem, problem);
    this.field.setAttribute("aria-invalid", String(problem !== ""));
  }
}

/** A group of radio buttons that looks like one switch. */
export class Switch<Value extends string> {
  readonly element: HTMLFieldSetElement;

  constructor(name: string, options: Record<Value, string>, onchange: () => void) {
    const group = newId();
    this.element = h("fieldset", { class: "switch", onchange }, h("legend", { class: "unseen" }, name));
    for (const [value, label] of Object.entries<string>(options))
      this.element.append(
        h("label", {}, h("input", { type: "radio", name: group, value }), h("span", {}, label)),
      );
  }

  get value(): Value {
    return this.element.querySelector<HTMLInputElement>("input:checked")?.value as Value;
  }

  /** Chooses one; the first, where there is no such value. */
  set value(value: string) {
    const inputs = Array.from(this.element.querySelectorAll<HTMLInputElement>("input"));
    const chosen = inputs.find((input) => input.value === value) ?? inputs[0];
    if (chosen) chosen.checked = true;
  }
}

/** A list to choose from, with its name. */
export class Choice {
  readonly element: HTMLElement;
  readonly field: HTMLSelectElement;

  constructor(name: string, options: Record<string, string>, onchange: () => void) {
    const id = newId();
    this.field = h("select", { id, onchange });
    for (const [value, label] of Object.entries(options)) this.field.append(h("option", { value }, label));
    this.element = h("div", { class: "choice" }, h("label", { for: id }, name), this.field);
  }

  get value(): string {
    return this.field.value;
  }

  set value(value: string) {
    this.field.value = value;
    if (this.field.selectedIndex < 0) this.field.selectedIndex = 0;
  }
}

/** A line of text, with its name. */
export class Line {
  readonly element: HTMLElement;
  readonly field: HTMLInputElement;

  constructor(name: string, attributes: Record<string, unknown>, oninput: () => void) {
    const id = newId();
    this.field = h("input", {
      id,
      type: "text",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      ...attributes,
      oninput,
    });
    this.element = h("div", { class: "choice" }, h("label", { for: id }, name), this.field);
  }

  get value(): string {
    return this.field.value;
  }

  set value(value: string) {
    this.field.value = value;
  }
}
