import { Hono } from "hono";
import { CONCISENESS_PROMPT, createLLMAsJudge, initChatModel } from "openevals-wasm";

interface Env {
  OPENAI_API_KEY: string;
  /** Another server that speaks as OpenAI does. */
  OPENAI_BASE_URL?: string;
}

const app = new Hono<{ Bindings: Env }>();

app.post("/ask", async (context) => {
  const question = await context.req.text();
  const answer = await ask(question, context.env);
  // The answer goes out at once; the Worker lives on until it is scored.
  context.executionCtx.waitUntil(score(question, answer, context.env));
  return context.text(answer);
});

// Such as a key that the model's server does not know.
app.onError((error, context) => context.text(error.message, 502));

async function ask(question: string, env: Env): Promise<string> {
  const response = await fetch(`${env.OPENAI_BASE_URL ?? "https://api.openai.com/v1"}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${env.OPENAI_API_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-5.4-mini", messages: [{ role: "user", content: question }] }),
  });
  if (!response.ok) throw new Error(`The model answered with ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? "";
}

async function score(inputs: string, outputs: string, env: Env): Promise<void> {
  const concise = createLLMAsJudge({
    prompt: CONCISENESS_PROMPT,
    feedbackKey: "conciseness",
    judge: initChatModel("openai:gpt-5.4-mini", { apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL }),
  });
  try {
    const { key, score, comment } = await concise({ inputs, outputs });
    // Workers Logs finds these by their fields.
    console.log(JSON.stringify({ key, score, comment, question: inputs }));
  } catch (error) {
    console.error("No score:", error);
  }
}

export default app;
