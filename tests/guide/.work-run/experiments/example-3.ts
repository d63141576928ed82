const __report = globalThis.__report;
import { createLLMAsJudge, exactMatch, RAG_GROUNDEDNESS_PROMPT } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const grounded = createLLMAsJudge({ prompt: RAG_GROUNDEDNESS_PROMPT, model: "openai:gpt-5.4", feedbackKey: "grounded" });
const isShort = ({ outputs }: { outputs: { answer: string } }) => outputs.answer.length < 80;

const { aggregates } = await evaluate(async () => ({ answer: "4 °C", documents: ["Oslo: 4 °C"] }), {
  data: "questions.jsonl",
  evaluators: [
    grounded,
    isShort,
    { evaluator: exactMatch, mapInputs: ({ outputs }) => ({ outputs: { answer: outputs.answer } }) },
  ],
  mapInputs: ({ outputs }) => ({ context: outputs.documents }),
});
__report(0, Object.keys(aggregates)); // ["grounded", "isShort", "exact_match"]

export {};
