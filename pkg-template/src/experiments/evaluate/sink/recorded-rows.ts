/** The rows that an earlier run has recorded. */

import { invalidConfig } from "../../../core/errors.js";
import { whole } from "../../../core/input/counts.js";
import { JudgeModels } from "../../../core/records/judge-models.js";
import type { Example, Experiment, ExperimentRow } from "../../../core/records/types.js";
import { plainOutputs } from "../../../evaluators/calls/plain.js";
import { SparseArray } from "../../statistics/arrays.js";
import type { ParsedRow } from "../data/types.js";
import { type Fingerprint, fingerprint } from "../fingerprint.js";
import { MixtureWarnings } from "../mixture-warnings.js";
import type { RowLine } from "./format.js";

type Described = Pick<Experiment, "metadata">;

const NEW_ROWS = "the new rows";

/** The recorded rows of a file, by position: a fingerprint of each example. A resumed run does not run them again. */
export class RecordedRows {
  readonly #path: string;
  readonly #hasTarget: boolean;
  readonly #there = new SparseArray(Uint8Array);
  readonly #high = new SparseArray(Uint32Array);
  readonly #low = new SparseArray(Uint32Array);
  readonly #one: Fingerprint = { high: 0, low: 0 };
  #end = 0;
  readonly #models = new JudgeModels();
  readonly #warnings = new MixtureWarnings("continue with the recorded one, or name another file");
  /** Compares the metadata once there is a new row. */
  #compareMetadata: (() => void) | undefined;

  constructor(path: string, hasTarget: boolean) {
    this.#path = path;
    this.#hasTarget = hasTarget;
  }

  add({ position, example, run, evaluationResults }: RowLine): void {
    this.#models.add({ evaluationResults });
    const { high, low } = this.#fingerprintOf(example, run.outputs);
    this.#there.set(position, 1);
    this.#high.set(position, high);
    this.#low.set(position, low);
    this.#end = Math.max(this.#end, position + 1);
  }

  /**
   * Whether the file has the row.
   *
   * @throws {@link OpenEvalsError} `invalid_config` if it has another row at this position: the data has changed.
   */
  has(position: number, { recorded, outputs }: ParsedRow): boolean {
    if (!this.#there.at(position)) return false;
    const { high, low } = this.#fingerprintOf(recorded, this.#hasTarget ? undefined : plainOutputs(outputs));
    if (high === this.#high.at(position) && low === this.#low.at(position)) return true;
    throw invalidConfig(
      `${this.#path} has another row in place of the row ${JSON.stringify(recorded.id)}: the data has changed ` +
        "since. Continue it with that data, or name another file",
    );
  }

  /** @throws {@link OpenEvalsError} `invalid_config` if the file has more rows than the data. */
  checkEnd(count: number): void {
    if (this.#end <= count) return;
    throw invalidConfig(
      `${this.#path} has rows up to ${whole(this.#end)}, but the data has only ${whole(count)}: it has changed since. Continue it with ` +
        "that data, or name another file",
    );
  }

  /** Compares the metadata of the file with that of the new rows. */
  compareMetadata({ metadata: there }: Described, { metadata: here }: Described): void {
    this.#compareMetadata = () =>
      this.#warnings.compareMetadata({ name: this.#path, known: there }, { name: NEW_ROWS, known: here });
  }

  /** Warns if the new rows have other metadata, or if other models or prompts judge them. */
  warnOfMixture(row: ExperimentRow): void {
    this.#compareMetadata?.();
    this.#compareMetadata = undefined;
    this.#warnings.compareJudges(
      { name: this.#path, known: this.#models },
      { name: NEW_ROWS, known: new JudgeModels([row]) },
    );
  }

  /** Without a target, the recorded answer is part of the data. */
  #fingerprintOf(example: Example, outputs: unknown): Fingerprint {
    const answered = this.#hasTarget ? "" : (JSON.stringify(outputs) ?? "");
    return fingerprint(`${JSON.stringify(example)}${answered}`, this.#one);
  }
}
