/** A list of scores, each with its key, what it means, and why it is what it is. */

import { h, inPause, say } from "./dom.js";

export interface ShownScore {
  key: string;
  /** What it is called; its key, otherwise. */
  name?: string;
  /** Missing while it is not known. */
  score?: number | boolean;
  /** The score as text; two decimals by default. */
  text?: string;
  /** Why. */
  comment?: string | undefined;
  /** Whether 0 is best, so that neither a full meter nor a colour says it. */
  lowerIsBetter?: boolean | undefined;
}

export class Scores {
  readonly element: HTMLElement;
  readonly #list = h("ul", { class: "scores" });
  readonly #state = h("small", {});
  readonly #spoken = h("p", { class: "unseen", "aria-live": "polite" });
  readonly #problem = h("p", { class: "problem", role: "alert" });
  #words = "";

  constructor(title = "Scores") {
    this.element = h(
      "section",
      { class: "panel scores-panel", "aria-label": title },
      h("div", { class: "bar" }, h("h2", {}, title), this.#state),
      this.#list,
      this.#problem,
      this.#spoken,
    );
  }

  show(scores: readonly ShownScore[], milliseconds?: number): void {
    this.#list.classList.remove("stale");
    this.#list.replaceChildren(...scores.map(lineOf));
    say(this.#problem, "");
    if (milliseconds === undefined) return;
    say(this.#state, `in ${milliseconds.toFixed(1)} ms`);
    this.#words = scores
      .filter(({ score }) => score !== undefined)
      .map(({ name, key, score }) => `${name ?? key} ${shown(score)}`)
      .join(", ");
    this.#speakSoon();
  }

  /** Something that the scores depend on has changed. */
  stale(): void {
    this.#list.classList.add("stale");
  }

  /** What is shown is of before; `why` says what is waited for. */
  wait(why: string): void {
    this.#list.classList.add("stale");
    say(this.#state, why);
    say(this.#problem, "");
  }

  /** Says what failed; what is shown is of before, unless some could be scored. */
  fail(problem: string, isStale = true): void {
    this.#list.classList.toggle("stale", isStale);
    say(this.#problem, problem);
  }

  /** To a screen reader, in a pause of the typing. */
  readonly #speakSoon = inPause(600, () => say(this.#spoken, this.#words));
}

function lineOf({ key, name, score, text, comment, lowerIsBetter }: ShownScore): HTMLElement {
  const line = h("li", { class: "score", "data-key": key });
  const title = h("div", { class: "name" }, h("bdi", {}, name ?? key));
  if (name) title.append(h("code", { class: "key" }, key));
  line.append(title, lowerIsBetter ? h("span", { class: "number" }, shown(score)) : verdictOf(score, text));
  if (comment) line.append(h("p", { class: "comment" }, h("bdi", {}, comment)));
  return line;
}

/** A score as one sees it: a mark for a verdict, a meter for a number. */
export function verdictOf(score: number | boolean | undefined, text = shown(score)): HTMLElement {
  if (score === undefined) return h("span", { class: "number pending" }, "–");
  if (typeof score === "boolean")
    return h("span", { class: `verdict ${score ? "yes" : "no"}` }, `${score ? "✓" : "✗"} ${score}`);
  const fill = h("i");
  fill.style.setProperty("--score", String(Math.min(1, Math.max(0, score))));
  const kind = score === 1 ? "full" : score === 0 ? "none" : "";
  return h(
    "span",
    { class: `measure ${kind}` },
    h("span", { class: "meter", "aria-hidden": "true" }, fill),
    h("span", { class: "number" }, text),
  );
}

/** The scores in one line, which stays in sight on phones. Screen readers have the scores themselves. */
export class ScoreLine {
  readonly element = h("div", { class: "score-line", "aria-hidden": "true" });

  show(scores: readonly ShownScore[]): void {
    this.stale(false);
    this.element.replaceChildren(
      ...scores.map(({ key, name, score, text }) =>
        h("span", { class: "entry" }, h("span", {}, name ?? key), verdictOf(score, text)),
      ),
    );
  }

  /** Whether what is shown is of before. */
  stale(isStale = true): void {
    this.element.classList.toggle("stale", isStale);
  }
}

/** Two decimals, but what is not equal never reads as 1, nor what is not entirely different as 0. */
export function shown(score: number | boolean | undefined): string {
  if (typeof score !== "number" || score === 0 || score === 1) return String(score);
  return score > 0 && score < 1 ? Math.min(0.99, Math.max(0.01, score)).toFixed(2) : score.toFixed(2);
}

/** A mean as reports write it: rates as percentages, others with three decimals. */
export const meanText = (mean: number, isRate: boolean): string =>
  isRate ? `${(mean * 100).toFixed(1)}%` : mean.toFixed(3);

/** A number of things: `1 row`, `2,000 rows`. */
export const countText = (count: number, one: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : `${one}s`}`;

/** A time: `120 ms`, `4.2 s`. */
export const timeText = (milliseconds: number): string =>
  milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
