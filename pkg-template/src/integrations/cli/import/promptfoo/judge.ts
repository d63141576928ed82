/** The model of the judges in the experiment. */

import type { Findings } from "../imported.js";
import { modelName, providerOf } from "./models.js";

export class Judge {
  /** Its name, as for `initChatModel`. */
  model = "openai:gpt-5.4-mini";

  /** Sets the model that the config names for all tests, if judges support it. */
  setDefault(provider: unknown): void {
    const { id } = providerOf(provider);
    this.model = (typeof id === "string" && modelName(id)) || this.model;
  }

  /** Records that judges do not use a provider of the config, or not its settings. */
  check(provider: unknown, place: string, findings: Findings): void {
    const { id, config } = providerOf(provider);
    const isAsked = typeof id === "string" && modelName(id) === this.model;
    if (isAsked && config === undefined) return;
    const shown = isAsked
      ? ", without its config"
      : typeof id === "string"
        ? ` instead of ${id.slice(0, 60)}`
        : "";
    findings.differ(place, `all judges ask the model in JUDGE${shown}`);
  }
}
