/** Two lanes of messages with their calls, those that match joined by lines. */

import { h, svg } from "../../../shared/dom.js";
import { argsOf, type Match } from "./matching.js";
import type { Call, Message } from "./reading.js";
import type { Broken } from "./rules.js";

/** More messages than these nobody reads here. */
const MAX_MESSAGES = 200;

export interface Drawn {
  outputs: readonly Message[];
  referenceOutputs: readonly Message[];
  pairs: readonly Match[];
  reasons: ReadonlyMap<Call, string>;
  /** The rules that the output breaks. */
  broken: readonly Broken[];
}

export class Lanes {
  readonly element = h("div", { class: "lanes" });
  readonly #lines = svg("svg", { class: "lines", "aria-hidden": "true" });
  #joined: [HTMLElement, HTMLElement][] = [];

  constructor() {
    new ResizeObserver(() => this.#join()).observe(this.element);
  }

  show({ outputs, referenceOutputs, pairs, reasons, broken }: Drawn): void {
    const cards = new Map<Call, HTMLElement>();
    const numbers = new Map<Call, number>();
    pairs.forEach((pair, index) => {
      for (const call of pair) numbers.set(call, index + 1);
    });
    const lane = (name: string, messages: readonly Message[], other: string) =>
      h(
        "section",
        { class: "lane", "aria-label": `${name}, drawn` },
        h("h2", {}, name),
        h(
          "ol",
          {},
          ...messages.slice(0, MAX_MESSAGES).map((message) =>
            messageOf(message, (call) => {
              const card = callOf(call, numbers.get(call), reasons.get(call), other);
              cards.set(call, card);
              return card;
            }),
          ),
        ),
        messages.length > MAX_MESSAGES &&
          h("p", { class: "quiet" }, `And ${messages.length - MAX_MESSAGES} more messages.`),
      );
    this.element.replaceChildren(
      lane("Output", outputs, "of the reference"),
      lane("Reference", referenceOutputs, "of the output"),
      this.#lines,
    );
    for (const { rule, calls, comment } of broken)
      for (const { message, call } of calls) {
        const card = cards.get(outputs[message]?.calls[call] as Call);
        // Its place is here.
        const what = comment.replace(/^outputs\S*: /, "");
        card?.append(h("p", { class: "why broken" }, h("code", {}, rule), ": ", h("bdi", {}, what)));
      }
    this.#joined = pairs.flatMap(([output, reference]) => {
      const ends = [cards.get(output), cards.get(reference)];
      return ends[0] && ends[1] ? [ends as [HTMLElement, HTMLElement]] : [];
    });
    this.#join();
  }

  /** Draws the lines where the calls are now. */
  #join(): void {
    const frame = this.element.getBoundingClientRect();
    this.#lines.replaceChildren(
      ...this.#joined.map(([from, to]) => {
        const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
        const [x1, y1] = [a.right - frame.left, a.top + 16 - frame.top];
        const [x2, y2] = [b.left - frame.left, b.top + 16 - frame.top];
        const bend = (x2 - x1) / 2;
        return svg("path", { d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
      }),
    );
  }
}

function messageOf({ role, text, calls }: Message, draw: (call: Call) => HTMLElement): HTMLElement {
  return h(
    "li",
    { class: "message" },
    h("span", { class: "role" }, role),
    text.trim() !== "" &&
      h("p", { class: "text", dir: "auto", title: text.length > 160 ? text : undefined }, text),
    ...calls.map(draw),
  );
}

function callOf(
  call: Call,
  number: number | undefined,
  reason: string | undefined,
  other: string,
): HTMLElement {
  const args = argsOf(call.args);
  const shown =
    typeof args === "object" && args !== null && !Array.isArray(args)
      ? Object.entries(args).map(([name, value]) =>
          h("div", {}, h("bdi", { class: "k" }, name), ": ", h("bdi", {}, JSON.stringify(value))),
        )
      : [h("bdi", {}, typeof args === "string" ? args : JSON.stringify(args))];
  return h(
    "div",
    { class: `call ${number ? "matched" : "alone"}` },
    h(
      "div",
      { class: "head" },
      h("code", {}, h("bdi", {}, call.name)),
      number
        ? h(
            "span",
            { class: "mark" },
            h("span", { class: "unseen" }, `matches the call ${other} with the number `),
            `${number}`,
          )
        : h("span", { class: "mark" }, "✗", h("span", { class: "unseen" }, " no match")),
    ),
    h("div", { class: "args" }, ...shown),
    !number && reason !== undefined && h("p", { class: "why" }, h("bdi", {}, reason)),
  );
}

/** The steps of graphs, turn by turn. */
export function stepsOf(
  name: string,
  turns: readonly (readonly string[])[],
  others: readonly (readonly string[])[],
) {
  return h(
    "section",
    { class: "lane", "aria-label": `${name}, drawn` },
    h("h2", {}, name),
    h(
      "ol",
      {},
      ...turns.map((steps, turn) =>
        h(
          "li",
          { class: "message" },
          h("span", { class: "role" }, `turn ${turn + 1}`),
          h(
            "div",
            { class: "steps" },
            ...steps.map((step, index) =>
              h(
                "code",
                { class: step === others[turn]?.[index] ? "step" : "step alone" },
                step === others[turn]?.[index] ? "" : "✗ ",
                h("bdi", {}, step),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}
