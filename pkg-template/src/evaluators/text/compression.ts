import { checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { COMPRESSION_RATIO } from "../../core/scales.js";
import type { CompressionScore } from "../../openevals-metrics.types.js";
import { type OutputEvaluator, outputEvaluator, type TextResult } from "./evaluator.js";
import { OUTPUT_OPTIONS, type OutputOptions } from "./texts.js";

/** The options of {@link createCompressionRatioEvaluator}. */
export interface CompressionRatioOptions extends OutputOptions {}

const OPTIONS: OptionChecks<CompressionRatioOptions> = OUTPUT_OPTIONS;

/**
 * Makes an evaluator for the compression ratio: the size of a text divided by its compressed size. The more a text
 * repeats itself, the higher the ratio (Shaib et al., *Standardizing the measurement of text diversity*, 2024). Outputs
 * may be a list of texts, which are joined with spaces: the ratio then shows how similar they are.
 *
 * The compressor is gzip at level 9, with the same size as Python's `gzip.compress` on every runtime. Compare only
 * texts of similar length, since short texts compress less.
 *
 * @returns An evaluator with the result `{ key: "compression_ratio", score, metadata }`. The score is at least 0, and
 * lower is more diverse: an empty text has 0, English prose about 2.5, endless repetition nearly 1,030. The metadata
 * has the `signature`, `bytes` and `compressedBytes`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` if
 * the text is missing.
 *
 * @example
 * ```ts
 * import { createCompressionRatioEvaluator } from "openevals-wasm/text";
 *
 * const evaluator = createCompressionRatioEvaluator({ output: "answers" });
 * const { score } = await evaluator({ outputs: { answers: ["I am sorry, but no.", "I am sorry, but yes."] } });
 * console.log(score); // 0.851…
 * ```
 */
export function createCompressionRatioEvaluator(
  options: CompressionRatioOptions = {},
): OutputEvaluator<TextResult<CompressionScore>> {
  const read = checkOptions("createCompressionRatioEvaluator", options, OPTIONS);
  const spec = {
    name: "The compression ratio",
    key: "compression_ratio",
    scale: COMPRESSION_RATIO,
    metric: "compression" as const,
    lowercase: false,
    variant: "compressor:gzip-9",
  };
  return outputEvaluator(spec, read, true);
}

/**
 * The compression ratio of a text, or of several, with the defaults of {@link createCompressionRatioEvaluator}.
 *
 * @returns `{ key: "compression_ratio", score, metadata }` with `score` from 0; lower is more diverse.
 * @throws {@link OpenEvalsError} `invalid_input` if the text is missing.
 */
export const compressionRatio: OutputEvaluator<TextResult<CompressionScore>> =
  /* @__PURE__ */ createCompressionRatioEvaluator();
