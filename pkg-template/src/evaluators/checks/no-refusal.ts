import { type Checks, checkOptions } from "../../core/input/checks.js";
import {
  type Check,
  type CheckedRow,
  type Finding,
  makeCheck,
  OUTPUT_CHECK_OPTIONS,
  type OutputCheckOptions,
  type Watch,
} from "./check.js";
import { quoted } from "./comment-text.js";
import { MOST_OF_A_SENTENCE, MOST_SENTENCES, refusalIn, SENTENCE_END } from "./refusals.js";
import { textIn } from "./text.js";

/** The options of {@link noRefusal}. */
export interface NoRefusalOptions extends OutputCheckOptions {}

const OPTIONS: Checks<NoRefusalOptions> = OUTPUT_CHECK_OPTIONS;

/**
 * Makes a check that an answer does not refuse. It looks at the first four sentences for how models refuse in English, German,
 * French, Spanish, Japanese and Chinese ("I'm sorry, but I can't help with that"); a refusal in other words, or further
 * behind, passes. The guide says how often it is right.
 *
 * @returns A check with the key `no_refusal`; its comment quotes what refuses.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 *
 * @example
 * ```ts
 * import { noRefusal } from "openevals-wasm/checks";
 *
 * const { score, comment } = await noRefusal()({ outputs: "I’m sorry, but I can’t help with that." });
 * console.log(score, comment); // false The answer refuses: "i can't help with".
 * ```
 */
export function noRefusal(options: NoRefusalOptions = {}): Check {
  const read = checkOptions("noRefusal", options, OPTIONS);
  const find = ({ outputs }: CheckedRow): Finding => {
    const sentences = new Sentences();
    const found = sentences.add(textIn(outputs, read.output)) ?? sentences.end();
    return { holds: found === undefined, says: found ?? "The answer does not refuse" };
  };
  const watch = (isWanted: boolean): Watch | undefined => {
    const sentences = new Sentences();
    return isWanted ? (piece) => sentences.add(piece) ?? sentences.open : undefined;
  };
  return makeCheck({ name: "noRefusal", key: "no_refusal", find, watch }, read);
}

/** The first sentences of a text that comes in pieces. */
class Sentences {
  #sentence = "";
  #count = 0;

  /** How much has come of a sentence that may yet refuse. */
  get open(): number {
    return this.#sentence.length;
  }

  /** Takes a piece; returns what refuses, once a sentence with it is all there. */
  add(piece: string): string | undefined {
    let rest = piece;
    while (rest && this.#count < MOST_SENTENCES) {
      const end = rest.search(SENTENCE_END);
      const room = MOST_OF_A_SENTENCE - this.#sentence.length;
      const isWhole = end >= 0 && end < room;
      const taken = isWhole ? end : Math.min(room, rest.length);
      this.#sentence += rest.slice(0, taken);
      rest = rest.slice(isWhole ? taken + 1 : taken);
      if (isWhole || this.#sentence.length === MOST_OF_A_SENTENCE) {
        const found = this.end();
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Ends a sentence. */
  end(): string | undefined {
    const sentence = this.#sentence;
    this.#sentence = "";
    if (!sentence.trim() || this.#count === MOST_SENTENCES) return undefined;
    this.#count++;
    const found = refusalIn(sentence);
    return found === undefined ? undefined : `The answer refuses: ${quoted(found)}`;
  }
}
