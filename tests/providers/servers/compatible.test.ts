import { describe } from "vitest";
import * as azure from "./azure.js";
import * as compatible from "./compatible.js";
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
const looking = change({
  response_format: {
    type: "json_schema",
    json_schema: { name: "score", schema: { type: "object", properties: { a: { pattern: "^(?!b)" } } } },
  },
});
const texts = { model: "embedder", input: ["a", "b"] };

const OTHER_KEY: [string, Trial, number] = [
  "another key",
  { body: good, headers: { authorization: "Bearer sk-2" } },
  401,
];

const CASES: [
  string,
  compatible.Compatible,
  (answer: Json) => Json,
  good: [string, Trial][],
  bad: [string, Trial, number][],
][] = [
  [
    "Groq",
    compatible.GROQ,
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
    compatible.OPENROUTER,
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
    compatible.DEEPSEEK,
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
    compatible.XAI,
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
    compatible.TOGETHER,
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
    compatible.FIREWORKS,
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
  [
    "Cerebras",
    compatible.CEREBRAS,
    (answer) => answer.code && answer.message,
    [
      ["an image", image],
      ["a schema", change({ response_format: format })],
    ],
    [
      ["a document", file, 400],
      ["texts to embed", { body: texts, path: "/v1/embeddings" }, 404],
    ],
  ],
  [
    "Cohere",
    compatible.COHERE,
    (answer) => answer.message,
    [
      ["JSON without a schema", change({ response_format: { type: "json_object" } })],
      ["texts to embed", { body: texts, path: "/compatibility/v1/embeddings" }],
    ],
    [
      ["a schema", change({ response_format: format }), 400],
      ["two answers", change({ n: 2 }), 400],
      ["the newer limit", change({ max_completion_tokens: 5 }), 400],
    ],
  ],
  [
    "Perplexity",
    compatible.PERPLEXITY,
    (answer) => answer.error.code && answer.error.message,
    [
      ["a schema", change({ response_format: format })],
      [
        "turns",
        change({
          messages: [
            { role: "system", content: "Judge" },
            { role: "user", content: "a" },
            { role: "assistant", content: "b" },
            { role: "user", content: "c" },
          ],
        }),
      ],
    ],
    [
      ["JSON without a schema", change({ response_format: { type: "json_object" } }), 400],
      ["a seed", change({ seed: 7 }), 400],
      ["the same role twice", change({ messages: [...good.messages, ...good.messages] }), 400],
      ["a recording", audio, 400],
    ],
  ],
  [
    "Hugging Face",
    compatible.HUGGING_FACE,
    (answer) => answer.error.message,
    [["a schema", change({ response_format: format })]],
    [["texts to embed", { body: texts, path: "/v1/embeddings" }, 404]],
  ],
  [
    "NVIDIA",
    compatible.NVIDIA,
    (answer) => answer.message,
    [["a schema", change({ response_format: format })]],
    [["an unknown member", change({ random_seed: 1 }), 400]],
  ],
  [
    "SambaNova",
    compatible.SAMBANOVA,
    (answer) => answer.error.message,
    [["a schema", change({ response_format: format })]],
    [
      ["who asks", change({ user: "me" }), 400],
      ["OpenAI's recording", audio, 400],
    ],
  ],
  [
    "Cloudflare",
    compatible.CLOUDFLARE,
    (answer) => answer.errors[0].message,
    [
      ["JSON without a schema", change({ model: "@cf/a/b", response_format: { type: "json_object" } })],
      ["a schema for a model of another", change({ response_format: format })],
    ],
    [["OpenAI's schema for a model of its own", change({ model: "@cf/a/b", response_format: format }), 400]],
  ],
  [
    "Vercel",
    compatible.VERCEL,
    (answer) => answer.error.message,
    [["a document", file]],
    [["a recording", audio, 400]],
  ],
  [
    "LiteLLM",
    compatible.LITELLM,
    (answer) => answer.error.message,
    [
      ["a recording", audio],
      ["the newer limit", change({ max_completion_tokens: 5 })],
    ],
    [["an unknown member", change({ random_seed: 1 }), 400]],
  ],
  [
    "LM Studio",
    compatible.LM_STUDIO,
    (answer) => answer.error,
    [["a schema", change({ response_format: format })]],
    [["JSON without a schema", change({ response_format: { type: "json_object" } }), 400]],
  ],
  [
    "vLLM",
    compatible.VLLM,
    (answer) => answer.error.message,
    [["a recording", audio]],
    [
      ["a document", file, 400],
      ["a pattern that looks around", looking, 400],
    ],
  ],
  [
    "llama.cpp",
    compatible.LLAMA_CPP,
    (answer) => answer.error.message,
    [["a recording", audio]],
    [["a pattern that looks around", looking, 400]],
  ],
];

describe.each(CASES)("%s", (_, kind, messageOf, good, bad) => {
  refusing({
    start: () => compatible.startCompatible(kind, "sk-1"),
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
