/** Images, audio and documents. `src/chat/dialect/tests/attachments.rs` has their forms in each API. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf, type Provider, providerNamed, YES } from "./judges.js";
import type { Json, Loopback } from "./servers/loopback.js";
import { PDF, PNG, WAV } from "./servers/refusing.js";

const IMAGE_URL = "https://example.com/a%20b.png?size=1";

/** Shows an attachment to a judge, and returns the request. */
async function shown(provider: Provider, attachments: Json, prompt = "Is it a cat?", answers = [YES]) {
  const server = await provider.start();
  try {
    for (const answer of answers) server.script.push(provider.says(answer));
    const judge = createLLMAsJudge({
      prompt,
      judge: initChatModel(provider.model, provider.options(server)),
    });
    const outcome = await judge({ attachments }).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    return { ...outcome, requests: server.requests } as {
      result?: Json;
      error?: unknown;
      requests: Loopback["requests"];
    };
  } finally {
    await server.close();
  }
}

/** The parts of the first user message. */
const partsOf = ({ messages, input = messages, contents }: Json): Json[] =>
  contents?.[0].parts ?? input.find(({ role }: Json) => role === "user").content;

describe("an image", () => {
  const openai = providerNamed("OpenAI");

  it("can be at an address", async () => {
    const { result, requests } = await shown(openai, IMAGE_URL);
    expect(result).toMatchObject({ score: true });
    expect(JSON.stringify(requests[0].body)).toContain(IMAGE_URL);
  });

  it.each(["Ollama", "Bedrock"])("at an address is refused before sending: %s", async (name) => {
    const { error, requests } = await shown(providerNamed(name), IMAGE_URL);
    const refused = await errorOf(Promise.reject(error));
    expect(refused.code).toBe("invalid_input");
    expect(refused.message).toContain("data: URI");
    expect(requests).toHaveLength(0);
  });

  it("is where the prompt says, also when it is sent again", async () => {
    const attachments = [
      { mime_type: "image/png", data: PNG },
      { mime_type: "image/gif", data: PNG },
    ];
    const { requests } = await shown(openai, attachments, "Before {attachments} and behind", ["Yes.", YES]);
    expect(requests).toHaveLength(2);
    for (const { body } of requests) {
      const parts = partsOf(body);
      expect(parts.map(({ text }) => text?.trim())).toEqual(["Before", undefined, undefined, "and behind"]);
      const [first, second] = parts.slice(1, 3).map((part) => JSON.stringify(part));
      expect(first).toContain("png");
      expect(second).toContain("gif");
    }
  });
});

describe("audio", () => {
  it.each([
    ["OpenAI", "mpeg", { input_audio: { data: WAV, format: "mp3" } }],
    ["Google", "mp3", { inlineData: { mimeType: expect.stringMatching(/^audio\/(mp3|mpeg)$/), data: WAV } }],
  ])("%s hears audio/%s", async (name, type, part) => {
    const { result, requests } = await shown(providerNamed(name), { mime_type: `audio/${type}`, data: WAV });
    expect(result).toMatchObject({ score: true });
    expect(partsOf(requests[0].body)).toContainEqual(expect.objectContaining(part));
  });
});

it.each([
  "OpenAI",
  "Azure",
])("%s does not support audio/webm, which is refused before sending", async (name) => {
  const { error, requests } = await shown(providerNamed(name), {
    mime_type: "audio/webm;codecs=opus",
    data: WAV,
  });
  const refused = await errorOf(Promise.reject(error));
  expect(refused.code).toBe("invalid_input");
  expect(refused.message).toContain("wav or mp3");
  expect(requests).toHaveLength(0);
});

describe("documents", () => {
  const named = { mime_type: "application/pdf", data: PDF, name: "Décision n° 7.pdf" };

  it("can have a name", async () => {
    const { result, requests } = await shown(providerNamed("OpenAI"), named);
    expect(result).toMatchObject({ score: true });
    expect(JSON.stringify(requests[0].body)).toContain(PDF);
  });

  const address = "https://example.com/a.pdf";
  const elsewhere = { mime_type: "application/pdf", data: address };

  it.each([
    "OpenAI",
    "Azure",
  ])("%s does not support documents by URL, which are refused before sending", async (name) => {
    const { error, requests } = await shown(providerNamed(name), elsewhere);
    expect((await errorOf(Promise.reject(error))).code).toBe("invalid_input");
    expect(requests).toHaveLength(0);
  });

  const READERS = ["Anthropic", "Google", "Mistral", "OpenAI, responses", "OpenRouter", "xAI"];
  it.each(READERS)("%s takes a document by URL", async (name) => {
    const { result, requests } = await shown(providerNamed(name), elsewhere);
    expect(result).toMatchObject({ score: true });
    expect(JSON.stringify(requests[0].body)).toContain(address);
  });
});

it("an unsupported attachment ends a batch before anything is sent", async () => {
  const xai = providerNamed("xAI");
  const server = await xai.start();
  try {
    const judge = createLLMAsJudge({
      prompt: "Is it a cat?",
      judge: initChatModel(xai.model, xai.options(server)),
    });
    const error = await errorOf(judge.batch([{ attachments: { mime_type: "application/pdf", data: PDF } }]));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("rows[0]");
    expect(error.message).toMatch(/xai/i);
    expect(server.requests).toHaveLength(0);
  } finally {
    await server.close();
  }
});
