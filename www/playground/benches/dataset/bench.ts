/** The bench of datasets: a file of answers, scored in a worker, and its report. */

import { CodeBlock } from "../../../shared/code.js";
import { h, inPause, say } from "../../../shared/dom.js";
import { Editor } from "../../../shared/editor.js";
import { countText, ScoreLine, Scores, timeText } from "../../../shared/scores.js";
import type { Bench, State } from "../../bench.js";
import { dim } from "../../sides.js";
import { codeOf, EVALUATORS } from "./code.js";
import { Columns } from "./columns.js";
import { dropZone } from "./drop-zone.js";
import { EXAMPLES, sampleOf } from "./examples.js";
import type { EvaluatorName, FromWorker, ToWorker } from "./messages.js";
import type { Row } from "./reading.js";
import { Report, scoresOf } from "./report.js";

/** More is not kept in the field: nobody edits it there. */
const MAX_TEXT_SIZE = 50_000;

export const make = (changed: () => void): Bench => new Dataset(changed);

class Dataset implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #changed: () => void;
  readonly #text: Editor;
  readonly #file = h("p", { class: "hint", "aria-live": "polite" });
  readonly #columns: Columns;
  readonly #boxes = new Map<EvaluatorName, HTMLInputElement>();
  readonly #compare = h("input", { type: "checkbox" });
  readonly #compareLabel: HTMLElement;
  readonly #run = h("button", { type: "button", class: "primary" }, "Score");
  readonly #stop = h("button", { type: "button", hidden: true }, "Stop");
  readonly #bar = h("progress", { max: 1, value: 0, "aria-label": "Rows scored" });
  readonly #state = h("p", { class: "hint", "aria-live": "polite" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #scores = new Scores("Aggregates");
  readonly #line = new ScoreLine();
  readonly #report = new Report();
  readonly #code = new CodeBlock("In your application");
  #worker: Worker | undefined;
  #data: string | Blob = "";
  #sample = "";
  /** The first rows, and how many there are. */
  #rows: Row[] = [];
  #count = 0;
  #hasIds = false;
  /** Whether the table that is read is scored at once. */
  #scoresOnLoad = false;
  #turn = 0;

  constructor(changed: () => void) {
    this.#changed = changed;
    const mapped = () => {
      this.#showCode();
      this.#stale();
      changed();
    };
    this.#text = new Editor("JSON lines or CSV", {
      rows: 8,
      placeholder: "question,answer,expected",
      oninput: () => {
        this.#sample = "";
        this.#stale();
        this.#readSoon();
        changed();
      },
    });
    this.#columns = new Columns(mapped);
    const boxes = Object.entries(EVALUATORS).map(([name, { label }]) => {
      const box = h("input", { type: "checkbox", onchange: mapped });
      this.#boxes.set(name as EvaluatorName, box);
      return h("label", { class: "box" }, box, label);
    });
    this.#compareLabel = h(
      "label",
      { class: "box", hidden: true },
      this.#compare,
      "Compare with the run before",
    );
    this.#run.addEventListener("click", () => this.#start());
    this.#stop.addEventListener("click", () => this.#send({ type: "stop" }));
    this.element = h(
      "div",
      { class: "stack" },
      dropZone(this.#file, (file) => this.#take(file)),
      h(
        "div",
        { class: "sides" },
        this.#text.element,
        h(
          "div",
          { class: "stack" },
          this.#columns.element,
          h("fieldset", { class: "boxes" }, h("legend", { class: "label" }, "Evaluators"), ...boxes),
          h("div", { class: "toolbar" }, this.#run, this.#stop, this.#compareLabel),
          this.#bar,
          this.#state,
          this.#problem,
          this.#scores.element,
        ),
      ),
      this.#report.element,
      this.#code.element,
      this.#line.element,
    );
  }

  #stale(isStale = true): void {
    dim(isStale, this.#scores.element, this.#report.element, this.#line.element);
  }

  open(state: State): void {
    this.#columns.wanted = state;
    this.#sample = /^\d{1,6}$/.test(state.sample ?? "") ? (state.sample ?? "") : "";
    this.#text.text = this.#sample ? "" : (state.data ?? EXAMPLES[0]?.state.data ?? "");
    const use = new Set((state.use ?? "exact,levenshtein").split(","));
    for (const [name, box] of this.#boxes) box.checked = use.has(name);
    const pending = this.#used().map((name) => ({ key: name, name: EVALUATORS[name].label, comment: "…" }));
    this.#scores.show(pending);
    this.#report.clear();
    this.#compareLabel.hidden = true;
    this.#bar.value = 0;
    say(this.#state, "");
    this.#stale(false);
    this.#line.show([]);
    this.#scoresOnLoad = true;
    this.#turn++;
    this.#stop.hidden = true;
    if (this.#worker) this.#send({ type: "stop" });
    if (this.#sample) this.#read(sampleOf(Number(this.#sample)), "Made up");
    else this.#read(this.#text.text);
  }

  state(): State {
    return {
      ...(this.#sample ? { sample: this.#sample } : { data: this.#text.text }),
      ...this.#columns.mapping,
      use: this.#used().join(","),
    };
  }

  async #take(file: File): Promise<void> {
    this.#sample = "";
    this.#columns.wanted = {};
    this.#scoresOnLoad = true;
    this.#text.text = file.size <= MAX_TEXT_SIZE ? await file.text() : "";
    this.#read(file, file.name);
    this.#changed();
  }

  readonly #readSoon = inPause(300, () => {
    this.#columns.wanted = this.#columns.mapping;
    this.#read(this.#text.text);
  });

  #read(data: string | Blob, name = ""): void {
    say(this.#file, name);
    say(this.#problem, "");
    this.#compareLabel.hidden = true;
    this.#run.disabled = true;
    this.#data = data;
    this.#send({ type: "read", data });
  }

  #start(): void {
    const evaluators = this.#used();
    if (!evaluators.length) {
      say(this.#problem, "Pick an evaluator first.");
      return;
    }
    say(this.#problem, "");
    this.#run.disabled = true;
    this.#stop.hidden = false;
    this.#bar.value = 0;
    this.#stale(false);
    // One that has broken down is begun anew, with the rows.
    if (!this.#worker) this.#send({ type: "read", data: this.#data });
    const turn = ++this.#turn;
    const { mapping } = this.#columns;
    this.#send({ type: "run", turn, mapping, evaluators, compare: this.#compare.checked });
  }

  #send(message: ToWorker): void {
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(message);
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL("./dataset-worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.#hear(data));
    worker.addEventListener("error", ({ message }) => {
      this.#worker = undefined;
      this.#hear({ type: "failed", message: message || "The worker could not be started." });
    });
    return worker;
  }

  #hear(message: FromWorker): void {
    if ("turn" in message && message.turn !== this.#turn) return;
    if (message.type === "table") this.#showTable(message);
    else if (message.type === "progress") {
      const { done, total, failed } = message;
      this.#bar.value = total ? done / total : 0;
      const counts = `${done.toLocaleString("en")} of ${countText(total, "row")}`;
      this.#state.textContent = failed ? `${counts}, ${failed} failed` : counts;
    } else if (message.type === "unread") {
      this.#clearResults();
      say(this.#problem, message.message);
    } else {
      this.#run.disabled = false;
      this.#stop.hidden = true;
      if (message.type === "done") void this.#showResult(message);
      else say(this.#problem, message.message);
    }
  }

  /** Removes the results of the table before. The columns stay, for a text that is being edited. */
  #clearResults(): void {
    this.#scores.show([]);
    this.#line.show([]);
    this.#report.clear();
    say(this.#state, "");
    this.#bar.value = 0;
  }

  #showTable({ columns, count, preview, map, hasIds }: Extract<FromWorker, { type: "table" }>): void {
    this.#run.disabled = false;
    const name = this.#file.textContent?.split(": ")[0];
    const rows = countText(count, "row");
    say(this.#file, name ? `${name}: ${rows}` : rows);
    if (!this.#text.text) this.#text.field.placeholder = preview.map((row) => JSON.stringify(row)).join("\n");
    this.#columns.show(columns, map);
    this.#rows = preview;
    this.#count = count;
    this.#hasIds = hasIds;
    this.#showCode();
    if (this.#scoresOnLoad && this.#used().length) this.#start();
    this.#scoresOnLoad = false;
  }

  async #showResult(result: Extract<FromWorker, { type: "done" }>): Promise<void> {
    const { done, durationMs, stopped } = result;
    const rows = `${countText(done, "row")} in ${timeText(durationMs)}`;
    say(this.#state, `${stopped ? "Stopped after" : "Scored"} ${rows}.`);
    const scores = scoresOf(result);
    this.#scores.show(scores);
    this.#line.show(scores);
    this.#compareLabel.hidden = false;
    await this.#report.show(result);
  }

  #used(): EvaluatorName[] {
    return [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
  }

  #showCode(): void {
    const evaluators = this.#used().map((name) => EVALUATORS[name]);
    this.#code.show(
      codeOf({
        evaluators,
        mapping: this.#columns.mapping,
        hasIds: this.#hasIds,
        rows: this.#rows,
        count: this.#count,
      }),
    );
  }
}
