/** Decision models of the AI SDK as judges: its own mock with scripted decisions, and OpenAI's model with a server on loopback. */
import { createOpenAI, type OpenAIProvider } from "@ai-sdk/openai";
import { Experimental_DecisionMockModelV4 as DecisionMockModelV4 } from "ai/test";
import { createLLMAsJudge, type OpenEvalsError } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { fromDecisionModel } from "openevals-wasm/interop";
import { calibrate, createGEval, createPairwiseJudge } from "openevals-wasm/judges";
import { expect, it } from "vitest";
import { startLoopback } from "../providers/servers/loopback.js";

const PROMPT = "Is {outputs} right?";
type Model = ReturnType<OpenAIProvider["decisionModel"]>;
type Answer = Awaited<ReturnType<Model["doDecide"]>>["answers"][string];

/** A model with these decisions, the last one for all further questions, and its questions. */
function scripted(...script: Answer[]) {
  const asked: any[] = [];
  const model = new DecisionMockModelV4({
    modelId: "decider-1",
    doDecide: async (options) => {
      asked.push(options);
      const answer = script.length > 1 ? script.shift() : script[0];
      const answers = Object.fromEntries(Object.keys(options.questions).map((name) => [name, answer]));
      return { answers: answers as any, usage: { inputTokens: 70, outputTokens: 2 }, warnings: [] };
    },
  });
  return { judge: fromDecisionModel(model), asked };
}

const errorOf = async (asked: Promise<unknown>): Promise<OpenEvalsError> =>
  asked.then(
    (value) => expect.unreachable(`Expected an error, got ${JSON.stringify(value)}`),
    (error) => error,
  );

it("decides true or false by the probability, which is the confidence", async () => {
  const { judge, asked } = scripted(
    { type: "boolean", probability: 0.9 },
    { type: "boolean", probability: 0.2 },
  );
  const right = createLLMAsJudge({ prompt: PROMPT, system: "Be strict.", judge });
  expect(await right({ outputs: "Astana" })).toEqual({
    key: "score",
    score: true,
    metadata: {
      model: "decider-1",
      usage: { inputTokens: 70, outputTokens: 2 },
      attempts: 1,
      latencyMs: expect.any(Number),
      promptHash: expect.any(String),
      confidence: 0.9,
    },
  });
  expect(await right({ outputs: "Almaty" })).toMatchObject({ score: false, metadata: { confidence: 0.8 } });
  expect(asked[0]).toEqual({
    state: [
      { type: "text", text: "Be strict." },
      { type: "text", text: "Is Astana right?" },
    ],
    questions: {
      score: { type: "boolean", instructions: expect.stringContaining("criteria of the prompt") },
    },
  });
});

it("chooses one of the choices", async () => {
  const { judge, asked } = scripted({
    type: "choice",
    choice: "0.5",
    probabilities: { "0": 0.1, "0.5": 0.7, "1": 0.2 },
  });
  const right = createLLMAsJudge({ prompt: PROMPT, judge, choices: [0, 0.5, 1] });
  expect(await right({ outputs: "a" })).toMatchObject({ score: 0.5, metadata: { confidence: 0.7 } });
  expect(asked[0].questions.score).toMatchObject({
    type: "choice",
    criteria: { "0": null, "0.5": null, "1": null },
  });
});

it("places a continuous score between levels", async () => {
  const { judge, asked } = scripted(
    { type: "score", score: 3, probabilities: { "0": 0, "1": 0, "2": 0.25, "3": 0.5, "4": 0.25 } },
    { type: "score", score: 2.5 },
  );
  const right = createLLMAsJudge({ prompt: PROMPT, judge, continuous: true });
  // The levels are 0.25 apart: half of the probability is one level away, so the mean distance is 0.125.
  expect(await right({ outputs: "a" })).toMatchObject({ score: 0.75, metadata: { confidence: 0.875 } });
  expect(asked[0].questions.score.criteria).toEqual(["0", "0.25", "0.5", "0.75", "1"]);
  const { score, metadata } = await right({ outputs: "a" });
  expect([score, "confidence" in metadata]).toEqual([0.625, false]);
});

it("fills a schema of several fields, with one question for each", async () => {
  const model = new DecisionMockModelV4({
    doDecide: async () => ({
      answers: {
        polite: { type: "boolean", probability: 0.75 },
        tone: { type: "choice", choice: "warm" },
        stars: { type: "score", score: 2 },
      },
      warnings: [],
    }),
  });
  const outputSchema = {
    type: "object",
    properties: {
      polite: { type: "boolean" },
      tone: { enum: ["warm", "cold"] },
      stars: { type: "number", minimum: 1, maximum: 5 },
    },
    required: ["polite", "tone", "stars"],
  };
  const review = createLLMAsJudge({ prompt: PROMPT, judge: fromDecisionModel(model), outputSchema });
  expect(await review({ outputs: "a" })).toEqual({ polite: true, tone: "warm", stars: 3 });
});

it("judges pairs and forms", async () => {
  const pair = createPairwiseJudge({
    prompt: "Which is better?\n{output_a}\n{output_b}",
    judge: scripted({ type: "choice", choice: "A" }, { type: "choice", choice: "B" }).judge,
    useReasoning: false,
  });
  const { metadata } = await pair({ outputs: ["good", "bad"] });
  expect(metadata.winner).toBe("first");
  const form = createGEval({
    criteria: "Brief.",
    steps: ["Count the words."],
    judge: scripted({ type: "choice", choice: "4" }).judge,
    useReasoning: false,
  });
  expect((await form({ outputs: "Yes." })).score).toBe(0.75);
});

it("is calibrated by its probabilities", async () => {
  const { judge } = scripted(
    { type: "boolean", probability: 0.9 },
    { type: "boolean", probability: 0.2 },
    { type: "boolean", probability: 0.6 },
  );
  const right = createLLMAsJudge({ prompt: PROMPT, judge, feedbackKey: "right" });
  const data = [
    { outputs: "a", human: true },
    { outputs: "b", human: false },
    { outputs: "c", human: false },
  ];
  const report = await calibrate(right, { data, label: "human", maxConcurrency: 1 });
  // Confidence 0.9 and 0.8 in right verdicts, 0.6 in a wrong one.
  expect(report.brier).toMatchObject({ value: expect.closeTo((0.01 + 0.04 + 0.36) / 3, 12) });
  expect(report.disagreements).toMatchObject([{ confidence: 0.6 }]);
});

it("keeps the confidence in the cache of an experiment", async () => {
  const { judge, asked } = scripted({ type: "boolean", probability: 0.9 });
  const right = createLLMAsJudge({ prompt: PROMPT, judge, cacheKey: "1", feedbackKey: "right" });
  const { rows } = await evaluate(() => 1, {
    data: [{ inputs: { a: 1 } }, { inputs: { a: 1 } }],
    evaluators: [right],
    judges: { cache: new Map<string, string>() },
    maxConcurrency: 1,
  });
  const confidence = rows.map(({ evaluationResults }) => evaluationResults[0]?.metadata?.confidence);
  expect([confidence, asked.length]).toEqual([[0.9, 0.9], 1]);
});

it.each<[string, Answer]>([
  ["another type", { type: "score", score: 1 }],
  ["no probability", { type: "boolean", probability: 7 }],
  ["no decision", undefined as any],
])("never makes a score of %s", async (_, answer) => {
  const { judge, asked } = scripted(answer);
  const error = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge })({ outputs: "a" }));
  expect([error.code, asked.length]).toEqual(["invalid_judge_output", 2]);
});

it("rejects undecidable questions before it asks", async () => {
  const { judge, asked } = scripted({ type: "refusal" });
  const refused = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge })({ outputs: "a" }));
  expect([refused.code, asked.length]).toEqual(["refused", 1]);
  const outputSchema = { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] };
  const text = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge, outputSchema })({ outputs: "a" }));
  expect([text.code, text.message]).toEqual([
    "invalid_config",
    expect.stringContaining('cannot answer "tone"'),
  ]);
  const onlyChoices = new DecisionMockModelV4({ supportedQuestionTypes: ["choice"] });
  const unsupported = await errorOf(
    createLLMAsJudge({ prompt: PROMPT, judge: fromDecisionModel(onlyChoices) })({ outputs: "a" }),
  );
  expect([unsupported.code, unsupported.message]).toEqual([
    "invalid_config",
    expect.stringContaining("answers no boolean questions"),
  ]);
  expect(asked).toHaveLength(1);
  const openai = createOpenAI({ apiKey: "k" });
  expect(() => fromDecisionModel(openai("gpt-5.4") as any)).toThrow("needs a decision model");
});

it("asks OpenAI's decision model, again after a failure, and reveals no key", async () => {
  const key = "sk-test-decisions-4f1c0ffee";
  const server = await startLoopback(({ headers }) =>
    headers.authorization === `Bearer ${key}` ? undefined : { status: 401, body: "{}" },
  );
  try {
    const decision = { type: "predicate", name: "score", probability: 0.97 };
    const usage = { input_tokens: 90, output_tokens: 3 };
    server.script.push(
      { status: 503, headers: { "retry-after-ms": "1" }, body: '{"error":{"message":"Busy"}}' },
      { body: JSON.stringify({ model: "gpt-6-luna-1", usage, answers: [decision] }) },
      { status: 400, body: JSON.stringify({ error: { message: `No access with ${key}` } }) },
    );
    const model = createOpenAI({ apiKey: key, baseURL: `${server.url}/v1` }).decisionModel("gpt-6-luna");
    const seen = createLLMAsJudge({ prompt: "Is it a cat? {attachments}", judge: fromDecisionModel(model) });
    const image = { mime_type: "image/png", data: "iVBORw0KGgo=" };
    expect(await seen({ attachments: image })).toMatchObject({
      score: true,
      metadata: { usage: { inputTokens: 90, outputTokens: 3 }, attempts: 2, confidence: 0.97 },
    });
    expect(server.requests[1]?.path).toBe("/v1/decisions");
    expect(server.requests[1]?.body.input[0].content).toEqual([
      { type: "input_text", text: "Is it a cat? " },
      { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
    ]);
    const error = await errorOf(seen({ attachments: image }));
    expect(error.code).toBe("provider_error");
    expect(JSON.stringify(error) + error.message).not.toContain(key);
  } finally {
    await server.close();
  }
});
