/** The buttons that start and stop what a bench runs. */

import { h } from "../shared/dom.js";

/** A run of a bench. */
export interface Run {
  readonly signal: AbortSignal;
  /** Whether no later run has begun, so that its results are shown. */
  isLatest(): boolean;
  /** Allows the next run. */
  end(): void;
}

/** A button that submits the form, and one that stops the run. */
export class RunButtons {
  readonly element: HTMLElement;
  readonly #start: HTMLButtonElement;
  readonly #stop = h("button", { type: "button", hidden: true }, "Stop");
  #aborter: AbortController | undefined;
  #latest = 0;

  constructor(label: string) {
    this.#start = h("button", { type: "submit", class: "primary" }, label);
    this.#stop.addEventListener("click", () => this.#aborter?.abort());
    this.element = h("div", { class: "toolbar" }, this.#start, this.#stop);
  }

  /** Why nothing can be run now. */
  set hint(hint: string) {
    this.#start.title = hint;
  }

  begin(canStop: boolean): Run {
    const aborter = new AbortController();
    const turn = ++this.#latest;
    this.#aborter = aborter;
    this.#start.disabled = true;
    this.#stop.hidden = !canStop;
    const isLatest = () => turn === this.#latest;
    return { signal: aborter.signal, isLatest, end: () => isLatest() && this.#reset() };
  }

  /** Stops the run, whose results are not shown. */
  cancel(): void {
    this.#aborter?.abort();
    this.#latest++;
    this.#reset();
  }

  #reset(): void {
    this.#start.disabled = false;
    this.#stop.hidden = true;
  }
}
