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
import { RunButtons } from "../../run-buttons.js";
import { dim, formOf, panel, sides } from "../../sides.js";
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
  readonly #buttons = new RunButtons("Evaluate");
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #scores = new Scores();
  readonly #answer = h("p", { class: "answer", dir: "auto" });
  readonly #claims = h("ol", { class: "findings" });
  readonly #bearing = h("ol", { class: "findings" });
  readonly #results: HTMLElement;
  readonly #line = new ScoreLine();
  readonly #code = new CodeBlock("In your application");

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
    const form = formOf(
      () => this.#evaluate(),
      this.#inputs.element,
      this.#contexts.element,
      this.#outputs.element,
      this.#reference.element,
      this.#picker.element,
      this.#buttons.element,
      this.#problem,
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
    this.element = sides("rag", form, this.#results, this.#code, this.#line);
  }

  open(state: State): void {
    const first = EXAMPLES[0]?.state ?? {};
    this.#inputs.text = state.inputs ?? first.inputs ?? "";
    this.#contexts.text = state.contexts ?? first.contexts ?? "";
    this.#outputs.text = state.outputs ?? first.outputs ?? "";
    this.#reference.text = state.reference ?? first.reference ?? "";
    this.#picker.open(state);
    this.#buttons.cancel();
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

  #stale(isStale = true): void {
    dim(isStale, this.#results, this.#line.element);
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
    const isRule = this.#picker.kind === "rule";
    const run = this.#buttons.begin(!isRule);
    this.#scores.wait("asking…");
    const started = performance.now();
    try {
      const judge = isRule ? recorded : this.#picker.make(new Wire(), run.signal);
      const results = await ragSuite({ judge })(row);
      if (!run.isLatest()) return;
      this.#stale(false);
      this.#show(results);
      this.#scores.show(scoresOf(results), performance.now() - started);
    } catch (error) {
      if (run.isLatest()) this.#scores.fail((error as Error).message);
    }
    run.end();
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
