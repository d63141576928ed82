/** Each evaluator has the scale that the engine declares for its metric. */

import * as main from "openevals-wasm";
import * as agents from "openevals-wasm/agents";
import * as checks from "openevals-wasm/checks";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import * as evaluation from "openevals-wasm/evaluation";
import { createGEval } from "openevals-wasm/judges";
import * as rag from "openevals-wasm/rag";
import * as recipes from "openevals-wasm/recipes";
import * as retrieval from "openevals-wasm/retrieval";
import * as text from "openevals-wasm/text";
import { expect, test } from "vitest";
import { SCALES } from "../../pkg-template/src/core/scales-by-key.js";

const judge = async () => ({ score: true });
const prompt = "?";
const embeddings = async () => [1, 0];

/** Evaluators that are exported ready to use. The keys of some end in a setting, which their record does not have. */
const READY = Object.values({ ...main, ...text, ...retrieval }).flatMap((value): [string, unknown][] => {
  const { feedbackKey, batch } = Object(value) as { feedbackKey?: string; batch?: unknown };
  const key = feedbackKey?.replace(/_(?:at_)?\d+$/, "") ?? "";
  return batch && key in SCALES ? [[key, value]] : [];
});

/** Those that are made, by the names of their records. */
const MADE: [string, unknown][] = [
  ["corpus_bleu", text.corpusBleu()],
  ["corpus_chrf", text.corpusChrf()],
  ["corpus_ter", text.corpusTer()],
  ["corpus_wer", text.corpusWer()],
  ["accuracy", evaluation.accuracy()],
  ["f1_score", evaluation.f1Score()],
  ["cohens_kappa", evaluation.cohensKappa()],
  ["matthews_correlation", evaluation.matthewsCorrelation()],
  ["letter_count", text.createLengthEvaluator({ unit: "letters" })],
  ["ngram_jaccard", text.createNgramSimilarityEvaluator({ measure: "jaccard" })],
  ["ngram_cosine", text.createNgramSimilarityEvaluator({ measure: "cosine" })],
  ["embedding_similarity", main.createEmbeddingSimilarityEvaluator({ embeddings })],
  [
    "embedding_dot_product",
    main.createEmbeddingSimilarityEvaluator({ embeddings, algorithm: "dot_product" }),
  ],
  ["json_match", main.createJsonMatchEvaluator({ aggregator: "average" })],
  ["trajectory_f1", main.createTrajectoryMatchEvaluator({ scoring: "f1" })],
  ["tool_policy", agents.createToolPolicy({ maxSteps: 1, scoring: "share" })],
  ["no_loops", agents.loops()],
  ["step_status", agents.stepStatus()],
  ["function_calls", agents.createFunctionCallEvaluator({ tools: [] })],
  ["tool_call_precision", agents.createToolCallMetrics()],
  ["tool_call_recall", agents.createToolCallMetrics()],
  ["tool_call_f1", agents.createToolCallMetrics()],
  ["tool_arguments", agents.createArgumentCheck({ tools: [], scoring: "share" })],
  ["state_match", agents.createStateMatch()],
  ["tau_reward", agents.createTauReward()],
  ["handoffs", agents.createHandoffCheck()],
  ["step_efficiency", agents.createStepEfficiency({ optimal: 1 })],
  ["step_efficiency", agents.createStepEfficiency({ judge })],
  ["goal_accuracy", agents.createGoalAccuracy({ judge })],
  ["task_completion", agents.createTaskCompletion({ judge })],
  ["knowledge_retention", agents.createConversationJudges({ judge })],
  ["role_adherence", agents.createConversationJudges({ judge })],
  ["completeness", agents.createConversationJudges({ judge })],
  ["judge", main.createLLMAsJudge({ prompt, judge })],
  ["continuous_judge", main.createLLMAsJudge({ prompt, judge, continuous: true })],
  ["g_eval", createGEval({ criteria: "It is right.", judge } as any)],
  ["check_criteria", new recipes.CheckCriteriaEvaluator({ criteria: ["It is right."], judge } as any)],
  ["claim_verification", new recipes.ClaimVerificationEvaluator({ judge } as any)],
  ["guidance", new recipes.GuidanceEvaluator({ judge } as any)],
  ["preference_adherence", new recipes.PreferenceAdherenceEvaluator({ judge } as any)],
  ["tool_usage", new recipes.ToolUsageEvaluator({ judge } as any)],
  ["faithfulness", rag.faithfulness({ judge })],
  ["context_precision", rag.contextPrecision({ judge })],
  ["context_recall", rag.contextRecall({ judge })],
  ["context_entity_recall", rag.contextEntityRecall({ judge })],
  ["context_relevance", rag.contextRelevance({ judge })],
  ["answer_relevancy", rag.answerRelevancy({ judge, embeddings })],
  ["factual_correctness", rag.factualCorrectness({ judge })],
  ["answer_correctness", rag.answerCorrectness({ judge, embeddings })],
  ["noise_sensitivity", rag.noiseSensitivity({ judge })],
  ["citation_accuracy", rag.citationAccuracy({ judge })],
];

test.each([...READY, ...MADE])("%s", (key, evaluator) => {
  expect(evaluator).toHaveProperty("scale", SCALES[key]);
});

test("every record has an evaluator", () => {
  const tested = [...READY, ...MADE].map(([key]) => key);
  expect(Object.keys(SCALES).filter((key) => !tested.includes(key))).toEqual([]);
});

test("evaluators of true and false declare their scale", async () => {
  const evaluators: any[] = [
    ...Object.values(main).filter((value) => typeof value === "function" && "batch" in value),
    main.createGraphTrajectoryMatchEvaluator(),
    checks.contains("a"),
    checks.noPII({ negate: true }),
    checks.allOf([checks.validJson()]),
    checks.firstFailing([main.exactMatch]),
    createTypeScriptEvaluator(),
  ];
  const keys = evaluators.map(({ feedbackKey }) => feedbackKey);
  expect(keys).toEqual(
    expect.arrayContaining(["exact_match", "trajectory_strict_match", "typescript_succeeded"]),
  );
  for (const { feedbackKey, scale } of evaluators)
    expect([feedbackKey, scale]).toEqual([
      expect.any(String),
      expect.objectContaining({ direction: "higher" }),
    ]);
});
