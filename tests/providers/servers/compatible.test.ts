import { describe } from "vitest";
import * as azure from "./azure.js";
import {
  type Compatible,
  DEEPSEEK,
  FIREWORKS,
  GROQ,
  OPENROUTER,
  startCompatible,
  TOGETHER,
  XAI,
} from "./compatible.js";
import { embeddings } from "./embeddings.js";
import type { Json } from "./loopback.js";
import * as mistral from "./mistral.js";
import { completion } from "./openai.js";
import { having, refusing, type Trial, URI, WAV } from "./refusing.js";

const headers = { authorization: "Bearer sk-1" };
const schema = { type: "object", properties: { score: { type: "boolean" } }, required: ["score"] };
const format = { type: "json_schema", json_schema: { name: "score", schema } };
const good = { model: "a-model", messages: [{ role: "user", content: "Hello, in JSON" }] };
const change = (members: Json) => having(good, members);
const says = (...content: Json[]) => change({ messages: [{ role: "user", content }] });
const image = says({ type: "text", text: "Look" }, { type: "image_url", image_url: { url: URI.image } });
const audio = says({ type: "input_audio", input_audio: { data: WAV, format: "wav" } });
const file = says({ type: "file", file: { filename: "a.pdf", file_data: URI.file } });
const texts = { model: "embedder", input: ["a", "b"] };

const OTHER_KEY: [string, Trial, number] = [
  "another key",
  { body: good, headers: { authorization: "Bearer sk-2" } },
  401,
];

const CASES: [
  string,
  Compatible,
  (answer: Json) => Json,
  good: [string, Trial][],
  bad: [string, Trial, number][],
][] = [
  [
    "Groq",
    GROQ,
    (answer) => answer.error.message,
    [
      ["an image", image],
      [
        "a schema where the model knows of it",
        change({ model: "openai/gpt-oss-20b", response_format: format }),
      ],
    ],
    [
      ["a schema for other models", change({ response_format: format }), 400],
      ["a document", file, 400],
      ["a recording", audio, 400],
      ["the name of a message", change({ messages: [{ ...good.messages[0], name: "I" }] }), 400],
      ["log probabilities", change({ logprobs: true }), 400],
      ["two answers", change({ n: 2 }), 400],
      ["texts to embed", { body: texts, path: "/openai/v1/embeddings" }, 404],
    ],
  ],
  [
    "OpenRouter",
    OPENROUTER,
    (answer) => answer.error.code && answer.error.message,
    [
      ["an image", image],
      ["a recording", audio],
      ["a document", file],
      [
        "a document at an address",
        says({ type: "file", file: { filename: "a.pdf", file_data: "https://example.com/a.pdf" } }),
      ],
      ["a schema", change({ response_format: format })],
      ["texts to embed", { body: texts, path: "/api/v1/embeddings" }],
    ],
    [["an unknown member", change({ random_seed: 1 }), 400]],
  ],
  [
    "DeepSeek",
    DEEPSEEK,
    (answer) => answer.error.message,
    [
      ["JSON without a schema", change({ response_format: { type: "json_object" } })],
      ["an image", image],
    ],
    [
      ["a schema", change({ response_format: format }), 400],
      ["a document", file, 400],
      ["the newer limit", change({ max_completion_tokens: 5 }), 400],
      ["texts to embed", { body: texts, path: "/embeddings" }, 404],
    ],
  ],
  [
    "xAI",
    XAI,
    (answer) => answer.code && answer.error,
    [
      ["an image", image],
      ["a schema", change({ response_format: format })],
    ],
    [
      ["a document", file, 400],
      ["a stop", change({ stop: ["."] }), 400],
      ["texts to embed", { body: texts, path: "/v1/embeddings" }, 404],
    ],
  ],
  [
    "Together",
    TOGETHER,
    (answer) => answer.error.message,
    [
      ["an image", image],
      ["a schema", change({ response_format: format })],
      ["texts to embed", { body: texts, path: "/v1/embeddings" }],
    ],
    [
      ["a document", file, 400],
      ["the newer limit", change({ max_completion_tokens: 5 }), 400],
    ],
  ],
  [
    "Fireworks",
    FIREWORKS,
    (answer) => answer.error.message,
    [
      ["an image", image],
      ["a schema", change({ response_format: format })],
      ["texts to embed", { body: texts, path: "/inference/v1/embeddings" }],
    ],
    [
      ["a document", file, 400],
      ["an unknown member", change({ random_seed: 1 }), 400],
    ],
  ],
];

describe.each(CASES)("%s", (_, kind, messageOf, good, bad) => {
  refusing({
    start: () => startCompatible(kind, "sk-1"),
    path: `${kind.prefix}/chat/completions`,
    headers,
    answer: (request) => (request.body.input ? step(request) : completion("Hi")),
    messageOf,
    good: [["a question", change({ temperature: 0, max_tokens: 100 })], ...good],
    bad: [
      OTHER_KEY,
      ["another path", { ...change({}), path: "/chat" }, 404],
      ["a stream", change({ stream: true }), 400],
      ["an unknown content part", says({ type: "image", source: {} }), 400],
      ["an unknown format", change({ response_format: { type: "xml" } }), 400],
      ...bad,
    ],
  });
});
const step = embeddings(() => [1]) as (request: Json) => any;

describe("Azure OpenAI", () => {
  const deployed = { ...good, model: azure.DEPLOYMENT };
  const classic = `/openai/deployments/${azure.DEPLOYMENT}/chat/completions`;
  refusing({
    start: () => azure.startAzure("sk-1"),
    path: "/openai/v1/chat/completions",
    headers: { "api-key": "sk-1" },
    answer: (request) => (request.body.input ? step(request) : completion("Hi")),
    messageOf: (answer) => answer.error.code && answer.error.message,
    good: [
      ["a question", { body: deployed }],
      ["a key with Bearer", { body: deployed, headers: { "api-key": undefined, ...headers } }],
      ["a question through the older API", { body: good, path: `${classic}?api-version=2024-10-21` }],
      ["texts to embed", { body: { ...texts, model: azure.DEPLOYMENT }, path: "/openai/v1/embeddings" }],
    ],
    bad: [
      ["another key", { body: deployed, headers: { "api-key": "sk-2" } }, 401],
      ["a deployment that there is not", { body: good }, 404],
      ["the older API without its version", { body: good, path: classic }, 404],
      [
        "the newer API with a version",
        {
          body: deployed,
          path: "/openai/v1/chat/completions?api-version=2024-10-21",
        },
        404,
      ],
      ["OpenAI's path", { body: deployed, path: "/v1/chat/completions" }, 404],
      ["the older limit", having(deployed, { max_tokens: 5 }), 400],
      ["an unknown member", having(deployed, { random_seed: 1 }), 400],
    ],
  });
});

describe("Mistral", () => {
  refusing({
    start: () => mistral.startMistral("sk-1"),
    path: "/v1/chat/completions",
    headers,
    answer: (request) => (request.body.input ? step(request) : completion("Hi")),
    messageOf: (answer) => answer.detail ?? answer.message.detail?.[0].msg ?? answer.message,
    good: [
      ["a question", change({ temperature: 0, max_tokens: 100, random_seed: 1, response_format: format })],
      ["an image", says({ type: "image_url", image_url: URI.image })],
      ["an image in OpenAI's form", image],
      ["a document", says({ type: "document_url", document_url: URI.file, document_name: "a.pdf" })],
      ["a recording", says({ type: "input_audio", input_audio: WAV })],
      ["texts to embed", { body: { ...texts, output_dimension: 2 }, path: "/v1/embeddings" }],
    ],
    bad: [
      OTHER_KEY,
      ["another path", { body: good, path: "/chat/completions" }, 404],
      ["OpenAI's seed", change({ seed: 1 }), 422],
      ["OpenAI's limit", change({ max_completion_tokens: 5 }), 422],
      ["a temperature of 2", change({ temperature: 2 }), 422],
      ["OpenAI's document", file, 422],
      ["OpenAI's recording", audio, 422],
      ["an answer at the end", change({ messages: [{ role: "assistant", content: "Well," }] }), 422],
      [
        "a developer's message",
        change({ messages: [{ role: "developer", content: "" }, ...good.messages] }),
        422,
      ],
      ["OpenAI's size", { body: { ...texts, dimensions: 2 }, path: "/v1/embeddings" }, 422],
    ],
  });
});
