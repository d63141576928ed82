import { count, flag, numbersByKey, text, texts, type Values } from "../options.js";
import {
  ASKING,
  BUDGET,
  FORMAT,
  GITHUB,
  JUNIT,
  READING,
  REPORT,
  SHARD,
  THRESHOLDS,
  WRITING,
} from "../shared-options.js";

export const SCORE = {
  evaluator: texts(
    "<key>",
    `what to score with; may be given several times. Without a model: exact_match, levenshtein_distance, json_match,
json_match:average, json_match:all, trajectory_strict_match, trajectory_unordered_match, trajectory_subset_match,
trajectory_superset_match; of texts: bleu, chrf, chrf++, ter, rouge1, rouge2, rougeL, rougeLsum, token_f1,
squad_exact_match, word_error_rate, match_error_rate, word_information_lost, character_error_rate, jaro, jaro_winkler,
damerau_levenshtein, longest_common_subsequence, ngram_dice; of texts alone: flesch_reading_ease, flesch_kincaid_grade,
gunning_fog, smog_index, character_count, word_count, sentence_count, compression_ratio, distinct_1, distinct_2,
repetition; of rankings: ndcg, average_precision, reciprocal_rank, r_precision, bpref, or of their first ten ndcg_at_10,
average_precision_at_10, reciprocal_rank_at_10, precision_at_10, recall_at_10, hit_rate_at_10; checks: contains,
contains_all, contains_any, starts_with (of the reference), equals_number, equals_number:last, valid_json, valid_xml,
valid_html, valid_sql, no_refusal, no_pii. With one: the prebuilt prompts, such as correctness, conciseness,
hallucination, toxicity, trajectory_accuracy`,
  ),
  model: text(
    "<name>",
    "the model that judges, such as openai:gpt-5.4 or ollama:llama3.3; keys of providers come from their usual environment variables",
  ),
  baseUrl: text("<url>", "where the model is asked instead of at its provider"),
  requestsPerMinute: count("how many requests the model is sent in a minute at most, evenly spread", 1),
  tokensPerMinute: count("the same for the tokens that it reads and writes", 1),
  ...ASKING,
  repeat: count(
    "how many times each row is scored; 1 by default. A judge may give different answers to the same question",
    1,
  ),
  ...BUDGET,
  ...SHARD,
  output: text(
    "<file.json>",
    "writes the experiment, for compare; a file.jsonl gets each row as it finishes, so that an experiment of any size fits, and shows no rows here",
  ),
  resume: flag("continues what stands in the --output file.jsonl, after a crash, a kill or Ctrl-C"),
  resumeFailed: flag("the same, and scores the rows again on which an evaluator has failed"),
  ...WRITING,
  ...FORMAT,
  ...JUNIT,
  ...GITHUB,
  passAt: numbersByKey(
    "a row passes with this score of the key or a better one, instead of the best one there is; may be given several times",
  ),
  ...THRESHOLDS,
  ...READING,
  ...REPORT,
};

export type ScoreOptions = Values<typeof SCORE>;

/** Whether rows go to a file as they finish. */
export const isSink = (output: string | undefined): output is string => /\.jsonl$/i.test(output ?? "");
