import {
  aFlag,
  type Checks,
  check,
  checkOptions,
  checkValue,
  numberFromTo,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { BleuScore, BleuSmoothing, BleuTokenizer } from "../../openevals-metrics.types.js";
import type { StatisticsOptions } from "../summary/settings.js";
import { type CorpusEvaluator, corpusChecks, corpusEvaluator, type OfCorpus } from "./corpus.js";
import { type TextMetricSpec, type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yes } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of {@link createBleuEvaluator}. */
export interface BleuOptions extends TextOptions {
  /**
   * How tokens are found: `13a` (the default) as the script of the WMT does for western languages, `intl` by the classes of
   * Unicode, `zh` with the characters of Chinese one by one, `char` every character, `none` at white space only.
   */
  tokenize?: BleuTokenizer | undefined;
  /**
   * What is done about n-grams of which none is right: `exp` (the default) takes half of one for the first length, a quarter
   * for the second and so on; `floor` counts `smoothValue` for none; `add-k` adds it to all but single tokens; `none` leaves
   * a score of 0.
   */
  smoothMethod?: BleuSmoothing | undefined;
  /** For `floor` from 0 to 1, 0.1 by default; for `add-k` from 0, 1 by default. */
  smoothValue?: number | undefined;
  /** How many tokens the longest n-grams have; 4 by default. */
  maxNgramOrder?: number | undefined;
  /**
   * Whether lengths of n-grams that the text is too short for do not count: `true` by default for a row, as
   * `sentence_bleu` of sacrebleu has it, and `false` for a corpus.
   */
  effectiveOrder?: boolean | undefined;
  /** Whether case does not count; `false` by default. */
  lowercase?: boolean | undefined;
}

/** The options of {@link corpusBleu}. */
export interface CorpusBleuOptions extends OfCorpus<BleuOptions>, StatisticsOptions {}

const OPTIONS: Checks<BleuOptions> = {
  ...TEXT_OPTIONS,
  tokenize: oneOf(["13a", "intl", "zh", "char", "none"]),
  smoothMethod: oneOf(["exp", "floor", "add-k", "none"]),
  smoothValue: check("a number from 0", (value) => Number.isFinite(value) && value >= 0),
  maxNgramOrder: wholeFrom(1, 100),
  effectiveOrder: aFlag,
  lowercase: aFlag,
};

/** What is meant where no value is given. */
const SMOOTH_VALUES = { exp: 0, floor: 0.1, "add-k": 1, none: 0 };

/**
 * Makes an evaluator for BLEU, the share of n-grams of a text that are in its reference, times a penalty for brevity
 * (Papineni et al., *BLEU: a method for automatic evaluation of machine translation*, 2002).
 *
 * As sacrebleu 2.6 computes it for a sentence, divided by 100. Of several references, every n-gram counts as often as it is
 * in the one that has it most. BLEU is meant for corpora: see {@link corpusBleu}.
 *
 * @returns An evaluator with the result `{ key: "bleu", score, metadata }` and a score from 0 to 1, which is best. The
 * metadata has the `signature`, `precisions`, `brevityPenalty`, `counts` and `totals` of n-grams by length, `outputLength`
 * and `referenceLength`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` where a
 * text is missing.
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
 * @returns `{ key: "bleu", score, metadata }` with `score` from 0 to 1, which is best.
 * @throws {@link OpenEvalsError} `invalid_input` where a text is missing.
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
 * Makes a summary evaluator for the BLEU of a corpus: that of the counts of all rows, which is no mean of their scores. As
 * `corpus_bleu` of sacrebleu 2.6, divided by 100, with the bootstrap's interval.
 *
 * @returns A summary evaluator with the result `{ key: "corpus_bleu", score, interval, metadata }`. The score is `null` if
 * there are no rows.
 * @throws {@link OpenEvalsError} as {@link createBleuEvaluator} does.
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
    variant: `case:${caseOf(lowercase)}|eff:${yes(effectiveOrder)}|tok:${tokenize}|smooth:${smooth}`,
  };
}
