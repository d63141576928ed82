/** Network and provider failures: an error that describes the failure, and never a score. */
import { inspect } from "node:util";
import { initChatModel } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { AT_ONCE, ask, errorOf, KEY, PROVIDERS, providerNamed, YES } from "./judges.js";
import type { Step } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

const HTML = { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Sign in</title>" };

describe.each(PROVIDERS)("$name", (provider) => {
  const server = sharedServer(() => provider.start());

  const failing = (status: number, headers: Record<string, string> = AT_ONCE): Step => ({
    ...provider.failure(status, "Nothing works today"),
    headers,
  });
  const answering = () => provider.says(YES);

  describe("permanent failures", () => {
    it.each([400, 401, 402, 403, 404, 413, 422])("%d is an error at once", async (status) => {
      server.script.push(failing(status), answering());
      const error = await errorOf(ask(provider, server));
      expect(error).toMatchObject({ code: "provider_error", status, attempts: 1 });
      expect(error.message).toContain("Nothing works today");
      expect(server.requests).toHaveLength(1);
    });

    it("an HTML page instead of an answer", async () => {
      server.script.push(HTML);
      const error = await errorOf(ask(provider, server, {}, { maxRetries: 0 }));
      expect(error.code).toBe("provider_error");
      expect(error.message).toContain("Sign in");
    });

    it.each([
      ["half an object", '{"choices": [{"message": {"content": "{\\"score\\": true'],
      ["nothing", ""],
    ])("%s instead of an answer", async (_, body) => {
      server.script.push({ body });
      const error = await errorOf(ask(provider, server, {}, { maxRetries: 0 }));
      expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    });

    it("an error with the status 200 is reported", async () => {
      server.script.push({ ...failing(400), status: 200 });
      const error = await errorOf(ask(provider, server, {}, { maxRetries: 0 }));
      expect(error.code).toBe("provider_error");
      expect(error.message).toContain("Nothing works today");
    });
  });

  describe("temporary failures", () => {
    it.each([408, 409, 429, 500, 502, 503, 504, 529])("%d is retried", async (status) => {
      server.script.push(failing(status), answering());
      const result = await ask(provider, server);
      expect(result.score).toBe(true);
      expect(result.metadata.attempts).toBe(2);
      expect(server.requests[1].body).toEqual(server.requests[0].body);
    });

    it("two retries by default; then 429 is rate_limited", async () => {
      server.script.push(failing(429), failing(429), failing(429), answering());
      const error = await errorOf(ask(provider, server));
      expect(error).toMatchObject({ code: "rate_limited", status: 429, attempts: 3 });
      expect(server.requests).toHaveLength(3);
    });

    it("after the last retry, 503 is provider_error", async () => {
      server.script.push(failing(503), failing(503), answering());
      const error = await errorOf(ask(provider, server, {}, { maxRetries: 1 }));
      expect(error).toMatchObject({ code: "provider_error", status: 503, attempts: 2 });
      expect(server.requests).toHaveLength(2);
    });

    it("maxRetries: 4", async () => {
      server.script.push(failing(500), failing(502), failing(503), failing(429), answering());
      const result = await ask(provider, server, {}, { maxRetries: 4 });
      expect(result.metadata.attempts).toBe(5);
    });

    it("maxRetries: 0 is one attempt", async () => {
      server.script.push(failing(503), answering());
      const error = await errorOf(ask(provider, server, {}, { maxRetries: 0 }));
      expect(error).toMatchObject({ code: "provider_error", status: 503, attempts: 1 });
      expect(server.requests).toHaveLength(1);
    });
  });

  it("an unreachable server is named", async () => {
    const gone = await provider.start();
    await gone.close();
    const error = await errorOf(ask(provider, gone, {}, { maxRetries: 0 }));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.status).toBeUndefined();
    expect(error.message).toContain(new URL(gone.url).host);
  });

  describe("timeouts and signals", () => {
    it.each([
      ["stall"],
      ["stall in the body"],
    ] as const)("a %s ends at timeoutMs, and hangs up", async (fault) => {
      server.script.push({ fault });
      const error = await errorOf(ask(provider, server, {}, { timeoutMs: 250, maxRetries: 0 }));
      expect(error).toMatchObject({ code: "timeout", attempts: 1 });
      expect(error.message).toContain("250");
      await server.requests[0].closed;
    });

    it("an aborted signal sends nothing", async () => {
      const error = await errorOf(ask(provider, server, {}, { signal: AbortSignal.abort() }));
      expect(error.code).toBe("aborted");
      expect(server.requests).toHaveLength(0);
    });

    it("abort ends a request, and closes the connection", async () => {
      const controller = new AbortController();
      server.script.push({ fault: "stall" });
      const asked = ask(provider, server, {}, { signal: controller.signal });
      await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1);
      controller.abort(new Error("changed my mind"));
      const error = await errorOf(asked);
      expect(error).toMatchObject({ code: "aborted", attempts: 1 });
      await server.requests[0].closed;
    });

    it("abort ends the pause before a retry", async () => {
      const controller = new AbortController();
      server.script.push(failing(429, { "retry-after": "30" }), answering());
      const asked = ask(provider, server, {}, { signal: controller.signal });
      await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1);
      controller.abort();
      expect((await errorOf(asked)).code).toBe("aborted");
      expect(server.requests).toHaveLength(1);
    });
  });
});

it.each([
  "OpenAI",
  "Anthropic",
  "Azure",
  "OpenRouter",
  "Bedrock",
])("an error of %s has the id of the request", async (name) => {
  const provider = providerNamed(name);
  const server = await provider.start();
  try {
    server.script.push(provider.failure(400, "Nothing works today"));
    expect((await errorOf(ask(provider, server))).requestId).toBe("req_7c1f");
  } finally {
    await server.close();
  }
});

describe("the key", () => {
  it.each(
    PROVIDERS.filter(({ keyVariables }) => keyVariables.length),
  )("is not in an error of $name, which repeats it", async (provider) => {
    const server = await provider.start();
    try {
      const wrong = `${KEY}-wrong`; // errorOf looks for KEY.
      const error = await errorOf(ask(provider, server, {}, { apiKey: wrong }));
      expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
      expect(error.message).toContain("[redacted]");
      expect(server.requests).toHaveLength(1);
    } finally {
      await server.close();
    }
  });

  it("nor a key from the headers", async () => {
    const openai = providerNamed("OpenAI");
    const server = await openai.start();
    try {
      const headers = { Authorization: `Bearer ${KEY}-wrong` };
      const error = await errorOf(ask(openai, server, {}, { apiKey: undefined, headers }));
      expect(error).toMatchObject({ code: "provider_error", status: 401, requestId: "req_7c1f" });
      expect(error.message).toContain("[redacted]");
    } finally {
      await server.close();
    }
  });

  it.each(PROVIDERS)("is not in the model that initChatModel returns for $name", ({ model, base }) => {
    const chat = initChatModel(model, { apiKey: KEY, baseURL: `https://example.com${base}` });
    expect(inspect(chat, { depth: 20, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(chat) ?? "").not.toContain(KEY);
  });
});
