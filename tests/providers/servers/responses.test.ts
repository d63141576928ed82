/**
 * The server of the Responses API: it accepts requests of the SDK, and rejects those that the API rejects.
 */
import OpenAI, { AzureOpenAI } from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RESPONSES_DEPLOYMENT, startAzure } from "./azure.js";
import { startCompatible, XAI } from "./compatible.js";
import type { Json, Loopback } from "./loopback.js";
import { startOpenAI } from "./openai.js";
import { having, refusing, URI, WAV } from "./refusing.js";
import { failed, incomplete, message, response, saying } from "./responses.js";

const KEY = "sk-1";
const schema = {
  type: "object",
  properties: { score: { type: "boolean" } },
  required: ["score"],
  additionalProperties: false,
};
const format = (members: Json = {}) => ({
  text: { format: { type: "json_schema", name: "score", strict: true, schema, ...members } },
});
const good = { model: "gpt-5.4", input: "Is it right?", ...format() };
const change = (members: Json) => having(good, members);
const says = (content: Json, role = "user") => change({ input: [{ role, content }] });
const shows = (...parts: Json[]) => says([{ type: "input_text", text: "Look" }, ...parts]);
const image = { type: "input_image", image_url: URI.image, detail: "auto" };
const file = { type: "input_file", filename: "a.pdf", file_data: URI.file };
const link = { type: "input_file", file_url: "https://example.com/a.pdf" };

const base = { headers: { authorization: `Bearer ${KEY}` }, path: "/v1/responses", answer: saying("Hi") };

describe("the responses of OpenAI", () => {
  refusing({
    ...base,
    start: () => startOpenAI(KEY),
    messageOf: (answer) => answer.error.message,
    good: [
      ["a question", { body: good }],
      ["instructions", change({ instructions: "Be kind." })],
      [
        "every role",
        change({
          input: ["system", "developer", "user", "assistant"].map((role) => ({ role, content: "a" })),
        }),
      ],
      ["what the model said before, in parts", says([{ type: "output_text", text: "a" }], "assistant")],
      ["an image, a document and one at an address", shows(image, file, link)],
      ["a schema that is not strict", change(format({ strict: false, schema: { type: "object" } }))],
      [
        "any JSON that the prompt asks for",
        change({ input: "In JSON", text: { format: { type: "json_object" } } }),
      ],
      ["an effort", change({ reasoning: { effort: "low" }, max_output_tokens: 16, store: false })],
    ],
    bad: [
      ["another key", { body: good, headers: { authorization: "Bearer sk-2" } }, 401],
      ["another type of body", { body: good, headers: { "content-type": "text/plain" } }, 400],
      ["messages", change({ messages: [] }), 400],
      ["the format of chat completions", change({ response_format: { type: "json_object" } }), 400],
      ["the limit of chat completions", change({ max_completion_tokens: 50 }), 400],
      ["the effort of chat completions", change({ reasoning_effort: "low" }), 400],
      ["a limit below the least", change({ max_output_tokens: 15 }), 400],
      ["a temperature of 3", change({ temperature: 3 }), 400],
      ["a temperature for a model that always reasons", change({ model: "gpt-5-pro", temperature: 0 }), 400],
      ["no model", change({ model: undefined }), 400],
      ["no input", change({ input: [] }), 400],
      ["an unknown role", says("a", "tool"), 400],
      ["a part of chat completions", says([{ type: "text", text: "a" }]), 400],
      ["an image of chat completions", shows({ type: "image_url", image_url: { url: URI.image } }), 400],
      ["an image as an object", shows({ type: "input_image", image_url: { url: URI.image } }), 400],
      ["an image that is none", shows({ ...image, image_url: URI.file }), 400],
      [
        "what the user says as what the model says",
        says([{ type: "input_text", text: "a" }], "assistant"),
        400,
      ],
      ["an image that the model showed", says([image], "assistant"), 400],
      ["an image among the instructions", says([image], "system"), 400],
      ["a recording", shows({ type: "input_audio", input_audio: { data: WAV, format: "wav" } }), 400],
      ["a document without a name", shows({ ...file, filename: undefined }), 400],
      ["a document twice", shows({ ...file, ...link }), 400],
      ["a document in bare base64", shows({ ...file, file_data: "JVBERi0xLjQ=" }), 400],
      [
        "a format around its schema",
        change({ text: { format: { type: "json_schema", json_schema: { name: "a", schema } } } }),
        400,
      ],
      ["a schema without a name", change(format({ name: undefined })), 400],
      ["an open object", change(format({ schema: { ...schema, additionalProperties: undefined } })), 400],
      [
        "any JSON that the prompt does not ask for",
        change({ text: { format: { type: "json_object" } } }),
        400,
      ],
      ["a stream", change({ stream: true }), 400],
      [
        "a model of this API among chat completions",
        {
          path: "/v1/chat/completions",
          body: { model: "gpt-5-pro", messages: [{ role: "user", content: "a" }] },
        },
        404,
      ],
    ],
  });
});

describe("the responses of xAI", () => {
  refusing({
    ...base,
    start: () => startCompatible(XAI, KEY),
    messageOf: (answer) => answer.code && answer.error,
    good: [
      ["a question", { body: good }],
      ["an image", shows(image)],
      ["a document at an address", shows(link)],
    ],
    bad: [
      ["a document that comes along", shows(file), 400],
      ["a member that it does not know", change({ conversation: "c" }), 400],
    ],
  });
});

describe("the SDK of OpenAI", () => {
  async function asking<T>(
    start: () => Promise<Loopback>,
    use: (server: Loopback) => Promise<T>,
  ): Promise<T> {
    const server = await start();
    try {
      return await use(server);
    } finally {
      await server.close();
    }
  }
  const client = (server: Loopback) =>
    new OpenAI({ baseURL: `${server.url}/v1`, apiKey: KEY, maxRetries: 0 });
  const Score = z.object({ reasoning: z.string(), score: z.boolean() });
  const asked = {
    model: "gpt-5-pro",
    input: "Is it right?",
    text: { format: zodTextFormat(Score, "score") },
  };

  it.each([
    ["OpenAI", () => startOpenAI(KEY)],
    ["xAI", () => startCompatible(XAI, KEY)],
  ])("reads the answers of the server of %s", (_, start) =>
    asking(start, async (server) => {
      server.script.push(saying('{"reasoning":"It is.","score":true}'));
      const { output_parsed, usage } = await client(server).responses.parse(asked);
      expect(output_parsed).toEqual({ reasoning: "It is.", score: true });
      expect(usage).toMatchObject({ input_tokens: 120, output_tokens: 30 });
    }));

  it("reads a refusal, a failure, and a truncated answer", () =>
    asking(
      () => startOpenAI(KEY),
      async (server) => {
        const ask = () => client(server).responses.create({ model: "gpt-5-pro", input: "a" });
        server.script.push(response([message([{ type: "refusal", refusal: "No." }])]));
        expect((await ask()).output[0]).toMatchObject({ content: [{ type: "refusal", refusal: "No." }] });
        server.script.push(failed("server_error", "Sorry"));
        expect(await ask()).toMatchObject({ status: "failed", error: { message: "Sorry" }, output_text: "" });
        server.script.push(incomplete("I"));
        expect(await ask()).toMatchObject({
          incomplete_details: { reason: "max_output_tokens" },
          output_text: "I",
        });
      },
    ));

  it.each([
    ["newer", (url: string) => new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: KEY, maxRetries: 0 })],
    [
      "older",
      (endpoint: string) =>
        new AzureOpenAI({
          endpoint,
          apiKey: KEY,
          apiVersion: "2025-04-01-preview",
          deployment: RESPONSES_DEPLOYMENT,
          maxRetries: 0,
        }),
    ],
  ])("reaches Azure's %s API", (_, azure) =>
    asking(
      () => startAzure(KEY),
      async (server) => {
        server.script.push(saying("It is."));
        const { output_text } = await azure(server.url).responses.create({
          model: RESPONSES_DEPLOYMENT,
          input: "Is it right?",
        });
        expect(output_text).toBe("It is.");
      },
    ));
});
