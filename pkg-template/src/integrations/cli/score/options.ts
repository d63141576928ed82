import { count, flag, mapOfFields, text, texts, type Values } from "../arguments/options.js";
import {
  ASKING,
  BUDGET,
  FORMAT,
  GITHUB,
  JSON_RESULT,
  JUNIT,
  PASS_MARKS,
  READING,
  REPORT_FILE,
  SHARD,
  THRESHOLDS,
  WRITING,
} from "../arguments/shared-options.js";

export const SCORE = {
  evaluator: texts(
    "<key>",
    `the evaluator; can be repeated. Without a model: exact_match, levenshtein_distance, json_match, json_match:average,
json_match:all, trajectory_strict_match, trajectory_unordered_match, trajectory_subset_match,
trajectory_superset_match; of agents: no_loops, step_status, state_match, tool_call_metrics, tau_reward; of texts:
bleu, chrf, chrf++, ter, rouge1, rouge2, rougeL, rougeLsum, token_f1, squad_exact_match, word_error_rate,
match_error_rate, word_information_lost, character_error_rate, jaro, jaro_winkler, damerau_levenshtein,
longest_common_subsequence, ngram_dice; of a text alone: flesch_reading_ease, flesch_kincaid_grade, gunning_fog,
smog_index, character_count, word_count, sentence_count, compression_ratio, distinct_1, distinct_2, repetition; of
rankings: ndcg, average_precision, reciprocal_rank, r_precision, bpref, or of the first ten documents ndcg_at_10,
average_precision_at_10, reciprocal_rank_at_10, precision_at_10, recall_at_10, hit_rate_at_10; checks: contains,
contains_all, contains_any, starts_with (of the reference), equals_number, equals_number:last, valid_json, valid_xml,
valid_html, valid_sql, no_refusal, no_pii. With a model: the prebuilt prompts, such as correctness, conciseness,
hallucination, toxicity, trajectory_accuracy; and RAG metrics, which read context: faithfulness, context_precision,
context_recall, context_entity_recall, context_relevance, factual_correctness, noise_sensitivity, citation_accuracy`,
  ),
  map: mapOfFields(
    "where fields are in the data, such as inputs=question,referenceOutputs=expected; can be repeated",
  ),
  model: text(
    "<name>",
    "the judge's model, such as openai:gpt-5.4 or ollama:llama3.3; API keys are read from the usual environment variables",
  ),
  baseUrl: text("<url>", "the address of the API, if it is not the provider's own"),
  requestsPerMinute: count("the most requests to the model per minute, evenly spread", 1),
  tokensPerMinute: count("the most tokens per minute that the model reads and writes", 1),
  ...ASKING,
  repeat: count(
    "how often each row is scored; 1 by default. Judges may answer the same question differently",
    1,
  ),
  ...BUDGET,
  ...SHARD,
  output: text(
    "<file.json>",
    "writes the experiment, for compare; a .jsonl file gets each row as it finishes, for data of any size, and no rows are printed",
  ),
  resume: flag("continues the experiment in the --output file.jsonl after a crash, a kill or Ctrl-C"),
  resumeFailed: flag("like --resume, and also scores the rows again on which an evaluator failed"),
  ...WRITING,
  ...FORMAT,
  ...JSON_RESULT,
  ...JUNIT,
  ...GITHUB,
  ...PASS_MARKS,
  ...THRESHOLDS,
  ...READING,
  ...REPORT_FILE,
};

export type ScoreOptions = Values<typeof SCORE>;

/** Whether rows are written to the file as they finish. */
export const isSink = (output: string | undefined): output is string => /\.jsonl$/i.test(output ?? "");
