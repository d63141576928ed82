/** The names of prebuilt prompts, by key. The prompts themselves are loaded on first use. */

/** The names of prompts by keys. */
type Prompts = Readonly<Record<string, keyof typeof import("../../../models/prompts/index.js")>>;

/** All prompts except for those without a score, and those for trajectories and graphs. */
export const JUDGED: Prompts = {
  conciseness: "CONCISENESS_PROMPT",
  correctness: "CORRECTNESS_PROMPT",
  hallucination: "HALLUCINATION_PROMPT",
  answer_relevance: "ANSWER_RELEVANCE_PROMPT",
  code_correctness: "CODE_CORRECTNESS_PROMPT",
  code_correctness_with_reference_outputs: "CODE_CORRECTNESS_PROMPT_WITH_REFERENCE_OUTPUTS",
  plan_adherence: "PLAN_ADHERENCE_PROMPT",
  rag_groundedness: "RAG_GROUNDEDNESS_PROMPT",
  rag_helpfulness: "RAG_HELPFULNESS_PROMPT",
  rag_retrieval_relevance: "RAG_RETRIEVAL_RELEVANCE_PROMPT",
  wins: "WINS_PROMPT",
  task_completion: "TASK_COMPLETION_PROMPT",
  knowledge_retention: "KNOWLEDGE_RETENTION_PROMPT",
  user_satisfaction: "USER_SATISFACTION_PROMPT",
  agent_tone: "AGENT_TONE_PROMPT",
  transcription_accuracy: "TRANSCRIPTION_ACCURACY_PROMPT",
  user_interrupts: "USER_INTERRUPTS_PROMPT",
  vocal_affect: "VOCAL_AFFECT_PROMPT",
  laziness: "LAZINESS_PROMPT",
  toxicity: "TOXICITY_PROMPT",
  fairness: "FAIRNESS_PROMPT",
  pii_leakage: "PII_LEAKAGE_PROMPT",
  prompt_injection: "PROMPT_INJECTION_PROMPT",
  code_injection: "CODE_INJECTION_PROMPT",
  perceived_error: "PERCEIVED_ERROR_PROMPT",
  explicit_content: "EXPLICIT_CONTENT_PROMPT",
  sensitive_imagery: "SENSITIVE_IMAGERY_PROMPT",
  audio_quality: "AUDIO_QUALITY_PROMPT",
};

/** Prompts for trajectories of agents, which read messages. */
export const JUDGED_TRAJECTORIES: Prompts = {
  trajectory_accuracy: "TRAJECTORY_ACCURACY_PROMPT",
  trajectory_accuracy_with_reference: "TRAJECTORY_ACCURACY_PROMPT_WITH_REFERENCE",
  tool_selection: "TOOL_SELECTION_PROMPT",
};
