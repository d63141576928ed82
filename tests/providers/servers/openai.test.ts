import { describe } from "vitest";
import { embeddings } from "./embeddings.js";
import type { Json } from "./loopback.js";
import { completion, startOpenAI } from "./openai.js";
import { having, refusing, type Trial, URI, WAV } from "./refusing.js";

const base = {
  start: () => startOpenAI("sk-1"),
  headers: { authorization: "Bearer sk-1" },
  messageOf: (answer: Json) => answer.error.message,
};

describe("the chat completions of OpenAI", () => {
  const schema = {
    type: "object",
    properties: { score: { type: "boolean" } },
    required: ["score"],
    additionalProperties: false,
  };
  const format = (members: Json) => ({
    response_format: {
      type: "json_schema",
      json_schema: { name: "score", strict: true, schema, ...members },
    },
  });
  const good = { model: "gpt-5.4", messages: [{ role: "user", content: "Hello" }], ...format({}) };
  const change = (members: Json) => having(good, members);
  const withSchema = (members: Json) => change(format({ schema: { ...schema, ...members } }));
  const inner = (node: Json) => withSchema({ properties: { score: node } });
  const says = (content: Json, role = "user") => change({ messages: [{ role, content }] });
  const image = { type: "image_url", image_url: { url: URI.image } };
  const file = (members: Json): Trial =>
    says([{ type: "file", file: { filename: "a.pdf", file_data: URI.file, ...members } }]);
  const audio = (members: Json) =>
    says([{ type: "input_audio", input_audio: { data: WAV, format: "wav", ...members } }]);

  refusing({
    ...base,
    path: "/v1/chat/completions",
    answer: completion("Hi"),
    good: [
      ["a question", { body: good }],
      ["an open schema that is not strict", change(format({ strict: false, schema: { type: "object" } }))],
      ["an image in it", says([{ type: "text", text: "Look" }, image])],
      [
        "an image at an address",
        says([{ type: "image_url", image_url: { url: "https://example.com/a.png" } }]),
      ],
      ["a recording", audio({})],
      ["a document", file({})],
      ["the older limit for an older model", change({ model: "gpt-4o", max_tokens: 5 })],
      [
        "any JSON that the prompt asks for",
        {
          body: {
            ...good,
            messages: [{ role: "user", content: "In JSON, please" }],
            response_format: { type: "json_object" },
          },
        },
      ],
    ],
    bad: [
      ["another path", { body: good, path: "/chat/completions" }, 404],
      ["no key", { body: good, headers: { authorization: undefined } }, 401],
      ["another key", { body: good, headers: { authorization: "Bearer sk-2" } }, 401],
      ["a key without Bearer", { body: good, headers: { authorization: "sk-1" } }, 401],
      ["another type of body", { body: good, headers: { "content-type": "text/plain" } }, 400],
      ["an unknown member", change({ format: "json" }), 400],
      ["no model", change({ model: undefined }), 400],
      ["no messages", change({ messages: [] }), 400],
      ["an unknown role", says("", "human"), 400],
      ["a message without content", says(undefined), 400],
      ["an unknown member of a message", change({ messages: [{ ...good.messages[0], id: 1 }] }), 400],
      ["a stream", change({ stream: true }), 400],
      ["the older limit", change({ max_tokens: 5 }), 400],
      ["a limit that is no number", change({ max_completion_tokens: "5" }), 400],
      ["a temperature of 3", change({ temperature: 3 }), 400],
      ["a temperature of 0 for a model that always reasons", change({ model: "o3", temperature: 0 }), 400],
      ["an image in the system message", says([image], "system"), 400],
      ["an image that is no address", says([{ type: "image_url", image_url: { url: "a.png" } }]), 400],
      ["an image as a bare text", says([{ type: "image_url", image_url: URI.image }]), 400],
      ["Anthropic's image", says([{ type: "image", source: {} }]), 400],
      ["a recording in another format", audio({ format: "ogg" }), 400],
      ["a recording as a data URI", audio({ data: URI.audio }), 400],
      ["a document without a name", file({ filename: undefined }), 400],
      ["a document at an address", file({ file_data: "https://example.com/a.pdf" }), 400],
      ["a document in bare base64", file({ file_data: "JVBERi0xLjQ=" }), 400],
      [
        "any JSON that the prompt does not ask for",
        change({ response_format: { type: "json_object" } }),
        400,
      ],
      ["a schema without a name", change(format({ name: undefined })), 400],
      ["an open object", withSchema({ additionalProperties: undefined }), 400],
      ["an optional property", withSchema({ required: [] }), 400],
      ["a list as the root", withSchema({ type: "array", items: { type: "string" } }), 400],
      ["a keyword that strict mode has not", inner({ type: "string", default: "" }), 400],
      ["an open object inside", inner({ type: "object", properties: {}, required: [] }), 400],
      ["a list of anything", inner({ type: "array" }), 400],
      ["anything", inner({}), 400],
      ["a description beside a reference", inner({ $ref: "#/$defs/a", description: "" }), 400],
      ["a format that strict mode has not", inner({ type: "string", format: "uri" }), 400],
      ["a pattern that looks around", inner({ type: "string", pattern: "^(?!a)" }), 400],
      ["an open object in a list", inner({ type: "array", items: { type: "object" } }), 400],
    ],
  });
});

describe("the embeddings of OpenAI", () => {
  const good = { model: "text-embedding-3-small", input: ["a", "b"] };
  refusing({
    ...base,
    path: "/v1/embeddings",
    answer: embeddings(() => [1]),
    good: [
      ["two texts", { body: good }],
      ["one text", having(good, { input: "a" })],
      ["a size", having(good, { dimensions: 2 })],
    ],
    bad: [
      ["another key", { body: good, headers: { authorization: "Bearer sk-2" } }, 401],
      ["no texts", having(good, { input: [] }), 400],
      ["an empty text", having(good, { input: ["a", ""] }), 400],
      ["more texts than there may be", having(good, { input: Array(2049).fill("a") }), 400],
      ["no model", having(good, { model: "" }), 400],
      ["a temperature", having(good, { temperature: 0 }), 400],
      ["a size of half a number", having(good, { dimensions: 0.5 }), 400],
      ["an unknown encoding", having(good, { encoding_format: "json" }), 400],
    ],
  });
});
