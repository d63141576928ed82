/** LangSmith's own `evaluate` takes every evaluator unchanged. */

import type { EvaluatorT, SummaryEvaluatorT } from "langsmith/evaluation";
import { evaluate, evaluateComparative } from "langsmith/evaluation";
import * as jest from "langsmith/jest";
import * as vitest from "langsmith/vitest";
import * as ours from "openevals-wasm";
import * as checks from "openevals-wasm/checks";
import {
  createE2BExecutionEvaluator,
  createE2BTypeScriptEvaluator,
  type Sandbox,
} from "openevals-wasm/code/e2b";
import {
  createE2BPyrightEvaluator,
  createMypyEvaluator,
  createPyrightEvaluator,
} from "openevals-wasm/code/python";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import * as evaluation from "openevals-wasm/evaluation";
import { createPairwiseJudge } from "openevals-wasm/judges";
import * as retrieval from "openevals-wasm/retrieval";
import * as text from "openevals-wasm/text";

export const evaluators = (sandbox: Sandbox): EvaluatorT[] => [
  ours.exactMatch,
  ours.levenshteinDistance,
  ours.createEmbeddingSimilarityEvaluator({ embeddings: "openai:text-embedding-3-small" }),
  ours.createJsonMatchEvaluator(),
  ours.createLLMAsJudge({ prompt: ours.CORRECTNESS_PROMPT, model: "openai:gpt-5.4" }),
  ours.createCodeLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4" }),
  ours.createTrajectoryMatchEvaluator(),
  ours.createTrajectoryLLMAsJudge({ model: "openai:gpt-5.4" }),
  ours.createGraphTrajectoryMatchEvaluator(),
  ours.createGraphTrajectoryLLMAsJudge({ model: "openai:gpt-5.4" }),
  ours.graphTrajectoryStrictMatch,
  ours.trajectoryStrictMatch,
  ours.trajectoryUnorderedMatch,
  ours.trajectorySubset,
  ours.trajectorySuperset,
  createTypeScriptEvaluator(),
  createE2BTypeScriptEvaluator({ sandbox }),
  createE2BExecutionEvaluator({ sandbox }),
  createPyrightEvaluator(),
  createMypyEvaluator(),
  createE2BPyrightEvaluator({ sandbox }),
  checks.contains("Paris"),
  checks.matches(/^\d+$/, { output: "answer", negate: true }),
  checks.jsonSchema({ type: "object" }),
  checks.latency({ max: 1_000 }),
  text.bleu,
  text.createChrfEvaluator({ wordOrder: 2 }),
  text.rougeL,
  text.createWordErrorRateEvaluator({ output: "transcript" }),
  retrieval.ndcg,
  retrieval.createRecallAtKEvaluator({ k: 5, output: "documents" }),
];

export const summaryEvaluators: SummaryEvaluatorT[] = [
  evaluation.accuracy(),
  evaluation.precision({ average: "macro" }),
  evaluation.recall({ positive: "yes" }),
  evaluation.f1Score({ output: "class", reference: ({ label }) => label, positive: "yes" }),
  evaluation.fBeta({ beta: 2, positive: "yes" }),
  evaluation.cohensKappa(),
  evaluation.matthewsCorrelation(),
  evaluation.confusionMatrix(),
  text.corpusBleu(),
  text.corpusWer({ reference: ({ spoken }) => spoken }),
  // @ts-expect-error LangSmith does not pass the scores of rows.
  evaluation.mean({ key: "exact_match" }),
];

/** In place, too, where the type has to be found. */
export const results = evaluate((inputs: { question: string }) => ({ answer: inputs.question }), {
  data: "capitals",
  evaluators: [
    ours.exactMatch,
    ours.createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4" }),
    ours.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" }),
  ],
  summaryEvaluators: [evaluation.accuracy(), evaluation.confusionMatrix()],
});

type ComparativeEvaluator = Parameters<typeof evaluateComparative>[1]["evaluators"][number];

/** Pairwise judges are evaluators of LangSmith's comparisons, and those of LangSmith are evaluators of ours. */
export const compared = evaluateComparative(["one", "other"], {
  evaluators: [createPairwiseJudge({ model: "openai:gpt-5.4" })],
});
export const comparedHere = (theirs: ComparativeEvaluator[], experiments: evaluation.Experiment[]) =>
  evaluation.evaluateComparative(experiments, {
    evaluators: [...theirs, createPairwiseJudge({ model: "openai:gpt-5.4" })],
    randomizeOrder: true,
    maxConcurrency: 4,
    experimentPrefix: "prompts",
    description: "Which prompt is better?",
    metadata: { round: 2 },
  });

/** Each can be wrapped for LangSmith's tests, in Vitest and in Jest. */
export const wrapped = [vitest.wrapEvaluator, jest.wrapEvaluator].map((wrap) => [
  wrap(ours.exactMatch)({ outputs: 1, referenceOutputs: 1 }),
  wrap(ours.levenshteinDistance)({ outputs: "a", referenceOutputs: "b" }),
  wrap(ours.graphTrajectoryStrictMatch),
  wrap(ours.createGraphTrajectoryMatchEvaluator()),
  wrap(ours.trajectoryStrictMatch),
  wrap(ours.createTrajectoryMatchEvaluator()),
  wrap(ours.createJsonMatchEvaluator())({ outputs: {}, referenceOutputs: {} }),
  wrap(ours.createEmbeddingSimilarityEvaluator({ embeddings: "openai:text-embedding-3-small" })),
  wrap(ours.createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4" })),
  wrap(ours.createTrajectoryLLMAsJudge({ model: "openai:gpt-5.4" })),
  wrap(checks.noPII())({ outputs: "a" }),
  wrap(checks.allOf([checks.noPII()]))({ outputs: "a" }),
  wrap(text.bleu),
  wrap(text.createRepetitionEvaluator())({ outputs: "a" }),
]);

const outputs = { text: "What is no trajectory is still refused elsewhere." };
// @ts-expect-error
export const wrong = () => ours.createTrajectoryMatchEvaluator()({ outputs, referenceOutputs: [] });
