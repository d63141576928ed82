import type { Figure } from "../../core/records/calibration.js";

/** The reasons for missing figures and intervals, by the name of the figure. */
export class Notes {
  readonly all: Record<string, string> = {};
  readonly #general: string | undefined;
  readonly #noIntervals: string | undefined;

  /**
   * @param general A reason why there is no figure at all.
   * @param noIntervals A reason why no figure has an interval.
   */
  constructor(general?: string, noIntervals?: string) {
    this.#general = general;
    this.#noIntervals = noIntervals;
  }

  add(name: string, note: string): void {
    this.all[name] = note;
  }

  /** Returns the figure, and adds a note if its value or interval is missing. A note on the figure that exists stays. */
  figure(
    name: string,
    figure: Figure | undefined,
    why: string,
    whyNoInterval = "Too few rows for an interval, or all values are equal.",
  ): Figure {
    const known = (!this.#general && figure) || { value: null, interval: null };
    const found = this.#noIntervals ? { ...known, interval: null } : known;
    if (found.value === null) this.add(name, this.#general ?? why);
    else if (!found.interval && !this.all[name]) this.add(name, this.#noIntervals ?? whyNoInterval);
    return found;
  }
}
