/** Notices misspelt names in the results of `mapInputs`. */

import { nearest } from "../../core/input/near.js";

const PARAMETERS = ["inputs", "outputs", "referenceOutputs", "reference_outputs"];

/** Names that resemble a parameter. They may be variables of a prompt, so they count only if no evaluator reads them. */
export class MisspeltInputs {
  /** The parameter that each name resembles, if it resembles one. */
  readonly #meant = new Map<string, string | undefined>();
  readonly #unread = new Set<string>();
  readonly #read = new Set<string>();

  /**
   * A property of the parameters, which notices that it is read if its name may be misspelt.
   *
   * @param mapped The results of all mappings so far.
   */
  property(name: string, mapped: Readonly<Record<string, unknown>>): PropertyDescriptor {
    let value = mapped[name];
    const meant = this.#meantBy(name);
    if (meant === undefined || meant in mapped || this.#read.has(name)) return { value, writable: true };
    this.#unread.add(name);
    return {
      get: () => {
        this.#read.add(name);
        this.#unread.delete(name);
        return value;
      },
      set(other) {
        value = other;
      },
    };
  }

  #meantBy(name: string): string | undefined {
    if (!this.#meant.has(name))
      this.#meant.set(name, PARAMETERS.includes(name) ? undefined : nearest(name, PARAMETERS));
    return this.#meant.get(name);
  }

  /** Warns of the names that no evaluator has read, each once. */
  warn(): void {
    for (const name of this.#unread)
      console.warn(
        `openevals-wasm: mapInputs returned ${JSON.stringify(name)}, which no evaluator read; did you mean ${JSON.stringify(this.#meantBy(name))}?`,
      );
    this.#unread.clear();
  }
}
