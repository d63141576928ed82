import { describe } from "vitest";
import * as anthropic from "./anthropic.js";
import { CLAUDE, LLAMA, message, startBedrock } from "./bedrock.js";
import { content } from "./google.js";
import type { Json } from "./loopback.js";
import { having, PDF, PNG, refusing } from "./refusing.js";
import { EXPRESS_KEY, LOCATION, PROJECT, startVertex } from "./vertex.js";

const headers = { authorization: "Bearer k-1" };
const OTHER_KEY = { authorization: "Bearer k-2" };

describe("Converse of Amazon Bedrock", () => {
  const path = `/model/${encodeURIComponent(CLAUDE)}/converse`;
  const properties = { score: { type: "boolean" } };
  const schema = { type: "object", properties, required: ["score"], additionalProperties: false };
  const format = (schema: Json, members = {}) => ({
    textFormat: { type: "json_schema", structure: { jsonSchema: { name: "score", schema, ...members } } },
  });
  const good = {
    system: [{ text: "You judge." }],
    messages: [{ role: "user", content: [{ text: "Hello" }] }],
    inferenceConfig: { temperature: 0, maxTokens: 100 },
    outputConfig: format(JSON.stringify(schema)),
  };
  const change = (members: Json) => having(good, members);
  const says = (...content: Json[]) => change({ messages: [{ role: "user", content }] });
  const image = { format: "png", source: { bytes: PNG } };
  const document = { format: "pdf", name: "a-1", source: { bytes: PDF } };
  refusing({
    start: () => startBedrock("k-1"),
    path,
    headers,
    answer: message("Hi"),
    messageOf: (answer) => answer.message ?? answer.Message ?? answer.Output.__type,
    good: [
      ["a question", { body: good }],
      ["an image", says({ text: "Look" }, { image })],
      ["a document", says({ text: "Look" }, { document })],
      ["two documents", says({ text: "Look" }, { document }, { document: { ...document, name: "a-2" } })],
      ["settings of a model", change({ additionalModelRequestFields: { top_k: 7 } })],
    ],
    bad: [
      ["another key", { body: good, headers: OTHER_KEY }, 403],
      ["no key", { body: good, headers: { authorization: undefined } }, 403],
      ["another path", { body: good, path: "/model/a/invoke" }, 404],
      ["an unknown model", { body: good, path: "/model/gpt-5.4/converse" }, 400],
      ["the model in the body", change({ modelId: CLAUDE }), 400],
      ["a text in the place of blocks", change({ messages: [{ role: "user", content: "Hi" }] }), 400],
      [
        "a system message among the others",
        change({ messages: [{ role: "system", content: [{ text: "Hi" }] }] }),
        400,
      ],
      ["a blank text", says({ text: " " }), 400],
      ["a block with a type", says({ type: "text", text: "Hi" }), 400],
      ["a picture at an address", says({ image: { format: "png", source: { url: "https://a.test" } } }), 400],
      ["a document without a text", says({ document }), 400],
      [
        "a document with a point in its name",
        says({ text: "a" }, { document: { ...document, name: "a.pdf" } }),
        400,
      ],
      ["two documents of one name", says({ text: "Look" }, { document }, { document }), 400],
      ["OpenAI's limit", change({ inferenceConfig: { max_tokens: 5 } }), 400],
      ["a schema that is no text", change({ outputConfig: format(schema) }), 400],
      ["an open object", change({ outputConfig: format('{"type":"object","properties":{}}') }), 400],
      ["an unknown keyword", change({ outputConfig: format('{"type":"number","minimum":0}') }), 400],
      ["a schema where the model knows none", { body: good, path: `/model/${LLAMA}/converse` }, 400],
    ],
  });
});

describe("Vertex AI", () => {
  const at = (publisher: string, model: string, place = `projects/${PROJECT}/locations/${LOCATION}/`) =>
    `/v1/${place}publishers/${publisher}/models/${model}`;
  const gemini = { contents: [{ role: "user", parts: [{ text: "Hello" }] }] };
  const path = `${at("google", "gemini-3.8-flash")}:generateContent`;
  const express = `${at("google", "gemini-3.8-flash", "")}:generateContent`;
  const key = { authorization: undefined, "x-goog-api-key": EXPRESS_KEY } as Json;
  refusing({
    start: () => startVertex("k-1"),
    path,
    headers,
    answer: content("Hi"),
    messageOf: (answer) => answer.error.status && answer.error.message,
    good: [
      ["a question", { body: gemini }],
      ["a key in express mode", { body: gemini, headers: key, path: express }],
    ],
    bad: [
      ["another token", { body: gemini, headers: OTHER_KEY }, 401],
      ["a key in a project", { body: gemini, headers: key }, 401],
      ["a token without a project", { body: gemini, path: express }, 403],
      ["another project", { body: gemini, path: path.replace(PROJECT, "another") }, 403],
      [
        "a path of the Gemini API",
        { body: gemini, path: "/v1/models/gemini-3.8-flash:generateContent" },
        404,
      ],
      ["an unknown member", having(gemini, { model: "gemini-3.8-flash" }), 400],
    ],
  });

  const claude = {
    anthropic_version: "vertex-2023-10-16",
    max_tokens: 100,
    messages: [{ role: "user", content: "Hello" }],
  };
  refusing({
    start: () => startVertex("k-1"),
    path: `${at("anthropic", "claude-opus-5-5")}:rawPredict`,
    headers,
    answer: anthropic.message("Hi"),
    messageOf: (answer) => answer.error.message,
    good: [["a question to Claude", { body: claude }]],
    bad: [
      ["the model in the body", having(claude, { model: "claude-opus-5-5" }), 400],
      ["no version", having(claude, { anthropic_version: undefined }), 400],
      ["the version of another place", having(claude, { anthropic_version: "bedrock-2023-05-31" }), 400],
      [
        "an unknown version of Claude",
        { body: claude, path: `${at("anthropic", "claude-0")}:rawPredict` },
        404,
      ],
      [
        "Claude's messages at Google's method",
        { body: claude, path: `${at("anthropic", "claude-opus-5-5")}:generateContent` },
        404,
      ],
    ],
  });
});
