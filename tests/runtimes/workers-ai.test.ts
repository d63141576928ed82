/** A judge in a Worker that is Cloudflare's binding `env.AI`: workerd's own class for it, in front of a strict server. */
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Json, Loopback } from "../providers/servers/loopback.js";
import { completion } from "../providers/servers/openai.js";
import { failure, LLAMA, PARTNER, PLAIN, response, startWorkersAI } from "../providers/servers/workers-ai.js";
import { startWorker } from "./edge-hosts.js";
import { installFixture } from "./install.js";

const YES = { reasoning: "It is.", score: true };
const usage = { inputTokens: 120, outputTokens: 30 };

let server: Loopback;
let folder: string;
beforeAll(async () => {
  server = await startWorkersAI();
  folder = installFixture("bundled", "workerd-workers-ai");
});
beforeEach(() => {
  server.requests.length = 0;
  server.script.length = 0;
});
afterAll(() => server.close());

/** The requests of the class. Miniflare's proxy also tries to open a WebSocket. */
const sent = () => server.requests.filter(({ method }) => method === "POST").map(({ body }) => body);

/** Starts a worker before the tests of a block; returns how to ask it. */
function workerFrom(file: string): (body: object) => Promise<Json> {
  let worker: Miniflare;
  beforeAll(async () => {
    const ai = { binding: "AI", remoteProxyConnectionString: new URL(server.url) };
    ({ worker } = await startWorker(folder, file, { ai }));
  });
  afterAll(() => worker.dispose());
  return async (body) => {
    const request = { method: "POST", body: JSON.stringify(body) };
    return (await worker.dispatchFetch("http://localhost/", request)).json();
  };
}

describe("Cloudflare's own provider", () => {
  const ask = workerFrom("workers-ai-provider-worker.js");
  const schema = { type: "object", properties: { score: { type: "boolean" } }, required: ["score"] };

  it("is taken by the server, with a schema and without", async () => {
    server.script.push(response("Yes."), response({ score: true }));
    const { content, usage } = await ask({ model: LLAMA });
    expect([content[0].text, usage.inputTokens.total]).toEqual(["Yes.", 120]);
    expect((await ask({ model: LLAMA, schema })).content[0].text).toBe('{"score":true}');
  });

  it("reads how the server refuses", async () => {
    expect(await ask({ model: "@cf/none" })).toEqual({
      error: expect.stringContaining("5007: No such model @cf/none or task"),
      status: 400,
    });
  });
});

describe("the binding as a judge", () => {
  const ask = workerFrom("workers-ai-worker.js");

  it.each([
    ["an object", LLAMA, response(YES)],
    ["a text", LLAMA, response(JSON.stringify(YES))],
    ["chat completions", "gpt-5.4", completion(JSON.stringify(YES), { model: "gpt-5.4" })],
  ])("answers with %s", async (_, model, step) => {
    server.script.push({ ...step, headers: { "content-type": "application/json" } });
    const { result } = await ask({ model: LLAMA, system: "Be strict." });
    expect(result).toMatchObject({
      key: "score",
      score: true,
      comment: "It is.",
      metadata: { model, usage, attempts: 1 },
    });
    const [{ inputs, options }] = sent();
    expect(options).toEqual({});
    expect(inputs.messages).toEqual([
      { role: "system", content: "Be strict." },
      { role: "user", content: "Is Astana right?" },
    ]);
    expect(inputs.response_format.json_schema.required).toEqual(["reasoning", "score"]);
  });

  it("has OpenAI's envelope around the schema for a model of another provider", async () => {
    const { body } = completion(JSON.stringify(YES), { model: "gpt-5.4" }) as { body: string };
    server.script.push({ headers: { "content-type": "application/json" }, body });
    const { result } = await ask({ model: PARTNER });
    expect(result.metadata).toMatchObject({ model: "gpt-5.4", usage });
    expect(sent()[0].inputs.response_format.json_schema).toMatchObject({
      name: "score",
      strict: true,
    });
  });

  it("has the schema in the prompt for a model that knows of none, which is remembered", async () => {
    server.script.push(response(JSON.stringify(YES)), response(JSON.stringify(YES)));
    expect((await ask({ model: PLAIN })).result.metadata.attempts).toBe(2);
    expect((await ask({ model: PLAIN })).result.metadata.attempts).toBe(1);
    expect(sent()).toHaveLength(3);
    expect(sent()[1].inputs.messages.at(-1).content).toContain('"score"');
  });

  it("takes an image", async () => {
    server.script.push(response(YES));
    const attachments = { mime_type: "image/png", data: "iVBORw0KGgo=" };
    expect((await ask({ model: LLAMA, params: { outputs: "it", attachments } })).result.score).toBe(true);
    expect(sent()[0].inputs.messages[0].content[1].type).toBe("image_url");
  });

  it("is asked again if a model has no capacity, and after an answer that does not fit the schema", async () => {
    server.script.push(failure(429, 3040, "Capacity temporarily exceeded, please try again."), response(YES));
    expect((await ask({ model: LLAMA })).result.metadata.attempts).toBe(2);
    server.script.push(failure(400, 5024, "JSON Mode couldn't be met"), response(YES));
    expect((await ask({ model: LLAMA })).result.metadata.attempts).toBe(2);
  });

  it.each([
    [
      "a model that is not there",
      { model: "@cf/none" },
      [],
      { code: "provider_error", status: 400 },
      "No such model",
    ],
    [
      "an allocation that is used up",
      { model: LLAMA },
      [failure(429, 3036, "You have used up your daily free allocation")],
      { code: "rate_limited", status: 429 },
      "3036: You have used up",
    ],
    [
      "an answer that is none",
      { model: LLAMA },
      [{ headers: { "content-type": "application/json" }, body: '{"result":"Yes"}' }],
      { code: "provider_error" },
      "something other than a completion",
    ],
    ["no model", {}, [], { code: "invalid_config" }, 'model: "@cf/'],
  ])("says what is wrong: %s", async (_, options, steps, expected, message) => {
    server.script.push(...steps);
    const { error } = await ask(options);
    expect(error).toMatchObject({
      name: "OpenEvalsError",
      ...expected,
      message: expect.stringContaining(message),
    });
    expect(server.script).toHaveLength(0);
  });
});
