/** The bench of datasets: a file of answers, scored in a worker, and its report. */

import { CodeBlock } from "../../../shared/code.js";
import { h, inPause, say } from "../../../shared/dom.js";
import { Choice, Editor } from "../../../shared/editor.js";
import { meanText, ScoreLine, Scores, timeText } from "../../../shared/scores.js";
import type { Bench, State } from "../../bench.js";
import { codeOf, EVALUATORS } from "./code.js";
import { EXAMPLES, sampleOf } from "./examples.js";
import type { EvaluatorName, FromWorker, Mapping, ToWorker } from "./messages.js";
import type { Row } from "./reading.js";

/** Names by which columns are often known. */
const USUAL: Record<keyof Mapping, RegExp> = {
  inputs: /^(inputs?|question|prompt|query|text)$/i,
  outputs: /^(outputs?|answer|prediction|response|completion|generated|actual)/i,
  reference: /^(reference(_?outputs)?|expected|ground_?truth|target|label|ideal)/i,
};

/** More is not kept in the field: nobody edits it there. */
const LARGEST_TEXT = 50_000;

export const make = (changed: () => void): Bench => new Dataset(changed);

class Dataset implements Bench {
  readonly element: HTMLElement;
  readonly examples = EXAMPLES;
  readonly #changed: () => void;
  readonly #text: Editor;
  readonly #file = h("p", { class: "hint", "aria-live": "polite" });
  readonly #choices: Record<keyof Mapping, Choice>;
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
  readonly #report = h("section", { class: "report", "aria-label": "Report", hidden: true });
  readonly #code = new CodeBlock("In your application");
  #worker: Worker | undefined;
  #data: string | Blob = "";
  #wanted: Partial<Mapping> = {};
  #sample = "";
  /** The first rows, and how many there are. */
  #rows: Row[] = [];
  #count = 0;
  /** Whether the table that is read is scored at once. */
  #scoresOnLoad = false;
  #turn = 0;
  #urls: string[] = [];

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
    this.#choices = {
      inputs: new Choice("Input", {}, mapped),
      outputs: new Choice("Output", {}, mapped),
      reference: new Choice("Reference", {}, mapped),
    };
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
      this.#dropZone(),
      h(
        "div",
        { class: "sides" },
        this.#text.element,
        h(
          "div",
          { class: "stack" },
          h("div", { class: "field-grid" }, ...Object.values(this.#choices).map(({ element }) => element)),
          h("fieldset", { class: "boxes" }, h("legend", { class: "label" }, "Evaluators"), ...boxes),
          h("div", { class: "toolbar" }, this.#run, this.#stop, this.#compareLabel),
          this.#bar,
          this.#state,
          this.#problem,
          this.#scores.element,
        ),
      ),
      this.#report,
      this.#code.element,
      this.#line.element,
    );
  }

  /** Dims results of something else than what is shown now. */
  #stale(isStale = true): void {
    for (const element of [this.#scores.element, this.#report, this.#line.element])
      element.classList.toggle("outdated", isStale);
  }

  open(state: State): void {
    this.#wanted = state;
    this.#sample = /^\d{1,6}$/.test(state.sample ?? "") ? (state.sample ?? "") : "";
    this.#text.text = this.#sample ? "" : (state.data ?? EXAMPLES[0]?.state.data ?? "");
    const use = new Set((state.use ?? "exact,levenshtein").split(","));
    for (const [name, box] of this.#boxes) box.checked = use.has(name);
    const pending = this.#used().map((name) => ({ key: name, name: EVALUATORS[name].label, comment: "…" }));
    this.#scores.show(pending);
    this.#report.hidden = true;
    this.#report.replaceChildren();
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
      ...this.#mapping(),
      use: this.#used().join(","),
    };
  }

  #dropZone(): HTMLElement {
    const input = h("input", {
      type: "file",
      accept: ".csv,.jsonl,.ndjson,.json,text/csv,application/json",
      class: "unseen",
      onchange: () => {
        if (input.files?.[0]) void this.#take(input.files[0]);
        input.value = "";
      },
    });
    const zone = h(
      "div",
      { class: "drop" },
      h("label", {}, input, h("span", { class: "button" }, "Open a file")),
      " or drop one here: JSON lines or CSV with a header. It stays on this machine.",
      this.#file,
    );
    zone.addEventListener("dragover", (event) => {
      event.preventDefault();
      zone.classList.add("over");
    });
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const [file] = event.dataTransfer?.files ?? [];
      if (file) void this.#take(file);
    });
    return zone;
  }

  async #take(file: File): Promise<void> {
    this.#sample = "";
    this.#wanted = {};
    this.#scoresOnLoad = true;
    this.#text.text = file.size <= LARGEST_TEXT ? await file.text() : "";
    this.#read(file, file.name);
    this.#changed();
  }

  readonly #readSoon = inPause(300, () => {
    this.#wanted = this.#mapping();
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
    this.#send({ type: "run", turn, mapping: this.#mapping(), evaluators, compare: this.#compare.checked });
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
      this.#bar.value = done / total;
      const counts = `${done.toLocaleString("en")} of ${total.toLocaleString("en")} rows`;
      this.#state.textContent = failed ? `${counts}, ${failed} failed` : counts;
    } else {
      this.#run.disabled = false;
      this.#stop.hidden = true;
      if (message.type === "done") void this.#showResult(message);
      else say(this.#problem, message.message);
    }
  }

  #showTable({ columns, count, preview }: Extract<FromWorker, { type: "table" }>): void {
    this.#run.disabled = false;
    say(
      this.#file,
      [this.#file.textContent?.split(": ")[0], `${count.toLocaleString("en")} rows`]
        .filter(Boolean)
        .join(": "),
    );
    if (!this.#text.text) this.#text.field.placeholder = preview.map((row) => JSON.stringify(row)).join("\n");
    for (const [role, choice] of Object.entries(this.#choices) as [keyof Mapping, Choice][]) {
      const options = columns.map((name) => h("option", { value: name }, name));
      choice.field.replaceChildren(
        ...(role === "outputs" ? [] : [h("option", { value: "" }, "none")]),
        ...options,
      );
      const wanted = this.#wanted[role];
      const usual = columns.find((name) => USUAL[role].test(name));
      const isThere = wanted === "" || (wanted !== undefined && columns.includes(wanted));
      choice.value = isThere ? wanted : (usual ?? "");
    }
    this.#rows = preview;
    this.#count = count;
    this.#showCode();
    if (this.#scoresOnLoad && this.#used().length) this.#start();
    this.#scoresOnLoad = false;
  }

  async #showResult(result: Extract<FromWorker, { type: "done" }>): Promise<void> {
    const { aggregates, done, durationMs, stopped, report, json } = result;
    say(
      this.#state,
      `${stopped ? "Stopped after" : "Scored"} ${done.toLocaleString("en")} rows in ${timeText(durationMs)}.`,
    );
    const scores = Object.entries(aggregates).map(
      ([key, { mean, interval, count, errors, distribution }]) => {
        const text = (value: number) => meanText(value, distribution?.kind === "boolean");
        return {
          key,
          ...(mean !== null && { score: mean, text: text(mean) }),
          comment: [
            interval && `95% interval ${text(interval.low)} to ${text(interval.high)}`,
            `${count.toLocaleString("en")} scores`,
            errors && `${errors} errors`,
          ]
            .filter(Boolean)
            .join(" · "),
        };
      },
    );
    this.#scores.show(scores);
    this.#line.show(scores);
    this.#compareLabel.hidden = false;
    for (const url of this.#urls) URL.revokeObjectURL(url);
    this.#urls = [report, json].map((blob) => URL.createObjectURL(blob));
    const [reportUrl, jsonUrl] = this.#urls;
    // In a frame without an origin: the report can neither read this page nor ask anything of a network.
    const frame = h("iframe", {
      title: "Report of the experiment",
      sandbox: "allow-scripts allow-downloads",
      allow: "clipboard-write",
      srcdoc: await report.text(),
    });
    this.#report.replaceChildren(
      h(
        "div",
        { class: "bar" },
        h("h2", {}, "Report"),
        h(
          "span",
          { class: "toolbar" },
          h("a", { class: "button", href: reportUrl, download: "report.html" }, "Download the report"),
          h("a", { class: "button", href: jsonUrl, download: "experiment.json" }, "Download as JSON"),
        ),
      ),
      frame,
    );
    this.#report.hidden = false;
  }

  #mapping(): Mapping {
    const { inputs, outputs, reference } = this.#choices;
    return { inputs: inputs.value, outputs: outputs.value, reference: reference.value };
  }

  #used(): EvaluatorName[] {
    return [...this.#boxes].filter(([, box]) => box.checked).map(([name]) => name);
  }

  #showCode(): void {
    const evaluators = this.#used().map((name) => EVALUATORS[name]);
    this.#code.show(codeOf({ evaluators, mapping: this.#mapping(), rows: this.#rows, count: this.#count }));
  }
}
