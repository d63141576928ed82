import {
  aFlag,
  check,
  checkOptions,
  checkValue,
  numberFromTo,
  type OptionChecks,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { BleuScore, BleuSmoothing, BleuTokenizer } from "../../openevals-metrics.types.js";
import type { StatisticsOptions } from "../summary/settings.js";
import { type CorpusEvaluator, corpusChecks, corpusEvaluator, type OfCorpus } from "./corpus.js";
import { type TextMetricSpec, type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of {@link createBleuEvaluator}. */
export interface BleuOptions extends TextOptions {
  /**
   * How a text is split into tokens: `13a` (the default), the WMT script for western languages; `intl`, by Unicode
   * classes; `zh`, with single Chinese characters; `char`, every character; `none`, only at white space.
   */
  tokenize?: BleuTokenizer | undefined;
  /**
   * How n-gram orders without a match are smoothed: `exp` (the default) counts half a match for the first such order, a
   * quarter for the second and so on; `floor` counts `smoothValue`; `add-k` adds it to all orders but the first; `none`
   * gives a score of 0.
   */
  smoothMethod?: BleuSmoothing | undefined;
  /** For `floor`, from 0 to 1, 0.1 by default; for `add-k`, from 0, 1 by default. */
  smoothValue?: number | undefined;
  /** The longest n-grams, in tokens; 4 by default. */
  maxNgramOrder?: number | undefined;
  /**
   * Whether n-gram orders are ignored if the text is too short for them: `true` by default for a row, as in
   * `sentence_bleu` of sacrebleu, and `false` for a corpus.
   */
  effectiveOrder?: boolean | undefined;
  /** Whether case is ignored; `false` by default. */
  lowercase?: boolean | undefined;
}

/** The options of {@link corpusBleu}. */
export interface CorpusBleuOptions extends OfCorpus<BleuOptions>, StatisticsOptions {}

const OPTIONS: OptionChecks<BleuOptions> = {
  ...TEXT_OPTIONS,
  tokenize: oneOf(["13a", "intl", "zh", "char", "none"]),
  smoothMethod: oneOf(["exp", "floor", "add-k", "none"]),
  smoothValue: check("a number from 0", (value) => Number.isFinite(value) && value >= 0),
  maxNgramOrder: wholeFrom(1, 100),
  effectiveOrder: aFlag,
  lowercase: aFlag,
};

/** The default values for smoothing. */
const SMOOTH_VALUES = { exp: 0, floor: 0.1, "add-k": 1, none: 0 };

/**
 * Makes an evaluator for BLEU: the n-gram precision of a text against its reference, times a brevity penalty (Papineni
 * et al., *BLEU: a method for automatic evaluation of machine translation*, 2002).
 *
 * It is computed as in sacrebleu 2.6 for a sentence, divided by 100. With several references, an n-gram counts as often
 * as in the reference that has it most. BLEU is meant for corpora: see {@link corpusBleu}.
 *
 * @returns An evaluator with the result `{ key: "bleu", score, metadata }` and a score from 0 to 1 (best). The metadata
 * has the `signature`, `precisions`, `brevityPenalty`, `counts` and `totals` of n-grams by order, `outputLength` and
 * `referenceLength`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing.
 *
 * @example
 * ```ts
 * import { createBleuEvaluator } from "openevals-wasm/text";
 *
 * const chinese = createBleuEvaluator({ tokenize: "zh" });
 * const { score } = await chinese({ outputs: "猫坐在垫子上。", referenceOutputs: ["猫坐在垫子上。", "垫子上有猫。"] });
 * console.log(score); // 1
 * ```
 */
export function createBleuEvaluator(options: BleuOptions = {}): Evaluator<TextResult<BleuScore>> {
  const read = checkOptions("createBleuEvaluator", options, OPTIONS);
  return textEvaluator(specOf("bleu", read, true), read);
}

/**
 * BLEU of a row with the defaults of {@link createBleuEvaluator}.
 *
 * @returns `{ key: "bleu", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 *
 * @example
 * ```ts
 * import { bleu } from "openevals-wasm/text";
 *
 * const { score, metadata } = await bleu({
 *   outputs: "The cat sat on the mat.",
 *   referenceOutputs: "The cat sat on a mat.",
 * });
 * console.log(score, metadata.signature); // 0.488… nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp
 * ```
 */
export const bleu: Evaluator<TextResult<BleuScore>> = /* @__PURE__ */ createBleuEvaluator();

/**
 * Makes a summary evaluator for the BLEU of a corpus, computed from the counts of all rows. This is not the mean of the
 * rows' scores. Computed as `corpus_bleu` in sacrebleu 2.6, divided by 100, with a bootstrap interval.
 *
 * @returns A summary evaluator with the result `{ key: "corpus_bleu", score, interval, metadata }`. The score is `null`
 * if there are no rows.
 * @throws {@link OpenEvalsError} The same errors as {@link createBleuEvaluator}.
 *
 * @example
 * ```ts
 * import { corpusBleu } from "openevals-wasm/text";
 *
 * const { score } = await corpusBleu()({
 *   outputs: ["The cat sat on the mat.", "It is raining."],
 *   referenceOutputs: ["The cat sat on a mat.", ["It rains.", "It is raining now."]],
 * });
 * console.log(score); // 0.477…
 * ```
 */
export function corpusBleu(options: CorpusBleuOptions = {}): CorpusEvaluator<BleuScore> {
  const read = checkOptions("corpusBleu", options, corpusChecks(OPTIONS));
  return corpusEvaluator(specOf("corpus_bleu", read, false), read);
}

function specOf(key: string, options: OfCorpus<BleuOptions>, isEffective: boolean): TextMetricSpec {
  if (options.smoothMethod === "floor") checkValue("smoothValue", options.smoothValue, numberFromTo(0, 1));
  const {
    tokenize = "13a",
    smoothMethod = "exp",
    smoothValue = SMOOTH_VALUES[smoothMethod],
    maxNgramOrder = 4,
    effectiveOrder = isEffective,
    lowercase = false,
  } = options;
  const hasValue = smoothMethod === "floor" || smoothMethod === "add-k";
  const smooth = hasValue ? `${smoothMethod}[${smoothValue.toFixed(2)}]` : smoothMethod;
  return {
    name: "BLEU",
    key,
    metric: { bleu: { tokenize, smoothMethod, smoothValue, maxNgramOrder, effectiveOrder } },
    lowercase,
    variant: `case:${caseOf(lowercase)}|eff:${yesOrNo(effectiveOrder)}|tok:${tokenize}|smooth:${smooth}`,
  };
}
