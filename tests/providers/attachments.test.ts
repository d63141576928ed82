/** Images, audio and documents: their place, and the formats of each API. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf, PROVIDERS, type Provider, providerNamed, YES } from "./judges.js";
import type { Json, Loopback } from "./servers/loopback.js";
import { PDF, PNG, URI, WAV } from "./servers/refusing.js";

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

describe.each(PROVIDERS.filter(({ shows }) => shows.includes("image")))("$name", (provider) => {
  const { name } = provider;

  it("takes an image by URL, or refuses it before sending", async () => {
    const { result, error, requests } = await shown(provider, IMAGE_URL);
    if (name === "Ollama" || name === "Bedrock") {
      const refused = await errorOf(Promise.reject(error));
      expect(refused.code).toBe("invalid_input");
      expect(refused.message).toContain("data: URI");
      expect(requests).toHaveLength(0);
    } else {
      expect(result).toMatchObject({ score: true });
      expect(JSON.stringify(requests[0].body)).toContain(IMAGE_URL);
    }
  });

  it("takes images of the usual types", async () => {
    for (const type of ["png", "jpeg", "gif", "webp"]) {
      const { result } = await shown(provider, { mime_type: `image/${type}`, data: PNG });
      expect(result).toMatchObject({ score: true });
    }
  });

  it("inserts them where the prompt says", async () => {
    const attachments = [
      { mime_type: "image/png", data: PNG },
      { mime_type: "image/gif", data: PNG },
    ];
    const { requests } = await shown(provider, attachments, "Before {attachments} and behind");
    if (name === "Ollama") {
      // Its messages have images next to the text.
      const [{ content, images }] = requests[0].body.messages;
      expect(content.split(/\s+/)).toEqual(["Before", "and", "behind"]);
      expect(images).toEqual([PNG, PNG]);
      return;
    }
    const parts = partsOf(requests[0].body);
    // A schema in the prompt comes after them.
    expect(parts.map(({ text }) => text?.split("\n\n")[0].trim())).toEqual([
      "Before",
      undefined,
      undefined,
      "and behind",
    ]);
    const [first, second] = parts.slice(1, 3).map((part) => JSON.stringify(part));
    expect(first).toContain("png");
    expect(second).toContain("gif");
  });

  it("sends them again with a repeated request", async () => {
    const { result, requests } = await shown(provider, URI.image, "Is it a cat?", ["Yes.", YES]);
    expect(result).toMatchObject({ score: true });
    for (const { body } of requests) expect(JSON.stringify(body)).toContain(PNG);
  });
});

describe("audio", () => {
  it.each([
    ["OpenAI", "mpeg", { input_audio: { data: WAV, format: "mp3" } }],
    ["OpenAI", "wav", { input_audio: { data: WAV, format: "wav" } }],
    ["Google", "mp3", { inlineData: { mimeType: expect.stringMatching(/^audio\/(mp3|mpeg)$/), data: WAV } }],
    ["Google", "ogg", { inlineData: { mimeType: "audio/ogg", data: WAV } }],
    ["Mistral", "mp3", { input_audio: WAV }],
    ["Together", "wav", { input_audio: { data: WAV, format: "wav" } }],
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

  it.each(
    PROVIDERS.filter(({ shows }) => shows.includes("file")),
  )("$name reads one with a name", async (provider) => {
    const { result, requests } = await shown(provider, named);
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
