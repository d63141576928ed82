/** The bench of recipes: a conversation, and five evaluations of its last answer. */

import { type EvaluationName, type EvaluationOutput, evaluate } from "openevals-wasm/recipes";
import { CodeBlock } from "../../../shared/code.js";
import { h, say } from "../../../shared/dom.js";
import { Editor } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import { ScoreLine, timeText } from "../../../shared/scores.js";
import type { Bench, Example, State } from "../../bench.js";
import { legend } from "../../findings.js";
import { ModelPicker } from "../../models/picker.js";
import { Wire } from "../../models/wire.js";
import { type Run, RunButtons } from "../../run-buttons.js";
import { dim, formOf, panel, sides } from "../../sides.js";
import { codeOf } from "./code.js";
import { lastAnswer, manifestFor } from "./messages.js";
import { CONVERSATION, CRITERIA, isRecorded, recorded, TOOLS } from "./recorded.js";
import { cardOf, claimsIn, highlighted, lineEntry, NAMES } from "./results.js";

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
const ALL = Object.keys(NAMES) as EvaluationName[];

const EXAMPLES: Example[] = [
  {
    name: "A museum's assistant",
    state: {
      conversation: json(CONVERSATION),
      tools: json(TOOLS),
      criteria: CRITERIA,
      use: ALL.join(","),
      judge: "rule",
    },
  },
];

export const make = (changed: () => void): Bench => new Recipes(changed);

interface Asked {
  messages: Record<string, unknown>[];
  tools: Record<string, unknown>[];
}

class Recipes implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #conversation: Editor;
  readonly #tools: Editor;
  readonly #criteria: Editor;
  readonly #boxes = new Map<EvaluationName, HTMLInputElement>();
  readonly #picker: ModelPicker;
  readonly #buttons = new RunButtons("Evaluate");
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #state = h("p", { class: "hint", "aria-live": "polite" });
  readonly #answer = h("p", { class: "answer", dir: "auto" });
  readonly #cards = h("div", { class: "stack" });
  readonly #results: HTMLElement;
  readonly #line = new ScoreLine();
  readonly #code = new CodeBlock("In your application");

  constructor(changed: () => void) {
    const input = () => {
      this.#showCode();
      this.#stale();
      changed();
    };
    this.#conversation = new Editor("Conversation", { rows: 14, oninput: input });
    this.#tools = new Editor("Tools of the assistant", { rows: 4, oninput: input });
    this.#criteria = new Editor("Criteria, one in each line", { rows: 3, prose: true, oninput: input });
    const boxes = ALL.map((name) => {
      const box = h("input", { type: "checkbox", onchange: input });
      this.#boxes.set(name, box);
      return h("label", { class: "box" }, box, NAMES[name]);
    });
    const hint = h(
      "p",
      { class: "hint" },
      "Answers that were written for the example: they show what the evaluations do.",
    );
    this.#picker = new ModelPicker(input, { name: "Recorded answers", element: hint });
    const form = formOf(
      () => this.#evaluate(),
      this.#conversation.element,
      this.#tools.element,
      this.#criteria.element,
      h("fieldset", { class: "boxes" }, h("legend", { class: "label" }, "Evaluations"), ...boxes),
      this.#picker.element,
      this.#buttons.element,
      this.#state,
      this.#problem,
    );
    this.#results = h("div", { class: "stack" }, panel("The answer", legend(), this.#answer), this.#cards);
    this.element = sides("recipes", form, this.#results, this.#code, this.#line);
  }

  open(state: State): void {
    const first = EXAMPLES[0]?.state ?? {};
    this.#conversation.text = state.conversation ?? first.conversation ?? "";
    this.#tools.text = state.tools ?? first.tools ?? "[]";
    this.#criteria.text = state.criteria ?? first.criteria ?? "";
    const use = new Set((state.use ?? ALL.join(",")).split(","));
    for (const [name, box] of this.#boxes) box.checked = use.has(name);
    this.#picker.open(state);
    this.#buttons.cancel();
    this.#stale(false);
    this.#line.show([]);
    this.#cards.replaceChildren();
    say(this.#state, "");
    say(this.#problem, "");
    this.#answer.textContent = lastAnswer(readJson(this.#conversation.text).value);
    this.#showCode();
    if (this.#picker.kind === "rule") void this.#evaluate();
  }

  #stale(isStale = true): void {
    dim(isStale, this.#results, this.#line.element);
  }

  state(): State {
    return {
      conversation: this.#conversation.text,
      tools: this.#tools.text,
      criteria: this.#criteria.text,
      use: this.#used().join(","),
      ...this.#picker.state(),
    };
  }

  #used(): EvaluationName[] {
    return [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
  }

  #listOfCriteria(): string[] {
    return this.#criteria.text.split("\n").flatMap((line) => line.trim() || []);
  }

  /** What a field holds; an empty list where that is not JSON. */
  #valueOf(editor: Editor): unknown {
    return readJson(editor.text).value ?? [];
  }

  #read(): Asked | undefined {
    const [messages, tools] = [this.#conversation, this.#tools].map((editor) => {
      const { value, problem } = readJson(editor.text);
      const isList = Array.isArray(value);
      editor.complain(problem ?? (isList ? "" : "This has to be a list."));
      return isList ? value : undefined;
    });
    return messages && tools ? { messages, tools } : undefined;
  }

  async #evaluate(): Promise<void> {
    const asked = this.#read();
    const used = this.#used();
    const isRule = this.#picker.kind === "rule";
    const missing =
      this.#picker.missing() ??
      (used.length ? undefined : "Pick an evaluation first.") ??
      (isRule && !isRecorded(this.#conversation.text)
        ? "The recorded answers are about the example only. Pick a model to ask about this conversation."
        : undefined);
    say(this.#problem, asked ? (missing ?? "") : "");
    if (!asked || missing) return;
    const run = this.#buttons.begin(!isRule);
    const answer = lastAnswer(asked.messages);
    this.#answer.replaceChildren(answer);
    this.#stale(false);
    const shown = new Map<EvaluationName, EvaluationOutput>();
    const cards = new Map(used.map((name) => [name, cardOf(name, undefined)]));
    this.#cards.replaceChildren(...cards.values());
    const started = performance.now();
    let done = 0;
    await Promise.all(
      used.map(async (name) => {
        const output = await this.#outputOf(name, asked, run);
        if (!run.isLatest()) return;
        const card = cardOf(name, output);
        cards.get(name)?.replaceWith(card);
        if (name === "claim_verification")
          this.#answer.replaceChildren(...highlighted(answer, claimsIn(output.metadata)));
        shown.set(name, output);
        this.#line.show(used.flatMap((name) => lineEntry(name, shown.get(name))));
        say(this.#state, `${++done} of ${used.length} evaluations, ${timeText(performance.now() - started)}`);
      }),
    );
    run.end();
  }

  async #outputOf(name: EvaluationName, { messages, tools }: Asked, run: Run): Promise<EvaluationOutput> {
    try {
      const model = this.#picker.kind === "rule" ? recorded : this.#picker.make(new Wire(), run.signal);
      const config = {
        model,
        ...(name === "check_criteria" && { criteria: this.#listOfCriteria() }),
        ...manifestFor(name, messages),
      };
      const [output] = await evaluate({
        messages,
        tools,
        evaluations: [name],
        evaluationConfigs: { [name]: config },
      });
      return output as EvaluationOutput;
    } catch (error) {
      return { evalName: name, applicable: false, score: 0, metadata: {}, error: error as Error };
    }
  }

  #showCode(): void {
    this.#code.show(
      codeOf({
        evaluations: this.#used(),
        messages: this.#valueOf(this.#conversation),
        tools: this.#valueOf(this.#tools),
        criteria: this.#listOfCriteria(),
        model: this.#picker.kind === "rule" ? undefined : this.#picker.code(),
      }),
    );
  }
}
