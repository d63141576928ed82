/** The bench of judges: a prompt, its variables, who judges, and all that goes over the wire. */

import { createLLMAsJudge, type JudgeRequest, type LLMAsJudgeOptions, OpenEvalsError } from "openevals-wasm";
import { CodeBlock } from "../../../shared/code.js";
import { h, inPause, say } from "../../../shared/dom.js";
import { Choice, Editor } from "../../../shared/editor.js";
import type { Bench, State } from "../../bench.js";
import { ModelPicker } from "../../models/picker.js";
import { indented, requestText, Wire } from "../../models/wire.js";
import { RunButtons } from "../../run-buttons.js";
import { formOf } from "../../sides.js";
import { Attachments } from "./attachments.js";
import { type Asked, codeOf } from "./code.js";
import { EXAMPLES } from "./examples.js";
import { Outcome } from "./outcome.js";
import { PROMPTS, paramOf, variablesOf } from "./prompts.js";
import { Request } from "./request.js";
import { Rule } from "./rule.js";
import { ScoreForm } from "./score-form.js";

export const make = (changed: () => void): Bench => new Judge(changed);

class Judge implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #prebuilt: Choice;
  readonly #prompt: Editor;
  readonly #fields = h("div", { class: "variables" });
  readonly #editors = new Map<string, Editor>();
  readonly #score: ScoreForm;
  readonly #attachments: Attachments;
  readonly #rule: Rule;
  readonly #picker: ModelPicker;
  readonly #buttons = new RunButtons("Judge");
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #request = new Request();
  readonly #outcome = new Outcome();
  readonly #code = new CodeBlock("In your application");
  readonly #changed: () => void;
  #values: State = {};
  /** Counts the previews, so that an earlier one does not replace a later one. */
  #previews = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
    const input = () => this.#input();
    this.#prebuilt = new Choice("Prompt", { "": "Your own", ...names(Object.keys(PROMPTS)) }, () => {
      const prompt = PROMPTS[this.#prebuilt.value];
      if (prompt) this.#prompt.text = prompt;
      input();
    });
    this.#prompt = new Editor("What the judge reads", { rows: 10, prose: true, oninput: input });
    this.#score = new ScoreForm(input);
    this.#attachments = new Attachments(input);
    this.#rule = new Rule(input);
    this.#picker = new ModelPicker(input, { name: "A rule", element: this.#rule.element });
    const form = formOf(
      () => this.#judge(),
      this.#prebuilt.element,
      this.#prompt.element,
      this.#fields,
      this.#attachments.element,
      ...this.#score.elements,
      this.#picker.element,
      this.#buttons.element,
      this.#problem,
    );
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "sides" },
        form,
        h("div", { class: "stack" }, this.#outcome.element, this.#request.element),
      ),
      this.#code.element,
      this.#outcome.line.element,
    );
  }

  open(state: State): void {
    const prompt = state.prompt ?? "CORRECTNESS_PROMPT";
    this.#prompt.text = PROMPTS[prompt] ?? prompt;
    this.#values = { ...state };
    this.#editors.clear();
    this.#score.open(state);
    this.#attachments.clear();
    this.#rule.open(state);
    this.#picker.open(state);
    this.#arrange();
    void this.#preview();
    this.#buttons.cancel();
    if (this.#picker.kind === "rule") void this.#judge();
    else this.#outcome.clear("Press “Judge” to ask the model.");
  }

  state(): State {
    const { text } = this.#prompt;
    return {
      prompt: nameOf(text) ?? text,
      ...this.#shownValues(),
      ...this.#score.state(),
      ...this.#picker.state(),
      ...(this.#picker.kind === "rule" && this.#rule.state()),
    };
  }

  #input(): void {
    this.#arrange();
    this.#outcome.stale();
    this.#previewSoon();
    this.#changed();
  }

  /** A field for each variable of the prompt, and what else the choices call for. */
  #arrange(): void {
    this.#prebuilt.value = nameOf(this.#prompt.text) ?? "";
    const variables = variablesOf(this.#prompt.text).filter(({ name }) => name !== "attachments");
    const editors = variables.map(({ name, isOptional }) => {
      let editor = this.#editors.get(name);
      if (!editor) {
        editor = new Editor(isOptional ? `${name} (optional)` : name, {
          rows: 2,
          prose: true,
          oninput: () => this.#input(),
        });
        editor.text = this.#values[name] ?? "";
        this.#editors.set(name, editor);
      }
      return editor;
    });
    const elements = editors.map(({ element }) => element);
    const shown = Array.from(this.#fields.children);
    if (shown.length !== elements.length || shown.some((child, index) => child !== elements[index]))
      this.#fields.replaceChildren(...elements);
    this.#rule.variables = variables.map(({ name }) => name);
    this.#score.arrange();
    this.#buttons.hint = this.#picker.missing() ?? "";
  }

  #shownValues(): Record<string, string> {
    const names = new Set(variablesOf(this.#prompt.text).map(({ name }) => name));
    return Object.fromEntries(
      Array.from(this.#editors, ([name, editor]) => [name, editor.text] as const).filter(
        ([name, text]) => names.has(name) && text !== "",
      ),
    );
  }

  /** What the evaluator is called with. Empty fields of variables that need not be there are left out. */
  #params(): Record<string, unknown> {
    const values = this.#shownValues();
    const variables = variablesOf(this.#prompt.text).filter(({ name }) => name !== "attachments");
    const params = Object.fromEntries(
      variables
        .filter(({ name, isOptional }) => !isOptional || values[name] !== undefined)
        .map(({ name }) => [paramOf(name), values[name] ?? ""]),
    );
    const { files } = this.#attachments;
    return files.length ? { ...params, attachments: files } : params;
  }

  readonly #previewSoon = inPause(250, () => void this.#preview());

  /** Shows what would be sent: the judge is made and called, but for the sending. */
  async #preview(): Promise<void> {
    const turn = ++this.#previews;
    this.#code.show(codeOf(this.#asked()));
    let question: JudgeRequest | undefined;
    let problem = await this.#askDry(() => (request: JudgeRequest) => {
      question = request;
      throw new Error("Nothing is asked.");
    });
    const wire = new Wire(undefined, true);
    const overNetwork = this.#picker.kind === "local" || this.#picker.kind === "provider";
    if (question && overNetwork) problem = await this.#askDry(() => this.#picker.make(wire));
    if (turn !== this.#previews) return;
    const [exchange] = wire.exchanges;
    const text = exchange && requestText(exchange, this.#picker.key).replaceAll("YOUR_KEY", "•••");
    this.#request.show(question, text);
    const missing = this.#picker.missing();
    if (!exchange && (overNetwork || !question)) say(this.#problem, missing ?? problem);
    // What "Judge" found missing is shown until it is there.
    else if (this.#problem.textContent !== missing) say(this.#problem, "");
  }

  /** Asks something that sends nothing, and returns the message of the failure. */
  async #askDry(makeJudge: () => unknown): Promise<string> {
    try {
      const options = { ...this.#score.options(this.#prompt.text), judge: makeJudge() } as LLMAsJudgeOptions;
      await createLLMAsJudge(options)(this.#params());
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  }

  async #judge(): Promise<void> {
    const missing = this.#picker.missing();
    if (missing) {
      say(this.#problem, missing);
      return;
    }
    say(this.#problem, "");
    const asked = this.#shown();
    const run = this.#buttons.begin(this.#picker.kind !== "rule");
    const { key } = this.#picker;
    const wire = new Wire(() => {
      if (run.isLatest()) this.#outcome.showExchanges(wire.exchanges, key);
    });
    this.#outcome.begin();
    const started = performance.now();
    try {
      const judge =
        this.#picker.kind === "rule"
          ? this.#rule.judge(this.#shownValues())
          : this.#picker.make(wire, run.signal);
      const evaluator = createLLMAsJudge({
        ...this.#score.options(this.#prompt.text),
        judge,
      } as LLMAsJudgeOptions);
      const result = await evaluator(this.#params());
      if (!run.isLatest()) return;
      this.#outcome.show(result as object, performance.now() - started);
    } catch (error) {
      if (!run.isLatest()) return;
      const code = OpenEvalsError.isInstance(error) ? error.code : undefined;
      const raw = OpenEvalsError.isInstance(error) ? error.raw : undefined;
      this.#outcome.fail((error as Error).message, code, raw && indented(raw));
    } finally {
      if (run.isLatest() && asked !== this.#shown()) this.#outcome.stale();
      run.end();
    }
  }

  /** All that a verdict depends on, as text. */
  #shown(): string {
    return JSON.stringify([this.state(), this.#attachments.files]);
  }

  #asked(): Asked {
    const { text } = this.#prompt;
    return {
      prompt: nameOf(text) ?? text,
      isPrebuilt: nameOf(text) !== undefined,
      kind: this.#score.kind,
      choices: this.#score.choices,
      schema: this.#score.schema,
      params: this.#params(),
      model:
        this.#picker.kind === "rule"
          ? { imports: [], option: this.#rule.code(this.#score.kind, this.#score.choiceList) }
          : this.#picker.code(),
    };
  }
}

const names = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(list.map((name) => [name, name]));

const nameOf = (prompt: string): string | undefined =>
  Object.entries(PROMPTS).find(([, text]) => text === prompt)?.[0];
