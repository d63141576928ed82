import { describe } from "vitest";
import { content, embeddings, startGoogle } from "./google.js";
import type { Json } from "./loopback.js";
import { having, PNG, refusing } from "./refusing.js";

const base = {
  start: () => startGoogle("AIza-1"),
  headers: { "x-goog-api-key": "AIza-1" },
  messageOf: (answer: Json) => answer.error.status && answer.error.message,
};

describe("generateContent of Google", () => {
  const path = "/v1beta/models/gemini-3.8-flash:generateContent";
  const properties = { score: { type: "boolean" } };
  const schema = { type: "object", properties, required: ["score"] };
  const json = { responseMimeType: "application/json" };
  const good = {
    systemInstruction: { parts: [{ text: "You judge." }] },
    contents: [{ role: "user", parts: [{ text: "Hello" }] }],
    generationConfig: { ...json, responseSchema: schema, temperature: 0, maxOutputTokens: 100 },
  };
  const change = (members: Json) => having(good, members);
  const config = (members: Json) => change({ generationConfig: members });
  const older = (members: Json) => config({ ...json, responseSchema: { ...schema, ...members } });
  const newer = (members: Json) => config({ ...json, responseJsonSchema: { ...schema, ...members } });
  const part = (...parts: Json[]) => change({ contents: [{ role: "user", parts }] });
  refusing({
    ...base,
    path,
    answer: content("Hi"),
    good: [
      ["a question", { body: good }],
      ["a question to the stable version", { body: good, path: path.replace("v1beta", "v1") }],
      ["a schema in JSON", newer({ additionalProperties: false })],
      [
        "numbers to choose from, in a JSON schema",
        newer({ properties: { score: { type: "number", enum: [0, 1] } } }),
      ],
      ["an image", part({ text: "Look" }, { inlineData: { mimeType: "image/png", data: PNG } })],
      ["a recording", part({ inlineData: { mimeType: "audio/wav", data: PNG } })],
      ["a file", part({ fileData: { mimeType: "application/pdf", fileUri: "https://example.com/a.pdf" } })],
    ],
    bad: [
      ["another path", { body: good, path: "/models/gemini-3.8-flash:generateContent" }, 404],
      ["a stream", { body: good, path: "/v1beta/models/gemini-3.8-flash:streamGenerateContent" }, 404],
      ["an unknown model", { body: good, path: "/v1beta/models/gpt-5.4:generateContent" }, 404],
      ["another key", { body: good, headers: { "x-goog-api-key": "AIza-2" } }, 400],
      ["a token besides the key", { body: good, headers: { authorization: "Bearer AIza-1" } }, 401],
      [
        "a key in the address",
        {
          body: good,
          path: `${path}?key=AIza-1`,
          headers: { "x-goog-api-key": undefined },
        },
        404,
      ],
      ["an unknown member", change({ messages: [] }), 400],
      ["a setting outside of the config", change({ temperature: 0 }), 400],
      ["no contents", change({ contents: [] }), 400],
      ["OpenAI's role", change({ contents: [{ role: "assistant", parts: [{ text: "Hi" }] }] }), 400],
      [
        "a system message among the contents",
        change({ contents: [{ role: "system", parts: [{ text: "Hi" }] }] }),
        400,
      ],
      ["a text as the content", change({ contents: [{ role: "user", content: "Hi" }] }), 400],
      ["a text as the instruction", change({ systemInstruction: "You judge." }), 400],
      ["no parts", part(), 400],
      ["a part in OpenAI's form", part({ type: "text", text: "Hi" }), 400],
      [
        "a part with two sorts of data",
        part({ text: "Hi", inlineData: { mimeType: "image/png", data: PNG } }),
        400,
      ],
      ["an image without a type", part({ inlineData: { data: PNG } }), 400],
      [
        "an image as a data URI",
        part({ inlineData: { mimeType: "image/png", data: `data:image/png;base64,${PNG}` } }),
        400,
      ],
      ["an unknown setting", config({ max_tokens: 5 }), 400],
      ["a temperature of 3", config({ temperature: 3 }), 400],
      ["a limit of 0", config({ maxOutputTokens: 0 }), 400],
      ["a schema without the type of the answer", config({ responseSchema: schema }), 400],
      ["both schemas", config({ ...json, responseSchema: schema, responseJsonSchema: schema }), 400],
      ["additionalProperties in the older schema", older({ additionalProperties: false }), 400],
      ["two types in the older schema", older({ properties: { score: { type: ["string", "null"] } } }), 400],
      ["a constant in the older schema", older({ properties: { score: { const: 1 } } }), 400],
      [
        "numbers to choose from, in the older schema",
        older({ properties: { score: { type: "number", enum: [0, 1] } } }),
        400,
      ],
      ["an object without properties in the older schema", older({ properties: {}, required: [] }), 400],
      ["a required property that there is not", older({ required: ["score", "reasoning"] }), 400],
      [
        "a keyword that the JSON schema has not",
        newer({ properties: { score: { type: "string", pattern: "a" } } }),
        400,
      ],
      ["booleans to choose from", newer({ properties: { score: { type: "boolean", enum: [true] } } }), 400],
      ["something beside $ref", newer({ properties: { score: { $ref: "#/$defs/a", title: "A" } } }), 400],
    ],
  });
});

describe("batchEmbedContents of Google", () => {
  const model = "models/gemini-embedding-001";
  const request = { model, content: { parts: [{ text: "a" }] } };
  const good = { requests: [request, request] };
  const change = (members: Json) => ({ body: { requests: [{ ...request, ...members }] } });
  refusing({
    ...base,
    path: `/v1beta/${model}:batchEmbedContents`,
    answer: embeddings(() => [1]),
    good: [
      ["two texts", { body: good }],
      ["a size", change({ outputDimensionality: 2 })],
    ],
    bad: [
      ["another key", { body: good, headers: { "x-goog-api-key": "AIza-2" } }, 400],
      ["OpenAI's texts", { body: { input: ["a"] } }, 400],
      ["no texts", { body: { requests: [] } }, 400],
      ["more texts than there may be", { body: { requests: Array(101).fill(request) } }, 400],
      ["a request without a model", change({ model: undefined }), 400],
      ["a model without its folder", change({ model: "gemini-embedding-001" }), 400],
      ["an empty text", change({ content: { parts: [{ text: "" }] } }), 400],
      ["OpenAI's size", change({ dimensions: 2 }), 400],
    ],
  });
});
