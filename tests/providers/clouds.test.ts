/** Cloud platforms: authentication and addresses. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsV4Signer } from "aws4fetch";
import { createLLMAsJudge, initChatModel, initEmbeddings } from "openevals-wasm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { linkPackage } from "../package.js";
import { AT_ONCE, ask, errorOf, KEY, PROMPT, providerNamed, ROW, YES } from "./judges.js";
import { CLAUDE, failure, message, PROFILE, REGION, startBedrock } from "./servers/bedrock.js";
import type { Json, Loopback } from "./servers/loopback.js";
import { PNG } from "./servers/refusing.js";
import { bedrockClient, converse } from "./servers/sdks.js";
import { EXPRESS_KEY, LOCATION, PROJECT, startVertex } from "./servers/vertex.js";
import { sharedServer } from "./shared-server.js";

const CREDENTIALS = {
  accessKeyId: "AKIA4F1C0FFEE",
  secretAccessKey: "c2VjcmV0/4f1c0ffee+secret",
  sessionToken: "IQoJb3JpZ2luX2VjE4f1c0ffee//token==",
};
const SECRETS = Object.values(CREDENTIALS);

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;
const judgeOf = (name: string, settings: Settings, more = {}) =>
  createLLMAsJudge({ prompt: PROMPT, judge: initChatModel(name, { maxRetries: 0, ...settings }), ...more });

beforeEach(() => {
  for (const name of [
    ...["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
    ...["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    ...["GOOGLE_VERTEX_API_KEY", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION", "GOOGLE_VERTEX_BASE_URL"],
  ])
    vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

describe("Bedrock, with signatures", () => {
  const server = sharedServer(() => startBedrock(KEY, CREDENTIALS));

  const name = `bedrock:${CLAUDE}`;
  const settings = (more: Settings = {}): Settings => ({
    baseURL: server.url,
    region: REGION,
    credentials: CREDENTIALS,
    ...more,
  });
  const expectNoSecret = (text: unknown) => {
    for (const secret of SECRETS) expect(String(text)).not.toContain(secret);
  };

  it.each([CLAUDE, PROFILE])("the server accepts the signature of the AWS client for %s", async (model) => {
    server.script.push(message("Hello"));
    const answer: Json = await bedrockClient(server.url, CREDENTIALS).send(converse({ model, prompt: "Hi" }));
    expect(answer.output.message.content).toEqual([{ text: "Hello" }]);
  });

  it.each([
    ["another secret", { secretAccessKey: "c2VjcmV0" }],
    ["another key", { accessKeyId: "AKIA0" }],
    ["no session", { sessionToken: undefined as never }],
  ])("and refuses its request with %s", async (_, more) => {
    const client = bedrockClient(server.url, { ...CREDENTIALS, ...more });
    await expect(client.send(converse({ model: CLAUDE, prompt: "Hi" }))).rejects.toThrow(/signature|token/);
  });

  it.each([CLAUDE, PROFILE])("a request for %s is signed", async (model) => {
    server.script.push(message(YES));
    const result = await judgeOf(`bedrock:${model}`, settings())({ ...ROW, outputs: "Астана — “да” 🙂" });
    expect(result).toMatchObject({ score: true, metadata: { model } });
    const [{ path, headers }] = server.requests as [Loopback["requests"][0]];
    expect(path).toBe(`/model/${encodeURIComponent(model)}/converse`);
    expect(headers.authorization).toContain(`/${REGION}/bedrock/aws4_request`);
  });

  it("every attempt is signed, with credentials that are requested once", async () => {
    const credentials = vi.fn(async () => ({ ...CREDENTIALS, expiration: new Date(), accountId: "1" }));
    server.script.push({ ...failure(503, "no"), headers: AT_ONCE }, message(YES));
    const result = await judgeOf(name, settings({ credentials, maxRetries: 2 }))(ROW);
    expect(result.metadata.attempts).toBe(2);
    expect(server.requests).toHaveLength(2);
    expect(credentials).toHaveBeenCalledTimes(1);
  });

  it("credentials and region come from the environment", async () => {
    vi.stubEnv("AWS_ACCESS_KEY_ID", CREDENTIALS.accessKeyId);
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", CREDENTIALS.secretAccessKey);
    vi.stubEnv("AWS_SESSION_TOKEN", CREDENTIALS.sessionToken);
    vi.stubEnv("AWS_DEFAULT_REGION", REGION);
    vi.stubEnv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.url);
    server.script.push(message(YES));
    expect((await createLLMAsJudge({ prompt: PROMPT, model: name })(ROW)).score).toBe(true);
    // A key takes precedence.
    vi.stubEnv("AWS_BEARER_TOKEN_BEDROCK", KEY);
    server.script.push(message(YES));
    expect((await createLLMAsJudge({ prompt: PROMPT, model: name })(ROW)).score).toBe(true);
    expect(server.requests.map(({ headers }) => headers.authorization?.split(" ")[0])).toEqual([
      "AWS4-HMAC-SHA256",
      "Bearer",
    ]);
  });

  it("custom headers and params are signed by a custom signer", async () => {
    server.script.push(message(YES));
    const own = {
      headers: { "X-Trace": "a  b" },
      params: { serviceTier: { type: "flex" } },
      signer: AwsV4Signer,
    };
    expect((await judgeOf(name, settings(own))(ROW)).score).toBe(true);
    expect(server.requests[0]!.headers["x-trace"]).toBe("a  b");
    expect(server.requests[0]!.body.serviceTier).toEqual({ type: "flex" });
  });

  it("secrets in a server's echo of the signature are removed", async () => {
    const wrong = { ...CREDENTIALS, secretAccessKey: "c2VjcmV0/4f1c0ffee+wrong" };
    const error = await errorOf(judgeOf(name, settings({ credentials: wrong }))(ROW));
    expect(error).toMatchObject({ code: "provider_error", status: 403, requestId: "req_7c1f" });
    expect(error.message).toContain("does not match the signature");
    for (const text of [error.message, JSON.stringify(error), error.stack]) expectNoSecret(text);
    server.script.push(message(JSON.stringify({ reasoning: `You are ${SECRETS.join(", ")}.`, score: true })));
    const { comment } = await judgeOf(name, settings())(ROW);
    expect(comment).toBe("You are [redacted], [redacted], [redacted].");
  });

  it.each([
    ["throws", () => Promise.reject(new Error("No profile"))],
    ["gives nothing", async () => undefined],
    ["gives half of them", async () => ({ accessKeyId: CREDENTIALS.accessKeyId })],
    ["gives what fits in no header", async () => ({ ...CREDENTIALS, sessionToken: "a\nb" })],
  ])("a function for credentials that %s is a callback that failed", async (_, credentials) => {
    const error = await errorOf(judgeOf(name, settings({ credentials: credentials as never }))(ROW));
    expect(error).toMatchObject({ code: "callback_failed", message: expect.stringContaining("credentials") });
    expect(server.requests).toHaveLength(0);
    expectNoSecret(error.message);
  });

  it("missing options are named", async () => {
    const error = await errorOf(judgeOf(name, { region: REGION })(ROW));
    expect(error.code).toBe("invalid_config");
    for (const needed of ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "credentials"])
      expect(error.message).toContain(needed);
    const placeless = await errorOf(judgeOf(name, { credentials: CREDENTIALS })(ROW));
    expect(placeless).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("AWS_REGION"),
    });
    const wrong = await errorOf(judgeOf(name, settings({ credentials: "AKIA" as never }))(ROW));
    expect(wrong).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("secretAccessKey"),
    });
  });

  it("a missing signer package is named", () => {
    const folder = mkdtempSync(join(tmpdir(), "clouds-"));
    linkPackage(folder);
    const script = `
      import { createLLMAsJudge, initChatModel } from "openevals-wasm";
      const judge = initChatModel("${name}", {
        region: "${REGION}", credentials: { accessKeyId: "a", secretAccessKey: "b" },
      });
      const error = await createLLMAsJudge({ prompt: "Is it?", judge })({}).catch((error) => error);
      console.log(error.name, error.code, error.message);`;
    const options = ["--preserve-symlinks", "--input-type=module", "--eval", script];
    const { stdout, stderr } = spawnSync(process.execPath, options, { cwd: folder, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^OpenEvalsError invalid_config /);
    expect(stdout).toContain("npm install aws4fetch");
  });

  it("a custom client does not sign", async () => {
    const own = { baseURL: server.url, region: REGION };
    const error = await errorOf(judgeOf(name, own)(ROW));
    expect(error).toMatchObject({
      status: 403,
      message: expect.stringContaining("Missing Authentication Token"),
    });
  });
});

describe("Bedrock", () => {
  const bedrock = providerNamed("Bedrock");
  const server = sharedServer(() => bedrock.start());

  it("throttles with any status; the type of the error counts", async () => {
    const throttled = failure(
      400,
      "Too many tokens, please wait before trying again.",
      "ThrottlingException",
    );
    server.script.push(
      { ...throttled, headers: { ...(throttled as Json).headers, ...AT_ONCE } },
      bedrock.says(YES),
    );
    expect((await ask(bedrock, server)).metadata.attempts).toBe(2);
    server.script.push(throttled);
    const error = await errorOf(ask(bedrock, server, {}, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: "rate_limited", status: 400, requestId: "req_7c1f" });
  });

  it("refuses images of other types", async () => {
    const judge = judgeOf(bedrock.model, bedrock.options(server), { prompt: "Look: {attachments}" });
    const error = await errorOf(judge({ attachments: { mime_type: "image/tiff", data: PNG } }));
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("bedrock") });
    expect(server.requests).toHaveLength(0);
  });

  it("is also called amazon-bedrock, and refuses settings of other clouds", () => {
    initChatModel(`amazon-bedrock:${CLAUDE}`, { region: REGION });
    for (const [model, options, option] of [
      [bedrock.model, { project: "a" }, "project"],
      ["openai:gpt-5.4", { region: "eu-central-1" }, "region"],
      ["vertex:gemini-3.8-flash", { credentials: CREDENTIALS }, "credentials"],
      [bedrock.model, { region: "evil.test/" }, "region"],
    ] as [string, Settings, string][])
      expect(() => initChatModel(model, options)).toThrow(
        expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(option) }),
      );
    for (const model of [bedrock.model, "vertex:text-embedding-005", "foundry:a"])
      expect(() => initEmbeddings(model)).toThrow(/embeddings/);
  });
});

it.each<[string, unknown]>([
  ["vertex:gemini-3", { project: "p", location: 7 }],
  ["vertex:gemini-3", { project: ["p"] }],
  ["vertex:gemini-3", { project: ".." }],
  [`bedrock:${CLAUDE}`, { region: ["us-east-1"] }],
  [`bedrock:${CLAUDE}`, { signer: () => undefined }],
  ["bedrock:..", { region: "us-east-1" }],
  ["bedrock:\ud800", { region: "us-east-1" }],
  ["openai:\ud800", {}],
])("%s with %o cannot work, which is said at once", (model, options) => {
  expect(() => initChatModel(model, { apiKey: KEY, ...(options as Settings) })).toThrow(
    expect.objectContaining({ code: "invalid_config" }),
  );
});

describe("Vertex AI", () => {
  const server = sharedServer(() => startVertex(KEY));

  const google = providerNamed("Vertex");
  const urls: string[] = [];
  /** Records the address, and redirects the request to the server. */
  const forwarding: typeof fetch = (input, init) => {
    urls.push(String(input));
    return fetch(server.url + new URL(String(input)).pathname, init);
  };
  beforeEach(() => {
    urls.length = 0;
  });

  it("takes a token from a function, for a project", async () => {
    server.script.push(google.says(YES));
    const judge = judgeOf("google-vertex:gemini-3.8-flash", {
      apiKey: async () => KEY,
      project: PROJECT,
      location: LOCATION,
      fetch: forwarding,
    });
    expect((await judge(ROW)).score).toBe(true);
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it.each([
    ["global", "https://aiplatform.googleapis.com/"],
    ["eu", "https://aiplatform.eu.rep.googleapis.com/"],
    ["us-east5", "https://us-east5-aiplatform.googleapis.com/"],
    [undefined, "https://aiplatform.googleapis.com/"],
  ])("in the location %s is at %s", async (location, host) => {
    for (const name of ["gemini-3.8-flash", "claude-opus-5-5@20260401"]) {
      const judge = judgeOf(`vertex:${name}`, {
        apiKey: () => KEY,
        project: "a.b:c-1",
        location,
        fetch: forwarding,
      });
      await errorOf(judge(ROW));
      const url = urls.at(-1)!;
      expect(url.startsWith(host)).toBe(true);
      expect(url).toContain(`/projects/a.b:c-1/locations/${location ?? "global"}/publishers/`);
    }
  });

  it("takes a key without a project (express mode)", async () => {
    vi.stubEnv("GOOGLE_CLOUD_PROJECT", PROJECT);
    vi.stubEnv("GOOGLE_CLOUD_LOCATION", LOCATION);
    vi.stubEnv("GOOGLE_VERTEX_API_KEY", EXPRESS_KEY);
    for (const apiKey of [EXPRESS_KEY, undefined]) {
      server.script.push(google.says(YES));
      expect((await judgeOf("vertex:gemini-3.8-flash", { apiKey, fetch: forwarding })(ROW)).score).toBe(true);
    }
    expect(new Set(urls)).toEqual(
      new Set([
        "https://aiplatform.googleapis.com/v1beta1/publishers/google/models/gemini-3.8-flash:generateContent",
      ]),
    );
  });

  it("needs a project for a token", async () => {
    const error = await errorOf(judgeOf("vertex:gemini-3.8-flash", { apiKey: () => KEY })(ROW));
    expect(error).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("GOOGLE_CLOUD_PROJECT"),
    });
  });

  it("serves models with a location in their name", async () => {
    const judge = judgeOf("vertex:endpoints/123", { apiKey: () => KEY, project: PROJECT, fetch: forwarding });
    await errorOf(judge(ROW));
    expect(urls[0]).toContain(`/projects/${PROJECT}/locations/global/endpoints/123:generateContent`);
  });
});
