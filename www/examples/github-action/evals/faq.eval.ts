import { createLLMAsJudge } from "openevals-wasm";
import { defineExperiment } from "openevals-wasm/evaluation";
import { answer } from "../src/faq";

const CORRECT_PROMPT = `A customer asked a shop: {inputs}
The shop answered: {outputs}
What is true is: {reference_outputs}
Does the answer tell the customer what is true, and nothing that is not?`;

export default defineExperiment({
  data: new URL("./questions.jsonl", import.meta.url),
  target: answer,
  evaluators: [
    createLLMAsJudge({ prompt: CORRECT_PROMPT, feedbackKey: "correct", model: "openai:gpt-5.4-mini" }),
    ({ outputs }: { outputs: string }) => ({ key: "short", score: outputs.length < 80 }),
  ],
  // One question is known to be misunderstood; more than that is a step back.
  failUnder: { correct: 0.75 },
});
