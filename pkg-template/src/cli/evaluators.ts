/** The evaluators by their keys. */

import { initChatModel } from "../chat/chat.js";
import * as checks from "../checks/index.js";
import { exactMatch } from "../exact.js";
import type { RowEvaluator } from "../experiment/evaluators/evaluators.js";
import { nearest } from "../input/near.js";
import { createJsonMatchEvaluator } from "../json-match/json-match.js";
import { createLLMAsJudge } from "../judge/judge.js";
import * as prompts from "../prompts/index.js";
import * as retrieval from "../retrieval/index.js";
import { levenshteinDistance } from "../string/levenshtein.js";
import * as text from "../text/index.js";
import { createTrajectoryLLMAsJudge } from "../trajectory/judge.js";
import { createTrajectoryMatchEvaluator } from "../trajectory/match.js";
import { type Options, wrong } from "./options.js";

const trajectory = (trajectoryMatchMode: "strict" | "unordered" | "subset" | "superset") =>
  createTrajectoryMatchEvaluator({ trajectoryMatchMode });

const PURE: Record<string, () => RowEvaluator> = {
  exact_match: () => exactMatch,
  levenshtein_distance: () => levenshteinDistance,
  bleu: () => text.bleu,
  chrf: () => text.chrf,
  "chrf++": () => text.createChrfEvaluator({ wordOrder: 2, feedbackKey: "chrf++" }),
  ter: () => text.ter,
  rouge1: () => text.rouge1,
  rouge2: () => text.rouge2,
  rougeL: () => text.rougeL,
  rougeLsum: () => text.rougeLsum,
  token_f1: () => text.tokenF1,
  squad_exact_match: () => text.squadExactMatch,
  word_error_rate: () => text.wordErrorRate,
  match_error_rate: () => text.matchErrorRate,
  word_information_lost: () => text.wordInformationLost,
  character_error_rate: () => text.characterErrorRate,
  jaro: () => text.jaro,
  jaro_winkler: () => text.jaroWinkler,
  damerau_levenshtein: () => text.damerauLevenshtein,
  longest_common_subsequence: () => text.longestCommonSubsequence,
  ngram_dice: () => text.ngramSimilarity,
  flesch_reading_ease: () => text.fleschReadingEase,
  flesch_kincaid_grade: () => text.fleschKincaidGrade,
  gunning_fog: () => text.gunningFog,
  smog_index: () => text.smogIndex,
  character_count: () => text.characterCount,
  word_count: () => text.wordCount,
  sentence_count: () => text.sentenceCount,
  compression_ratio: () => text.compressionRatio,
  distinct_1: () => text.distinct1,
  distinct_2: () => text.distinct2,
  repetition: () => text.repetition,
  ndcg: () => retrieval.ndcg,
  average_precision: () => retrieval.averagePrecision,
  reciprocal_rank: () => retrieval.reciprocalRank,
  r_precision: () => retrieval.rPrecision,
  bpref: () => retrieval.bpref,
  json_match: () => createJsonMatchEvaluator(),
  "json_match:average": () => createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" }),
  "json_match:all": () => createJsonMatchEvaluator({ aggregator: "all", listAggregator: "all" }),
  contains: () => checks.contains(),
  contains_all: () => checks.containsAll(),
  contains_any: () => checks.containsAny(),
  starts_with: () => checks.startsWith(),
  equals_number: () => checks.equalsNumber(),
  "equals_number:last": () => checks.equalsNumber({ find: "last", feedbackKey: "equals_number:last" }),
  valid_json: () => checks.validJson(),
  valid_xml: () => checks.validXml(),
  valid_html: () => checks.validHtml(),
  valid_sql: () => checks.validSql(),
  no_refusal: () => checks.noRefusal(),
  no_pii: () => checks.noPII(),
  trajectory_strict_match: () => trajectory("strict"),
  trajectory_unordered_match: () => trajectory("unordered"),
  trajectory_subset_match: () => trajectory("subset"),
  trajectory_superset_match: () => trajectory("superset"),
};

/** Of these there is one for each number of documents, such as `ndcg_at_10`. */
const AT_K: Record<string, (options: retrieval.CutoffOptions) => RowEvaluator> = {
  ndcg: retrieval.createNdcgEvaluator,
  average_precision: retrieval.createAveragePrecisionEvaluator,
  reciprocal_rank: retrieval.createReciprocalRankEvaluator,
  precision: retrieval.createPrecisionAtKEvaluator,
  recall: retrieval.createRecallAtKEvaluator,
  hit_rate: retrieval.createHitRateAtKEvaluator,
};

/** What judges ask, by the names of the prompts. Not here: those that ask for no score, and that for graphs. */
const JUDGED: Record<string, string> = {
  conciseness: prompts.CONCISENESS_PROMPT,
  correctness: prompts.CORRECTNESS_PROMPT,
  hallucination: prompts.HALLUCINATION_PROMPT,
  answer_relevance: prompts.ANSWER_RELEVANCE_PROMPT,
  code_correctness: prompts.CODE_CORRECTNESS_PROMPT,
  code_correctness_with_reference_outputs: prompts.CODE_CORRECTNESS_PROMPT_WITH_REFERENCE_OUTPUTS,
  plan_adherence: prompts.PLAN_ADHERENCE_PROMPT,
  rag_groundedness: prompts.RAG_GROUNDEDNESS_PROMPT,
  rag_helpfulness: prompts.RAG_HELPFULNESS_PROMPT,
  rag_retrieval_relevance: prompts.RAG_RETRIEVAL_RELEVANCE_PROMPT,
  wins: prompts.WINS_PROMPT,
  task_completion: prompts.TASK_COMPLETION_PROMPT,
  knowledge_retention: prompts.KNOWLEDGE_RETENTION_PROMPT,
  user_satisfaction: prompts.USER_SATISFACTION_PROMPT,
  agent_tone: prompts.AGENT_TONE_PROMPT,
  transcription_accuracy: prompts.TRANSCRIPTION_ACCURACY_PROMPT,
  user_interrupts: prompts.USER_INTERRUPTS_PROMPT,
  vocal_affect: prompts.VOCAL_AFFECT_PROMPT,
};

/** The same, where `true` is bad news. */
const JUDGED_BAD: Record<string, string> = {
  laziness: prompts.LAZINESS_PROMPT,
  toxicity: prompts.TOXICITY_PROMPT,
  fairness: prompts.FAIRNESS_PROMPT,
  pii_leakage: prompts.PII_LEAKAGE_PROMPT,
  prompt_injection: prompts.PROMPT_INJECTION_PROMPT,
  code_injection: prompts.CODE_INJECTION_PROMPT,
  perceived_error: prompts.PERCEIVED_ERROR_PROMPT,
  explicit_content: prompts.EXPLICIT_CONTENT_PROMPT,
  sensitive_imagery: prompts.SENSITIVE_IMAGERY_PROMPT,
  audio_quality: prompts.AUDIO_QUALITY_PROMPT,
};
export const BAD_NEWS = Object.keys(JUDGED_BAD);

/** The same, for agents: they read messages. */
const JUDGED_TRAJECTORIES: Record<string, string> = {
  trajectory_accuracy: prompts.TRAJECTORY_ACCURACY_PROMPT,
  trajectory_accuracy_with_reference: prompts.TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE,
  tool_selection: prompts.TOOL_SELECTION_PROMPT,
};

/** The evaluators with these keys; throws `invalid_config` for keys that there are not. */
export function evaluatorsOf({ evaluators, model, baseURL }: Options, signal: AbortSignal): RowEvaluator[] {
  if (!evaluators.length) throw wrong("score needs at least one --evaluator");
  return evaluators.map((key) => {
    const pure = own(PURE, key) ?? atK(key);
    if (pure) return named(key, pure());
    const trajectory = own(JUDGED_TRAJECTORIES, key);
    const prompt = trajectory ?? own(JUDGED, key) ?? own(JUDGED_BAD, key);
    if (!prompt) {
      const cutoffs = Object.keys(AT_K).map((name) => `${name}_at_10`);
      const all = [...[PURE, JUDGED, JUDGED_BAD, JUDGED_TRAJECTORIES].flatMap(Object.keys), ...cutoffs];
      const meant = nearest(key, all);
      const hint = meant ? `did you mean ${meant}? There` : "there";
      throw wrong(`There is no evaluator "${key}"; ${hint} are ${all.join(", ")}`);
    }
    if (!model) throw wrong(`${key} asks a model: name one with --model, such as openai:gpt-5.4`);
    const judge = initChatModel(model, { signal, ...(baseURL !== undefined && { baseURL }) });
    const create = trajectory ? createTrajectoryLLMAsJudge : createLLMAsJudge;
    return create({ prompt, judge, feedbackKey: key });
  });
}

function atK(key: string): (() => RowEvaluator) | undefined {
  const [, name = "", k] = /^(.+)_at_([1-9]\d*)$/.exec(key) ?? [];
  const create = own(AT_K, name);
  return create && (() => create({ k: Number(k) }));
}

/** By this key an evaluator is known that gave no result. */
const named = (feedbackKey: string, evaluate: RowEvaluator): RowEvaluator =>
  Object.assign(evaluate, { feedbackKey });

const own = <T>(table: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** What prompts want besides inputs and outputs. */
const ELSEWHERE = ["context", "plan"];

/** Finds it where rows usually have it: among the fields of inputs, outputs or metadata. */
export function mapInputs({ inputs, outputs, example }: { inputs: any; outputs: any; example: any }) {
  const places = [inputs, outputs, example?.metadata];
  return Object.fromEntries(
    ELSEWHERE.flatMap((name) => {
      const place = places.find((one) => one?.[name] !== undefined);
      return place ? [[name, place[name]]] : [];
    }),
  );
}
