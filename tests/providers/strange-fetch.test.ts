/** A custom `fetch` may return anything: the result is a typed error or a score. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { errorOf, KEY, YES } from "./judges.js";
import { completion } from "./servers/openai.js";

const BODY = (completion(YES) as { body: string }).body;

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;
const ask = (fetch: (url: string, init: RequestInit) => unknown, settings: Settings = {}) => {
  const options = { apiKey: KEY, maxRetries: 0, fetch: fetch as typeof globalThis.fetch, ...settings };
  return createLLMAsJudge({ prompt: "", judge: initChatModel("openai:gpt-5.4", options) })({});
};

/** Unhandled rejections. Vitest reports them only at the end, without the test. */
const uncaught: unknown[] = [];
const note = (thrown: unknown) => void uncaught.push(thrown);
beforeAll(() => {
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
});
afterAll(() => {
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
});
afterEach(async () => {
  await new Promise((turn) => setTimeout(turn, 1));
  expect(uncaught.splice(0)).toEqual([]);
});

const never = () => new Promise(() => {});
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
/** An object with a property that throws when it is read. */
const withTrap = (name: string, rest: object) =>
  Object.defineProperty({ ...rest }, name, {
    get: throwing(new Error(`${name} is a trap`)),
    enumerable: true,
  });

describe("an answer without a stream", () => {
  const headers = new Headers();
  it.each<[string, object]>([
    ["no body at all", { status: 200, headers, text: async () => BODY }],
    ["a body that is null", { status: 200, body: null, text: async () => BODY }],
    ["a stream of another kind", { status: 200, body: { pipe() {} }, text: async () => BODY }],
    ["a text that is there at once", { status: 200, text: () => BODY }],
  ])("%s", async (_, response) => {
    expect((await ask(async () => response)).score).toBe(true);
    expect((await ask(() => response)).score).toBe(true);
  });

  it("has the same limit", async () => {
    const answer = (length: number) => async () => ({ status: 200, text: async () => BODY.padEnd(length) });
    expect((await ask(answer(1000), { maxResponseBytes: 1000 })).score).toBe(true);
    const error = await errorOf(ask(answer(1001), { maxResponseBytes: 1000 }));
    expect(error).toMatchObject({ code: "provider_error", status: 200 });
    expect(error.message).toContain("more than 1000 bytes (maxResponseBytes)");
  });

  it("is reported as an error of any length", async () => {
    const text = async () => "Nothing works. ".repeat(10_000_000);
    const error = await errorOf(ask(async () => ({ status: 400, headers, text })));
    expect(error).toMatchObject({ code: "provider_error", status: 400 });
    expect(error.message).toContain("HTTP status 400: Nothing works.");
    expect(error.message.length).toBeLessThan(500);
  });

  it("ends with timeoutMs and with the signal", async () => {
    const stalled = async () => ({ status: 200, text: never });
    expect((await errorOf(ask(stalled, { timeoutMs: 30 }))).code).toBe("timeout");
    const { signal } = new AbortController();
    expect(signal.aborted).toBe(false);
    const asked = ask(stalled, { signal: AbortSignal.timeout(30) });
    expect((await errorOf(asked)).code).toBe("aborted");
  });
});

describe("invalid responses", () => {
  it.each<[string, () => unknown, string]>([
    ["a fetch that throws", throwing(new Error("no network")), "failed: no network"],
    ["a text that is thrown", throwing("no network"), "failed: no network"],
    ["undefined that is thrown", throwing(undefined), "a value other than an error was thrown"],
    ["null that is a rejection", () => Promise.reject(null), "a value other than an error was thrown"],
    ["an error with traps", throwing(withTrap("message", {})), "a value other than an error was thrown"],
    ["an endless message", throwing(new Error("no network ".repeat(10_000_000))), "failed: no network"],
    ["undefined", () => undefined, "fetch resolved to something other than a response"],
    ["a promise of undefined", async () => undefined, "something other than a response"],
    ["null", async () => null, "something other than a response"],
    ["a text", async () => BODY, "something other than a response"],
    ["a thenable that throws", () => withTrap("then", {}), "then is a trap"],
    ["an empty object", async () => ({}), "something other than a response"],
    ["no status", async () => ({ ok: true, text: async () => BODY }), "something other than a response"],
    ["a status that throws", async () => withTrap("status", { text: async () => BODY }), "status is a trap"],
    ["a body that throws", async () => withTrap("body", { status: 200 }), "body is a trap"],
    ["no text", async () => ({ status: 200 }), "text is not a function"],
    ["a text that throws", async () => ({ status: 200, text: throwing(new Error("torn")) }), "torn"],
    ["a text that is none", async () => ({ status: 200, text: async () => 7 }), "the answer is not a string"],
    ["a text that is an object", async () => ({ status: 200, text: async () => ({}) }), "not a string"],
    ["a text with a trap", async () => ({ status: 200, text: () => withTrap("then", {}) }), "then is a trap"],
    ["a reader that throws", async () => ({ status: 200, body: { getReader: throwing("busy") } }), "busy"],
    [
      "a reader that reads nothing",
      async () => ({ status: 200, body: { getReader: () => ({ read: () => undefined, cancel() {} }) } }),
      "failed",
    ],
    [
      "chunks that are no bytes",
      async () => ({ status: 200, body: ReadableStream.from([BODY, BODY, BODY]) }),
      "failed",
    ],
    [
      "a body that breaks off",
      async () => {
        const start = (to: ReadableStreamDefaultController) => to.error(new Error("torn off"));
        return new Response(new ReadableStream({ start }));
      },
      "torn off",
    ],
  ])("%s", async (_, fetch, words) => {
    const error = await errorOf(ask(fetch));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain(words);
    expect(error.message.length).toBeLessThan(500);
  });

  it("a body that was read before, or is being read", async () => {
    const used = async () => {
      const response = new Response(BODY);
      await response.text();
      return response;
    };
    expect((await errorOf(ask(used))).message).toMatch(/The request to \S+ failed: .*(read|used)/i);
    const locked = async () => {
      const response = new Response(BODY);
      response.body?.getReader();
      return response;
    };
    expect((await errorOf(ask(locked))).message).toMatch(/The request to \S+ failed: .*locked/i);
  });

  it.each([
    [0, 0],
    [99, 99],
    [700, 700],
    [404.5, 404],
    [-200, 0],
    [Number.NaN, 0],
  ])("a status %d", async (status, read) => {
    const error = await errorOf(ask(async () => ({ status, text: async () => "" })));
    expect(error).toMatchObject({ code: "provider_error", status: read, attempts: 1 });
  });

  it.each([
    ["200"],
    [200n],
    [Symbol("200")],
    [{ valueOf: throwing(new Error("trap")) }],
  ])("a status that is not a number", async (status) => {
    const error = await errorOf(ask(async () => ({ status, text: async () => "" })));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain("something other than a response");
  });

  it.each<[string, unknown]>([
    ["none", undefined],
    ["that throw", { get: throwing(new Error("trap")) }],
    ["that are numbers", { get: () => 7 }],
    ["of 100 KB", { get: () => "9".repeat(100_000) }],
    ["of 200 MB", { get: () => "x ".repeat(100_000_000) }],
  ])("headers %s", async (_, headers) => {
    const error = await errorOf(ask(async () => ({ status: 400, headers, text: async () => "" })));
    expect(error).toMatchObject({ code: "provider_error", status: 400, attempts: 1 });
    expect(error.requestId?.length ?? 0).toBeLessThan(500);
  });

  it("the key in the request id is removed", async () => {
    const headers = { get: (name: string) => (name === "x-request-id" ? `req ${KEY}` : null) };
    const error = await errorOf(ask(async () => ({ status: 400, headers, text: async () => KEY })));
    expect(error.requestId).toBe("req [redacted]");
  });
});

/** A thenable that never calls back. */
class Forgetful {
  // biome-ignore lint/suspicious/noThenProperty: thenables are the subject of this test.
  then() {}
}

describe("a fetch that never settles", () => {
  it.each<[string, () => unknown]>([
    ["for ever", never],
    ["a thenable that forgets", () => new Forgetful()],
    ["with bodies that stall", async () => new Response(new ReadableStream())],
    [
      "with a reader that forgets",
      async () => ({ status: 200, body: { getReader: () => ({ read: never }) } }),
    ],
    [
      "with empty pieces, always at once",
      async () => new Response(new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(0)) })),
    ],
  ])("%s", async (_, fetch) => {
    const error = await errorOf(ask(fetch, { timeoutMs: 60 }));
    expect(error).toMatchObject({ code: "timeout", attempts: 1 });
  });

  it("is aborted, even if it ignores signals", async () => {
    const ended: string[] = [];
    const body = (cancel: () => unknown) => ({ status: 200, body: new ReadableStream({ cancel }) });
    const noting = async (_: string, { signal }: RequestInit) => {
      signal?.addEventListener("abort", () => ended.push("request"));
      return body(() => ended.push("body"));
    };
    expect((await errorOf(ask(noting, { timeoutMs: 30 }))).code).toBe("timeout");
    expect(ended.sort()).toEqual(["body", "request"]);
    const refusing = async () => body(throwing(new Error("I go on")));
    expect((await errorOf(ask(refusing, { timeoutMs: 30 }))).code).toBe("timeout");
  });

  it("may settle later, with an answer or an error", async () => {
    for (const late of [() => new Response(BODY), throwing(new Error("too late"))]) {
      let back!: () => void;
      const fetch = () => new Promise<void>((resolve) => (back = resolve)).then(late);
      expect((await errorOf(ask(fetch, { timeoutMs: 30 }))).code).toBe("timeout");
      back();
    }
  });
});

describe("a fetch that calls back synchronously", () => {
  it("as a thenable", async () => {
    const then = (resolve: (response: Response) => void) => resolve(new Response(BODY));
    expect((await ask(() => ({ then }))).score).toBe(true);
  });

  it("with the signal", async () => {
    const controller = new AbortController();
    const fetch = () => {
      controller.abort();
      return new Response(BODY);
    };
    expect((await errorOf(ask(fetch, { signal: controller.signal }))).code).toBe("aborted");
  });

  it("with another request to the same model", async () => {
    let depth = 0;
    const model = initChatModel("openai:gpt-5.4", {
      apiKey: KEY,
      fetch: async () => {
        if (depth++ < 20) expect((await evaluator({})).score).toBe(true);
        return new Response(BODY);
      },
    });
    const evaluator = createLLMAsJudge({ prompt: "", judge: model });
    expect((await evaluator({})).score).toBe(true);
    expect(depth).toBe(21);
  });
});

it("ten thousand requests leave no listeners on the signal", async () => {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
  signal.addEventListener = (type: string, listener: any) => {
    listeners.add(listener);
    add(type, listener);
  };
  signal.removeEventListener = (type: string, listener: any) => {
    listeners.delete(listener);
    remove(type, listener);
  };
  const fetch = (async () => ({ status: 200, text: async () => BODY })) as unknown as typeof globalThis.fetch;
  const judge = initChatModel("openai:gpt-5.4", { apiKey: KEY, signal, fetch });
  const evaluator = createLLMAsJudge({ prompt: "", judge });
  const rows = Array.from({ length: 1000 }, () => ({}));
  for (let i = 0; i < 10; i++) await evaluator.batch(rows);
  expect(listeners.size).toBe(0);
});
