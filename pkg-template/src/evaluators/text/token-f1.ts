import { aFlag, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { TokenF1Score } from "../../openevals-metrics.types.js";
import { type TextResult, textEvaluator } from "./evaluator.js";
import { caseOf, yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";

/** The options of {@link createTokenF1Evaluator} and {@link createSquadExactMatchEvaluator}. */
export interface TokenF1Options extends TextOptions {
  /** Whether the words `a`, `an` and `the` are removed; `true` by default. */
  removeArticles?: boolean | undefined;
  /** Whether ASCII punctuation is removed; `true` by default. */
  removePunctuation?: boolean | undefined;
  /** Whether case is ignored; `true` by default. */
  lowercase?: boolean | undefined;
}

const OPTIONS: OptionChecks<TokenF1Options> = {
  ...TEXT_OPTIONS,
  removeArticles: aFlag,
  removePunctuation: aFlag,
  lowercase: aFlag,
};

/**
 * Makes an evaluator for token F1: the harmonic mean of the share of the answer's words that are in the reference, and
 * the share of the reference's words that are in the answer. It is computed as in the official script of SQuAD 2.0
 * (Rajpurkar et al., *SQuAD: 100,000+ questions for machine comprehension of text*, 2016). An empty text means no
 * answer, and is correct if the reference is empty too. With several references, the best score counts.
 *
 * @returns An evaluator with the result `{ key: "token_f1", score, metadata }` and a score from 0 to 1 (best). The
 * metadata has the `signature`, `precision` and `recall`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing.
 *
 * @example
 * ```ts
 * import { createTokenF1Evaluator } from "openevals-wasm/text";
 *
 * const strict = createTokenF1Evaluator({ removeArticles: false, lowercase: false });
 * const { score } = await strict({ outputs: "The Eiffel tower", referenceOutputs: ["Eiffel Tower", "the Eiffel Tower"] });
 * console.log(score); // 0.4
 * ```
 */
export function createTokenF1Evaluator(options: TokenF1Options = {}): Evaluator<TextResult<TokenF1Score>> {
  return squad("createTokenF1Evaluator", "token_f1", false, options);
}

/**
 * Token F1 of a row with the defaults of {@link createTokenF1Evaluator}.
 *
 * @returns `{ key: "token_f1", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 *
 * @example
 * ```ts
 * import { tokenF1 } from "openevals-wasm/text";
 *
 * const { score } = await tokenF1({ outputs: "in the Eiffel tower", referenceOutputs: "The Eiffel Tower." });
 * console.log(score); // 0.8
 * ```
 */
export const tokenF1: Evaluator<TextResult<TokenF1Score>> = /* @__PURE__ */ createTokenF1Evaluator();

/**
 * Makes an evaluator for SQuAD's exact match: whether an answer equals a reference after removing case, articles and
 * punctuation, as in the official script of SQuAD 2.0. To compare values unchanged, use `exactMatch` of
 * `openevals-wasm`.
 *
 * @returns An evaluator with the result `{ key: "squad_exact_match", score, metadata }`, whose score is 1 or 0.
 * @throws {@link OpenEvalsError} The same errors as {@link createTokenF1Evaluator}.
 *
 * @example
 * ```ts
 * import { createSquadExactMatchEvaluator } from "openevals-wasm/text";
 *
 * const withArticles = createSquadExactMatchEvaluator({ removeArticles: false });
 * const { score } = await withArticles({ outputs: "the Eiffel Tower!", referenceOutputs: "Eiffel Tower" });
 * console.log(score); // 0
 * ```
 */
export function createSquadExactMatchEvaluator(
  options: TokenF1Options = {},
): Evaluator<TextResult<TokenF1Score>> {
  return squad("createSquadExactMatchEvaluator", "squad_exact_match", true, options);
}

/**
 * The exact match of SQuAD with the defaults of {@link createSquadExactMatchEvaluator}.
 *
 * @returns `{ key: "squad_exact_match", score, metadata }` with `score` 1 or 0.
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 *
 * @example
 * ```ts
 * import { squadExactMatch } from "openevals-wasm/text";
 *
 * const { score } = await squadExactMatch({ outputs: "the Eiffel Tower!", referenceOutputs: "Eiffel tower" });
 * console.log(score); // 1
 * ```
 */
export const squadExactMatch: Evaluator<TextResult<TokenF1Score>> =
  /* @__PURE__ */ createSquadExactMatchEvaluator();

function squad(
  maker: string,
  key: string,
  exact: boolean,
  options: TokenF1Options,
): Evaluator<TextResult<TokenF1Score>> {
  const read = checkOptions(maker, options, OPTIONS);
  const { removeArticles = true, removePunctuation = true, lowercase = true } = read;
  const variant = `case:${caseOf(lowercase)}|articles:${yesOrNo(!removeArticles)}|punct:${yesOrNo(!removePunctuation)}`;
  const metric = { tokenF1: { exact, removeArticles, removePunctuation } };
  return textEvaluator(
    { name: exact ? "SQuAD's exact match" : "Token F1", key, metric, lowercase, variant },
    read,
  );
}
