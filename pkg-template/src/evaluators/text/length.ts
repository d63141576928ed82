import { aFlag, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { CHARACTER_COUNT, LETTER_COUNT, SENTENCE_COUNT, WORD_COUNT } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import type { LengthScore, LengthUnit } from "../../openevals-metrics.types.js";
import { type OutputEvaluator, outputEvaluator, type TextResult } from "./evaluator.js";
import { yesOrNo } from "./signature.js";
import { OUTPUT_OPTIONS, type OutputOptions } from "./texts.js";

/** The options of {@link createLengthEvaluator}. */
export interface LengthMetricOptions extends OutputOptions {
  /**
   * The unit: `words` (the default), separated by white space, without punctuation; `sentences` of at least three words
   * that end with `.`, `!` or `?`; `characters` (code points); `letters`, which include digits and underscores.
   */
  unit?: LengthUnit | undefined;
  /** For `characters`, whether white space counts; `true` by default. */
  whitespace?: boolean | undefined;
}

const OPTIONS: OptionChecks<LengthMetricOptions> = {
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
 * @returns An evaluator with the result `{ key, score, metadata }` and the key `word_count`, `sentence_count`,
 * `character_count` or `letter_count`. The score is at least 0, has no limit, and is neither better nor worse when
 * higher. The metadata has the `signature`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * the text is missing.
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
export function createLengthEvaluator(
  options: LengthMetricOptions = {},
): OutputEvaluator<TextResult<LengthScore>> {
  const read = checkOptions("createLengthEvaluator", options, OPTIONS);
  const { unit = "words", whitespace = true } = read;
  const spec = {
    name: "Length",
    key: KEYS[unit],
    scale: SCALES[unit],
    metric: { length: { unit, whitespace } },
    lowercase: false,
    variant: `unit:${unit}${unit === "characters" ? `|space:${yesOrNo(whitespace)}` : ""}`,
  };
  return outputEvaluator(spec, read, false);
}

/**
 * The number of characters in a text, including white space.
 *
 * @returns `{ key: "character_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const characterCount: OutputEvaluator<TextResult<LengthScore>> = /* @__PURE__ */ createLengthEvaluator(
  { unit: "characters" },
);

/**
 * The number of words in a text.
 *
 * @returns `{ key: "word_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
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
 * The number of sentences of at least three words in a text; at least 1.
 *
 * @returns `{ key: "sentence_count", score, metadata }`.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const sentenceCount: OutputEvaluator<TextResult<LengthScore>> = /* @__PURE__ */ createLengthEvaluator({
  unit: "sentences",
});
