/**
 * The same request through the official SDK and through this package: equal, apart from the listed
 * differences.
 */
import type { IncomingHttpHeaders } from "node:http";
import { createLLMAsJudge, initChatModel, initEmbeddings } from "openevals-wasm";
import { beforeEach, describe, expect, it } from "vitest";
import { errorOf, KEY, OLDER_AZURE, PROVIDERS } from "./judges.js";
import type { Json, Recorded } from "./servers/loopback.js";
import { PDF, PNG, WAV } from "./servers/refusing.js";
import { type Question, SDKS } from "./servers/sdks.js";
import { sharedServer } from "./shared-server.js";

const schema = {
  type: "object",
  properties: { tone: { type: "string", enum: ["kind", "harsh"] }, because: { type: "string" } },
  required: ["tone", "because"],
  additionalProperties: false,
};
const ANSWER = '{"tone": "kind", "because": "It says please."}';
const PROMPT = 'What tone has this?\n"Please sit down."';

const ATTACHMENTS = {
  image: { mime_type: "image/png", data: PNG },
  audio: { mime_type: "audio/wav", data: WAV },
  file: { mime_type: "application/pdf", data: PDF },
};

/** Anthropic's SDKs have these in common. */
function asClaude({
  key: _,
  version: __,
  body: { anthropic_version: ___, ...body },
  ...request
}: Json): Json {
  const system = Array.isArray(body.system)
    ? body.system.map(({ text }: Json) => text).join("")
    : body.system;
  return { ...request, body: { ...body, system } };
}

/** The intended differences, made equal. */
const ALIKE: Record<string, (request: Json) => Json> = {
  // The SDK sends the key as a bearer token since version 1; the reference still documents `x-api-key`, which
  // proxies support. The API version decides whether `temperature` is allowed at all.
  // proxies know. The version of the API decides whether `temperature` may be sent at all.
  // A system message is a text or a list of texts.
  Anthropic: asClaude,
  Foundry: asClaude,
  "Vertex, Claude": asClaude,
  // The schema is text there.
  Bedrock: ({ body, ...request }) => {
    const { schema } = body.outputConfig.textFormat.structure.jsonSchema;
    const textFormat = {
      type: "json_schema",
      structure: { jsonSchema: { name: "score", schema: JSON.parse(schema) } },
    };
    return { ...request, body: { ...body, outputConfig: { textFormat } } };
  },
  // The SDK uses the stable version of the API.
  Google: ({ path, ...request }) => ({ ...request, path: path.replace("/v1beta/", "/v1/") }),
  // The SDK sends defaults explicitly.
  OpenRouter: ({ body: { stream: _, ...body }, ...request }) => ({ ...request, body }),
  Mistral: ({ body: { stream: _, ...body }, ...request }) => ({ ...request, body }),
  // OpenAI's SDK only supports bearer tokens, which Azure accepts, too.
  Azure: ({ key: _, ...request }) => request,
};

/** The headers that describe the request. SDKs also describe themselves and their platform. */
const relevant = (headers: IncomingHttpHeaders) => ({
  type: headers["content-type"]?.split(";")[0],
  key: [headers.authorization, headers["api-key"], headers["x-api-key"], headers["x-goog-api-key"]],
  version: headers["anthropic-version"],
});

const essence = (name: string, { method, path, headers, body }: Recorded): Json => {
  const request = { method, path, ...relevant(headers), body };
  return ALIKE[name]?.(request) ?? request;
};

describe.each([...PROVIDERS, OLDER_AZURE])("$name", (provider) => {
  const { name, model: named, says, start, options } = provider;
  const sdk = SDKS[name]!;
  const model = named.slice(named.indexOf(":") + 1);
  // APIs without schemas have it in the prompt, which the fallback tests cover.
  const schemas = !provider.structure;
  const server = sharedServer(start);
  beforeEach(() => {
    server.script.push(says(ANSWER), says(ANSWER));
  });

  async function both(question: Omit<Question, "model">, settings = {}) {
    const { system, prompt, shows, temperature, maxTokens } = question;
    const chat = initChatModel(named, { ...options(server), temperature, maxTokens, ...settings });
    const outputSchema = { name: "score", strict: true, schema };
    const judge = createLLMAsJudge({ prompt, system, judge: chat, outputSchema });
    expect(await judge({ ...(shows && { attachments: ATTACHMENTS[shows] }) })).toMatchObject(
      JSON.parse(ANSWER),
    );
    await sdk.ask(server.url, KEY, { model, ...question, ...(schemas && { schema }) });
    expect(server.requests).toHaveLength(2);
    const [ours, theirs] = server.requests.map((request) => essence(name, request));
    if (!schemas) {
      ours.body.messages.at(-1).content = theirs.body.messages.at(-1).content;
      delete ours.body.response_format;
    }
    return { ours, theirs };
  }

  it("sends a question as the SDK does", async () => {
    const { ours, theirs } = await both({ prompt: PROMPT, maxTokens: 500 });
    expect(ours).toEqual(theirs);
  });

  it("sends a system message as the SDK does", async () => {
    const { ours, theirs } = await both({ system: "You judge.", prompt: PROMPT, maxTokens: 500 });
    expect(ours).toEqual(theirs);
  });

  // The models of these rows, or their SDK, refuse one.
  if (!["Anthropic", "Foundry", "Vertex, Claude", "OpenAI, responses"].includes(name)) {
    it("sends a temperature as the SDK does", async () => {
      const { ours, theirs } = await both({ prompt: PROMPT, temperature: 0.2 });
      expect(ours).toEqual(theirs);
    });
  }

  for (const shown of ["image", "audio", "file"] as const) {
    if (provider.shows.includes(shown)) {
      it(`sends an attachment as the SDK does: ${shown}`, async () => {
        const { ours, theirs } = await both({ prompt: PROMPT, shows: shown, maxTokens: 500 });
        expect(ours).toEqual(theirs);
      });
    } else {
      it(`says that it takes no such attachment, and sends nothing: ${shown}`, async () => {
        const judge = createLLMAsJudge({ prompt: PROMPT, judge: initChatModel(named, options(server)) });
        const error = await errorOf(judge({ attachments: ATTACHMENTS[shown] }));
        expect(error.code).toBe("invalid_input");
        expect(error.message).toMatch(
          { image: /image/i, audio: /audio|record/i, file: /PDF|file|document/i }[shown],
        );
        expect(server.requests).toHaveLength(0);
      });
    }
  }

  const { embedder, embeds } = provider;
  if (embedder && embeds) {
    it("sends texts to embed as the SDK does", async () => {
      const answer = embeds((text) => [text.length, 1]);
      server.script.splice(0, Infinity, answer, answer);
      const embeddings = initEmbeddings(`${named.slice(0, named.indexOf(":"))}:${embedder}`, options(server));
      await embeddings.embedDocuments(["Astana", "Nur"]);
      await sdk.embed?.(server.url, KEY, embedder, ["Astana", "Nur"]);
      const [ours, theirs] = server.requests.map((request) => {
        const { body, ...rest } = essence(name, request);
        // Floats are the default. The SDK sets them, since it would request base64. The role does not apply
        // to a text.
        const text = JSON.stringify({ ...body, encoding_format: undefined });
        return { ...rest, body: JSON.parse(text, (key, value) => (key === "role" ? undefined : value)) };
      });
      expect(ours).toEqual(theirs);
    });
  }
});
