/** Text metrics that agree with their reference implementations. */

export type { FieldSource } from "../../core/input/field.js";
export type { PassOptions } from "../../core/passing.js";
export type { Evaluator, EvaluatorParams, ScoreScale } from "../../core/types.js";
export type {
  BleuScore,
  BleuSmoothing,
  BleuTokenizer,
  ChrfScore,
  CompressionScore,
  CorpusTest,
  DiversityScore,
  ErrorRateScore,
  Interval,
  LengthScore,
  LengthUnit as LengthMetricUnit,
  ReadabilityFormula,
  ReadabilityLanguage,
  ReadabilityScore,
  RougeScore,
  TerScore,
  TokenF1Score,
} from "../../openevals-metrics.types.js";
export type { MetricMetadata } from "../summary/metric.js";
export type { StatisticsOptions } from "../summary/settings.js";
export { type BleuOptions, bleu, type CorpusBleuOptions, corpusBleu, createBleuEvaluator } from "./bleu.js";
export { type ChrfOptions, type CorpusChrfOptions, chrf, corpusChrf, createChrfEvaluator } from "./chrf.js";
export {
  type CompressionRatioOptions,
  compressionRatio,
  createCompressionRatioEvaluator,
} from "./compression.js";
export type {
  CorpusComparison,
  CorpusComparisonParams,
  CorpusEvaluator,
  CorpusParams,
  CorpusResult,
} from "./corpus.js";
export {
  createDistinctNEvaluator,
  createRepetitionEvaluator,
  type DistinctNOptions,
  distinct1,
  distinct2,
  type RepetitionOptions,
  repetition,
} from "./diversity.js";
export {
  type CorpusWerOptions,
  characterErrorRate,
  corpusWer,
  createCharacterErrorRateEvaluator,
  createMatchErrorRateEvaluator,
  createWordErrorRateEvaluator,
  createWordInformationLostEvaluator,
  type ErrorRateOptions,
  matchErrorRate,
  wordErrorRate,
  wordInformationLost,
} from "./error-rates.js";
export type { OutputEvaluator, TextResult } from "./evaluator.js";
export {
  characterCount,
  createLengthEvaluator,
  type LengthMetricOptions,
  sentenceCount,
  wordCount,
} from "./length.js";
export {
  createReadabilityEvaluator,
  fleschKincaidGrade,
  fleschReadingEase,
  gunningFog,
  type ReadabilityOptions,
  smogIndex,
} from "./readability.js";
export {
  createRougeEvaluator,
  type RougeOptions,
  type RougeType,
  rouge1,
  rouge2,
  rougeL,
  rougeLsum,
} from "./rouge.js";
export {
  createDamerauLevenshteinEvaluator,
  createJaroEvaluator,
  createJaroWinklerEvaluator,
  createLongestCommonSubsequenceEvaluator,
  createNgramSimilarityEvaluator,
  damerauLevenshtein,
  type JaroWinklerOptions,
  jaro,
  jaroWinkler,
  longestCommonSubsequence,
  type NgramSimilarityOptions,
  ngramSimilarity,
  type SimilarityOptions,
  type SimilarityResult,
} from "./similarity.js";
export { type CorpusTerOptions, corpusTer, createTerEvaluator, type TerOptions, ter } from "./ter.js";
export type { OutputOptions, TextOptions } from "./texts.js";
export {
  createSquadExactMatchEvaluator,
  createTokenF1Evaluator,
  squadExactMatch,
  type TokenF1Options,
  tokenF1,
} from "./token-f1.js";
export type { Tokenizer } from "./tokens.js";

/** @deprecated The name is also that of a check. Use {@link LengthMetricOptions}. */
export type LengthOptions = import("./length.js").LengthMetricOptions;
/** @deprecated The name is also that of a check. Use {@link LengthMetricUnit}. */
export type LengthUnit = import("../../openevals-metrics.types.js").LengthUnit;
