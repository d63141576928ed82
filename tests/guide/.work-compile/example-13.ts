import { createLLMAsJudge, exactMatch, RAG_GROUNDEDNESS_PROMPT } from "openevals-wasm";
import { directoryCache, evaluate } from "openevals-wasm/evaluation";

const grounded = createLLMAsJudge({
  prompt: RAG_GROUNDEDNESS_PROMPT,
  model: "openai:gpt-5.4",
  feedbackKey: "grounded",
});

const experiment = evaluate(async ({ question }) => ({ answer: "…", documents: ["…"] }), {
  data: "questions.jsonl", // or a list, an iterable, CSV
  evaluators: [grounded, { evaluator: exactMatch, mapInputs: ({ outputs }) => ({ outputs: outputs.answer }) }],
  mapInputs: ({ outputs }) => ({ context: outputs.documents }),
  maxConcurrency: 8,
  cache: directoryCache("evals/cache"),
  cacheMode: process.env.CI ? "replay" : "auto",
});
for await (const { example, evaluationResults, errors } of experiment) console.log(example.id, evaluationResults, errors);
const { aggregates } = await experiment; // plain data, which JSON can keep

export {};
