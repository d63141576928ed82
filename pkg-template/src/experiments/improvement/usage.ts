import { sumOfUsage, type TokenUsage } from "../../core/records/usage.js";
import type { Improvement } from "./types.js";

/** The tokens used so far. */
export class Spent {
  readonly all: Improvement["used"] = { judges: null, proposals: null };

  add(by: keyof Improvement["used"], usage: TokenUsage | null | undefined): void {
    this.all[by] = sumOfUsage([{ usage: this.all[by] }, { usage }]) ?? null;
  }
}
