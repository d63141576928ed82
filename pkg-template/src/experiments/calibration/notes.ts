import type { Figure } from "../../core/records/calibration.js";

/** Why figures cannot be told, by their names. */
export class Notes {
  readonly all: Record<string, string> = {};
  readonly #general: string | undefined;

  /** @param general Why no figure at all can be told, if that is so. */
  constructor(general?: string) {
    this.#general = general;
  }

  add(name: string, note: string): void {
    this.all[name] = note;
  }

  /** The figure; where it is not there or not defined, with a note that says why. */
  figure(
    name: string,
    figure: Figure | undefined,
    why: string,
    whyNoInterval = "There are too few rows for an interval, or nothing varies.",
  ): Figure {
    const found = (!this.#general && figure) || { value: null, interval: null };
    if (found.value === null) this.add(name, this.#general ?? why);
    else if (!found.interval && !this.all[name]) this.add(name, whyNoInterval);
    return found;
  }
}
