import * as bindings from "../../openevals-statistics.js";
import type { SequenceLook, SequenceQuestion } from "../../openevals-statistics.types.js";

/**
 * A sequence under way. What it knows is a list of numbers, which the engine changes: an instance of the engine may be gone
 * before the next look.
 */
export class Sequence {
  readonly #question: SequenceQuestion;
  #state: Float64Array | undefined;

  constructor(question: SequenceQuestion) {
    this.#question = question;
  }

  /** Takes note of scores, each of which lies between a low and a high one. */
  look(lows: Float64Array, highs: Float64Array): SequenceLook {
    this.#state ??= bindings.beginSequence();
    return bindings.observeScores(this.#state, lows, highs, this.#question);
  }
}
