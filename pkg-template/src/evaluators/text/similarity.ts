import { aFlag, type Checks, checkOptions, numberFromTo, oneOf, wholeFrom } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { SimilarityMeasure } from "../../openevals-metrics.types.js";
import { type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yes } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of similarities of characters. */
export interface SimilarityOptions extends TextOptions {
  /** Whether case does not count; `false` by default. */
  lowercase?: boolean | undefined;
  /** Whether white space counts; `true` by default. */
  whitespace?: boolean | undefined;
}

/** The options of {@link createJaroWinklerEvaluator}. */
export interface JaroWinklerOptions extends SimilarityOptions {
  /** How much each of the first four characters counts that is equal: from 0 to 0.25, 0.1 by default. */
  prefixWeight?: number | undefined;
}

/** The options of {@link createNgramSimilarityEvaluator}. */
export interface NgramSimilarityOptions extends SimilarityOptions {
  /**
   * What is made of the n-grams that both texts have: `dice` (the default), twice their share of the n-grams of both texts;
   * `jaccard`, their share of the n-grams that either text has; `cosine`, that of the angle between the counts.
   */
  measure?: "dice" | "jaccard" | "cosine" | undefined;
  /** How many characters an n-gram has; 2 by default. */
  n?: number | undefined;
}

/** The result of a similarity, which has no parts. */
export type SimilarityResult = TextResult<{ score: number }>;

const OPTIONS: Checks<SimilarityOptions> = { ...TEXT_OPTIONS, lowercase: aFlag, whitespace: aFlag };

const JARO_WINKLER_OPTIONS: Checks<JaroWinklerOptions> = { ...OPTIONS, prefixWeight: numberFromTo(0, 0.25) };

const NGRAM_OPTIONS: Checks<NgramSimilarityOptions> = {
  ...OPTIONS,
  measure: oneOf(["dice", "jaccard", "cosine"]),
  n: wholeFrom(1, 100),
};

/**
 * Makes an evaluator for Jaro's similarity, from the characters of two short texts that are equal and near each other (*Advances
 * in record-linkage methodology as applied to matching the 1985 census of Tampa, Florida*, 1989), as rapidfuzz 3 computes it.
 * Characters are code points. Of several references, the most similar counts.
 *
 * @returns An evaluator with the result `{ key: "jaro", score, metadata }` and a score from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` where a text
 * is missing, or too long.
 */
export function createJaroEvaluator(options: SimilarityOptions = {}): Evaluator<SimilarityResult> {
  const read = checkOptions("createJaroEvaluator", options, OPTIONS);
  return similarity("jaro", "jaro", read);
}

/**
 * Jaro's similarity of a row with the defaults of {@link createJaroEvaluator}.
 *
 * @returns `{ key: "jaro", score, metadata }` with `score` from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing, or too long.
 */
export const jaro: Evaluator<SimilarityResult> = /* @__PURE__ */ createJaroEvaluator();

/**
 * Makes an evaluator for the similarity of Jaro and Winkler, in which equal characters at the beginning count more (Winkler,
 * *String comparator metrics and enhanced decision rules in the Fellegi-Sunter model of record linkage*, 1990): meant for names.
 * As rapidfuzz 3 computes it, and in all else as {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "jaro_winkler", score, metadata }` and a score from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} as {@link createJaroEvaluator} does.
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
 * The similarity of Jaro and Winkler of a row, with the defaults of {@link createJaroWinklerEvaluator}.
 *
 * @returns `{ key: "jaro_winkler", score, metadata }` with `score` from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing, or too long.
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
 * Makes an evaluator for the similarity by Damerau-Levenshtein: 1 minus how many characters have to be replaced, removed, added or
 * exchanged with their neighbour, over the length of the longer text. Without restrictions: what is exchanged may be edited
 * again. As rapidfuzz 3 computes it, and in all else as {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "damerau_levenshtein", score, metadata }` and a score from 0 to 1, for equal
 * texts.
 * @throws {@link OpenEvalsError} as {@link createJaroEvaluator} does.
 */
export function createDamerauLevenshteinEvaluator(
  options: SimilarityOptions = {},
): Evaluator<SimilarityResult> {
  const read = checkOptions("createDamerauLevenshteinEvaluator", options, OPTIONS);
  return similarity("damerau_levenshtein", "damerauLevenshtein", read);
}

/**
 * The similarity by Damerau-Levenshtein of a row, with the defaults of {@link createDamerauLevenshteinEvaluator}.
 *
 * @returns `{ key: "damerau_levenshtein", score, metadata }` with `score` from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing, or too long.
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
 * Makes an evaluator for the longest common subsequence: how many characters two texts have in common in the same order, over
 * the length of the longer text. As rapidfuzz 3 computes it, and in all else as {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "longest_common_subsequence", score, metadata }` and a score from 0 to 1, for
 * equal texts.
 * @throws {@link OpenEvalsError} as {@link createJaroEvaluator} does.
 */
export function createLongestCommonSubsequenceEvaluator(
  options: SimilarityOptions = {},
): Evaluator<SimilarityResult> {
  const read = checkOptions("createLongestCommonSubsequenceEvaluator", options, OPTIONS);
  return similarity("longest_common_subsequence", "commonSubsequence", read);
}

/**
 * The longest common subsequence of a row, with the defaults of {@link createLongestCommonSubsequenceEvaluator}.
 *
 * @returns `{ key: "longest_common_subsequence", score, metadata }` with `score` from 0 to 1, for equal texts.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing, or too long.
 */
export const longestCommonSubsequence: Evaluator<SimilarityResult> =
  /* @__PURE__ */ createLongestCommonSubsequenceEvaluator();

/**
 * Makes an evaluator for the similarity of the n-grams of characters in two texts, which each count as often as they occur. Two
 * texts that are too short for any have the score 1 where they are equal, and else 0. In all else as {@link createJaroEvaluator}.
 *
 * @returns An evaluator with the result `{ key, score, metadata }`, whose key is `ngram_dice`, `ngram_jaccard` or `ngram_cosine`,
 * and a score from 0 to 1.
 * @throws {@link OpenEvalsError} as {@link createJaroEvaluator} does.
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
 * Dice's coefficient of the pairs of characters of a row, with the defaults of {@link createNgramSimilarityEvaluator}.
 *
 * @returns `{ key: "ngram_dice", score, metadata }` with `score` from 0 to 1.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing.
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
      variant: `case:${caseOf(lowercase)}|space:${yes(whitespace)}${more}`,
    },
    options,
  );
}
