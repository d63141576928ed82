/** The bench of texts and data: two fields, scored by every evaluator that needs no model, and their difference. */

import { CodeBlock } from "../../../shared/code.js";
import { h } from "../../../shared/dom.js";
import { Choice, Editor, Line, Switch } from "../../../shared/editor.js";
import { readJson } from "../../../shared/json-text.js";
import { ScoreLine, Scores } from "../../../shared/scores.js";
import { type Piece, textDifference } from "../../../shared/text-difference.js";
import type { Bench, State } from "../../bench.js";
import { loaded } from "../../engine.js";
import { EXAMPLES } from "./examples.js";
import { jsonTree } from "./json-tree.js";
import { METRICS_CODE, scoreMetrics } from "./metrics.js";
import { codeOf, type JsonOptions, type Pair, scoreJson, scoreTexts } from "./scoring.js";

const LIST_MODES = {
  same_elements: "paired as well as possible",
  ordered: "by position",
  subset: "subset of the reference",
  superset: "superset of the reference",
};

const PENDING = [
  { key: "exact_match", name: "Exact match" },
  { key: "levenshtein_distance", name: "Levenshtein similarity" },
];

export function make(changed: () => void): Bench {
  return new Texts(changed);
}

class Texts implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #mode: Switch<"text" | "json">;
  readonly #output: Editor;
  readonly #reference: Editor;
  readonly #lists: Choice;
  readonly #exclude: Line;
  readonly #jsonOptions: HTMLElement;
  readonly #scores = new Scores();
  readonly #line = new ScoreLine();
  readonly #metrics = new Scores("Metrics of texts");
  readonly #more: HTMLDetailsElement;
  #isWarm = false;
  readonly #difference = h("div", {
    class: "difference",
    tabindex: 0,
    role: "region",
    "aria-label": "Difference",
  });
  readonly #code = new CodeBlock("In your application");
  #turn = 0;

  constructor(changed: () => void) {
    const input = () => {
      this.#update();
      changed();
    };
    this.#mode = new Switch("What to compare", { text: "Text", json: "JSON" }, input);
    this.#output = new Editor("Output", { oninput: input });
    this.#reference = new Editor("Reference", { oninput: input });
    this.#lists = new Choice("Lists", LIST_MODES, input);
    this.#exclude = new Line("Leave out keys", { placeholder: "id, created_at" }, input);
    this.#jsonOptions = h("div", { class: "options" }, this.#lists.element, this.#exclude.element);
    this.#scores.show(PENDING);
    this.#more = h(
      "details",
      { class: "more", ontoggle: input },
      h("summary", {}, "More metrics: BLEU, ROUGE, chrF, error rates …"),
      this.#metrics.element,
    );
    this.element = h(
      "div",
      {},
      h("div", { class: "toolbar" }, this.#mode.element, this.#jsonOptions),
      h(
        "div",
        { class: "columns" },
        h("div", { class: "editors" }, this.#output.element, this.#reference.element),
        h("div", {}, this.#scores.element, this.#more),
      ),
      h(
        "section",
        { class: "panel", "aria-label": "What differs" },
        h(
          "div",
          { class: "bar" },
          h("h2", {}, "What differs"),
          h("small", {}, h("del", {}, "reference"), " ", h("ins", {}, "output")),
        ),
        this.#difference,
      ),
      this.#code.element,
      this.#line.element,
    );
  }

  open(state: State): void {
    this.#mode.value = state.mode ?? "";
    const first = EXAMPLES.find((example) => example.state.mode === this.#mode.value)?.state;
    this.#output.text = state.outputs ?? first?.outputs ?? "";
    this.#reference.text = state.reference ?? first?.reference ?? "";
    this.#lists.value = state.lists ?? "same_elements";
    this.#exclude.value = state.exclude ?? "";
    this.#more.open = state.more !== undefined;
    void this.#update();
  }

  state(): State {
    const isJson = this.#mode.value === "json";
    return {
      mode: this.#mode.value,
      outputs: this.#output.text,
      reference: this.#reference.text,
      ...(isJson && this.#lists.value !== "same_elements" && { lists: this.#lists.value }),
      ...(isJson && this.#exclude.value && { exclude: this.#exclude.value }),
      ...(!isJson && this.#more.open && { more: "" }),
    };
  }

  async #update(): Promise<void> {
    const turn = ++this.#turn;
    const isJson = this.#mode.value === "json";
    this.#jsonOptions.hidden = !isJson;
    this.#more.hidden = isJson;
    const pair = isJson ? this.#readJson() : this.#readTexts();
    if (!pair) {
      this.#scores.wait("waiting for JSON in both fields");
      this.#line.stale();
      return;
    }
    try {
      const options = isJson ? this.#options() : undefined;
      this.#difference.replaceChildren(
        isJson ? jsonTree(pair.outputs, pair.referenceOutputs) : textOf(pair as Record<keyof Pair, string>),
      );
      this.#code.show(codeOf(pair, [], options));
      await loaded;
      const score = async () =>
        options
          ? scoreJson(pair, options)
          : { scores: await scoreTexts(pair as Record<keyof Pair, string>), problem: undefined };
      // The first call loads what explains a mismatch.
      if (!this.#isWarm) await score();
      this.#isWarm = true;
      const started = performance.now();
      const { scores, problem } = await score();
      // What comes after a later score was asked for is out of date.
      if (turn !== this.#turn) return;
      this.#scores.show(scores, performance.now() - started);
      this.#line.show(scores.filter(({ name }) => name));
      const hasMetrics = !isJson && this.#more.open;
      this.#code.show(codeOf(pair, scores, options) + (hasMetrics ? METRICS_CODE : ""));
      if (hasMetrics) await this.#showMetrics(pair as Record<keyof Pair, string>, turn);
      if (problem) this.#scores.fail(problem, false);
    } catch (error) {
      if (turn === this.#turn) this.#scores.fail((error as Error).message);
    }
  }

  async #showMetrics(pair: Record<keyof Pair, string>, turn: number): Promise<void> {
    const scores = await scoreMetrics(pair);
    if (turn === this.#turn) this.#metrics.show(scores);
  }

  #options(): JsonOptions {
    const excludeKeys = this.#exclude.value.split(",").flatMap((key) => key.trim() || []);
    return { listMatchMode: this.#lists.value as JsonOptions["listMatchMode"] & string, excludeKeys };
  }

  #readTexts(): Pair {
    this.#output.complain();
    this.#reference.complain();
    return { outputs: this.#output.text, referenceOutputs: this.#reference.text };
  }

  #readJson(): Pair | undefined {
    const [outputs, referenceOutputs] = [this.#output, this.#reference].map((editor) => {
      const read = readJson(editor.text);
      editor.complain(read.problem);
      return read;
    });
    if (!outputs || !referenceOutputs || outputs.problem || referenceOutputs.problem) return undefined;
    return { outputs: outputs.value, referenceOutputs: referenceOutputs.value };
  }
}

/** A difference of texts, in one flow. */
function textOf({ outputs, referenceOutputs }: Record<keyof Pair, string>): HTMLElement {
  const pieces = textDifference(referenceOutputs, outputs);
  if (!pieces.some(([kind]) => kind !== "same"))
    return h("p", { class: "quiet" }, outputs ? "Nothing: both are the same." : "Nothing: both are empty.");
  return h("p", { class: "flow", dir: "auto" }, ...pieces.map(pieceOf));
}

function pieceOf([kind, text]: Piece): HTMLElement | string {
  if (kind === "same") return text;
  // A line break alone would not be seen.
  const seen = text.replaceAll("\n", "↵\n");
  return h(kind === "deleted" ? "del" : "ins", {}, seen);
}
