/** The bench of judges: a prompt, its variables, who judges, and all that goes over the wire. */

import { createLLMAsJudge, type LLMAsJudgeOptions, OpenEvalsError } from "openevals-wasm";
import { CodeBlock } from "../../../shared/code.js";
import { h, inPause, say } from "../../../shared/dom.js";
import { Choice, Editor, Line, Switch } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import type { Bench, State } from "../../bench.js";
import { ModelPicker } from "../../models/picker.js";
import { indented, requestText, Wire } from "../../models/wire.js";
import { Attachments } from "./attachments.js";
import { type Asked, codeOf, type ScoreKind } from "./code.js";
import { EXAMPLES } from "./examples.js";
import { Outcome } from "./outcome.js";
import { PROMPTS, paramOf, variablesOf } from "./prompts.js";
import { Rule } from "./rule.js";

const KINDS: Record<ScoreKind, string> = {
  boolean: "true or false",
  continuous: "0 to 1",
  choices: "one of",
  schema: "an object",
};

const FIRST_SCHEMA = JSON.stringify(
  {
    type: "object",
    properties: { verdict: { type: "string", enum: ["good", "fair", "poor"] }, reasons: { type: "string" } },
    required: ["verdict", "reasons"],
  },
  undefined,
  2,
);

export const make = (changed: () => void): Bench => new Judge(changed);

class Judge implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #prebuilt: Choice;
  readonly #prompt: Editor;
  readonly #fields = h("div", { class: "variables" });
  readonly #editors = new Map<string, Editor>();
  readonly #kind: Switch<ScoreKind>;
  readonly #choices: Line;
  readonly #schema: Editor;
  readonly #attachments: Attachments;
  readonly #rule: Rule;
  readonly #picker: ModelPicker;
  readonly #run = h("button", { type: "submit", class: "primary" }, "Judge");
  readonly #stop = h("button", { type: "button", hidden: true }, "Stop");
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #request = new CodeBlock("The request", "json");
  readonly #outcome = new Outcome();
  readonly #code = new CodeBlock("In your application");
  readonly #changed: () => void;
  #values: State = {};
  #aborter: AbortController | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
    const input = () => this.#input();
    this.#prebuilt = new Choice("Prompt", { "": "Your own", ...names(Object.keys(PROMPTS)) }, () => {
      const prompt = PROMPTS[this.#prebuilt.value];
      if (prompt) this.#prompt.text = prompt;
      input();
    });
    this.#prompt = new Editor("What the judge reads", { rows: 10, prose: true, oninput: input });
    this.#kind = new Switch("Score", KINDS, input);
    this.#choices = new Line("Scores", { placeholder: "0, 0.5, 1" }, input);
    this.#schema = new Editor("JSON schema of the answer", { oninput: input });
    this.#attachments = new Attachments(input);
    this.#rule = new Rule(input);
    this.#picker = new ModelPicker(input, { name: "A rule", element: this.#rule.element });
    this.#stop.addEventListener("click", () => this.#aborter?.abort());
    const form = h(
      "form",
      {
        class: "stack",
        onsubmit: (event: Event) => {
          event.preventDefault();
          void this.#judge();
        },
      },
      this.#prebuilt.element,
      this.#prompt.element,
      this.#fields,
      this.#attachments.element,
      h("div", { class: "toolbar" }, this.#kind.element, this.#choices.element),
      this.#schema.element,
      this.#picker.element,
      h("div", { class: "toolbar" }, this.#run, this.#stop),
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
    );
  }

  open(state: State): void {
    const prompt = state.prompt ?? "CORRECTNESS_PROMPT";
    this.#prompt.text = PROMPTS[prompt] ?? prompt;
    this.#values = { ...state };
    this.#editors.clear();
    this.#kind.value = state.kind ?? "boolean";
    this.#choices.value = state.choices ?? "0, 0.5, 1";
    this.#schema.text = state.schema ?? FIRST_SCHEMA;
    this.#attachments.clear();
    this.#rule.open(state);
    this.#picker.open(state);
    this.#outcome.clear();
    this.#arrange();
    void this.#preview();
  }

  state(): State {
    const { text } = this.#prompt;
    const kind = this.#kind.value;
    return {
      prompt: nameOf(text) ?? text,
      ...this.#shownValues(),
      kind,
      ...(kind === "choices" && { choices: this.#choices.value }),
      ...(kind === "schema" && { schema: this.#schema.text }),
      ...this.#picker.state(),
      ...(this.#picker.kind === "rule" && this.#rule.state()),
    };
  }

  #input(): void {
    this.#arrange();
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
    this.#choices.element.hidden = this.#kind.value !== "choices";
    this.#schema.element.hidden = this.#kind.value !== "schema";
    const missing = this.#picker.missing();
    this.#run.title = missing ?? "";
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

  /** The options but for who judges; throws for what cannot be. */
  #options(): LLMAsJudgeOptions & { outputSchema?: object } {
    const prompt = this.#prompt.text;
    const kind = this.#kind.value;
    if (kind === "schema") {
      const { value, problem } = readJson(this.#schema.text);
      this.#schema.complain(problem);
      if (problem !== undefined) throw new Error("The schema is no JSON.");
      return { prompt, outputSchema: value as object };
    }
    this.#schema.complain();
    if (kind === "choices") return { prompt, choices: this.#choices.value.split(",").map(Number) };
    return kind === "continuous" ? { prompt, continuous: true } : { prompt };
  }

  readonly #previewSoon = inPause(250, () => void this.#preview());

  /** Shows what would be sent: the judge is made and called, but for the sending. */
  async #preview(): Promise<void> {
    this.#code.show(codeOf(this.#asked()));
    const wire = new Wire(undefined, true);
    let asked: object | undefined;
    try {
      const isFunction = this.#picker.kind === "rule" || this.#picker.kind === "browser";
      const judge = isFunction
        ? (request: object) => {
            asked = request;
            throw new Error("Nothing is asked.");
          }
        : this.#picker.make(wire);
      await createLLMAsJudge({ ...this.#options(), judge } as LLMAsJudgeOptions)(this.#params());
    } catch (error) {
      const [exchange] = wire.exchanges;
      if (asked) this.#request.show(`${JSON.stringify(asked, shortened, 2)}\n`);
      else if (exchange)
        this.#request.show(
          requestText(exchange, this.#picker.key).replaceAll("YOUR_KEY", "•••").replaceAll(DATA, "$1…"),
        );
      else this.#request.show("");
      say(this.#problem, asked || exchange ? "" : (error as Error).message);
    }
  }

  async #judge(): Promise<void> {
    const missing = this.#picker.missing();
    if (missing) {
      say(this.#problem, missing);
      return;
    }
    say(this.#problem, "");
    this.#aborter = new AbortController();
    this.#run.disabled = true;
    this.#stop.hidden = this.#picker.kind === "rule";
    const { key } = this.#picker;
    const wire = new Wire(() => this.#outcome.showExchanges(wire.exchanges, key));
    this.#outcome.begin();
    const started = performance.now();
    try {
      const judge =
        this.#picker.kind === "rule"
          ? this.#rule.judge(this.#shownValues())
          : this.#picker.make(wire, this.#aborter.signal);
      const evaluator = createLLMAsJudge({ ...this.#options(), judge } as LLMAsJudgeOptions);
      const result = await evaluator(this.#params());
      this.#outcome.show(result as object, performance.now() - started);
    } catch (error) {
      const code = OpenEvalsError.isInstance(error) ? error.code : undefined;
      const raw = OpenEvalsError.isInstance(error) ? error.raw : undefined;
      this.#outcome.fail((error as Error).message, code, raw && indented(raw));
    } finally {
      this.#run.disabled = false;
      this.#stop.hidden = true;
    }
  }

  #asked(): Asked {
    const { text } = this.#prompt;
    return {
      prompt: nameOf(text) ?? text,
      isPrebuilt: nameOf(text) !== undefined,
      kind: this.#kind.value,
      choices: this.#choices.value,
      schema: this.#schema.text,
      params: this.#params(),
      model: this.#picker.kind === "rule" ? { imports: [], option: this.#rule.code() } : this.#picker.code(),
    };
  }
}

const names = (list: readonly string[]): Record<string, string> =>
  Object.fromEntries(list.map((name) => [name, name]));

const nameOf = (prompt: string): string | undefined =>
  Object.entries(PROMPTS).find(([, text]) => text === prompt)?.[0];

/** The data of files would fill the page. */
const DATA = /((?:data:[\w/+.-]+;base64,)?[A-Za-z0-9+/]{60})[A-Za-z0-9+/=]{200,}/g;

const shortened = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll(DATA, "$1…") : value;
