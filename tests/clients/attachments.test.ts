/** Attachments reach the API through each client in the API's own form. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { createLLMAsJudge } from "openevals-wasm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { message, startAnthropic } from "../providers/servers/anthropic.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-test-clients-4f1c0ffee";
const YES = '{"reasoning":"It is.","score":true}';
const PNG = "iVBORw0KGgo=";
const PDF = "JVBERi0xLjQ=";
const WAV = "UklGRg==";

type Judge = Pick<Parameters<typeof createLLMAsJudge>[0], "judge" | "model">;

let openai: Loopback;
let anthropic: Loopback;
beforeAll(async () => {
  [openai, anthropic] = await Promise.all([startOpenAI(KEY), startAnthropic(KEY)]);
});
afterAll(() => Promise.all([openai.close(), anthropic.close()]));

/** The content of the message that the API was sent. */
async function sent(judge: Judge, server: Loopback, attachments: any): Promise<any[]> {
  server.requests.length = 0;
  server.script.push(server === openai ? completion(YES) : message(YES));
  const { score } = await createLLMAsJudge({ prompt: "Look: {attachments}", ...judge })({ attachments });
  expect(score).toBe(true);
  return server.requests[0].body.messages.at(-1).content;
}

const image = { mime_type: "image/png", data: PNG };
const document = { mime_type: "application/pdf", data: PDF, name: "a.pdf" };
const recording = { mime_type: "audio/wav", data: WAV };

describe.each<[string, () => Judge]>([
  [
    "an OpenAI client",
    () => ({ judge: new OpenAI({ apiKey: KEY, baseURL: `${openai.url}/v1` }), model: "gpt-5.4" }),
  ],
  [
    "a LangChain chat model",
    () => ({
      judge: new ChatOpenAI({
        apiKey: KEY,
        model: "gpt-5.4",
        configuration: { baseURL: `${openai.url}/v1` },
      }),
    }),
  ],
  [
    "a language model of the AI SDK",
    () => ({ judge: createOpenAI({ apiKey: KEY, baseURL: `${openai.url}/v1` }).chat("gpt-5.4") }),
  ],
])("%s, at OpenAI", (_, judge) => {
  it("takes an image, as data or at an address", async () => {
    const [text, first, second] = await sent(judge(), openai, [image, "https://example.com/b.png"]);
    expect(text).toEqual({ type: "text", text: "Look: " });
    expect(first.image_url.url).toBe(`data:image/png;base64,${PNG}`);
    expect(second.image_url.url).toBe("https://example.com/b.png");
  });

  it("takes a document", async () => {
    const [, part] = await sent(judge(), openai, document);
    expect(part).toMatchObject({
      type: "file",
      file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${PDF}` },
    });
  });

  it("takes a recording", async () => {
    const [, part] = await sent(judge(), openai, recording);
    expect(part).toMatchObject({ type: "input_audio", input_audio: { data: WAV, format: "wav" } });
  });
});

describe.each<[string, () => Judge]>([
  [
    "a LangChain chat model",
    () => ({
      judge: new ChatAnthropic({ apiKey: KEY, model: "claude-sonnet-4-5", anthropicApiUrl: anthropic.url }),
    }),
  ],
  [
    "a language model of the AI SDK",
    () => ({ judge: createAnthropic({ apiKey: KEY, baseURL: `${anthropic.url}/v1` })("claude-sonnet-4-5") }),
  ],
])("%s, at Anthropic", (_, judge) => {
  it("takes an image and a document", async () => {
    const [text, first, second] = await sent(judge(), anthropic, [image, document]);
    expect(text).toMatchObject({ type: "text", text: "Look: " });
    const source = (media_type: string, data: string) => ({ source: { type: "base64", media_type, data } });
    expect(first).toMatchObject({ type: "image", ...source("image/png", PNG) });
    expect(second).toMatchObject({ type: "document", ...source("application/pdf", PDF) });
  });
});
