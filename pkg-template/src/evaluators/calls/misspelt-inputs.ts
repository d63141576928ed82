/** Notices misspelt names in the results of `mapInputs`. */

import { nearest } from "../../core/input/near.js";

const PARAMETERS = ["inputs", "outputs", "referenceOutputs", "reference_outputs"];

/** Names that resemble a parameter. They may be variables of a prompt, so they count only if no evaluator reads them. */
export class MisspeltInputs {
  /** The names that were not read so far, with the parameter that each resembles. */
  readonly #unread = new Map<string, string>();
  readonly #read = new Set<string>();

  /**
   * A property of the parameters, which notices that it is read if its name may be misspelt.
   *
   * @param returned What `mapInputs` returned.
   */
  property(name: string, value: unknown, returned: object): PropertyDescriptor {
    const isOwn = name in returned && !PARAMETERS.includes(name) && !this.#read.has(name);
    const meant = isOwn ? nearest(name, PARAMETERS) : undefined;
    if (meant === undefined || meant in returned) return { value, writable: true };
    this.#unread.set(name, meant);
    return {
      get: () => {
        this.#read.add(name);
        this.#unread.delete(name);
        return value;
      },
    };
  }

  /** Warns of the names that no evaluator has read, each once. */
  warn(): void {
    for (const [name, meant] of this.#unread)
      console.warn(
        `openevals-wasm: mapInputs returned ${JSON.stringify(name)}, which no evaluator read; did you mean ${JSON.stringify(meant)}?`,
      );
    this.#unread.clear();
  }
}
