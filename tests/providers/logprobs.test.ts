/** Requests of judges for token probabilities, and their behaviour without them. */
import OpenAI from "openai";
import { type ChatModelOptions, initChatModel } from "openevals-wasm";
import { createGEval, type GEvalOptions } from "openevals-wasm/judges";
import { afterEach, describe, expect, it } from "vitest";
import { KEY } from "./judges.js";
import { message as saidByClaude, startAnthropic } from "./servers/anthropic.js";
import { FIREWORKS, failureOf, GROQ, startCompatible } from "./servers/compatible.js";
import * as google from "./servers/google.js";
import {
  changed,
  type Likely,
  toldBy,
  toldByGoogle,
  toldByOllama,
  toldByResponses,
} from "./servers/logprobs.js";
import type { Answer, Json, Loopback } from "./servers/loopback.js";
import * as ollama from "./servers/ollama.js";
import { completion, failure, startOpenAI } from "./servers/openai.js";

const TEXT = '{"score": 4, "reasoning": "It holds together."}';
/** (0.6 * 4 + 0.2 * 5 + 0.1 * 3) / 0.9, which is 37 / 9. */
const LIKELY: Likely = { 4: 0.6, 5: 0.2, 3: 0.1, four: 0.1 };
const VALUE = 37 / 9;

let server: Loopback;
afterEach(() => server.close());

const judgeOf = (judge: GEvalOptions["judge"], options: GEvalOptions = {}) =>
  createGEval({ steps: ["Read it.", "Rate it."], judge, ...options });
const model = (name: string, path: string, options: ChatModelOptions = {}) =>
  initChatModel(name, { baseURL: `${server.url}${path}`, apiKey: KEY, ...options });
const sent = () => server.requests.map(({ body }) => body);

const told = { score: expect.closeTo((VALUE - 1) / 4, 9), comment: "It holds together." };
const metadata = {
  method: "logprobs",
  value: expect.closeTo(VALUE, 9),
  range: [1, 5],
  mass: expect.closeTo(0.9, 9),
  standardDeviation: expect.closeTo(Math.sqrt(234 / 729) / 4, 9),
  probabilities: { 3: expect.closeTo(1 / 9, 9), 4: expect.closeTo(6 / 9, 9), 5: expect.closeTo(2 / 9, 9) },
  attempts: 1,
};

describe("probabilities are requested and read with", () => {
  it("OpenAI's chat completions", async () => {
    server = await startOpenAI(KEY);
    server.script.push(toldBy(completion(TEXT), LIKELY));
    const result = await judgeOf(model("openai:gpt-5.4", "/v1"))({ outputs: "a" });
    expect(result).toMatchObject({ key: "score", ...told, metadata: { ...metadata, model: "gpt-5.4" } });
    expect(sent()[0]).toMatchObject({ logprobs: true, top_logprobs: 20 });
  });

  it("its Responses API", async () => {
    server = await startOpenAI(KEY);
    server.script.push(toldByResponses(TEXT, LIKELY));
    const result = await judgeOf(model("openai:gpt-4.1", "/v1", { api: "responses" }))({ outputs: "a" });
    expect(result).toMatchObject({ ...told, metadata });
    expect(sent()[0]).toMatchObject({ include: ["message.output_text.logprobs"], top_logprobs: 20 });
  });

  it("Gemini", async () => {
    server = await google.startGoogle(KEY);
    server.script.push(toldByGoogle(google.content(TEXT), TEXT, LIKELY));
    const result = await judgeOf(model("google-genai:gemini-3.8-flash", "/v1beta"))({ outputs: "a" });
    expect(result).toMatchObject({ ...told, metadata });
    expect(sent()[0].generationConfig).toMatchObject({ responseLogprobs: true, logprobs: 20 });
  });

  it("Ollama", async () => {
    server = await ollama.startOllama();
    server.script.push(toldByOllama(ollama.answer(TEXT), TEXT, LIKELY));
    const judge = initChatModel("ollama:llama3.3", { baseURL: server.url });
    expect(await judgeOf(judge)({ outputs: "a" })).toMatchObject({ ...told, metadata });
    expect(sent()[0]).toMatchObject({ logprobs: true, top_logprobs: 20 });
  });

  it("a client of the openai package", async () => {
    server = await startOpenAI(KEY);
    server.script.push(toldBy(completion(TEXT), LIKELY));
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, maxRetries: 0 });
    const result = await judgeOf(client, { model: "gpt-5.4" })({ outputs: "a" });
    expect(result).toMatchObject({ ...told, metadata });
    expect(sent()[0]).toMatchObject({ logprobs: true, top_logprobs: 20 });
  });
});

/** This many answers with these scores. */
const votes = (...scores: number[]) =>
  scores.map((score) => completion(JSON.stringify({ score, reasoning: `${score}.` })));

const voteFor = (score: number) => ({ score, comment: expect.any(String) });

describe("samples are used", () => {
  const sampled = { method: "samples", votes: [4, 5, 3].map(voteFor), value: 4 };

  it("if the API refuses probabilities, which are then not requested again", async () => {
    server = await startCompatible(GROQ, KEY);
    server.script.push(...votes(4, 5, 3, 2, 2, 2));
    const judge = judgeOf(model("groq:openai/gpt-oss-120b", GROQ.prefix), { samples: 3 });
    const first = await judge({ outputs: "a" });
    expect(first).toMatchObject({ score: 0.75, comment: "4.", metadata: { ...sampled, attempts: 4 } });
    expect(first.metadata.mass).toBeUndefined();
    expect(await judge({ outputs: "a" })).toMatchObject({ score: 0.25, metadata: { attempts: 3 } });
    expect(sent().map(({ logprobs }) => logprobs)).toEqual([true, ...Array(6).fill(undefined)]);
  });

  it.each([
    ["with words of its own", 403, "You are not allowed to request logprobs from this model", [true, true]],
    ["without a word", 422, "Extra inputs are not permitted", [true, true]],
  ])("where a request is refused %s", async (_, status, message) => {
    server = await startOpenAI(KEY);
    server.script.push(failure(status, message), ...votes(4, 5, 3));
    const judge = judgeOf(model("openai:gpt-4.1", "/v1"), { samples: 3 });
    expect(await judge({ outputs: "a" })).toMatchObject({ metadata: sampled });
    expect(sent().map(({ logprobs }) => logprobs)).toEqual([true, undefined, undefined, undefined]);
  });

  it("for a client whose API refuses them", async () => {
    server = await startOpenAI(KEY);
    server.script.push(...votes(4, 5, 3, 4, 5, 3));
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, maxRetries: 0 });
    const judge = judgeOf(client, { model: "o3", samples: 3 });
    for (const attempts of [4, 3])
      expect(await judge({ outputs: "a" })).toMatchObject({ metadata: { ...sampled, attempts } });
    expect(sent().filter(({ logprobs }) => logprobs)).toHaveLength(1);
  });

  it("if no probabilities are reported", async () => {
    server = await startOpenAI(KEY);
    server.script.push(...votes(4, 5, 3));
    expect(await judgeOf(model("openai:gpt-5.4", "/v1"), { samples: 3 })({ outputs: "a" })).toMatchObject({
      metadata: { ...sampled, attempts: 3 },
    });
    expect(sent().map(({ logprobs }) => logprobs)).toEqual([true, undefined, undefined]);
  });

  it("if logprobs is false, and for models without them", async () => {
    server = await startOpenAI(KEY);
    server.script.push(...votes(4, 5, 3));
    const options = { samples: 3, logprobs: false };
    await judgeOf(model("openai:gpt-5.4", "/v1"), options)({ outputs: "a" });
    expect(sent().filter((body) => "logprobs" in body || "top_logprobs" in body)).toEqual([]);
    await server.close();

    server = await startAnthropic(KEY);
    server.script.push(...Array(3).fill(saidByClaude(TEXT)));
    const result = await judgeOf(model("anthropic:claude-opus-4-6", ""), { samples: 3 })({ outputs: "a" });
    expect(result.metadata).toMatchObject({
      method: "samples",
      votes: Array(3).fill({ score: 4, comment: "It holds together." }),
      standardDeviation: 0,
    });
  });

  const junk: [string, (content: Json[]) => unknown][] = [
    [
      "a score that was not read",
      (content) => content.map((token) => ({ ...token, token: token.token.replace("4", "3") })),
    ],
    [
      "texts for numbers",
      (content) => content.map((token) => ({ ...token, logprob: "-0.1", top_logprobs: [] })),
    ],
    [
      "positive logarithms",
      (content) =>
        content.map((token) => ({ ...token, logprob: 3, top_logprobs: [{ token: "4", logprob: 3 }] })),
    ],
    [
      "more than all probability",
      (content) =>
        content.map((token) => ({
          ...token,
          top_logprobs: ["4", "5"].map((token) => ({ token, logprob: -0.1 })),
        })),
    ],
    [
      "hardly anything on scores",
      (content) =>
        content.map((token) => ({
          ...token,
          logprob: -9999,
          top_logprobs: [{ token: "\n", logprob: -0.01 }],
        })),
    ],
    ["no list", () => "4"],
    ["no tokens", () => [null, 4, {}]],
    ["a token without text", (content) => [...content, { ...content[0], token: null }]],
    ["a megabyte", () => [{ token: "x".repeat(1_000_000), logprob: -1, top_logprobs: [] }]],
  ];
  it.each(junk)("if the probabilities are invalid: %s", async (_, spoil) => {
    server = await startOpenAI(KEY);
    const told = changed(toldBy(completion(TEXT), LIKELY), ({ choices: [{ logprobs }] }) => {
      logprobs.content = spoil(logprobs.content);
    });
    for (const ask of [
      model("openai:gpt-5.4", "/v1"),
      new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, maxRetries: 0 }),
    ]) {
      server.script.splice(0, Infinity, told, ...votes(5, 3));
      const result = await judgeOf(ask, { model: "gpt-5.4", samples: 3 })({ outputs: "a" });
      expect(result.metadata).toMatchObject(sampled);
    }
  });
});

it("fewer alternatives are requested if 20 are too many", async () => {
  server = await startCompatible(FIREWORKS, KEY);
  const answer: Answer = ({ body }) =>
    body.top_logprobs > 5
      ? failureOf(FIREWORKS, 400, "top_logprobs must be at most 5")
      : toldBy(completion(TEXT), LIKELY);
  server.script.push(answer, answer, answer);
  const judge = judgeOf(model("fireworks:m", FIREWORKS.prefix));
  for (const attempts of [2, 1])
    expect(await judge({ outputs: "a" })).toMatchObject({ metadata: { ...metadata, attempts } });
  expect(sent().map((body) => body.top_logprobs)).toEqual([20, 5, 5]);
});

it("another refusal stays an error", async () => {
  server = await startOpenAI(KEY);
  server.script.push(...Array(2).fill(failure(400, "This model's maximum context length is 8 tokens.")));
  const judge = judgeOf(model("openai:gpt-5.4", "/v1"));
  await expect(judge({ outputs: "a" })).rejects.toMatchObject({ code: "provider_error", status: 400 });
  server.script.push(toldBy(completion(TEXT), LIKELY));
  expect(await judge({ outputs: "a" })).toMatchObject({ metadata: { method: "logprobs" } });
});

it("a key that the server echoes in tokens is removed", async () => {
  server = await startOpenAI(KEY);
  const step = changed(toldBy(completion(TEXT), LIKELY), ({ choices: [{ logprobs }] }) => {
    logprobs.content.push({
      token: KEY,
      logprob: -1,
      bytes: null,
      top_logprobs: [{ token: KEY, logprob: -1, bytes: null }],
    });
  });
  server.script.push(step);
  const { evaluate } = await import("openevals-wasm/evaluation");
  const cache = new Map<string, string>();
  const evaluators = [judgeOf(model("openai:gpt-5.4", "/v1"))];
  await evaluate(undefined, { data: [{ outputs: "a" }], evaluators, judges: { cache } });
  expect(cache.size).toBe(1);
  expect(JSON.stringify([...cache])).not.toContain(KEY);
});
