/** Current rules of providers: schemas, settings and pauses. `src/chat/` has the tables of each API. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { AT_ONCE, ask, errorOf, PROMPT, providerNamed, ROW, YES } from "./judges.js";
import type { Json, Loopback, Step } from "./servers/loopback.js";
import { completion, failure } from "./servers/openai.js";

const openai = providerNamed("OpenAI");
const google = providerNamed("Google");

async function at<T>(provider: typeof openai, use: (server: Loopback) => Promise<T>): Promise<T> {
  const server = await provider.start();
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const said = (body: object, status = 200, headers = {}): Step => ({
  status,
  headers,
  body: JSON.stringify(body),
});

describe("a strict schema", () => {
  const source = z.object({ name: z.string() }).meta({ id: "Source" });
  const outputSchema = z.object({
    source: source.describe("Where it is from"),
    other: source,
    link: z.url().describe("Its address"),
    email: z.email(),
    code: z.string().regex(/^(?!x)a+$/),
  });
  const answer = {
    source: { name: "a" },
    other: { name: "b" },
    link: "https://a.test",
    email: "a@b.test",
    code: "aa",
  };

  it("is converted to OpenAI's keywords, and still validated", () =>
    at(openai, async (server) => {
      const judge = createLLMAsJudge({
        prompt: PROMPT,
        judge: initChatModel(openai.model, openai.options(server)),
        outputSchema,
      });
      server.script.push(completion(JSON.stringify(answer)));
      expect(await judge(ROW)).toEqual(answer);
      expect(server.requests).toHaveLength(1);
      const { strict, schema } = server.requests[0].body.response_format.json_schema;
      expect(strict).toBe(true);
      expect(schema.properties.link).toEqual({
        type: "string",
        description: 'Its address (format: "uri")',
      });
      expect(schema.properties.code).toEqual({ type: "string", description: 'pattern: "^(?!x)a+$"' });
    }));

  it("for Claude has optional members, and unions", () =>
    at(providerNamed("Anthropic"), async (server) => {
      const anthropic = providerNamed("Anthropic");
      const judge = createLLMAsJudge({
        prompt: PROMPT,
        judge: initChatModel(anthropic.model, anthropic.options(server)),
        outputSchema: z.object({
          found: z.discriminatedUnion("kind", [
            z.object({ kind: z.literal("page"), number: z.number().min(1) }),
            z.object({ kind: z.literal("none") }),
          ]),
          note: z.string().optional(),
        }),
      });
      const answer = { found: { kind: "page", number: 7 } };
      server.script.push(anthropic.says(JSON.stringify(answer)));
      expect(await judge(ROW)).toEqual(answer);
      expect(server.requests).toHaveLength(1);
      const { schema } = server.requests[0].body.output_config.format;
      expect(schema).toMatchObject({ required: ["found"], additionalProperties: false });
      const [page, none] = schema.properties.found.anyOf;
      expect(page.properties.number).toEqual({ type: "number", description: "minimum: 1" });
      expect([page.additionalProperties, none.additionalProperties]).toEqual([false, false]);
    }));

  it("that allows anything is not strict", () =>
    at(openai, async (server) => {
      const judge = createLLMAsJudge({
        prompt: PROMPT,
        judge: initChatModel(openai.model, openai.options(server)),
        outputSchema: z.object({ anything: z.unknown() }),
      });
      server.script.push(completion('{"anything":7}'));
      expect(await judge(ROW)).toEqual({ anything: 7 });
      expect(server.requests[0].body.response_format.json_schema.strict).toBe(false);
    }));
});

it("a model with a fixed temperature is sent none from then on", () =>
  at(openai, async (server) => {
    const message = "Unsupported parameter: 'temperature' is not supported with this model.";
    const model = initChatModel(openai.model, { ...openai.options(server), temperature: 0, maxRetries: 0 });
    server.script.push(failure(400, message), completion(YES), completion(YES));
    const judge = createLLMAsJudge({ prompt: PROMPT, judge: model });
    expect(await judge(ROW)).toMatchObject({ score: true, metadata: { attempts: 2 } });
    expect(await judge(ROW)).toMatchObject({ score: true, metadata: { attempts: 1 } });
    expect(server.requests.map(({ body }: Json) => body.temperature)).toEqual([0, undefined, undefined]);
  }));

it("a schema that a model rejects is put into the prompt from then on, and other schemas are not", () =>
  at(openai, async (server) => {
    const message = "Invalid schema for response_format 'score': 'oneOf' is not permitted.";
    const judge = initChatModel(openai.model, openai.options(server));
    const ofKind = (kind: string) =>
      createLLMAsJudge({ prompt: PROMPT, judge, outputSchema: z.object({ [kind]: z.string() }) });
    const [rejected, accepted] = [ofKind("bad"), ofKind("good")];
    const answers = [completion('{"bad":"a"}'), completion('{"bad":"b"}'), completion('{"good":"c"}')];
    server.script.push(failure(400, message), ...answers);
    expect([await rejected(ROW), await rejected(ROW), await accepted(ROW)]).toEqual([
      { bad: "a" },
      { bad: "b" },
      { good: "c" },
    ]);
    const hasSchema = server.requests.map(({ body }: Json) => body.response_format !== undefined);
    expect(hasSchema).toEqual([true, false, false, true]);
  }));

describe("a pause", () => {
  const seconds = (provider: typeof openai, error: object, headers = {}) =>
    at(provider, async (server) => {
      server.script.push(said({ error }, 429, headers));
      const { message } = await errorOf(ask(provider, server, {}, { timeoutMs: 60_000 }));
      return /Another attempt in (\d+) s/.exec(message)?.[1];
    });

  it("is as long as Gemini says in the body", async () => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3600s" }];
    const error = { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED", details };
    expect(await seconds(google, error)).toBe("3600");
  });

  it("lasts until OpenAI's exhausted limit resets, outside of timeoutMs", () =>
    at(openai, async (server) => {
      const headers = {
        "x-ratelimit-remaining-requests": "0",
        "x-ratelimit-reset-requests": "0m2.0s",
        "x-ratelimit-remaining-tokens": "1000",
        "x-ratelimit-reset-tokens": "6h0m0s",
      };
      server.script.push(said({ error: { message: "Rate limit reached" } }, 429, headers), completion(YES));
      const begun = performance.now();
      const { score, metadata } = await ask(openai, server, {}, { timeoutMs: 1_500 });
      expect([score, metadata.attempts]).toEqual([true, 2]);
      expect(performance.now() - begun).toBeGreaterThanOrEqual(1_980);
    }));
});

it("an error that OpenRouter relays with status 200 is retried", () =>
  at(openai, async (server) => {
    const relayed = { code: 502, message: "Provider returned error", metadata: { raw: "It is down" } };
    server.script.push({ ...said({ error: relayed }), headers: AT_ONCE }, completion(YES));
    const { score, metadata } = await ask(openai, server);
    expect([score, metadata.attempts]).toEqual([true, 2]);
  }));
