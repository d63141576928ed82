import { describe } from "vitest";
import type { Json } from "./loopback.js";
import { answer, embeddings, startOllama } from "./ollama.js";
import { having, PNG, refusing, URI } from "./refusing.js";

const messageOf = (answer: Json) => answer.error;

describe("the chat of Ollama", () => {
  const good = {
    model: "llama3.3",
    messages: [{ role: "user", content: "Hello" }],
    stream: false,
    format: { type: "object" },
    options: { temperature: 0 },
  };
  const change = (members: Json) => having(good, members);
  const says = (message: Json) => change({ messages: [{ role: "user", content: "Hello", ...message }] });
  refusing({
    start: startOllama,
    path: "/api/chat",
    answer: answer("Hi"),
    messageOf,
    good: [
      ["a question", { body: good }],
      ["an image", says({ images: [PNG] })],
      ["a schema of a list", change({ format: { type: "array" } })],
    ],
    bad: [
      ["a key", { body: good, headers: { authorization: "Bearer x" } }, 400],
      ["a stream", change({ stream: true }), 400],
      ["a stream, which is what Ollama does unless told", change({ stream: undefined }), 400],
      ["OpenAI's member", change({ response_format: {} }), 400],
      ["a setting outside of the options", change({ temperature: 0 }), 400],
      ["an unknown option", change({ options: { max_tokens: 5 } }), 400],
      ["content in parts", says({ content: [] }), 400],
      ["an image as a data URI", says({ images: [URI.image] }), 400],
      ["an image at an address", says({ images: ["https://example.com/a.png"] }), 400],
      ["an unknown member of a message", says({ files: [] }), 400],
      ["no messages", change({ messages: [] }), 400],
      ["a model that is not there", change({ model: "llama9" }), 404],
    ],
  });
});

describe("the embeddings of Ollama", () => {
  const good = { model: "nomic-embed-text", input: ["a", "b"] };
  refusing({
    start: startOllama,
    path: "/api/embed",
    answer: embeddings(() => [1]),
    messageOf,
    good: [
      ["two texts", { body: good }],
      ["a size", having(good, { dimensions: 2 })],
    ],
    bad: [
      ["the member of the older endpoint", { body: { model: "nomic-embed-text", prompt: "a" } }, 400],
      ["no texts", having(good, { input: [] }), 400],
      ["OpenAI's encoding", having(good, { encoding_format: "float" }), 400],
      ["a model that is not there", having(good, { model: "other" }), 404],
    ],
  });
});
