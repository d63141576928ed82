/** The servers are only worth something if they refuse what the real ones refuse. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json, Loopback } from "./loopback.js";
import { answer, startOllama } from "./ollama.js";
import { completion, startOpenAI } from "./openai.js";

async function post(url: string, body: Json, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, answer: (await response.json()) as Json };
}

describe("OpenAI", () => {
  const key = { authorization: "Bearer sk-1" };
  const schema = {
    type: "object",
    properties: { score: { type: "boolean" } },
    required: ["score"],
    additionalProperties: false,
  };
  const good = {
    model: "gpt-5.4",
    messages: [{ role: "user", content: "Hello" }],
    response_format: { type: "json_schema", json_schema: { name: "score", strict: true, schema } },
  };
  const withSchema = (change: Json) => ({
    ...good,
    response_format: {
      type: "json_schema",
      json_schema: { name: "score", strict: true, schema: { ...schema, ...change } },
    },
  });
  const inner = (node: Json) => withSchema({ properties: { score: node } });

  let server: Loopback;
  beforeAll(async () => {
    server = await startOpenAI("sk-1");
  });
  afterAll(() => server.close());
  const send = (body: Json, headers: Record<string, string> = key) =>
    post(`${server.url}/v1/chat/completions`, body, headers);

  it("takes a good request", async () => {
    server.script.push(completion("Hi"));
    const { status, answer } = await send(good);
    expect(status).toBe(200);
    expect(answer.choices[0].message.content).toBe("Hi");
  });

  it.each([
    ["no key", good, {}, 401],
    ["another key", good, { authorization: "Bearer sk-2" }, 401],
    ["a key without Bearer", good, { authorization: "sk-1" }, 401],
    ["another type of body", good, { ...key, "content-type": "text/plain" }, 400],
    ["an unknown field", { ...good, format: "json" }, key, 400],
    ["no model", { ...good, model: undefined }, key, 400],
    ["no messages", { ...good, messages: [] }, key, 400],
    ["an unknown role", { ...good, messages: [{ role: "human", content: "" }] }, key, 400],
    ["a message without content", { ...good, messages: [{ role: "user" }] }, key, 400],
    ["an unknown field of a message", { ...good, messages: [{ ...good.messages[0], id: 1 }] }, key, 400],
    ["the old name of the limit", { ...good, max_tokens: 5 }, key, 400],
    ["a limit that is no number", { ...good, max_completion_tokens: "5" }, key, 400],
    ["a temperature of 3", { ...good, temperature: 3 }, key, 400],
    ["an open object", withSchema({ additionalProperties: undefined }), key, 400],
    ["an optional property", withSchema({ required: [] }), key, 400],
    ["a list as the root", withSchema({ type: "array", items: { type: "string" } }), key, 400],
    ["a keyword that strict mode has not", inner({ type: "string", default: "" }), key, 400],
    ["an open object inside", inner({ type: "object", properties: {}, required: [] }), key, 400],
    ["a list of anything", inner({ type: "array" }), key, 400],
    ["an open object in a list", inner({ type: "array", items: { type: "object" } }), key, 400],
  ])("refuses %s", async (_, body, headers, expected) => {
    const { status, answer } = await send(body, headers as Record<string, string>);
    expect(status).toBe(expected);
    expect(answer.error.message).toEqual(expect.any(String));
  });
});

describe("Ollama", () => {
  const good = {
    model: "llama3.3",
    messages: [{ role: "user", content: "Hello" }],
    stream: false,
    format: { type: "object" },
    options: { temperature: 0 },
  };
  let server: Loopback;
  beforeAll(async () => {
    server = await startOllama();
  });
  afterAll(() => server.close());
  const send = (body: Json, headers = {}) => post(`${server.url}/api/chat`, body, headers);

  it("takes a good request", async () => {
    server.script.push(answer("Hi"));
    expect(await send(good)).toMatchObject({ status: 200, answer: { message: { content: "Hi" } } });
  });

  it.each([
    ["a key", good, { authorization: "Bearer x" }, 400],
    ["a stream", { ...good, stream: true }, {}, 400],
    ["a stream, which is what Ollama does unless told", { ...good, stream: undefined }, {}, 400],
    ["OpenAI's field", { ...good, response_format: {} }, {}, 400],
    ["a setting outside of the options", { ...good, temperature: 0 }, {}, 400],
    ["an unknown option", { ...good, options: { max_tokens: 5 } }, {}, 400],
    ["content in parts", { ...good, messages: [{ role: "user", content: [] }] }, {}, 400],
    ["no messages", { ...good, messages: [] }, {}, 400],
    ["a model that is not there", { ...good, model: "llama9" }, {}, 404],
  ])("refuses %s", async (_, body, headers, expected) => {
    const { status, answer } = await send(body, headers);
    expect(status).toBe(expected);
    expect(answer.error).toEqual(expect.any(String));
  });
});
