import { checkOptions, type OptionChecks } from "../../core/input/checks.js";
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
import { MAX_SENTENCE_LENGTH, MAX_SENTENCES, refusalIn, SENTENCE_END } from "./refusals.js";
import { textsIn } from "./text.js";

/** The options of {@link noRefusal}. */
export interface NoRefusalOptions extends OutputCheckOptions {}

const OPTIONS: OptionChecks<NoRefusalOptions> = OUTPUT_CHECK_OPTIONS;

/**
 * Makes a check that an answer is not a refusal. It searches the first four sentences for phrases with which models
 * refuse in English, German, French, Spanish, Japanese and Chinese ("I'm sorry, but I can't help with that"). A refusal
 * in other words, or later in the text, passes. The guide has its measured precision and recall.
 *
 * @returns A check with the key `no_refusal`. The comment quotes the refusal.
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
    let found: string | undefined;
    for (const text of textsIn(outputs, read.output)) {
      const sentences = new Sentences();
      found ??= sentences.add(text) ?? sentences.end();
    }
    return { holds: found === undefined, comment: found ?? "The answer does not refuse" };
  };
  const watch = (isWanted: boolean): Watch | undefined => {
    const sentences = new Sentences();
    return isWanted ? (piece) => sentences.add(piece) ?? sentences.open : undefined;
  };
  return makeCheck({ name: "noRefusal", key: "no_refusal", find, watch }, read);
}

/** The first sentences of a streaming text. */
class Sentences {
  #sentence = "";
  #count = 0;

  /** The length of an unfinished sentence that may still refuse. */
  get open(): number {
    return this.#sentence.length;
  }

  /** Takes a piece; returns the refusal once its sentence is complete. */
  add(piece: string): string | undefined {
    let rest = piece;
    while (rest && this.#count < MAX_SENTENCES) {
      // A search of the whole rest for each part of it would take quadratic time.
      const part = rest.slice(0, MAX_SENTENCE_LENGTH - this.#sentence.length);
      const end = part.search(SENTENCE_END);
      const isWhole = end >= 0;
      this.#sentence += isWhole ? part.slice(0, end) : part;
      rest = rest.slice(isWhole ? end + 1 : part.length);
      if (isWhole || this.#sentence.length === MAX_SENTENCE_LENGTH) {
        const found = this.end();
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Ends the current sentence; returns its refusal, if any. */
  end(): string | undefined {
    const sentence = this.#sentence;
    this.#sentence = "";
    if (!sentence.trim() || this.#count === MAX_SENTENCES) return undefined;
    this.#count++;
    const found = refusalIn(sentence);
    return found === undefined ? undefined : `The answer refuses: ${quoted(found)}`;
  }
}
