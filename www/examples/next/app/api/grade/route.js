import { CORRECTNESS_PROMPT, createLLMAsJudge, OpenEvalsError } from "openevals-wasm";
import { QUESTIONS } from "../../questions.js";

const correct = createLLMAsJudge({
  prompt: CORRECTNESS_PROMPT,
  feedbackKey: "correctness",
  model: "openai:gpt-5.4-mini", // OPENAI_API_KEY
});

/** In other words, too: a model judges, in Node, where the key is. */
export async function POST(request) {
  const { index, outputs } = await request.json();
  const { question, answer } = QUESTIONS[index];
  try {
    return Response.json(await correct({ inputs: question, outputs, referenceOutputs: answer }));
  } catch (error) {
    if (!OpenEvalsError.isInstance(error)) throw error;
    return Response.json({ error: error.message }, { status: 502 });
  }
}
