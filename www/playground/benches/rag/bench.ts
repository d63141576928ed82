/** The bench of RAG: a question, contexts and an answer, scored by the metrics of a suite. */

import { type RagResult, ragSuite } from "openevals-wasm/rag";
import { CodeBlock } from "../../../shared/code.js";
import { h, say } from "../../../shared/dom.js";
import { Editor } from "../../../shared/editor.js";
import { ScoreLine, Scores } from "../../../shared/scores.js";
import type { Bench, Example, State } from "../../bench.js";
import { legend, markedText } from "../../findings.js";
import { ModelPicker } from "../../models/picker.js";
import { Wire } from "../../models/wire.js";
import { codeOf, type RagFields } from "./code.js";
import { RAG_EXAMPLES } from "./examples.js";
import { exampleOf, recorded } from "./recorded.js";
import { answerClaims, claimList, contextList, PENDING, placesOf, scoresOf } from "./results.js";

const EXAMPLES: Example[] = RAG_EXAMPLES.map(({ name, inputs, contexts, outputs, reference }) => ({
  name,
  state: { inputs, contexts: contexts.join("\n"), outputs, reference, judge: "rule" },
}));

export const make = (changed: () => void): Bench => new Rag(changed);

class Rag implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #inputs: Editor;
  readonly #contexts: Editor;
  readonly #outputs: Editor;
  readonly #reference: Editor;
  readonly #picker: ModelPicker;
  readonly #run = h("button", { type: "submit", class: "primary" }, "Evaluate");
  readonly #stop = h("button", { type: "button", hidden: true }, "Stop");
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #scores = new Scores();
  readonly #answer = h("p", { class: "answer", dir: "auto" });
  readonly #claims = h("ol", { class: "findings" });
  readonly #bearing = h("ol", { class: "findings" });
  readonly #results: HTMLElement;
  readonly #line = new ScoreLine();
  readonly #code = new CodeBlock("In your application");
  #aborter: AbortController | undefined;
  /** Counts the runs, so that the results of an earlier one are not shown. */
  #turn = 0;

  constructor(changed: () => void) {
    const input = () => {
      this.#showCode();
      this.#stale();
      changed();
    };
    const prose = (name: string, rows: number) => new Editor(name, { rows, prose: true, oninput: input });
    this.#inputs = prose("Question", 2);
    this.#contexts = prose("Contexts, one in each line, best first", 7);
    this.#outputs = prose("Answer", 5);
    this.#reference = prose("Reference (optional)", 3);
    const hint = h(
      "p",
      { class: "hint" },
      "Answers that were written for the examples: they show what the metrics do.",
    );
    this.#picker = new ModelPicker(input, { name: "Recorded answers", element: hint });
    this.#stop.addEventListener("click", () => this.#aborter?.abort());
    const onsubmit = (event: Event) => {
      event.preventDefault();
      void this.#evaluate();
    };
    const form = h(
      "form",
      { class: "stack", onsubmit },
      this.#inputs.element,
      this.#contexts.element,
      this.#outputs.element,
      this.#reference.element,
      this.#picker.element,
      h("div", { class: "toolbar" }, this.#run, this.#stop),
      this.#problem,
    );
    const panel = (title: string, more: HTMLElement | false, ...children: HTMLElement[]) =>
      h(
        "section",
        { class: "panel", "aria-label": title },
        h("div", { class: "bar" }, h("h2", {}, title), more),
        ...children,
      );
    this.#results = h(
      "div",
      { class: "stack" },
      this.#scores.element,
      panel("The answer", legend(), this.#answer),
      panel("The contexts", false, this.#bearing),
      panel("The claims", false, this.#claims),
    );
    this.#scores.show(PENDING);
    this.element = h(
      "div",
      { class: "rag" },
      h("div", { class: "sides" }, form, this.#results),
      this.#code.element,
      this.#line.element,
    );
  }

  open(state: State): void {
    const first = EXAMPLES[0]?.state ?? {};
    this.#inputs.text = state.inputs ?? first.inputs ?? "";
    this.#contexts.text = state.contexts ?? first.contexts ?? "";
    this.#outputs.text = state.outputs ?? first.outputs ?? "";
    this.#reference.text = state.reference ?? first.reference ?? "";
    this.#picker.open(state);
    this.#aborter?.abort();
    this.#finish(++this.#turn);
    this.#show([]);
    this.#scores.show(PENDING);
    say(this.#problem, "");
    this.#showCode();
    if (this.#picker.kind === "rule") void this.#evaluate();
  }

  state(): State {
    return {
      inputs: this.#inputs.text,
      contexts: this.#contexts.text,
      outputs: this.#outputs.text,
      reference: this.#reference.text,
      ...this.#picker.state(),
    };
  }

  /** Dims results of other texts than those shown now. */
  #stale(isStale = true): void {
    for (const element of [this.#results, this.#line.element]) element.classList.toggle("outdated", isStale);
  }

  #row(): RagFields {
    const reference = this.#reference.text.trim();
    return {
      inputs: this.#inputs.text,
      outputs: this.#outputs.text,
      context: this.#contexts.text.split("\n").flatMap((line) => line.trim() || []),
      ...(reference && { referenceOutputs: reference }),
    };
  }

  #missing({ inputs, outputs, context, referenceOutputs: reference = "" }: RagFields): string | undefined {
    if (this.#picker.kind === "rule" && !exampleOf({ inputs, outputs, contexts: context, reference }))
      return "The recorded answers are about the examples only. Pick a model to ask about these texts.";
    return this.#picker.missing();
  }

  async #evaluate(): Promise<void> {
    const row = this.#row();
    const missing = this.#missing(row);
    say(this.#problem, missing ?? "");
    if (missing) return;
    const turn = ++this.#turn;
    this.#aborter = new AbortController();
    const isRule = this.#picker.kind === "rule";
    this.#run.disabled = true;
    this.#stop.hidden = isRule;
    this.#scores.wait("asking…");
    const started = performance.now();
    try {
      const judge = isRule ? recorded : this.#picker.make(new Wire(), this.#aborter.signal);
      const results = await ragSuite({ judge })(row);
      if (turn !== this.#turn) return;
      this.#stale(false);
      this.#show(results);
      this.#scores.show(scoresOf(results), performance.now() - started);
    } catch (error) {
      if (turn === this.#turn) this.#scores.fail((error as Error).message);
    }
    this.#finish(turn);
  }

  #finish(turn: number): void {
    if (turn !== this.#turn) return;
    this.#run.disabled = false;
    this.#stop.hidden = true;
  }

  #show(results: readonly RagResult[]): void {
    const { outputs, context } = this.#row();
    const claims = answerClaims(results);
    this.#answer.replaceChildren(...markedText(outputs, placesOf(claims)));
    this.#claims.replaceChildren(...claimList(claims));
    this.#bearing.replaceChildren(...contextList(context, results));
    this.#line.show(scoresOf(results));
  }

  #showCode(): void {
    this.#code.show(codeOf(this.#row(), this.#picker.kind === "rule" ? undefined : this.#picker.code()));
  }
}
