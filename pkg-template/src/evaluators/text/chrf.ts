import { invalidConfig } from "../../core/errors.js";
import { aFlag, check, checkOptions, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { ChrfScore } from "../../openevals-metrics.types.js";
import type { StatisticsOptions } from "../summary/settings.js";
import { type CorpusEvaluator, corpusChecks, corpusEvaluator, type OfCorpus } from "./corpus.js";
import { type TextMetricSpec, type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of {@link createChrfEvaluator}. */
export interface ChrfOptions extends TextOptions {
  /** The longest character n-grams; 6 by default. */
  charOrder?: number | undefined;
  /** The longest word n-grams: 0 by default, for chrF; 2 for chrF++. */
  wordOrder?: number | undefined;
  /** The weight of recall relative to precision; 2 by default. */
  beta?: number | undefined;
  /** Whether character n-grams include white space; `false` by default. */
  whitespace?: boolean | undefined;
  /** Whether case is ignored; `false` by default. */
  lowercase?: boolean | undefined;
  /**
   * Whether n-gram orders without a match count as a tiny number, as in NLTK and Moses; `false` by default, which
   * ignores orders that one of the texts is too short for.
   */
  epsSmoothing?: boolean | undefined;
}

/** The options of {@link corpusChrf}. */
export interface CorpusChrfOptions extends OfCorpus<ChrfOptions>, StatisticsOptions {}

const OPTIONS: OptionChecks<ChrfOptions> = {
  ...TEXT_OPTIONS,
  charOrder: wholeFrom(0, 100),
  wordOrder: wholeFrom(0, 100),
  beta: check("a number from 0", (value) => Number.isFinite(value) && value >= 0),
  whitespace: aFlag,
  lowercase: aFlag,
  epsSmoothing: aFlag,
};

/**
 * Makes an evaluator for chrF, the F-score of character n-grams (Popović, *chrF: character n-gram F-score for automatic
 * MT evaluation*, 2015), or with `wordOrder: 2` for chrF++ (*chrF++: words helping character n-grams*, 2017). It needs
 * no tokenizer, so it suits all languages.
 *
 * It is computed as in sacrebleu 2.6 for a sentence, divided by 100. With several references, the best score counts.
 *
 * @returns An evaluator with the result `{ key: "chrf", score, metadata }` and a score from 0 to 1 (best). The metadata
 * has the `signature`, `precision` and `recall`, and by n-gram order `counts`, `outputTotals` and `referenceTotals`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing.
 *
 * @example
 * ```ts
 * import { createChrfEvaluator } from "openevals-wasm/text";
 *
 * const chrfPlusPlus = createChrfEvaluator({ wordOrder: 2, feedbackKey: "chrf++" });
 * const { score } = await chrfPlusPlus({ outputs: "Der Hund bellt.", referenceOutputs: "Die Hunde bellen." });
 * console.log(score); // 0.241…
 * ```
 */
export function createChrfEvaluator(options: ChrfOptions = {}): Evaluator<TextResult<ChrfScore>> {
  const read = checkOptions("createChrfEvaluator", options, OPTIONS);
  return textEvaluator(specOf("chrf", read), read);
}

/**
 * chrF of a row with the defaults of {@link createChrfEvaluator}.
 *
 * @returns `{ key: "chrf", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 *
 * @example
 * ```ts
 * import { chrf } from "openevals-wasm/text";
 *
 * const { score } = await chrf({ outputs: "Der Hund bellt.", referenceOutputs: "Die Hunde bellen." });
 * console.log(score); // 0.280…
 * ```
 */
export const chrf: Evaluator<TextResult<ChrfScore>> = /* @__PURE__ */ createChrfEvaluator();

/**
 * Makes a summary evaluator for the chrF of a corpus, computed from the counts of all rows. This is not the mean of the
 * rows' scores. Computed as `corpus_chrf` in sacrebleu 2.6, divided by 100, with a bootstrap interval.
 *
 * @returns A summary evaluator with the result `{ key: "corpus_chrf", score, interval, metadata }`. The score is `null`
 * if there are no rows.
 * @throws {@link OpenEvalsError} The same errors as {@link createChrfEvaluator}.
 *
 * @example
 * ```ts
 * import { corpusChrf } from "openevals-wasm/text";
 *
 * const { score } = await corpusChrf()({
 *   outputs: ["Der Hund bellt.", "Es regnet."],
 *   referenceOutputs: ["Die Hunde bellen.", "Es regnet heute."],
 * });
 * console.log(score); // 0.392…
 * ```
 */
export function corpusChrf(options: CorpusChrfOptions = {}): CorpusEvaluator<ChrfScore> {
  const read = checkOptions("corpusChrf", options, corpusChecks(OPTIONS));
  return corpusEvaluator(specOf("corpus_chrf", read), read);
}

function specOf(key: string, options: OfCorpus<ChrfOptions>): TextMetricSpec {
  const {
    charOrder = 6,
    wordOrder = 0,
    beta = 2,
    whitespace = false,
    lowercase = false,
    epsSmoothing = false,
  } = options;
  if (!charOrder && !wordOrder) {
    throw invalidConfig("charOrder and wordOrder are both 0; set one of them to 1 or more");
  }
  const orders = `nc:${charOrder}|nw:${wordOrder}`;
  // sacrebleu puts beta into the metric's name, not into the signature.
  const betaSuffix = beta === 2 ? "" : `|beta:${beta}`;
  return {
    name: "chrF",
    key,
    metric: { chrf: { charOrder, wordOrder, beta, whitespace, epsSmoothing } },
    lowercase,
    variant: `case:${caseOf(lowercase)}|eff:${yesOrNo(!epsSmoothing)}|${orders}|space:${yesOrNo(whitespace)}${betaSuffix}`,
  };
}
