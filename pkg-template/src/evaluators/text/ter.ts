import { aFlag, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { CORPUS_TER, TER } from "../../core/scales.js";
import type { Evaluator, ScoreScale } from "../../core/types.js";
import type { TerScore } from "../../openevals-metrics.types.js";
import type { StatisticsOptions } from "../summary/settings.js";
import { type CorpusEvaluator, corpusChecks, corpusEvaluator, type OfCorpus } from "./corpus.js";
import { type TextMetricSpec, type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of {@link createTerEvaluator}. */
export interface TerOptions extends TextOptions {
  /** Whether punctuation is split into words, as in Tercom; `false` by default. */
  normalized?: boolean | undefined;
  /** Whether punctuation is removed; `false` by default. */
  noPunct?: boolean | undefined;
  /** Whether `normalized` and `noPunct` also handle Chinese and Japanese characters; `false` by default. */
  asianSupport?: boolean | undefined;
  /** Whether case counts; `false` by default. */
  caseSensitive?: boolean | undefined;
}

/** The options of {@link corpusTer}. */
export interface CorpusTerOptions extends OfCorpus<TerOptions>, StatisticsOptions {}

const OPTIONS: OptionChecks<TerOptions> = {
  ...TEXT_OPTIONS,
  normalized: aFlag,
  noPunct: aFlag,
  asianSupport: aFlag,
  caseSensitive: aFlag,
};

/**
 * Makes an evaluator for the translation edit rate: the number of edits that turn the output into the reference,
 * divided by the words of the reference. Moving a phrase is one edit (Snover et al., *A study of translation edit rate
 * with targeted human annotation*, 2006).
 *
 * It is computed as in sacrebleu 2.6 for a sentence, divided by 100, with the shortcuts of Tercom. With several
 * references, the edits are those to the nearest reference, and the length is the mean length of all references.
 *
 * @returns An evaluator with the result `{ key: "ter", score, metadata }` and a score from 0 (best), which can exceed
 * 1. The metadata has the `signature`, `edits` and `referenceLength`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing or too long.
 *
 * @example
 * ```ts
 * import { createTerEvaluator } from "openevals-wasm/text";
 *
 * const normalized = createTerEvaluator({ normalized: true });
 * const { score } = await normalized({ outputs: "Today, it rains.", referenceOutputs: "It rains today." });
 * console.log(score); // 0.5
 * ```
 */
export function createTerEvaluator(options: TerOptions = {}): Evaluator<TextResult<TerScore>> {
  const read = checkOptions("createTerEvaluator", options, OPTIONS);
  return textEvaluator(specOf("ter", TER, read), read);
}

/**
 * The translation edit rate of a row with the defaults of {@link createTerEvaluator}.
 *
 * @returns `{ key: "ter", score, metadata }` with `score` from 0 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing or too long.
 *
 * @example
 * ```ts
 * import { ter } from "openevals-wasm/text";
 *
 * const { score } = await ter({ outputs: "today it rains", referenceOutputs: "it rains today" });
 * console.log(score); // 0.333…
 * ```
 */
export const ter: Evaluator<TextResult<TerScore>> = /* @__PURE__ */ createTerEvaluator();

/**
 * Makes a summary evaluator for the translation edit rate of a corpus: the edits of all rows, divided by the words of
 * all references. This is not the mean of the rows' scores. Computed as `corpus_ter` in sacrebleu 2.6, divided by 100,
 * with a bootstrap interval.
 *
 * @returns A summary evaluator with the result `{ key: "corpus_ter", score, interval, metadata }`. The score is `null`
 * if there are no rows.
 * @throws {@link OpenEvalsError} The same errors as {@link createTerEvaluator}.
 *
 * @example
 * ```ts
 * import { corpusTer } from "openevals-wasm/text";
 *
 * const { score } = await corpusTer()({
 *   outputs: ["today it rains", "yes"],
 *   referenceOutputs: ["it rains today", "yes"],
 * });
 * console.log(score); // 0.25
 * ```
 */
export function corpusTer(options: CorpusTerOptions = {}): CorpusEvaluator<TerScore> {
  const read = checkOptions("corpusTer", options, corpusChecks(OPTIONS));
  return corpusEvaluator(specOf("corpus_ter", CORPUS_TER, read), read);
}

function specOf(key: string, scale: ScoreScale, options: OfCorpus<TerOptions>): TextMetricSpec {
  const { normalized = false, noPunct = false, asianSupport = false, caseSensitive = false } = options;
  return {
    name: "TER",
    key,
    scale,
    metric: { ter: { normalized, noPunct, asianSupport } },
    lowercase: !caseSensitive,
    variant:
      `case:${caseOf(!caseSensitive)}|tok:tercom|norm:${yesOrNo(normalized)}|punct:${yesOrNo(!noPunct)}` +
      `|asian:${yesOrNo(asianSupport)}`,
  };
}
