/** What a judge is asked: the messages as text, or all that is sent as JSON. */

import type { JudgeRequest } from "openevals-wasm";
import { CodeBlock } from "../../../shared/code.js";
import { h } from "../../../shared/dom.js";
import { Switch } from "../../../shared/editor.js";

/** The data of files would fill the page. */
const DATA = /((?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{60})[A-Za-z0-9+/=]{200,}/g;

export class Request {
  readonly element: HTMLElement;
  readonly #view = new Switch("Show the request as", { text: "Text", json: "JSON" }, () => this.#arrange());
  readonly #messages = h("ol", { class: "messages" });
  readonly #region = h(
    "div",
    { class: "messages-region", role: "region", tabindex: 0, "aria-label": "The messages" },
    this.#messages,
  );
  readonly #json = new CodeBlock("The request as JSON", "json");

  readonly #jsonPlace = h("div", {}, this.#json.element);

  constructor() {
    this.element = h(
      "section",
      { class: "panel", "aria-label": "The request" },
      h("div", { class: "bar" }, h("h2", {}, "The request"), this.#view.element),
      this.#region,
      this.#jsonPlace,
    );
    this.#view.value = "text";
    this.#arrange();
  }

  #arrange(): void {
    this.#region.hidden = this.#view.value !== "text";
    this.#jsonPlace.hidden = this.#view.value !== "json";
  }

  /** @param wire What goes over the wire; the question itself, where nothing does. */
  show(question: JudgeRequest | undefined, wire: string | undefined): void {
    this.#messages.replaceChildren(...(question?.messages ?? []).map(messageOf));
    const json = wire ?? (question ? JSON.stringify(question, undefined, 2) : "");
    this.#json.show(json.replaceAll(DATA, "$1…"));
  }
}

type Message = JudgeRequest["messages"][number];

const messageOf = ({ role, content }: Message): HTMLElement =>
  h(
    "li",
    {},
    h("span", { class: "role" }, role),
    ...partsOf(content).map((part) => h("p", { dir: "auto" }, part)),
  );

/** The parts of a message as text: of what is not text, its kind and the beginning. */
function partsOf(content: unknown): string[] {
  if (typeof content === "string") return [content];
  if (!Array.isArray(content)) return [JSON.stringify(content)];
  return content.map((part) =>
    typeof part?.text === "string" ? part.text : JSON.stringify(part).replaceAll(DATA, "$1…"),
  );
}
