import { aFlag, type Checks, checkOptions, oneOf } from "../../core/input/checks.js";
import type { ScoreScale } from "../../core/scale.js";
import { CHARACTER_COUNT, LETTER_COUNT, SENTENCE_COUNT, WORD_COUNT } from "../../core/scales.js";
import type { LengthScore, LengthUnit } from "../../openevals-metrics.types.js";
import { type OutputEvaluator, outputEvaluator, type TextResult } from "./evaluator.js";
import { yes } from "./signature.js";
import { OUTPUT_OPTIONS, type OutputOptions } from "./texts.js";

/** The options of {@link createLengthEvaluator}. */
export interface LengthOptions extends OutputOptions {
  /**
   * What is counted: `words` (the default), what is left between white space without punctuation; `sentences` of three words
   * or more, which end with `.`, `!` or `?`; `characters`, which are code points; `letters`, with digits and underscores.
   */
  unit?: LengthUnit | undefined;
  /** For `characters`, whether white space counts; `true` by default. */
  whitespace?: boolean | undefined;
}

const OPTIONS: Checks<LengthOptions> = {
  ...OUTPUT_OPTIONS,
  unit: oneOf(["characters", "letters", "words", "sentences"]),
  whitespace: aFlag,
};

const KEYS: Record<LengthUnit, string> = {
  characters: "character_count",
  letters: "letter_count",
  words: "word_count",
  sentences: "sentence_count",
};

const SCALES: Record<LengthUnit, ScoreScale> = {
  characters: CHARACTER_COUNT,
  letters: LETTER_COUNT,
  words: WORD_COUNT,
  sentences: SENTENCE_COUNT,
};

/**
 * Makes an evaluator for the length of a text, counted as textstat 0.7 does. It needs no reference.
 *
 * @returns An evaluator with the result `{ key, score, metadata }`, whose key is `word_count`, `sentence_count`,
 * `character_count` or `letter_count`, and a score from 0 without a limit. Neither more nor less is better. The metadata has
 * the `signature`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` where the
 * text is missing.
 *
 * @example
 * ```ts
 * import { createLengthEvaluator } from "openevals-wasm/text";
 *
 * const characters = createLengthEvaluator({ unit: "characters", whitespace: false });
 * const { key, score } = await characters({ outputs: "Good morning 👋" });
 * console.log(key, score); // character_count 12
 * ```
 */
export function createLengthEvaluator(options: LengthOptions = {}): OutputEvaluator<TextResult<LengthScore>> {
  const read = checkOptions("createLengthEvaluator", options, OPTIONS);
  const { unit = "words", whitespace = true } = read;
  const spec = {
    name: "Length",
    key: KEYS[unit],
    scale: SCALES[unit],
    metric: { length: { unit, whitespace } },
    lowercase: false,
    variant: `unit:${unit}${unit === "characters" ? `|space:${yes(whitespace)}` : ""}`,
  };
  return outputEvaluator(spec, read, false);
}

/**
 * How many characters a text has, white space included.
 *
 * @returns `{ key: "character_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` where the text is missing.
 */
export const characterCount: OutputEvaluator<TextResult<LengthScore>> = /* @__PURE__ */ createLengthEvaluator(
  { unit: "characters" },
);

/**
 * How many words a text has.
 *
 * @returns `{ key: "word_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` where the text is missing.
 *
 * @example
 * ```ts
 * import { wordCount } from "openevals-wasm/text";
 *
 * console.log((await wordCount("It's a well-known fact — isn't it?")).score); // 6
 * ```
 */
export const wordCount: OutputEvaluator<TextResult<LengthScore>> = /* @__PURE__ */ createLengthEvaluator();

/**
 * How many sentences of three words or more a text has; one, if there are none.
 *
 * @returns `{ key: "sentence_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` where the text is missing.
 */
export const sentenceCount: OutputEvaluator<TextResult<LengthScore>> = /* @__PURE__ */ createLengthEvaluator({
  unit: "sentences",
});
