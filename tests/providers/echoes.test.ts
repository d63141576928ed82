/** Servers that echo requests: an echoed key is in no error, result, cache or report. */
import { inspect } from "node:util";
import { createLLMAsJudge, initChatModel, initEmbeddings, OpenEvalsError } from "openevals-wasm";
import { evaluate, renderReport } from "openevals-wasm/evaluation";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Step, startLoopback } from "./servers/loopback.js";
import { completion } from "./servers/openai.js";
import { sharedServer } from "./shared-server.js";

const KEY = 'sk-a/b+"12"-4f1c0ffee';
const SPELLINGS: [string, string][] = [
  ["as it is", KEY],
  ["escaped as JSON", JSON.stringify(KEY).slice(1, -1)],
  ["with escaped slashes", JSON.stringify(KEY).slice(1, -1).replace("/", "\\/")],
  ["in code points", [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
  ["in an address", encodeURIComponent(KEY)],
  ["escaped as HTML", KEY.replaceAll('"', "&quot;").replace("/", "&#x2F;").replace("+", "&#43;")],
  ["in upper case", KEY.toUpperCase()],
];

const server = sharedServer(() => startLoopback(() => undefined));

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;

const judge = (settings: Settings = {}, options = {}) =>
  createLLMAsJudge({
    prompt: "Is it?",
    judge: initChatModel("openai:gpt-5.4", {
      baseURL: `${server.url}/v1`,
      apiKey: KEY,
      maxRetries: 0,
      ...settings,
    }),
    ...options,
  });

/** Everything visible of a promise's outcome. */
async function seen(promise: Promise<unknown>): Promise<string> {
  const outcome = await promise.catch((error) => error);
  const { message = "", raw = "", requestId = "" } = outcome as Record<string, string>;
  return [inspect(outcome, { depth: 20 }), JSON.stringify(outcome), message, raw, requestId].join("\n");
}

function expectNo(text: string, ...secrets: string[]) {
  for (const secret of secrets) {
    for (const spelled of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      expect(text).not.toContain(spelled);
    }
  }
  expect(text).toContain("[redacted]");
}

const says = (verdict: object, more = {}) => completion(JSON.stringify(verdict), more) as Step;

describe.each(SPELLINGS)("a key %s", (_, spelled) => {
  it.each([
    ["in a 401", { status: 401, body: `{"problem":{"reason":"wrong key: ${spelled}!"}}` }],
    ["in its message", { status: 401, body: `{"error":{"message":"wrong key: ${spelled}"}}` }],
    ["in a page", { status: 403, body: `<h1>wrong key: ${spelled}</h1>` }],
    ["in no answer", { body: `wrong key: ${spelled}` }],
    ["in an id", { status: 400, headers: { "x-request-id": `req-${spelled}` }, body: "no" }],
  ])("%s", async (_, step) => {
    server.script.push(step as Step);
    expectNo(await seen(judge()({})), KEY);
  });
});

describe.each([
  "correcthorsebatterystaple",
  "co_AbCdEfGhIjKl-MnOp.qRsT",
])("a key in no known format: %s", (key) => {
  const spelled = [
    key,
    encodeURIComponent(key),
    key.toUpperCase(),
    btoa(key).replace(/=+$/, ""),
    key.slice(0, -3),
  ];
  const settings: [string, () => Settings][] = [
    ["apiKey", () => ({ apiKey: key, baseURL: server.url })],
    ["the function apiKey", () => ({ apiKey: async () => key, baseURL: server.url })],
    ["a header", () => ({ headers: { "x-other": key }, baseURL: server.url })],
    ["an address", () => ({ baseURL: `${server.url}/v1?token=${key}` })],
  ];
  it.each(settings)("in %s, of each kind of provider", async (_, settingsOf) => {
    for (const model of [
      "openai:gpt-5.4",
      "anthropic:claude-opus-4-6",
      "google-genai:gemini-3-pro",
      "cohere:command-a",
    ])
      for (const echoed of spelled) {
        server.script.push({ status: 401, body: JSON.stringify({ error: { message: `No: ${echoed}!` } }) });
        const options = { apiKey: "sk-other-4f1c0ffee", maxRetries: 0, ...settingsOf() };
        const text = await seen(
          createLLMAsJudge({ prompt: "Is it?", judge: initChatModel(model, options) })({}),
        );
        expectNo(text, echoed);
      }
  });
});

describe("a key that a server transforms before it echoes it", () => {
  const LONG_KEY = "sk-proj-4f1c0ffeeAbCd9876xYz";
  const wrapped = (by: string) => (LONG_KEY.match(/.{1,10}/g) as string[]).join(by);
  const inHTML = (text: string, radix: 10 | 16) =>
    Array.from(text, (c) => `&#${radix === 16 ? "x" : ""}${c.charCodeAt(0).toString(radix)};`).join("");
  const inPercent = (text: string) =>
    Array.from(text, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
  it.each<[string, string]>([
    ["as HTML, in decimal", inHTML(LONG_KEY, 10)],
    ["as HTML, in hexadecimal", inHTML(LONG_KEY, 16)],
    ["as HTML, twice", inHTML(LONG_KEY, 10).replaceAll("&", "&amp;")],
    ["in upper case", LONG_KEY.toUpperCase()],
    ["in lower case", LONG_KEY.toLowerCase()],
    ["wrapped", wrapped("\n")],
    ["wrapped and indented", wrapped("\r\n    ")],
    ["cut at the end", LONG_KEY.slice(0, 25)],
    ["cut at the beginning", LONG_KEY.slice(3)],
    ["percent-encoded", inPercent(LONG_KEY)],
    ["percent-encoded, twice", inPercent(LONG_KEY).replaceAll("%", "%25")],
    ["in base64", btoa(LONG_KEY)],
    ["in base64, in upper case", btoa(LONG_KEY).toUpperCase()],
  ])("%s", async (_, echoed) => {
    /** The middle of the echo, which must not be visible anywhere, wherever its lines are broken. */
    const core = echoed.replaceAll(/\s+/g, "").slice(4, -4);
    const expectNone = (text: string) => {
      expect(text.replaceAll(/\\[rn]|\s+/g, "")).not.toContain(core);
      expect(text).toContain("[redacted]");
    };
    for (const step of [
      { status: 401, body: `<p>wrong key: ${echoed}</p>` },
      { status: 401, body: JSON.stringify({ error: { message: `wrong key: ${echoed}` } }) },
      says({ reasoning: `You sent ${echoed}`, score: true }),
    ]) {
      server.script.push(step as Step);
      expectNone(await seen(judge({ apiKey: LONG_KEY })({})));
    }
  });
});

describe("a key in an answer", () => {
  it("in a comment and as a model name", async () => {
    server.script.push(says({ reasoning: `You sent ${KEY}.`, score: true }, { model: `gpt-${KEY}` }));
    const result = await judge()({});
    expect(result).toMatchObject({
      score: true,
      comment: "You sent [redacted].",
      metadata: { model: "gpt-[redacted]" },
    });
  });

  it("in a refusal", async () => {
    const refusal = {
      choices: [{ message: { content: null, refusal: `Not with ${KEY}` }, finish_reason: "stop" }],
    };
    server.script.push({ body: JSON.stringify(refusal) });
    expectNo(await seen(judge()({})), KEY);
  });

  it("in an invalid answer, which is in the error as raw", async () => {
    server.script.push(says({ key: KEY }), says({ key: KEY }));
    const text = await seen(judge()({}));
    expectNo(text, KEY);
    expect(text).toContain("invalid_judge_output");
  });

  it("in an object of a custom schema", async () => {
    server.script.push(says({ tone: KEY }));
    const outputSchema = { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] };
    expect(await judge({}, { outputSchema })({})).toEqual({ tone: "[redacted]" });
  });

  it("is in no cache and no report", async () => {
    server.script.push(says({ reasoning: `You sent ${KEY}.`, score: true }), {
      status: 401,
      body: `No ${KEY}`,
    });
    const kept = new Map<string, unknown>();
    const cache = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, it: unknown) => void kept.set(key, it),
    };
    const experiment = await evaluate((inputs) => inputs, {
      data: [{ inputs: 1 }, { inputs: 2 }],
      evaluators: [judge({}, { prompt: "{outputs}" })],
      judges: { cache: cache as never },
    });
    expect(kept.size).toBe(1);
    expectNo(JSON.stringify([...kept]), KEY);
    expectNo(JSON.stringify(experiment), KEY);
    expectNo(await renderReport(experiment), KEY);
  });

  it("of an embedding request", async () => {
    server.script.push({ status: 401, body: `{"a":"${JSON.stringify(KEY).slice(1, -1)}"}` });
    const embeddings = initEmbeddings("openai:text-embedding-3-small", {
      baseURL: `${server.url}/v1`,
      apiKey: KEY,
    });
    expectNo(await seen(embeddings.embedQuery("a")), KEY);
  });
});

describe("sources of keys", () => {
  const none = { apiKey: undefined };
  const PATH_KEY = "4f1c0ffee4f1c0ffee";
  it.each<[string, string, Settings]>([
    [
      "a header of the caller's",
      "tok-4f1c0ffee",
      { ...none, headers: { Authorization: "Bearer tok-4f1c0ffee" } },
    ],
    ["a member of params", "hunter-two-three", { params: { extra: { user_token: "hunter-two-three" } } }],
    ["a custom header", "hunter-two-three", { headers: { "x-gateway-key": "hunter-two-three" } }],
    [
      "a custom header that does not say so",
      "4f1c0ffee4f1c0ffee4f",
      { headers: { "x-who": "4f1c0ffee4f1c0ffee4f" } },
    ],
    ["a short key", "s3cr3t", { apiKey: "s3cr3t" }],
    [
      "a password",
      "hunter:two-thrée",
      {
        ...none,
        headers: { authorization: `Basic ${Buffer.from("ann:hunter:two-thrée").toString("base64")}` },
      },
    ],
    [
      "a key as a user",
      "hunter-two-three",
      { ...none, headers: { authorization: `Basic ${btoa("hunter-two-three:")}` } },
    ],
    ["a cookie", "hunter-two", { headers: { cookie: "theme=dark; session=hunter-two; id=7" } }],
    ["the last cookie", "hunter=two", { headers: { Cookie: "session=hunter=two" } }],
  ])("%s", async (_, key, settings) => {
    server.script.push({ status: 401, body: `Bad key "${key}"\\n${key}` });
    expectNo(await seen(judge(settings)({})), key);
    server.script.push(says({ reasoning: `The key is ${key}\n${key}`, score: true }));
    expectNo(await seen(judge(settings)({})), key);
  });

  it.each(["base64", "base64url"] as const)("a key in %s, alone and in the sent form", async (encoding) => {
    for (const key of [KEY, "sk-????>>>>~~~~4f1c0ffe"]) {
      for (const sent of [key, `Bearer ${key}`]) {
        const echoed = Buffer.from(sent).toString(encoding);
        server.script.push({ status: 401, body: `You sent ${echoed}.` });
        expectNo(await seen(judge({ apiKey: key })({})), echoed.replaceAll("=", ""));
        server.script.push(says({ reasoning: `You sent ${echoed}.`, score: true }));
        expectNo(await seen(judge({ apiKey: key })({})), echoed.replaceAll("=", ""));
      }
    }
  });

  it.each(["base64", "base64url"] as const)("a key in %s, after a text of any length", async (encoding) => {
    for (const key of [KEY, "sk-????>>>>~~~~4f1c0ffe"]) {
      for (const before of ["u", "us", "user:", "user:a", "Bearer ", '{"key":"'])
        for (const after of ["", ":", '"}', "&x=1"]) {
          const echoed = Buffer.from(before + key + after).toString(encoding);
          server.script.push({ status: 401, body: `You sent ${echoed}.` });
          const text = await seen(judge({ apiKey: key })({}));
          const decoded = (text.match(/[\w+/=-]{8,}/g) ?? []).flatMap((word) =>
            ["", "A", "AA", "AAA"].map((shift) => Buffer.from(shift + word, encoding).toString("latin1")),
          );
          expect(decoded.filter((word) => word.includes(key.slice(3, -3)))).toEqual([]);
          expect(text).toContain("[redacted]");
        }
    }
  });

  it.each(["reasoning", "REASONING", "tone-of-voice"])("the key %s is a word of answers", async (apiKey) => {
    const outputSchema = {
      type: "object",
      properties: { reasoning: { type: "string" }, "tone-of-voice": { type: "string" } },
      required: ["reasoning", "tone-of-voice"],
    };
    const verdict = { reasoning: "It is kind.", "tone-of-voice": "kind" };
    server.script.push(says(verdict));
    expect(await judge({ apiKey }, { outputSchema })({})).toEqual(verdict);
    server.script.push({ status: 401, body: `Bad key "${apiKey}"` });
    expectNo((await judge({ apiKey })({}).catch((error) => error)).message, apiKey);
  });

  it.each([
    ["the path", `/proxy/${PATH_KEY}/v1`, PATH_KEY],
    ["the path, by its name", "/my-secret-token/v1", "my-secret-token"],
    ["the query", `/v1?key=${PATH_KEY}&api-version=2024-10-21`, PATH_KEY],
  ])("%s of baseURL", async (_, path, key) => {
    const settings = { ...none, baseURL: server.url + path };
    server.script.push({ status: 404, body: `No route ${path}` });
    expectNo(await seen(judge(settings)({})), key);
    server.script.push(says({ reasoning: `I am at ${path}`, score: true }));
    expectNo(await seen(judge(settings)({})), key);
    server.script.push({ fault: "reset" });
    expect(await seen(judge(settings)({}))).not.toContain(key);
  });

  it("addresses without secrets are shown", async () => {
    const baseURL = `${server.url}/openai/deployments/gpt-4o-mini-2024-07-18`;
    server.script.push({ status: 404, body: "no" });
    expect(await seen(judge({ baseURL })({}))).toContain(`${baseURL}/chat/completions answered`);
  });

  it("a short key that is an ordinary word is only removed from errors, as a whole word", async () => {
    server.script.push({ status: 401, body: "Is ollama a key? Not ollamas or 0llama." });
    expect(await seen(judge({ apiKey: "ollama" })({}))).toContain(
      "Is [redacted] a key? Not ollamas or 0llama.",
    );
    for (const apiKey of ["ollama", "true", "none", "2024", "x"]) {
      const reasoning = "It is true: none but ollama had x in 2024.";
      server.script.push(says({ reasoning, score: true }));
      expect(await judge({ apiKey })({})).toMatchObject({ score: true, comment: reasoning });
    }
  });

  it.each([
    "x-pass",
    "x-pwd",
    "x-passphrase",
    "x-bearer",
    "x-otp",
    "x-hmac",
    "x-team-pat",
  ])("a secret in the header %s is removed from answers", async (name) => {
    const secret = "correct-horse-battery";
    server.script.push(says({ reasoning: `You sent ${secret}.`, score: true }));
    expectNo(await seen(judge({ headers: { [name]: secret } })({})), secret);
  });

  it.each(["code", "pass", "pwd"])("a secret in the parameter %s is removed from answers", async (name) => {
    const secret = "correct-horse-battery";
    server.script.push(says({ reasoning: `You sent ${secret}.`, score: true }));
    expectNo(await seen(judge({ baseURL: `${server.url}/v1?${name}=${secret}` })({})), secret);
  });

  it("ordinary words in headers are not removed from answers", async () => {
    server.script.push(says({ reasoning: "A friendly evaluation.", score: true }));
    const headers = {
      "x-title": "evaluation of friendly things",
      "x-compat": "friendly",
      "x-passing": "evaluation",
    };
    expect((await judge({ headers })({})).comment).toBe("A friendly evaluation.");
  });
});

describe("a key in the error of a function or client that is a model", () => {
  const FROM_ENVIRONMENT = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
  afterEach(() => vi.unstubAllEnvs());

  const failing = (error: Error) =>
    createLLMAsJudge({ prompt: "{outputs}", judge: () => Promise.reject(error), feedbackKey: "judged" });

  it.each([
    ["of the environment", FROM_ENVIRONMENT],
    ["in the format of a provider", "sk-proj-abcdefghijklmnopqrstuvwxyz123456"],
    ["in a header", "Bearer 0f1e2d3c4b5a69788796a5b4c3d2e1f0"],
    ["in an address", "https://example.com/?key=AIzaSyA1234567890abcdefghijk"],
    ["in an address, without a known format", "https://example.com/?api_key=plainquery12345"],
    ["in the path of an address", "https://example.com/ghp_a1B2c3D4e5F6g7H8i9J0"],
    ["in a header with its name", "x-api-key: qwertyuiop123"],
    ...["glpat-", "npm_", "tvly-", "dop_v1_", "ya29.", "SG."].map((start) => [
      `in the format ${start}`,
      `${start}a1B2c3D4e5F6g7H8i9J0`,
    ]),
  ])("%s is in no error, result or report", async (_, shown) => {
    vi.stubEnv("MY_MODEL_API_KEY", FROM_ENVIRONMENT);
    const secret = shown.split(/[ =/]/).at(-1) as string;
    const cause = new Error(`sent ${shown}`);
    const error = Object.assign(new RangeError(`401 for ${shown}.`, { cause }), { status: 401 });
    const judge = failing(error);
    const text = await seen(judge({ outputs: "a" }));
    expectNo(text, secret);
    expect(text).toContain("The call to the model failed: 401 for ");
    const experiment = await evaluate(async () => "a", { data: [{ inputs: "q" }], evaluators: [judge] });
    expect(experiment.rows[0]?.errors).toMatchObject([{ error: { code: "callback_failed" } }]);
    expectNo(JSON.stringify(experiment) + (await renderReport(experiment)), secret);
  });

  it.each<[string, object]>([
    ["headers", { headers: new Headers({ authorization: `Bearer ${FROM_ENVIRONMENT}` }) }],
    ["a map", { config: new Map([["key", FROM_ENVIRONMENT]]) }],
    ["a set", { keys: new Set([FROM_ENVIRONMENT]) }],
  ])("is found in %s of an error", async (_, members) => {
    vi.stubEnv("MY_MODEL_API_KEY", FROM_ENVIRONMENT);
    const error = Object.assign(new Error("unauthorized"), members);
    expect(await seen(failing(error)({ outputs: "a" }))).not.toContain(FROM_ENVIRONMENT);
  });

  it("is found in the errors of an AggregateError", async () => {
    vi.stubEnv("MY_MODEL_API_KEY", FROM_ENVIRONMENT);
    const error = new AggregateError([new Error(`sent ${FROM_ENVIRONMENT}`)], "all failed");
    expect(await seen(failing(error)({ outputs: "a" }))).not.toContain(FROM_ENVIRONMENT);
  });

  it.each([
    [
      "OpenAI",
      (fail: () => Promise<never>) => ({ judge: { chat: { completions: { create: fail } } }, model: "m" }),
    ],
    ["Workers AI", (fail: () => Promise<never>) => ({ judge: { run: fail }, model: "@cf/m" })],
    [
      "LangChain",
      (fail: () => Promise<never>) => ({
        judge: { invoke: fail, withStructuredOutput: () => ({ invoke: fail }) },
      }),
    ],
  ])("is hidden in errors of a client of %s, too", async (_, judgeOf) => {
    vi.stubEnv("MY_MODEL_API_KEY", FROM_ENVIRONMENT);
    for (const secret of [FROM_ENVIRONMENT, "nvapi-abcdefghijklmnopqrstuvwxyz123456"]) {
      const fail = () => Promise.reject(Object.assign(new Error(`401 for ${secret}.`), { status: 401 }));
      const judge = createLLMAsJudge({ prompt: "{outputs}", ...judgeOf(fail) } as never);
      const text = await seen(judge({ outputs: "a" }));
      expectNo(text, secret);
      expect(text).toContain("401 for [redacted]");
    }
  });

  it("keeps the kind of our own errors, and errors without keys", async () => {
    const limited = new OpenEvalsError("rate_limited", "no more for sk-abcdefgh12345678901", { status: 429 });
    const error = await failing(limited)({ outputs: "a" }).catch((error) => error);
    expect(error).toMatchObject({ code: "rate_limited", message: "no more for [redacted]", status: 429 });
    for (const own of [
      new RangeError("sk-learn and hf_hub_download are no keys"),
      new RangeError("duplicate key: order_20260101, unexpected token: a1b2c3d4e5"),
      new RangeError("boom"),
    ])
      expect((await failing(own)({ outputs: "a" }).catch((error) => error)).cause).toBe(own);
  });
});
