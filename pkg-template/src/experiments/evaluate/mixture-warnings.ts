/** Warns of rows from other applications or judges than the rows before them in the same experiment. */

import { show } from "../../core/input/checks.js";
import type { JudgeModels } from "../../core/records/judge-models.js";
import type { Experiment } from "../../core/records/types.js";

type Metadata = Experiment["metadata"];

/** Rows, by their name in messages, and what is known about them. */
interface NamedRows<Known> {
  name: string;
  known: Known;
}

/**
 * Warns once about each key and each field of the metadata. The aliases of a model may change, and metadata may have the time
 * of a run, so a mixture is no error.
 */
export class MixtureWarnings {
  readonly #advice: string;
  readonly #warned = new Set<string>();

  /** @param advice What to do to have only one application or judge, as the end of a sentence. */
  constructor(advice: string) {
    this.#advice = advice;
  }

  compareMetadata(earlier: NamedRows<Metadata>, later: NamedRows<Metadata>): void {
    const fields = differentFields(earlier.known, later.known).filter((field) =>
      this.#isNew(`field ${field}`),
    );
    if (!fields.length) return;
    const [was, is] = [earlier, later].map(({ known = {} }) =>
      show(Object.fromEntries(fields.map((field) => [field, known[field]]))),
    );
    this.#warn(
      `The metadata of ${earlier.name} is ${was}, and that of ${later.name} is ${is}. To have one application`,
    );
  }

  compareJudges(earlier: NamedRows<JudgeModels>, later: NamedRows<JudgeModels>): void {
    for (const { key, here, there } of earlier.known.others(later.known))
      if (this.#isNew(`key ${key}`))
        this.#warn(
          `${here} judged ${key} in ${earlier.name}, and ${there} in ${later.name}. To have one judge`,
        );
  }

  #isNew(what: string): boolean {
    const { size } = this.#warned;
    return this.#warned.add(what).size > size;
  }

  #warn(problem: string): void {
    console.warn(`openevals-wasm: ${problem} for all rows, ${this.#advice}.`);
  }
}

/** The fields that differ. */
export function differentFields(one: Metadata = {}, other: Metadata = {}): string[] {
  const fields = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...fields].filter((field) => JSON.stringify(one[field]) !== JSON.stringify(other[field]));
}
