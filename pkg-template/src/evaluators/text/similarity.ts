import {
  aFlag,
  checkOptions,
  numberFromTo,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { SimilarityMeasure } from "../../openevals-metrics.types.js";
import { type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of character-based similarities. */
export interface SimilarityOptions extends TextOptions {
  /** Whether case is ignored; `false` by default. */
  lowercase?: boolean | undefined;
  /** Whether white space counts; `true` by default. */
  whitespace?: boolean | undefined;
}

/** The options of {@link createJaroWinklerEvaluator}. */
export interface JaroWinklerOptions extends SimilarityOptions {
  /** The weight of each equal character among the first four: from 0 to 0.25, 0.1 by default. */
  prefixWeight?: number | undefined;
}

/** The options of {@link createNgramSimilarityEvaluator}. */
export interface NgramSimilarityOptions extends SimilarityOptions {
  /**
   * How the common n-grams are weighed: `dice` (the default), twice their number divided by the number in both texts;
   * `jaccard`, their number divided by that in either text; `cosine`, the cosine similarity of the counts.
   */
  measure?: "dice" | "jaccard" | "cosine" | undefined;
  /** The length of n-grams in characters; 2 by default. */
  n?: number | undefined;
}

/** The result of a similarity. */
export type SimilarityResult = TextResult<{ score: number }>;

const OPTIONS: OptionChecks<SimilarityOptions> = { ...TEXT_OPTIONS, lowercase: aFlag, whitespace: aFlag };

const JARO_WINKLER_OPTIONS: OptionChecks<JaroWinklerOptions> = {
  ...OPTIONS,
  prefixWeight: numberFromTo(0, 0.25),
};

const NGRAM_OPTIONS: OptionChecks<NgramSimilarityOptions> = {
  ...OPTIONS,
  measure: oneOf(["dice", "jaccard", "cosine"]),
  n: wholeFrom(1, 100),
};

/**
 * Makes an evaluator for the Jaro similarity, which counts equal characters at nearby positions of two short texts
 * (*Advances in record-linkage methodology as applied to matching the 1985 census of Tampa, Florida*, 1989), as in
 * rapidfuzz 3. Characters are code points. With several references, the highest similarity counts.
 *
 * @returns An evaluator with the result `{ key: "jaro", score, metadata }` and a score from 0 to 1 (equal texts).
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing or too long.
 */
export function createJaroEvaluator(options: SimilarityOptions = {}): Evaluator<SimilarityResult> {
  const read = checkOptions("createJaroEvaluator", options, OPTIONS);
  return similarity("jaro", "jaro", read);
}

/**
 * The Jaro similarity of a row with the defaults of {@link createJaroEvaluator}.
 *
 * @returns `{ key: "jaro", score, metadata }` with `score` from 0 to 1 (equal texts).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 */
export const jaro: Evaluator<SimilarityResult> = /* @__PURE__ */ createJaroEvaluator();

/**
 * Makes an evaluator for the Jaro-Winkler similarity, in which equal characters at the beginning count more, which
 * suits names (Winkler, *String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record
 * linkage*, 1990). As in rapidfuzz 3. Otherwise like {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "jaro_winkler", score, metadata }` and a score from 0 to 1 (equal
 * texts).
 * @throws {@link OpenEvalsError} The same errors as {@link createJaroEvaluator}.
 *
 * @example
 * ```ts
 * import { createJaroWinklerEvaluator } from "openevals-wasm/text";
 *
 * const names = createJaroWinklerEvaluator({ lowercase: true, whitespace: false });
 * const { score } = await names({ outputs: "Van der Berg", referenceOutputs: "van den Berg" });
 * console.log(score); // 0.937…
 * ```
 */
export function createJaroWinklerEvaluator(options: JaroWinklerOptions = {}): Evaluator<SimilarityResult> {
  const read = checkOptions("createJaroWinklerEvaluator", options, JARO_WINKLER_OPTIONS);
  const { prefixWeight = 0.1 } = read;
  return similarity("jaro_winkler", { jaroWinkler: prefixWeight }, read, `|prefix:${prefixWeight}`);
}

/**
 * The Jaro-Winkler similarity of a row, with the defaults of {@link createJaroWinklerEvaluator}.
 *
 * @returns `{ key: "jaro_winkler", score, metadata }` with `score` from 0 to 1 (equal texts).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 *
 * @example
 * ```ts
 * import { jaroWinkler } from "openevals-wasm/text";
 *
 * const { score } = await jaroWinkler({ outputs: "Martha", referenceOutputs: "Marhta" });
 * console.log(score); // 0.961…
 * ```
 */
export const jaroWinkler: Evaluator<SimilarityResult> = /* @__PURE__ */ createJaroWinklerEvaluator();

/**
 * Makes an evaluator for the Damerau-Levenshtein similarity: 1 minus the number of replaced, deleted, inserted or
 * transposed characters, divided by the length of the longer text. The distance is unrestricted: transposed characters
 * may be edited again. As in rapidfuzz 3. Otherwise like {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "damerau_levenshtein", score, metadata }` and a score from 0 to 1, for
 * equal texts.
 * @throws {@link OpenEvalsError} The same errors as {@link createJaroEvaluator}.
 */
export function createDamerauLevenshteinEvaluator(
  options: SimilarityOptions = {},
): Evaluator<SimilarityResult> {
  const read = checkOptions("createDamerauLevenshteinEvaluator", options, OPTIONS);
  return similarity("damerau_levenshtein", "damerauLevenshtein", read);
}

/**
 * The Damerau-Levenshtein similarity of a row, with the defaults of {@link createDamerauLevenshteinEvaluator}.
 *
 * @returns `{ key: "damerau_levenshtein", score, metadata }` with `score` from 0 to 1 (equal texts).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 *
 * @example
 * ```ts
 * import { damerauLevenshtein } from "openevals-wasm/text";
 *
 * const { score } = await damerauLevenshtein({ outputs: "recieve", referenceOutputs: "receive" });
 * console.log(score); // 0.857…: one exchange in seven characters
 * ```
 */
export const damerauLevenshtein: Evaluator<SimilarityResult> =
  /* @__PURE__ */ createDamerauLevenshteinEvaluator();

/**
 * Makes an evaluator for the longest common subsequence: its length divided by that of the longer text, in characters.
 * As in rapidfuzz 3. Otherwise like {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "longest_common_subsequence", score, metadata }` and a score from 0 to
 * 1 (equal texts).
 * @throws {@link OpenEvalsError} The same errors as {@link createJaroEvaluator}.
 */
export function createLongestCommonSubsequenceEvaluator(
  options: SimilarityOptions = {},
): Evaluator<SimilarityResult> {
  const read = checkOptions("createLongestCommonSubsequenceEvaluator", options, OPTIONS);
  return similarity("longest_common_subsequence", "commonSubsequence", read);
}

/**
 * The longest common subsequence of a row as a similarity, with the defaults of {@link
 * createLongestCommonSubsequenceEvaluator}.
 *
 * @returns `{ key: "longest_common_subsequence", score, metadata }` with `score` from 0 to 1 (equal texts).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 */
export const longestCommonSubsequence: Evaluator<SimilarityResult> =
  /* @__PURE__ */ createLongestCommonSubsequenceEvaluator();

/**
 * Makes an evaluator for the similarity of two texts by their character n-grams, which count as often as they occur.
 * Texts that are too short for an n-gram score 1 if they are equal, otherwise 0. Otherwise like {@link
 * createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key, score, metadata }`, whose key is `ngram_dice`, `ngram_jaccard` or
 * `ngram_cosine`, and a score from 0 to 1.
 * @throws {@link OpenEvalsError} The same errors as {@link createJaroEvaluator}.
 *
 * @example
 * ```ts
 * import { createNgramSimilarityEvaluator } from "openevals-wasm/text";
 *
 * const trigrams = createNgramSimilarityEvaluator({ measure: "jaccard", n: 3 });
 * const { key, score } = await trigrams({ outputs: "healed", referenceOutputs: "sealed" });
 * console.log(key, score); // ngram_jaccard 0.6
 * ```
 */
export function createNgramSimilarityEvaluator(
  options: NgramSimilarityOptions = {},
): Evaluator<SimilarityResult> {
  const read = checkOptions("createNgramSimilarityEvaluator", options, NGRAM_OPTIONS);
  const { measure = "dice", n = 2 } = read;
  const measures = { dice: { dice: n }, jaccard: { jaccard: n }, cosine: { cosine: n } };
  return similarity(`ngram_${measure}`, measures[measure], read, `|n:${n}`);
}

/**
 * Dice's coefficient of the character pairs of a row, with the defaults of {@link createNgramSimilarityEvaluator}.
 *
 * @returns `{ key: "ngram_dice", score, metadata }` with `score` from 0 to 1.
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 *
 * @example
 * ```ts
 * import { ngramSimilarity } from "openevals-wasm/text";
 *
 * const { score } = await ngramSimilarity({ outputs: "night", referenceOutputs: "nacht" });
 * console.log(score); // 0.25
 * ```
 */
export const ngramSimilarity: Evaluator<SimilarityResult> = /* @__PURE__ */ createNgramSimilarityEvaluator();

function similarity(
  key: string,
  measure: SimilarityMeasure,
  options: SimilarityOptions,
  more = "",
): Evaluator<SimilarityResult> {
  const { lowercase = false, whitespace = true } = options;
  return textEvaluator(
    {
      name: "A similarity",
      key,
      metric: { similarity: { measure, whitespace } },
      lowercase,
      variant: `case:${caseOf(lowercase)}|space:${yesOrNo(whitespace)}${more}`,
    },
    options,
  );
}
