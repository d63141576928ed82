/** What came of a question: the score, what it took, and each exchange. */

import { h, say } from "../../../shared/dom.js";
import { verdictOf } from "../../../shared/scores.js";
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
  readonly #verdict = h("div", { class: "outcome" });
  readonly #facts = h("dl", { class: "facts" });
  readonly #exchanges = h("ol", { class: "exchanges" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  readonly #spoken = h("p", { class: "unseen", "aria-live": "polite" });

  constructor() {
    this.element = h(
      "section",
      { class: "panel outcome-panel", "aria-label": "Result" },
      h("div", { class: "bar" }, h("h2", {}, "Result")),
      this.#verdict,
      this.#facts,
      this.#problem,
      this.#exchanges,
      this.#spoken,
    );
    this.clear();
  }

  clear(): void {
    this.#verdict.replaceChildren(h("p", { class: "quiet" }, "Not judged yet."));
    this.#reset();
  }

  begin(): void {
    this.#verdict.replaceChildren(h("p", { class: "quiet" }, "Asking…"));
    this.#reset();
  }

  #reset(): void {
    this.#facts.replaceChildren();
    this.#exchanges.replaceChildren();
    say(this.#problem, "");
    say(this.#spoken, "");
  }

  show(result: object, tookMs: number): void {
    const { score, comment, metadata } = result as Result;
    if (score === undefined || !metadata) {
      this.#verdict.replaceChildren(h("pre", {}, JSON.stringify(result, undefined, 2)));
      this.#showFacts({ time: ms(tookMs) });
      say(this.#spoken, "Answered");
      return;
    }
    this.#verdict.replaceChildren(
      verdictOf(score),
      ...(comment ? [h("p", { class: "comment", dir: "auto" }, comment)] : []),
    );
    const { model, usage, latencyMs = tookMs, attempts } = metadata;
    this.#showFacts({
      model,
      tokens: usage && `${usage.inputTokens ?? "?"} in, ${usage.outputTokens ?? "?"} out`,
      time: ms(latencyMs),
      requests: attempts?.toString(),
    });
    say(this.#spoken, `Score ${score}. ${comment ?? ""}`);
  }

  fail(message: string, code?: string, raw?: string): void {
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
              tookMs !== undefined && h("small", {}, ` ${ms(tookMs)}`),
            ),
            h("pre", {}, hidden(indented(answer ?? failure ?? ""), key)),
          ),
        );
      }),
    );
  }
}

const ms = (time: number): string =>
  time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(1)} s`;
