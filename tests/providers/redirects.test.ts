/** Redirects: keys and prompts are only sent to the given origin. */
import { createLLMAsJudge, initChatModel, initEmbeddings } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { ask, DISTINCT, errorOf, KEY, providerNamed, YES } from "./judges.js";
import { startLoopback } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

const elsewhere = sharedServer(() => startLoopback(() => undefined));

const to = (status: number, location: string) => ({ status, headers: { location }, body: "" });
const REDIRECTS = [301, 302, 303, 307, 308];

describe.each(DISTINCT)("$name", (provider) => {
  const server = sharedServer(() => provider.start());

  it.each(REDIRECTS)("%d does not lead to another origin", async (status) => {
    server.script.push(to(status, `${elsewhere.url}/stolen?code=c0de-secret`));
    elsewhere.script.push({ body: "{}" });
    const error = await errorOf(ask(provider, server));
    expect(error).toMatchObject({ code: "provider_error", status, attempts: 1 });
    expect(error.message).toContain(`redirects to ${elsewhere.url}, which must not receive the key`);
    expect(error.message).toContain("baseURL");
    expect(error.message).not.toContain("c0de-secret");
    expect(elsewhere.requests).toHaveLength(0);
  });

  it.each([307, 308])("%d is followed within the origin, with the body and the key", async (status) => {
    // These servers only support this path, so the redirect leads back to it.
    server.script.push(({ path }) => to(status, path), provider.says(YES));
    const result = await ask(provider, server);
    expect(result.score).toBe(true);
    const [first, second] = server.requests;
    expect(second?.body).toEqual(first?.body);
    expect(second?.headers).toEqual(first?.headers);
  });
});

describe("OpenAI", () => {
  const provider = providerNamed("OpenAI");
  const server = sharedServer(() => startLoopback(() => undefined));

  const model = (options = {}) =>
    initChatModel("openai:gpt-5.4", { baseURL: `${server.url}/v1`, apiKey: KEY, ...options });
  const judged = (options = {}) => createLLMAsJudge({ prompt: "Is it?", judge: model(options) })({});

  it("with a redirect that would drop the prompt is an error that says so", async () => {
    server.script.push(to(301, "/elsewhere?code=secret"));
    const error = await errorOf(judged());
    expect(error).toMatchObject({ code: "provider_error", status: 301, attempts: 1 });
    expect(error.message).toContain(
      `redirects to ${server.url}/elsewhere with HTTP status 301, which drops the prompt; only 307 and 308 are followed.`,
    );
    expect(error.message).not.toContain("secret");
    expect(server.requests).toHaveLength(1);
  });

  it("follows relative redirects, up to twenty times", async () => {
    server.script.push(to(307, "a/b?c=d"), to(308, "../x"), provider.says(YES));
    expect((await judged()).score).toBe(true);
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/v1/chat/completions",
      "/v1/chat/a/b?c=d",
      "/v1/chat/x",
    ]);
    server.requests.length = 0;
    server.script.push(...Array.from({ length: 30 }, () => to(307, "/again")));
    const error = await errorOf(judged());
    expect(error).toMatchObject({ code: "provider_error", status: 307, attempts: 1 });
    expect(error.message).toContain("/v1/chat/completions redirects too often.");
    expect(server.requests).toHaveLength(21);
    server.script.length = 0;
  });

  it.each([
    ["//127.0.0.1:1/x", "http://127.0.0.1:1"],
    ["\\\\127.0.0.1:1/x", "http://127.0.0.1:1"],
    ["https://127.0.0.1/x", "https://127.0.0.1"],
    ["http://user:pass@127.0.0.1:1/", "http://127.0.0.1:1"],
  ])("is not followed to %s", async (location, origin) => {
    server.script.push(to(307, location));
    const error = await errorOf(judged());
    expect(error.message).toContain(`redirects to ${origin}, which`);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ["javascript:alert(1)", "a javascript: address"],
    ["data:text/plain,x", "a data: address"],
    ["http://[", "an address that the runtime does not reveal"],
    ["file:///etc/passwd", "a file: address"],
  ])("is not followed to %s", async (location, target) => {
    server.script.push(to(308, location));
    const error = await errorOf(judged());
    expect(error).toMatchObject({ code: "provider_error", status: 308 });
    expect(error.message).toContain(`redirects to ${target}, which must not receive the key`);
    expect(server.requests).toHaveLength(1);
  });

  it("with a redirect without an address is an error with its status", async () => {
    server.script.push({ status: 307, body: "Nowhere" });
    const error = await errorOf(judged());
    expect(error.message).toContain("answered with HTTP status 307: Nowhere.");
  });

  it("with the key in the redirect does not reveal it in the error", async () => {
    server.script.push(to(307, `http://${KEY}.test/`));
    const error = await errorOf(judged());
    expect(error.message).toContain("redirects to http://[redacted].test, which");
  });

  it("gets requests from a custom fetch with redirect: manual", async () => {
    const seen: unknown[] = [];
    const fetch = (url: string, init: RequestInit) => {
      seen.push(init.redirect);
      return globalThis.fetch(url, init);
    };
    server.script.push(to(307, `${elsewhere.url}/`));
    const error = await errorOf(judged({ fetch }));
    expect(error.code).toBe("provider_error");
    expect(seen).toEqual(["manual"]);
    expect(elsewhere.requests).toHaveLength(0);
  });

  it("through a fetch that follows anyway is an error, and its answer does not count", async () => {
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, { ...init, redirect: "follow" });
    server.script.push(to(307, `${elsewhere.url}/`));
    elsewhere.script.push(provider.says(YES));
    const error = await errorOf(judged({ fetch }));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain(
      `followed a redirect from ${server.url}/v1/chat/completions to ${elsewhere.url}`,
    );
    // Within the origin, that is accepted, and a failure at its end is an error like any other.
    server.script.push(to(307, "/x"), { status: 404, body: "Nothing here" });
    expect((await errorOf(judged({ fetch }))).message).toContain(
      "answered with HTTP status 404: Nothing here.",
    );
    server.script.push(to(307, "/x"), provider.says(YES));
    expect((await judged({ fetch })).score).toBe(true);
  });

  it("reports that a browser hides the redirect", async () => {
    const fetch = async () => ({
      status: 0,
      type: "opaqueredirect",
      headers: new Headers(),
      body: null,
      text: async () => "",
    });
    const error = await errorOf(judged({ fetch: fetch as never }));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.status).toBeUndefined();
    expect(error.message).toContain("redirects to an address that the runtime does not reveal");
  });

  it("embeddings behave the same", async () => {
    server.script.push(to(308, `${elsewhere.url}/`));
    const embeddings = initEmbeddings("openai:text-embedding-3-small", {
      baseURL: `${server.url}/v1`,
      apiKey: KEY,
    });
    const error = await errorOf(embeddings.embedQuery("secret text"));
    expect(error.message).toContain(`redirects to ${elsewhere.url}`);
    expect(elsewhere.requests).toHaveLength(0);
  });
});
