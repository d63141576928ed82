/**
 * The TypeScript examples of the OpenEvals README on judges, changed only in the import and in the server that they
 * talk to, and in models that are no longer served. The variables that the official SDKs read point everything at
 * loopback.
 */
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { OpenAIEmbeddings } from "@langchain/openai";
import { OpenAI } from "openai";
import {
  CONCISENESS_PROMPT,
  CORRECTNESS_PROMPT,
  createEmbeddingSimilarityEvaluator,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  FAIRNESS_PROMPT,
  initChatModel,
  PII_LEAKAGE_PROMPT,
  RAG_GROUNDEDNESS_PROMPT,
  RAG_HELPFULNESS_PROMPT,
  RAG_RETRIEVAL_RELEVANCE_PROMPT,
  SENSITIVE_IMAGERY_PROMPT,
} from "openevals-wasm";
import { AUDIO_QUALITY_PROMPT } from "openevals-wasm/prompts";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { message, startAnthropic } from "../providers/servers/anthropic.js";
import { embeddings } from "../providers/servers/embeddings.js";
import { content, startGoogle } from "../providers/servers/google.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-test-examples-4f1c0ffee";
let openai: Loopback;
let anthropic: Loopback;
let google: Loopback;

beforeAll(async () => {
  [openai, anthropic, google] = await Promise.all([startOpenAI(KEY), startAnthropic(KEY), startGoogle(KEY)]);
  vi.stubEnv("OPENAI_API_KEY", KEY);
  vi.stubEnv("OPENAI_BASE_URL", `${openai.url}/v1`);
  vi.stubEnv("ANTHROPIC_API_KEY", KEY);
  vi.stubEnv("ANTHROPIC_BASE_URL", anthropic.url);
});
beforeEach(() => {
  for (const server of [openai, anthropic, google]) {
    server.requests.length = 0;
    server.script.length = 0;
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([openai, anthropic, google].map((server) => server.close()));
});

const verdict = { reasoning: "So it is.", score: true };
const answers = (value: object = verdict) => openai.script.push(completion(JSON.stringify(value)));
/** The last question to the judge. */
const asked = (): string => openai.requests[openai.requests.length - 1].body.messages.at(-1).content;
const scored = (key: string, score: boolean | number = true) =>
  expect.objectContaining({ key, score, comment: "So it is." });

test("quickstart", async () => {
  answers();
  const concisenessEvaluator = createLLMAsJudge({
    // CONCISENESS_PROMPT is just an f-string
    prompt: CONCISENESS_PROMPT,
    model: "openai:gpt-5.4",
  });
  const inputs = "How is the weather in San Francisco?";
  const outputs = "Thanks for asking! The current weather in San Francisco is sunny and 90 degrees.";
  const evalResult = await concisenessEvaluator({
    inputs,
    outputs,
  });
  expect(evalResult).toEqual(scored("score"));
  expect(asked()).toContain(outputs);
});

test("customizing prompts", async () => {
  answers();
  const MY_CUSTOM_PROMPT = `
Use the following context to help you evaluate for hallucinations in the output:

<context>
{context}
</context>

<input>
{inputs}
</input>

<output>
{outputs}
</output>
`;
  const customPromptEvaluator = createLLMAsJudge({
    prompt: MY_CUSTOM_PROMPT,
    model: "openai:gpt-5.4",
    fewShotExamples: [
      {
        inputs: "What color is the sky?",
        outputs: "The sky is red.",
        reasoning: "The sky is red because it is early evening.",
        score: 1,
      },
    ],
  });
  const inputs = "What color is the sky?";
  const outputs = "The sky is red.";
  const evalResult = await customPromptEvaluator({
    inputs,
    outputs,
    context: "It is noon.",
  });
  expect(evalResult).toEqual(scored("score"));
  expect(asked()).toContain("<context>\nIt is noon.\n</context>");
  expect(asked()).toContain("<reasoning>The sky is red because it is early evening.</reasoning>");
});

test("customizing with LangChain prompt templates", async () => {
  answers();
  const inputs = { a: 1, b: 2 };
  const outputs = { a: 1, b: 2 };
  const prompt = ChatPromptTemplate.fromMessages(
    [
      ["system", "You are an expert at determining if two objects are equal."],
      ["user", "Are these two equal? {{inputs}} {{outputs}}"],
    ],
    { templateFormat: "mustache" },
  );
  const evaluator = createLLMAsJudge({
    prompt,
    model: "openai:gpt-5.4",
    feedbackKey: "equality",
  });
  const result = await evaluator({ inputs, outputs });
  expect(result).toEqual(scored("equality"));
  expect(asked()).toBe('Are these two equal? {"a":1,"b":2} {"a":1,"b":2}');
});

test("customizing the model: a provider by name", async () => {
  anthropic.script.push(message(JSON.stringify(verdict)));
  const anthropicEvaluator = createLLMAsJudge({
    prompt: CORRECTNESS_PROMPT,
    model: "anthropic:claude-sonnet-4-5",
  });
  expect(await anthropicEvaluator({ inputs: "1 + 1", outputs: "2" })).toEqual(scored("score"));
  expect(anthropic.requests[0].body.model).toBe("claude-sonnet-4-5");
});

test("customizing the model: a LangChain model", async () => {
  anthropic.script.push(message(JSON.stringify(verdict)));
  const anthropicEvaluator = createLLMAsJudge({
    prompt: CORRECTNESS_PROMPT,
    judge: new ChatAnthropic({ model: "claude-sonnet-4-5", temperature: 0.5 }),
  });
  expect(await anthropicEvaluator({ inputs: "1 + 1", outputs: "2" })).toEqual(scored("score"));
  expect(anthropic.requests[0].body.temperature).toBe(0.5);
});

test("customizing the model: an OpenAI client", async () => {
  answers();
  const openaiEvaluator = createLLMAsJudge({
    prompt: CORRECTNESS_PROMPT,
    model: "gpt-5.4",
    judge: new OpenAI(),
  });
  expect(await openaiEvaluator({ inputs: "1 + 1", outputs: "2" })).toEqual(scored("score"));
});

test("customizing output score values", async () => {
  answers({ ...verdict, score: 0.5 });
  const MY_CUSTOM_PROMPT = `
You are an expert data labeler evaluating model outputs for correctness. Your task is to assign a score based on the following rubric:

<Rubric>
  Assign a score of 0, .5, or 1 based on the following criteria:
  - 0: The answer is incorrect and does not mention doodads
  - 0.5: The answer mentions doodads but is otherwise incorrect
  - 1: The answer is correct and mentions doodads
</Rubric>

<input>
{inputs}
</input>

<output>
{outputs}
</output>

<reference_outputs>
{reference_outputs}
</reference_outputs>
`;
  const customEvaluator = createLLMAsJudge({
    prompt: MY_CUSTOM_PROMPT,
    choices: [0.0, 0.5, 1.0],
    model: "openai:gpt-5.4",
  });
  const result = await customEvaluator({
    inputs: "What is the current price of doodads?",
    outputs: "The price of doodads is $10.",
    reference_outputs: "The price of doodads is $15.",
  });
  expect(result).toEqual(scored("score", 0.5));
  const { schema } = openai.requests[0].body.response_format.json_schema;
  expect(schema.properties.score.enum).toEqual([0, 0.5, 1]);
});

test("customizing output schema", async () => {
  const answer = { equality_justification: "Word for word.", are_equal: true };
  answers(answer);
  const equalitySchema = z.object({
    equality_justification: z.string(),
    are_equal: z.boolean(),
  });
  const inputs = "The rain in Spain falls mainly on the plain.";
  const outputs = "The rain in Spain falls mainly on the plain.";
  const llmAsJudge = createLLMAsJudge({
    prompt: "Are the following two values equal? {inputs} {outputs}",
    model: "openai:gpt-5.4",
    outputSchema: equalitySchema,
  });
  const evalResult = await llmAsJudge({ inputs, outputs });
  expect(evalResult).toEqual(answer);
});

test("multimodal: an image", async () => {
  answers({ ...verdict, score: false });
  answers({ ...verdict, score: false });
  const folder = fs.mkdtempSync(join(tmpdir(), "examples-"));
  const image = join(folder, "image.jpg");
  fs.writeFileSync(image, Buffer.from([0xff, 0xd8, 0xff, 0xd9]));
  const evaluator = createLLMAsJudge({
    prompt: SENSITIVE_IMAGERY_PROMPT,
    feedbackKey: "sensitive_imagery",
    model: "openai:gpt-5.4",
  });
  // Option A: pass a URL string directly
  const evalResult = await evaluator({
    inputs: "Review this image for sensitive content",
    outputs: "The image appears to contain appropriate content",
    attachments: "https://example.com/image.jpg",
  });
  // Option B: pass a base64-encoded data URI
  const imageData = `data:image/jpeg;base64,${fs.readFileSync(image).toString("base64")}`;
  const evalResultB64 = await evaluator({
    inputs: "Review this image for sensitive content",
    outputs: "The image appears to contain appropriate content",
    attachments: { mime_type: "image/jpeg", data: imageData },
  });
  fs.rmSync(folder, { recursive: true });
  expect(evalResult).toEqual(scored("sensitive_imagery", false));
  expect(evalResultB64).toEqual(scored("sensitive_imagery", false));
  const images = openai.requests.map(({ body }) => {
    const parts: any[] = body.messages.at(-1).content;
    return parts.find(({ type }) => type === "image_url").image_url.url;
  });
  expect(images).toEqual(["https://example.com/image.jpg", "data:image/jpeg;base64,/9j/2Q=="]);
});

test("prebuilt prompts: a recording", async () => {
  google.script.push(content(JSON.stringify(verdict)));
  const audioData = Buffer.from("RIFF").toString("base64");
  const llmAsJudge = createLLMAsJudge({
    prompt: AUDIO_QUALITY_PROMPT,
    feedbackKey: "audio_quality",
    // No variable of the environment names another server for this one.
    judge: initChatModel("google-genai:gemini-3.8-flash", { baseURL: `${google.url}/v1beta`, apiKey: KEY }),
  });
  const evalResult = await llmAsJudge({
    inputs: "Customer service call recording",
    outputs: "Audio response from agent",
    attachments: { mime_type: "audio/wav", data: audioData },
  });
  expect(evalResult).toEqual(scored("audio_quality"));
  const [{ parts }] = google.requests[0].body.contents;
  expect(parts.some(({ inlineData }: any) => inlineData?.data === audioData)).toBe(true);
});

test("prebuilt prompts: correctness, fairness, leakage", async () => {
  answers({ ...verdict, score: false });
  const correctnessEvaluator = createLLMAsJudge({
    prompt: CORRECTNESS_PROMPT,
    feedbackKey: "correctness",
    model: "openai:gpt-5.4",
  });
  const inputs = "How much has the price of doodads changed in the past year?";
  const outputs = "Doodads have increased in price by 10% in the past year.";
  const referenceOutputs = "The price of doodads has decreased by 50% in the past year.";
  const evalResult = await correctnessEvaluator({
    inputs,
    outputs,
    referenceOutputs,
  });
  expect(evalResult).toEqual(scored("correctness", false));
  expect(asked()).toContain(referenceOutputs);

  answers();
  const fairnessEvaluator = createLLMAsJudge({
    prompt: FAIRNESS_PROMPT,
    feedbackKey: "fairness",
    model: "openai:gpt-5.4",
  });
  const fairness = await fairnessEvaluator({
    inputs: "Should we hire this candidate?",
    outputs: "Their name is hard to pronounce — that could make clients uncomfortable.",
  });
  expect(fairness).toEqual(scored("fairness"));

  answers();
  const piiEvaluator = createLLMAsJudge({
    prompt: PII_LEAKAGE_PROMPT,
    feedbackKey: "pii_leakage",
    model: "openai:gpt-5.4",
  });
  const leakage = await piiEvaluator({
    inputs: "What is my account info?",
    outputs: "Your name is John Smith, your email is john.smith@example.com, and your SSN is 123-45-6789.",
  });
  expect(leakage).toEqual(scored("pii_leakage"));
});

test("RAG: helpfulness, groundedness, retrieval relevance", async () => {
  answers({ ...verdict, score: false });
  const inputs = {
    question: "Where was the first president of FoobarLand born?",
  };
  const outputs = {
    answer: "The first president of FoobarLand was Bagatur Askaryan.",
  };
  const helpfulnessEvaluator = createLLMAsJudge({
    prompt: RAG_HELPFULNESS_PROMPT,
    feedbackKey: "helpfulness",
    model: "openai:gpt-5.4",
  });
  expect(await helpfulnessEvaluator({ inputs, outputs })).toEqual(scored("helpfulness", false));

  answers();
  const groundednessEvaluator = createLLMAsJudge({
    prompt: RAG_GROUNDEDNESS_PROMPT,
    feedbackKey: "groundedness",
    model: "openai:gpt-5.4",
  });
  const context = {
    documents: [
      "FoobarLand is a new country located on the dark side of the moon",
      "Space dolphins are native to FoobarLand",
      "FoobarLand is a constitutional democracy whose first president was Bagatur Askaryan",
      "The current weather in FoobarLand is 80 degrees and clear.",
    ],
  };
  const groundedness = await groundednessEvaluator({
    context,
    outputs,
  });
  expect(groundedness).toEqual(scored("groundedness"));
  expect(asked()).toContain('{"documents":["FoobarLand is a new country');

  answers({ ...verdict, score: false });
  const retrievalRelevanceEvaluator = createLLMAsJudge({
    prompt: RAG_RETRIEVAL_RELEVANCE_PROMPT,
    feedbackKey: "retrieval_relevance",
    model: "openai:gpt-5.4",
  });
  expect(await retrievalRelevanceEvaluator({ inputs, context })).toEqual(
    scored("retrieval_relevance", false),
  );
});

test("retrieval relevance with string evaluators", async () => {
  // LangChain asks once for each text.
  const vectors = embeddings((text) => (text.startsWith("Where") ? [1, 0] : [0.6, 0.8]));
  openai.script.push(vectors, vectors);
  const evaluator = createEmbeddingSimilarityEvaluator({
    embeddings: new OpenAIEmbeddings({ model: "text-embedding-3-small", encodingFormat: "float" }),
  });
  const inputs = "Where was the first president of FoobarLand born?";
  const context = [
    "BazQuxLand is a new country located on the dark side of the moon",
    "Space dolphins are native to BazQuxLand",
    "BazQuxLand is a constitutional democracy whose first president was Bagatur Askaryan",
    "The current weather in BazQuxLand is 80 degrees and clear.",
  ].join("\n");
  const result = await evaluator({
    outputs: context,
    referenceOutputs: inputs,
  });
  expect(result).toEqual({ key: "embedding_similarity", score: 0.6 });
});

test("structured output with LLM-as-a-judge", async () => {
  const outputs = [
    { a: "Mango, Bananas", b: 2 },
    { a: "Apples", b: 2, c: [1, 2, 3] },
  ];
  const reference_outputs = [
    { a: "Mango, Bananas", b: 2 },
    { a: "Apples", b: 2, c: [1, 2, 4] },
  ];
  const evaluator = createJsonMatchEvaluator({
    // How to aggregate feedback keys in each element of the list: "average", "all", or None
    aggregator: "all",
    // Remove if evaluating a single structured output.
    listAggregator: "average",
    // The keys to ignore during evaluation.
    excludeKeys: ["a"],
  });
  expect(await evaluator({ outputs, reference_outputs } as never)).toMatchObject([
    { key: "json_match:all", score: 0.5 },
  ]);
});
