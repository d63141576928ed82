import { aFlag, aFunction, checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { RougeScore, RougeUnits } from "../../openevals-metrics.types.js";
import { type TextResult, textEvaluator } from "./evaluator.js";
import { yesOrNo } from "./signature.js";
import { TEXT_OPTIONS, type TextOptions } from "./texts.js";
import { type Tokenizer, tokenTexts } from "./tokens.js";

/** The unit of ROUGE: n-grams of this length, or longest common subsequences. */
export type RougeType = `rouge${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}` | "rougeL" | "rougeLsum";

/** The options of {@link createRougeEvaluator}. */
export interface RougeOptions extends TextOptions {
  /**
   * The counted unit: `rouge1` to `rouge9`, n-grams of this length; `rougeL` (the default), the longest common
   * subsequence of tokens; `rougeLsum`, the longest common subsequences of lines, with one sentence per line.
   */
  type?: RougeType | undefined;
  /** Whether English words of at least four letters are stemmed; `false` by default. */
  useStemmer?: boolean | undefined;
  /**
   * Splits a text, or for `rougeLsum` a line, into tokens. By default, tokens are runs of ASCII letters and digits in
   * lower case, so other scripts have none: pass your own tokenizer for Chinese, for example.
   */
  tokenizer?: Tokenizer | undefined;
}

const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const OPTIONS: OptionChecks<RougeOptions> = {
  ...TEXT_OPTIONS,
  type: oneOf([...NUMBERS.map((number) => `rouge${number}`), "rougeL", "rougeLsum"]),
  useStemmer: aFlag,
  tokenizer: aFunction,
};

/**
 * Makes an evaluator for ROUGE, the overlap of a summary and its reference (Lin, *ROUGE: a package for automatic
 * evaluation of summaries*, 2004), as in rouge-score 0.1.2. With several references, the best score counts.
 *
 * @returns An evaluator with the result `{ key, score, metadata }` and the type as key. The score is the F-measure from
 * 0 to 1 (best). The metadata has the `signature`, `precision` and `recall`. A `comment` says if a text has no token.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * a text is missing or too long, and `callback_failed` if the tokenizer fails.
 *
 * @example
 * ```ts
 * import { createRougeEvaluator } from "openevals-wasm/text";
 *
 * const rouge2 = createRougeEvaluator({ type: "rouge2", useStemmer: true });
 * const { score } = await rouge2({ outputs: "the cats sat", referenceOutputs: "the cat sat down" });
 * console.log(score); // 0.8
 *
 * const chinese = createRougeEvaluator({ tokenizer: (text) => [...text] });
 * console.log((await chinese({ outputs: "猫坐在垫子上", referenceOutputs: "猫坐垫子上" })).score); // 0.909…
 * ```
 */
export function createRougeEvaluator(options: RougeOptions = {}): Evaluator<TextResult<RougeScore>> {
  const read = checkOptions("createRougeEvaluator", options, OPTIONS);
  const { type = "rougeL", useStemmer = false, tokenizer } = read;
  const spec = {
    name: "ROUGE",
    key: type,
    metric: { rouge: { units: unitsOf(type), useStemmer: useStemmer && !tokenizer } },
    lowercase: true,
    variant: `type:${type}|stem:${yesOrNo(useStemmer && !tokenizer)}|tok:${tokenizer ? "custom" : "rouge-score"}`,
  };
  if (!tokenizer) return textEvaluator({ ...spec, explainZero: explainerOf(type) }, read);
  return textEvaluator(spec, read, (texts) => {
    const tokenized = tokenTexts(tokenizer);
    return texts.map((text) =>
      type === "rougeLsum" ? text.split("\n").map(tokenized).join("\n") : tokenized(text),
    );
  });
}

/**
 * ROUGE-1 of a row, with the defaults of {@link createRougeEvaluator}.
 *
 * @returns `{ key: "rouge1", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 */
export const rouge1: Evaluator<TextResult<RougeScore>> = /* @__PURE__ */ createRougeEvaluator({
  type: "rouge1",
});

/**
 * ROUGE-2 of a row, with the defaults of {@link createRougeEvaluator}.
 *
 * @returns `{ key: "rouge2", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing.
 */
export const rouge2: Evaluator<TextResult<RougeScore>> = /* @__PURE__ */ createRougeEvaluator({
  type: "rouge2",
});

/**
 * ROUGE-L of a row, with the defaults of {@link createRougeEvaluator}.
 *
 * @returns `{ key: "rougeL", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing, or too long to be aligned.
 *
 * @example
 * ```ts
 * import { rougeL } from "openevals-wasm/text";
 *
 * const { score, metadata } = await rougeL({
 *   outputs: "police killed the gunman",
 *   referenceOutputs: "the gunman was killed by police",
 * });
 * console.log(score, metadata.recall); // 0.4 0.333…
 * ```
 */
export const rougeL: Evaluator<TextResult<RougeScore>> = /* @__PURE__ */ createRougeEvaluator();

/**
 * ROUGE-Lsum of a row, with the defaults of {@link createRougeEvaluator}. Each line has to be one sentence.
 *
 * @returns `{ key: "rougeLsum", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` if a text is missing, or too long to be aligned.
 */
export const rougeLsum: Evaluator<TextResult<RougeScore>> = /* @__PURE__ */ createRougeEvaluator({
  type: "rougeLsum",
});

const countTokens = (text: string): number => text.toLowerCase().match(/[a-z\d]+/g)?.length ?? 0;

/** Texts that are not empty, but have no unit of this type, score 0 even if they are the same. */
function explainerOf(type: RougeType) {
  const units = unitsOf(type);
  const needed = typeof units === "object" ? units.grams : 1;
  return (output: string, references: readonly string[]): string | undefined => {
    for (const [side, texts] of [
      ["output", [output]],
      ["reference", references],
    ] as const) {
      const tokens = Math.max(...texts.map(countTokens));
      if (tokens >= needed || texts.every((text) => text.trim() === "")) continue;
      return tokens > 0
        ? `The ${side} has fewer than ${needed} tokens, so ${type} finds nothing to compare.`
        : `The ${side} has no token: ROUGE reads only ASCII letters and digits. For other scripts, pass a tokenizer to createRougeEvaluator.`;
    }
    return undefined;
  };
}

function unitsOf(type: RougeType): RougeUnits {
  if (type === "rougeL") return "subsequence";
  if (type === "rougeLsum") return "subsequencesOfSentences";
  return { grams: Number(type.slice("rouge".length)) };
}
