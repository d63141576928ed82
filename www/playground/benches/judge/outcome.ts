/** The answer to a question: the score, what it took, and each exchange. */

import { h, say } from "../../../shared/dom.js";
import { ScoreLine, timeText, verdictOf } from "../../../shared/scores.js";
import { type Exchange, hidden, indented } from "../../models/wire.js";

interface Result {
  score?: number | boolean;
  comment?: string;
  metadata?: {
    model?: string;
    usage?: { inputTokens?: number; outputTokens?: number };
    latencyMs?: number;
    attempts?: number;
  };
}

export class Outcome {
  readonly element: HTMLElement;
  readonly line = new ScoreLine();
  readonly #state = h("small", {});
  readonly #verdict = h("div", { class: "outcome" });
  readonly #facts = h("dl", { class: "facts" });
  readonly #exchanges = h("ol", { class: "exchanges" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #spoken = h("p", { class: "unseen", "aria-live": "polite" });

  constructor() {
    this.element = h(
      "section",
      { class: "panel outcome-panel", "aria-label": "Result" },
      h("div", { class: "bar" }, h("h2", {}, "Result"), this.#state),
      this.#verdict,
      this.#facts,
      this.#problem,
      this.#exchanges,
      this.#spoken,
    );
  }

  /** Before anything is asked; `next` says what to do. */
  clear(next: string): void {
    this.#verdict.replaceChildren(h("p", { class: "quiet" }, next));
    this.line.element.replaceChildren();
    this.#reset();
  }

  /** Dims a verdict on something else than what is shown now. */
  stale(): void {
    if (!this.#hasVerdict) return;
    this.element.classList.add("outdated");
    this.line.stale();
    say(this.#state, "of before the change");
  }

  begin(): void {
    this.#verdict.replaceChildren(h("p", { class: "quiet" }, "Asking…"));
    this.#reset();
  }

  #hasVerdict = false;

  #reset(): void {
    this.#hasVerdict = false;
    this.element.classList.remove("outdated");
    say(this.#state, "");
    this.#facts.replaceChildren();
    this.#exchanges.replaceChildren();
    say(this.#problem, "");
    say(this.#spoken, "");
  }

  show(result: object, tookMs: number): void {
    const { score, comment, metadata } = result as Result;
    this.#hasVerdict = true;
    if (score === undefined || !metadata) {
      this.#verdict.replaceChildren(h("pre", {}, JSON.stringify(result, undefined, 2)));
      this.#showFacts({ time: timeText(tookMs) });
      say(this.#spoken, "Answered");
      return;
    }
    this.#verdict.replaceChildren(
      verdictOf(score),
      ...(comment ? [h("p", { class: "comment", dir: "auto" }, comment)] : []),
    );
    this.line.show([{ key: "Score", score }]);
    const { model, usage, latencyMs = tookMs, attempts } = metadata;
    this.#showFacts({
      model,
      tokens: usage && `${usage.inputTokens ?? "?"} in, ${usage.outputTokens ?? "?"} out`,
      time: timeText(latencyMs),
      requests: attempts?.toString(),
    });
    say(this.#spoken, `Score ${score}. ${comment ?? ""}`);
  }

  fail(message: string, code?: string, raw?: string): void {
    this.#hasVerdict = true;
    this.#verdict.replaceChildren(
      h("p", { class: "quiet" }, "No score: a failure is never one."),
      ...(code ? [h("code", { class: "verdict no" }, code)] : []),
      ...(raw ? [h("pre", {}, raw)] : []),
    );
    say(this.#problem, message);
  }

  #showFacts(facts: Record<string, string | undefined>): void {
    this.#facts.replaceChildren(
      ...Object.entries(facts)
        .filter(([, value]) => value)
        .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
  }

  /** Each request with its answer. */
  showExchanges(exchanges: readonly Exchange[], key: string): void {
    this.#exchanges.replaceChildren(
      ...exchanges.map(({ status, answer, failure, tookMs }) => {
        const outcome = status === undefined ? (failure ? "no answer" : "waiting…") : String(status);
        const isGood = status !== undefined && status < 400;
        return h(
          "li",
          {},
          h(
            "details",
            {},
            h(
              "summary",
              {},
              h(
                "span",
                { class: isGood ? "verdict yes" : failure || status ? "verdict no" : "quiet" },
                outcome,
              ),
              tookMs !== undefined && h("small", {}, ` ${timeText(tookMs)}`),
            ),
            h("pre", {}, hidden(indented(answer ?? failure ?? ""), key)),
          ),
        );
      }),
    );
  }
}
