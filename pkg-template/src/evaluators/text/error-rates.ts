import { aFlag, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { CHARACTER_ERROR_RATE, CORPUS_WER, LOSS, WORD_ERROR_RATE } from "../../core/scales.js";
import type { Evaluator, ScoreScale } from "../../core/types.js";
import type { ErrorRate, ErrorRateScore } from "../../openevals-metrics.types.js";
import type { StatisticsOptions } from "../summary/settings.js";
import { type CorpusEvaluator, corpusChecks, corpusEvaluator, type OfCorpus } from "./corpus.js";
import { type TextMetricSpec, type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of error rates: the normalisations of jiwer, all off by default. */
export interface ErrorRateOptions extends TextOptions {
  /** Whether case is ignored (`ToLowerCase`). */
  lowercase?: boolean | undefined;
  /** Whether `can't` counts as `can not`, `it's` as `it is`, and so on (`ExpandCommonEnglishContractions`). */
  expandCommonEnglishContractions?: boolean | undefined;
  /** Whether text in `[]` or `<>` is removed, such as `[laugh]` (`RemoveKaldiNonWords`). */
  removeKaldiNonWords?: boolean | undefined;
  /** Whether punctuation of all scripts is removed (`RemovePunctuation`). */
  removePunctuation?: boolean | undefined;
}

/** The options of {@link corpusWer}. */
export interface CorpusWerOptions extends OfCorpus<ErrorRateOptions>, StatisticsOptions {}

const OPTIONS: OptionChecks<ErrorRateOptions> = {
  ...TEXT_OPTIONS,
  lowercase: aFlag,
  expandCommonEnglishContractions: aFlag,
  removeKaldiNonWords: aFlag,
  removePunctuation: aFlag,
};

/**
 * Makes an evaluator for the word error rate: the number of substituted, deleted and inserted words, divided by the
 * number of words in the reference, as in jiwer 4. If the reference is empty, it is the number of words in the output.
 * With several references, the lowest rate counts.
 *
 * @returns An evaluator with the result `{ key: "word_error_rate", score, metadata }` and a score from 0 (best), which
 * can exceed 1. The metadata has the `signature`, `hits`, `substitutions`, `deletions` and `insertions`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing, or if more than 200,000,000 pairs of words would have to be compared.
 *
 * @example
 * ```ts
 * import { createWordErrorRateEvaluator } from "openevals-wasm/text";
 *
 * const spoken = createWordErrorRateEvaluator({ lowercase: true, removePunctuation: true });
 * const { score } = await spoken({ outputs: "the cat sat on mat", referenceOutputs: "The cat sat on the mat." });
 * console.log(score); // 0.166…
 * ```
 */
export function createWordErrorRateEvaluator(
  options: ErrorRateOptions = {},
): Evaluator<TextResult<ErrorRateScore>> {
  return errorRate("createWordErrorRateEvaluator", "word_error_rate", "words", WORD_ERROR_RATE, options);
}

/**
 * The word error rate of a row with the defaults of {@link createWordErrorRateEvaluator}.
 *
 * @returns `{ key: "word_error_rate", score, metadata }` with `score` from 0 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 *
 * @example
 * ```ts
 * import { wordErrorRate } from "openevals-wasm/text";
 *
 * const { score, metadata } = await wordErrorRate({
 *   outputs: "it is nice day",
 *   referenceOutputs: "it is a nice day",
 * });
 * console.log(score, metadata.deletions); // 0.2 1
 * ```
 */
export const wordErrorRate: Evaluator<TextResult<ErrorRateScore>> =
  /* @__PURE__ */ createWordErrorRateEvaluator();

/**
 * Makes an evaluator for the match error rate: the share of aligned words that do not match, as in jiwer 4.
 * Otherwise like {@link createWordErrorRateEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "match_error_rate", score, metadata }` and a score from 0 (best) to 1.
 * @throws {@link OpenEvalsError} The same errors as {@link createWordErrorRateEvaluator}.
 */
export function createMatchErrorRateEvaluator(
  options: ErrorRateOptions = {},
): Evaluator<TextResult<ErrorRateScore>> {
  return errorRate("createMatchErrorRateEvaluator", "match_error_rate", "matches", LOSS, options);
}

/**
 * The match error rate of a row with the defaults of {@link createMatchErrorRateEvaluator}.
 *
 * @returns `{ key: "match_error_rate", score, metadata }` with `score` from 0 (best) to 1.
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 */
export const matchErrorRate: Evaluator<TextResult<ErrorRateScore>> =
  /* @__PURE__ */ createMatchErrorRateEvaluator();

/**
 * Makes an evaluator for the word information lost: 1 minus the product of the shares of correct words in the reference
 * and in the output (Morris, Maier and Green, *From WER and RIL to MER and WIL*, 2004), as in jiwer 4. Otherwise like
 * {@link createWordErrorRateEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "word_information_lost", score, metadata }` and a score from 0 (best)
 * to 1.
 * @throws {@link OpenEvalsError} The same errors as {@link createWordErrorRateEvaluator}.
 */
export function createWordInformationLostEvaluator(
  options: ErrorRateOptions = {},
): Evaluator<TextResult<ErrorRateScore>> {
  return errorRate(
    "createWordInformationLostEvaluator",
    "word_information_lost",
    "informationLost",
    LOSS,
    options,
  );
}

/**
 * The word information lost of a row with the defaults of {@link createWordInformationLostEvaluator}.
 *
 * @returns `{ key: "word_information_lost", score, metadata }` with `score` from 0 (best) to 1.
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 */
export const wordInformationLost: Evaluator<TextResult<ErrorRateScore>> =
  /* @__PURE__ */ createWordInformationLostEvaluator();

/**
 * Makes an evaluator for the character error rate: the same as the word error rate, but for characters, which suits
 * languages without spaces. White space counts. As in jiwer 4. Otherwise like {@link createWordErrorRateEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "character_error_rate", score, metadata }` and a score from 0 (best),
 * which can exceed 1.
 * @throws {@link OpenEvalsError} The same errors as {@link createWordErrorRateEvaluator}.
 *
 * @example
 * ```ts
 * import { createCharacterErrorRateEvaluator } from "openevals-wasm/text";
 *
 * const withoutPunctuation = createCharacterErrorRateEvaluator({ removePunctuation: true });
 * const { score } = await withoutPunctuation({ outputs: "今天天气好", referenceOutputs: "今天天气很好。" });
 * console.log(score); // 0.166…
 * ```
 */
export function createCharacterErrorRateEvaluator(
  options: ErrorRateOptions = {},
): Evaluator<TextResult<ErrorRateScore>> {
  return errorRate(
    "createCharacterErrorRateEvaluator",
    "character_error_rate",
    "characters",
    CHARACTER_ERROR_RATE,
    options,
  );
}

/**
 * The character error rate of a row with the defaults of {@link createCharacterErrorRateEvaluator}.
 *
 * @returns `{ key: "character_error_rate", score, metadata }` with `score` from 0 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 */
export const characterErrorRate: Evaluator<TextResult<ErrorRateScore>> =
  /* @__PURE__ */ createCharacterErrorRateEvaluator();

/**
 * Makes a summary evaluator for the word error rate of a corpus: the edits of all rows, divided by the words of all
 * references. This is not the mean of the rows' scores. As in jiwer 4 for lists of texts, with a bootstrap interval.
 * Otherwise like {@link createWordErrorRateEvaluator}.
 *
 * @returns A summary evaluator with the result `{ key: "corpus_wer", score, interval, metadata }`. The score is `null`
 * if there are no rows.
 * @throws {@link OpenEvalsError} The same errors as {@link createWordErrorRateEvaluator}.
 *
 * @example
 * ```ts
 * import { corpusWer } from "openevals-wasm/text";
 *
 * const { score } = await corpusWer()({
 *   outputs: ["it is nice day", "yes"],
 *   referenceOutputs: ["it is a nice day", "yes"],
 * });
 * console.log(score); // 0.166…
 * ```
 */
export function corpusWer(options: CorpusWerOptions = {}): CorpusEvaluator<ErrorRateScore> {
  const read = checkOptions("corpusWer", options, corpusChecks(OPTIONS));
  return corpusEvaluator(specOf("corpus_wer", "words", CORPUS_WER, read), read);
}

function errorRate(
  maker: string,
  key: string,
  rate: ErrorRate,
  scale: ScoreScale,
  options: ErrorRateOptions,
): Evaluator<TextResult<ErrorRateScore>> {
  const read = checkOptions(maker, options, OPTIONS);
  return textEvaluator(specOf(key, rate, scale, read), read);
}

function specOf(
  key: string,
  rate: ErrorRate,
  scale: ScoreScale,
  options: OfCorpus<ErrorRateOptions>,
): TextMetricSpec {
  const {
    lowercase = false,
    expandCommonEnglishContractions = false,
    removeKaldiNonWords = false,
    removePunctuation = false,
  } = options;
  return {
    name: "An error rate",
    key,
    scale,
    metric: { errorRate: { rate, expandCommonEnglishContractions, removeKaldiNonWords, removePunctuation } },
    lowercase,
    variant:
      `case:${caseOf(lowercase)}|punct:${yesOrNo(!removePunctuation)}` +
      `|contractions:${yesOrNo(!expandCommonEnglishContractions)}|nonwords:${yesOrNo(!removeKaldiNonWords)}`,
  };
}
