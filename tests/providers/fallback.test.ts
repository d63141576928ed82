/** APIs without schemas: the schema is in the prompt. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { ask, errorOf, KEY, PROMPT, type Provider, providerNamed, ROW, YES } from "./judges.js";
import type { Json } from "./servers/loopback.js";
import { completion, failure, startOpenAI } from "./servers/openai.js";

async function withServer<T>(
  start: Provider["start"],
  use: (server: Awaited<ReturnType<typeof start>>) => Promise<T>,
) {
  const server = await start();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

/** How a server reports that it does not support schemas. `src/chat/provider/tests.rs` has others. */
const COMPLAINT = failure(400, "This model does not support response format `json_schema`.");

const openai = providerNamed("OpenAI");

describe("a server that rejects a schema", () => {
  it("gets the request again with the schema in the prompt", () =>
    withServer(openai.start, async (server) => {
      server.script.push(COMPLAINT, completion(`\`\`\`json\n${YES}\n\`\`\``));
      const result = await ask(openai, server, {}, { maxRetries: 0 });
      expect(result.score).toBe(true);
      expect(result.metadata.attempts).toBe(2);
      const [first, second] = server.requests.map(({ body }) => body);
      expect(first.response_format.type).toBe("json_schema");
      expect(second.response_format?.type).not.toBe("json_schema");
      const asked = conversationOf(second);
      expect(asked.messages).toEqual(conversationOf(first).messages);
      expect(asked.schema).toEqual(first.response_format.json_schema.schema);
    }));

  it("is remembered by everything that uses the model", () =>
    withServer(openai.start, async (server) => {
      const chat = initChatModel(openai.model, openai.options(server));
      server.script.push(COMPLAINT, completion(YES), completion(YES));
      await createLLMAsJudge({ prompt: PROMPT, judge: chat })(ROW);
      const { metadata } = await createLLMAsJudge({ prompt: "{outputs}", judge: chat })(ROW);
      expect(metadata.attempts).toBe(1);
      expect(server.requests[2].body.response_format?.type).not.toBe("json_schema");
    }));

  it("gets the schema again when a broken answer is repaired", () =>
    withServer(openai.start, async (server) => {
      server.script.push(COMPLAINT, completion("Yes."), completion(YES));
      const result = await ask(openai, server);
      expect(result).toMatchObject({ score: true, metadata: { attempts: 3 } });
      expect(conversationOf(server.requests[2].body).schema.required).toEqual(["reasoning", "score"]);
    }));

  it("stays an error if it rejects the prompt, too", () =>
    withServer(openai.start, async (server) => {
      server.script.push(COMPLAINT, COMPLAINT, COMPLAINT);
      const error = await errorOf(ask(openai, server));
      expect(error).toMatchObject({ code: "provider_error", status: 400, attempts: 2 });
    }));
});

it("DeepSeek gets JSON mode, with the schema in the prompt, from the start", () => {
  const deepseek = providerNamed("DeepSeek");
  return withServer(deepseek.start, async (server) => {
    server.script.push(deepseek.says(YES));
    const result = await ask(deepseek, server, { system: "You judge." });
    expect(result).toMatchObject({ score: true, metadata: { attempts: 1 } });
    const { body } = server.requests[0];
    expect(body.response_format).toEqual({ type: "json_object" });
    const { messages, schema } = conversationOf(body);
    expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(schema.required).toEqual(["reasoning", "score"]);
  });
});

it("a Groq model without schemas", () => {
  const groq = { ...providerNamed("Groq"), model: "groq:llama-3.3-70b-versatile" };
  return withServer(groq.start, async (server) => {
    server.script.push(groq.says(YES));
    const result = await ask(groq, server);
    expect(result).toMatchObject({ score: true, metadata: { attempts: 2 } });
    expect(server.requests).toHaveLength(2);
  });
});

it("a schema whose root is not an object is in the prompt, since strict servers reject it", () =>
  withServer(
    () => startOpenAI(KEY),
    async (server) => {
      const outputSchema = { type: "array", items: { type: "string" } };
      server.script.push(completion('["kind", "short"]'));
      const result: Json = await ask(openai, server, { outputSchema });
      expect(result).toEqual(["kind", "short"]);
      const { body } = server.requests[0];
      expect(body.response_format?.type).not.toBe("json_schema");
      expect(conversationOf(body).schema).toMatchObject(outputSchema);
    },
  ));

it("a schema is reduced to the supported keywords of an API, and the answer is validated against the original", async () => {
  const outputSchema = {
    type: "object",
    properties: { marks: { type: "integer", minimum: 1, maximum: 6, multipleOf: 1 } },
    required: ["marks"],
    additionalProperties: false,
  };
  for (const name of ["Anthropic", "Google"]) {
    const provider = providerNamed(name);
    await withServer(provider.start, async (server) => {
      server.script.push(provider.says('{"marks": 9}'), provider.says('{"marks": 5}'));
      expect(await ask(provider, server, { outputSchema })).toEqual({ marks: 5 });
      expect(server.requests).toHaveLength(2);
    });
  }
});
