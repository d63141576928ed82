import {
  aFlag,
  aFunction,
  check,
  checkOptions,
  type OptionChecks,
  wholeFrom,
} from "../../core/input/checks.js";
import { LOSS } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import type { DiversityMeasure, DiversityScore } from "../../openevals-metrics.types.js";
import { type OutputEvaluator, outputEvaluator, type TextResult } from "./evaluator.js";
import { caseOf } from "./signature.js";
import { inCase, OUTPUT_OPTIONS, type OutputOptions } from "./texts.js";
import { type Tokenizer, tokenTexts } from "./tokens.js";

/** The options of {@link createRepetitionEvaluator}. */
export interface RepetitionOptions extends OutputOptions {
  /** The length of n-grams in tokens; 4 by default for repetition, 2 for distinct n-grams. */
  n?: number | undefined;
  /** Whether case is ignored; `false` by default. */
  lowercase?: boolean | undefined;
  /** Splits a text into tokens; by default, at white space. */
  tokenizer?: Tokenizer | undefined;
}

/** The options of {@link createDistinctNEvaluator}. */
export interface DistinctNOptions extends RepetitionOptions {
  /**
   * The size of the vocabulary. If given, the number of distinct n-grams is divided by the number expected for a text
   * of that length (Liu et al., *Rethinking and refining the distinct metric*, 2022), so that long texts are not at a
   * disadvantage.
   */
  vocabularySize?: number | undefined;
}

const OPTIONS: OptionChecks<RepetitionOptions> = {
  ...OUTPUT_OPTIONS,
  n: wholeFrom(1, 100),
  lowercase: aFlag,
  tokenizer: aFunction,
};

const DISTINCT_OPTIONS: OptionChecks<DistinctNOptions> = {
  ...OPTIONS,
  vocabularySize: check("a number from 1", (value) => Number.isFinite(value) && value >= 1),
};

/**
 * Makes an evaluator for distinct-n: the share of distinct n-grams among all n-grams of a text (Li et al., *A
 * diversity-promoting objective function for neural conversation models*, 2016). Outputs may be a list of texts, such
 * as all answers of a model, whose n-grams are counted together.
 *
 * @returns An evaluator with the result `{ key, score, metadata }`; the key is `distinct_2` for pairs. The score is
 * from 0 to 1 (most diverse); an adjusted score can slightly exceed 1. A text that is too short for an n-gram has 0.
 * The metadata has the `signature`, and the numbers of `distinct` n-grams and in `total`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * the text is missing, and `callback_failed` if the tokenizer fails.
 *
 * @example
 * ```ts
 * import { createDistinctNEvaluator } from "openevals-wasm/text";
 *
 * const evaluator = createDistinctNEvaluator({ n: 1, lowercase: true });
 * const { key, score } = await evaluator({ outputs: ["I do not know", "i do not care"] });
 * console.log(key, score); // distinct_1 0.625
 * ```
 */
export function createDistinctNEvaluator(
  options: DistinctNOptions = {},
): OutputEvaluator<TextResult<DiversityScore>> {
  const read = checkOptions("createDistinctNEvaluator", options, DISTINCT_OPTIONS);
  const { n = 2, vocabularySize } = read;
  const measure =
    vocabularySize === undefined ? ("distinct" as const) : { expectationAdjusted: vocabularySize };
  const more = vocabularySize === undefined ? "" : `|vocabulary:${vocabularySize}`;
  return diversity(`distinct_${n}`, measure, n, read, { more });
}

/**
 * The share of distinct words in a text: {@link createDistinctNEvaluator} with `n: 1`.
 *
 * @returns `{ key: "distinct_1", score, metadata }` with `score` from 0 to 1 (most diverse).
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const distinct1: OutputEvaluator<TextResult<DiversityScore>> =
  /* @__PURE__ */ createDistinctNEvaluator({ n: 1 });

/**
 * The share of distinct pairs of words in a text, with the defaults of
 * {@link createDistinctNEvaluator}.
 *
 * @returns `{ key: "distinct_2", score, metadata }` with `score` from 0 to 1 (most diverse).
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const distinct2: OutputEvaluator<TextResult<DiversityScore>> =
  /* @__PURE__ */ createDistinctNEvaluator();

/**
 * Makes an evaluator for repetition: the share of n-grams that have occurred before in the text, which is high if a
 * model goes round in circles (seq-rep-n in Welleck et al., *Neural text generation with unlikelihood training*, 2020).
 * It is 1 minus distinct-n. Otherwise like {@link createDistinctNEvaluator}.
 *
 * @returns An evaluator with the result `{ key: "repetition", score, metadata }` and a score from 0 (best) to 1. A text
 * that is too short for an n-gram has 0.
 * @throws {@link OpenEvalsError} The same errors as {@link createDistinctNEvaluator}.
 *
 * @example
 * ```ts
 * import { createRepetitionEvaluator } from "openevals-wasm/text";
 *
 * const chinese = createRepetitionEvaluator({ n: 2, tokenizer: (text) => [...text] });
 * const { score, metadata } = await chinese({ outputs: "好的好的好的" });
 * console.log(score, metadata.distinct, metadata.total); // 0.6 2 5
 * ```
 */
export function createRepetitionEvaluator(
  options: RepetitionOptions = {},
): OutputEvaluator<TextResult<DiversityScore>> {
  const read = checkOptions("createRepetitionEvaluator", options, OPTIONS);
  return diversity("repetition", "repetition", read.n ?? 4, read, { scale: LOSS });
}

/**
 * The share of repeated sequences of four words, with the defaults of {@link createRepetitionEvaluator}.
 *
 * @returns `{ key: "repetition", score, metadata }` with `score` from 0 (best) to 1.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 *
 * @example
 * ```ts
 * import { repetition } from "openevals-wasm/text";
 *
 * console.log((await repetition("and then we went on and then we went home")).score); // 0.142…
 * ```
 */
export const repetition: OutputEvaluator<TextResult<DiversityScore>> =
  /* @__PURE__ */ createRepetitionEvaluator();

function diversity(
  key: string,
  measure: DiversityMeasure,
  n: number,
  options: RepetitionOptions,
  { more = "", scale }: { more?: string; scale?: ScoreScale },
): OutputEvaluator<TextResult<DiversityScore>> {
  const { lowercase = false, tokenizer } = options;
  const spec = {
    name: "Diversity",
    key,
    ...(scale && { scale }),
    metric: { diversity: { measure, n } },
    lowercase,
    variant: `n:${n}|case:${caseOf(lowercase)}|tok:${tokenizer ? "custom" : "none"}${more}`,
  };
  if (!tokenizer) return outputEvaluator(spec, options, true);
  return outputEvaluator(spec, options, true, (texts) => inCase(lowercase)(texts).map(tokenTexts(tokenizer)));
}
