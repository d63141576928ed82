/** What the scores of metrics mean. Generated from the `SCALES` tables of the engine: `UPDATE_SCALES=1 cargo test scales`. */

import type { ScoreScale } from "./types.js";

/** `true` or `false`. Also the default for functions that declare no scale. */
export const VERDICT: ScoreScale = { direction: "higher", passAt: 1 };

/** From 0 to 1; 1 is best. */
export const SHARE: ScoreScale = { min: 0, max: 1, direction: "higher", passAt: 1 };

/** From 0 to 1; 0 is best. */
export const LOSS: ScoreScale = { min: 0, max: 1, direction: "lower", passAt: 0 };

/** From -1 to 1, as correlations are; 1 is best. */
export const CORRELATION: ScoreScale = { min: -1, max: 1, direction: "higher", passAt: 1 };

/** From 0 to 100; 100 is best. */
export const PERCENTAGE: ScoreScale = { min: 0, max: 100, direction: "higher", passAt: 100, unit: "points" };

export const TER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "edits per word" };

export const CORPUS_TER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "edits per word" };

export const WORD_ERROR_RATE: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "errors per word" };

export const CORPUS_WER: ScoreScale = { min: 0, direction: "lower", passAt: 0, unit: "errors per word" };

export const CHARACTER_ERROR_RATE: ScoreScale = {
  min: 0,
  direction: "lower",
  passAt: 0,
  unit: "errors per character",
};

export const FLESCH_READING_EASE: ScoreScale = { unit: "points" };

export const FLESCH_KINCAID_GRADE: ScoreScale = { unit: "grade" };

export const GUNNING_FOG: ScoreScale = { unit: "grade" };

export const SMOG_INDEX: ScoreScale = { unit: "grade" };

export const CHARACTER_COUNT: ScoreScale = { min: 0, unit: "characters" };

export const LETTER_COUNT: ScoreScale = { min: 0, unit: "letters" };

export const WORD_COUNT: ScoreScale = { min: 0, unit: "words" };

export const SENTENCE_COUNT: ScoreScale = { min: 0, unit: "sentences" };

export const COMPRESSION_RATIO: ScoreScale = { min: 0 };

export const EMBEDDING_DOT_PRODUCT: ScoreScale = { direction: "higher" };

export const G_EVAL: ScoreScale = { min: 0, max: 1, direction: "higher" };

/** The scales, by result key. */
export const SCALES: Readonly<Record<string, ScoreScale>> = {
  bleu: SHARE,
  corpus_bleu: SHARE,
  chrf: SHARE,
  corpus_chrf: SHARE,
  ter: TER,
  corpus_ter: CORPUS_TER,
  rouge1: SHARE,
  rouge2: SHARE,
  rougeL: SHARE,
  rougeLsum: SHARE,
  token_f1: SHARE,
  squad_exact_match: SHARE,
  word_error_rate: WORD_ERROR_RATE,
  corpus_wer: CORPUS_WER,
  match_error_rate: LOSS,
  word_information_lost: LOSS,
  character_error_rate: CHARACTER_ERROR_RATE,
  jaro: SHARE,
  jaro_winkler: SHARE,
  damerau_levenshtein: SHARE,
  longest_common_subsequence: SHARE,
  ngram_dice: SHARE,
  ngram_jaccard: SHARE,
  ngram_cosine: SHARE,
  flesch_reading_ease: FLESCH_READING_EASE,
  flesch_kincaid_grade: FLESCH_KINCAID_GRADE,
  gunning_fog: GUNNING_FOG,
  smog_index: SMOG_INDEX,
  character_count: CHARACTER_COUNT,
  letter_count: LETTER_COUNT,
  word_count: WORD_COUNT,
  sentence_count: SENTENCE_COUNT,
  distinct: SHARE,
  repetition: LOSS,
  compression_ratio: COMPRESSION_RATIO,
  ndcg: SHARE,
  average_precision: SHARE,
  reciprocal_rank: SHARE,
  precision: SHARE,
  recall: SHARE,
  hit_rate: SHARE,
  r_precision: SHARE,
  bpref: SHARE,
  levenshtein_distance: SHARE,
  embedding_similarity: CORRELATION,
  embedding_dot_product: EMBEDDING_DOT_PRODUCT,
  json_match: SHARE,
  trajectory_f1: SHARE,
  tool_policy: SHARE,
  no_loops: VERDICT,
  step_status: SHARE,
  function_calls: VERDICT,
  tool_call_precision: SHARE,
  tool_call_recall: SHARE,
  tool_call_f1: SHARE,
  tool_arguments: SHARE,
  state_match: VERDICT,
  tau_reward: SHARE,
  handoffs: VERDICT,
  step_efficiency: SHARE,
  goal_accuracy: SHARE,
  task_completion: SHARE,
  knowledge_retention: SHARE,
  role_adherence: SHARE,
  completeness: SHARE,
  judge: VERDICT,
  continuous_judge: SHARE,
  g_eval: G_EVAL,
  accuracy: SHARE,
  f1_score: SHARE,
  cohens_kappa: CORRELATION,
  matthews_correlation: CORRELATION,
  check_criteria: PERCENTAGE,
  claim_verification: PERCENTAGE,
  guidance: PERCENTAGE,
  preference_adherence: PERCENTAGE,
  tool_usage: PERCENTAGE,
  faithfulness: SHARE,
  context_precision: SHARE,
  context_recall: SHARE,
  context_entity_recall: SHARE,
  context_relevance: SHARE,
  answer_relevancy: SHARE,
  factual_correctness: SHARE,
  answer_correctness: SHARE,
  noise_sensitivity: LOSS,
  citation_accuracy: SHARE,
};
