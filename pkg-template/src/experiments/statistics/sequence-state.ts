import * as bindings from "../../openevals-statistics.js";
import type { SequenceLook, SequenceQuestion } from "../../openevals-statistics.types.js";

/**
 * A confidence sequence in progress. Its state is kept here, because the engine may be replaced by a fresh instance between
 * two looks.
 */
export class Sequence {
  readonly #question: SequenceQuestion;
  #state: Float64Array | undefined;

  constructor(question: SequenceQuestion) {
    this.#question = question;
  }

  /** Adds scores. A missing score has different bounds: the lowest and the highest possible score. */
  look(lows: Float64Array, highs: Float64Array): SequenceLook {
    this.#state ??= bindings.beginSequence();
    return bindings.observeScores(this.#state, lows, highs, this.#question);
  }
}
