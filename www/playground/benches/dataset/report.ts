/** The figures of an experiment, and its report. */

import { h } from "../../../shared/dom.js";
import { countText, meanText, type ShownScore } from "../../../shared/scores.js";
import type { FromWorker } from "./messages.js";

type Done = Extract<FromWorker, { type: "done" }>;

/** The mean of each key, with what is known about it. */
export const scoresOf = ({ aggregates }: Done): ShownScore[] =>
  Object.entries(aggregates).map(([key, { mean, interval, count, errors, distribution }]) => {
    const text = (value: number) => meanText(value, distribution?.kind === "boolean");
    return {
      key,
      ...(mean !== null && { score: mean, text: text(mean) }),
      comment: [
        interval && `95% interval ${text(interval.low)} to ${text(interval.high)}`,
        countText(count, "score"),
        errors && countText(errors, "error"),
      ]
        .filter(Boolean)
        .join(" · "),
    };
  });

/** The report in a frame, with links that download it. */
export class Report {
  readonly element = h("section", { class: "report", "aria-label": "Report", hidden: true });
  #urls: string[] = [];

  clear(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
  }

  async show({ report, json }: Done): Promise<void> {
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
    this.element.replaceChildren(
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
    this.element.hidden = false;
  }
}
