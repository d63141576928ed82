/**
 * Bodies that are too long, never end, arrive in chunks, or are not streams. All but the last use real
 * connections.
 */
import { spawn } from "node:child_process";
import { gzipSync } from "node:zlib";
import {
  createEmbeddingSimilarityEvaluator,
  createLLMAsJudge,
  initChatModel,
  initEmbeddings,
} from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { AT_ONCE, ask, errorOf, KEY, PROVIDERS, providerNamed, YES } from "./judges.js";
import type { Recorded, Step } from "./servers/loopback.js";
import { completion } from "./servers/openai.js";
import { sharedServer } from "./shared-server.js";

const openai = providerNamed("OpenAI");
const server = sharedServer(() => openai.start());

const DEFAULT_LIMIT = 8_000_000;
const judge = (settings: Parameters<typeof ask>[3] = {}) => ask(openai, server, {}, settings);
const embed = (settings: Parameters<typeof initEmbeddings>[1] = {}) =>
  createEmbeddingSimilarityEvaluator({
    embeddings: initEmbeddings("openai:text-embedding-3-small", { ...openai.options(server), ...settings }),
  })({ outputs: "a", referenceOutputs: "b" });

/** The judge's answer, padded with blanks to this many bytes. */
const padded = (bytes: number) => answerOf(YES).padEnd(bytes);
const answerOf = (text: string) => (completion(text) as { body: string }).body;

/** 100 MB that are compressed to 97 KB. */
const BOMB = gzipSync(`[${"0,".repeat(50_000_000)}0]`);
const bomb = (status: number): Step => ({
  status,
  headers: { "content-encoding": "gzip", ...AT_ONCE },
  body: BOMB,
});

async function* forEver(piece: string) {
  for (;;) {
    yield piece;
    await new Promise((turn) => setImmediate(turn));
  }
}

/** A chunk now, and the next ones with delays; `started` is called with the first. */
async function* slowly(piece: string, started = () => {}) {
  yield piece;
  started();
  for (;;) {
    await new Promise((later) => setTimeout(later, 20));
    yield " ";
  }
}

const closed = () => server.requests[0].closed;

describe.each([
  ["a judge", judge],
  ["embeddings", embed],
])("what %s is answered", (_, asked: typeof judge & typeof embed) => {
  it("is not decompressed beyond the limit", async () => {
    server.script.push(bomb(200));
    const error = await errorOf(asked());
    expect(error).toMatchObject({ code: "provider_error", status: 200, attempts: 1 });
    expect(error.message).toContain("answered with more than 8000000 bytes (maxResponseBytes)");
    await closed();
  });

  it("is not read forever", async () => {
    server.script.push({ chunks: forEver(" ".repeat(60_000)) });
    const error = await errorOf(asked({ maxResponseBytes: 500_000 }));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain("500000 bytes (maxResponseBytes)");
    await closed();
  });

  it("ends with timeoutMs, even if it has begun", async () => {
    server.script.push({ chunks: slowly("[0,") });
    const error = await errorOf(asked({ timeoutMs: 150 }));
    expect(error).toMatchObject({ code: "timeout", attempts: 1 });
    await closed();
  });

  it("ends with the signal", async () => {
    const controller = new AbortController();
    server.script.push({ chunks: slowly("[0,", () => controller.abort()) });
    const error = await errorOf(asked({ signal: controller.signal }));
    expect(error).toMatchObject({ code: "aborted", attempts: 1 });
    await closed();
  });

  it("can be an error of any length, whose beginning is reported", async () => {
    for (const endless of [bomb(400), { status: 400, chunks: forEver("Nothing works. ") }]) {
      server.script.push(endless);
      const error = await errorOf(asked());
      expect(error).toMatchObject({ code: "provider_error", status: 400, attempts: 1 });
      expect(error.message).toMatch(/answered with HTTP status 400: (\[0,0,0|Nothing works\. No).{200,300}…/);
      await server.requests.at(-1)?.closed;
    }
  });
});

describe("an error whose body does not end", () => {
  it("is retried like others", async () => {
    server.script.push(bomb(500), { ...bomb(429) }, completion(YES));
    const { score, metadata } = await judge();
    expect({ score, attempts: metadata.attempts }).toEqual({ score: true, attempts: 3 });
  });

  it("is reported with its status on timeout, and the text so far", async () => {
    server.script.push({ status: 401, chunks: slowly("Who are you?") });
    const error = await errorOf(judge({ timeoutMs: 150 }));
    expect(error).toMatchObject({ code: "provider_error", status: 401, attempts: 1 });
    expect(error.message).toContain("HTTP status 401: Who are you?");
    await closed();
  });

  it("ends with the signal", async () => {
    const controller = new AbortController();
    server.script.push({ status: 500, chunks: slowly("Wait", () => controller.abort()) });
    expect((await errorOf(judge({ signal: controller.signal }))).code).toBe("aborted");
    await closed();
  });

  it("does not reveal the key, even truncated", async () => {
    const words = "Incorrect key: ";
    for (let read = 0; read <= KEY.length; read++) {
      // Blanks are collapsed, so the end of the read text would be visible.
      const body = words.padStart(65_536 - read) + KEY;
      server.script.push({ status: 400, body: body.padEnd(100_000) });
      const { message } = await errorOf(judge());
      expect(message).toContain("status 400: Incorrect key:");
      expect(message).not.toContain(KEY.slice(0, 8));
    }
  });
});

describe("maxResponseBytes", () => {
  it.each(PROVIDERS)("counts the bytes of an answer of $name", async (provider) => {
    const own = await provider.start();
    const says = provider.says("é".repeat(400));
    let bytes = 0;
    const counted = async (request: Recorded) => {
      const step = typeof says === "function" ? await says(request) : says;
      bytes = "body" in step ? Buffer.byteLength(step.body) : 0;
      return step;
    };
    const asked = (maxResponseBytes: number) => {
      // The answer is not a valid verdict, so it is requested twice.
      own.script.splice(0, Infinity, counted, counted);
      return errorOf(ask(provider, own, {}, { maxResponseBytes }));
    };
    try {
      expect((await asked(100_000)).code).toBe("invalid_judge_output");
      expect((await asked(bytes)).code).toBe("invalid_judge_output");
      expect((await asked(bytes - 1)).message).toContain(`more than ${bytes - 1} bytes`);
    } finally {
      await own.close();
    }
  });

  it("defaults to exactly 8,000,000", async () => {
    server.script.push({ body: padded(DEFAULT_LIMIT) }, { body: padded(DEFAULT_LIMIT + 1) });
    expect((await judge()).score).toBe(true);
    const error = await errorOf(judge());
    expect(error.message).toContain("more than 8000000 bytes");
  });

  it.each([
    ["in one piece", (text: string) => [text]],
    ["byte for byte", (text: string) => Array.from(Buffer.from(text), (byte) => Buffer.of(byte))],
  ])("is exact %s", async (_, inPieces) => {
    server.script.push({ chunks: inPieces(padded(600)) }, { chunks: inPieces(padded(601)) });
    expect((await judge({ maxResponseBytes: 600 })).score).toBe(true);
    expect((await errorOf(judge({ maxResponseBytes: 600 }))).message).toContain("maxResponseBytes");
  });

  it("may be raised", async () => {
    server.script.push({ body: padded(DEFAULT_LIMIT + 1) });
    expect((await judge({ maxResponseBytes: Number.MAX_SAFE_INTEGER })).score).toBe(true);
  });

  it("can be exhausted without affecting the next answer", async () => {
    const list = (of: string) => `[${of.repeat(3_999_999 / of.length)}0]`;
    server.script.push({ body: list("0,") }, { body: "[".repeat(4_000_000) }, completion(YES));
    for (let i = 0; i < 2; i++) {
      const error = await errorOf(judge({ maxRetries: 0 }));
      expect(error).toMatchObject({ code: "provider_error", status: 200 });
    }
    expect((await judge()).score).toBe(true);
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, "8MB"])("%j is refused", (maxResponseBytes) => {
    const options = { maxResponseBytes: maxResponseBytes as number };
    const refused = expect.objectContaining({
      code: "invalid_config",
      message: expect.stringContaining("maxResponseBytes"),
    });
    expect(() => initChatModel(openai.model, options)).toThrow(refused);
    expect(() => initEmbeddings("openai:text-embedding-3-small", options)).toThrow(refused);
  });
});

describe("a text in chunks", () => {
  // Characters of one to four bytes; a lone continuation byte, a truncated sequence and an invalid byte.
  const SAID = "aé€😀";
  const INVALID = Buffer.concat([Buffer.of(0x80), Buffer.of(0xe2, 0x82), Buffer.of(0xff)]);
  const verdict = (before: Buffer | string) => {
    const [start, end] = answerOf(JSON.stringify({ reasoning: "@", score: true })).split("@") as [
      string,
      string,
    ];
    return Buffer.concat([Buffer.from(start), Buffer.from(before), Buffer.from(end)]);
  };
  const pieces = (bytes: Buffer, size: number) =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
  const BOM = Buffer.of(0xef, 0xbb, 0xbf);

  it.each([1, 2, 3, 5, 7, 1000])("of %d bytes is the same as the whole", async (size) => {
    server.script.push(
      { chunks: pieces(verdict(SAID), size) },
      { chunks: pieces(verdict(INVALID), size) },
      { chunks: pieces(Buffer.concat([BOM, verdict(`${BOM}${SAID}`)]), size) },
    );
    expect((await judge()).comment).toBe(SAID);
    expect((await judge()).comment).toBe(await new Response(INVALID).text());
    expect((await judge()).comment).toBe(`${BOM}${SAID}`);
  });

  it("can have empty chunks, and a BOM as a chunk", async () => {
    const fetch = async () => {
      const chunks = [Buffer.of(), BOM, Buffer.of(), ...pieces(verdict(SAID), 9), Buffer.of()];
      return new Response(ReadableStream.from(chunks.map((chunk) => new Uint8Array(chunk))));
    };
    expect((await judge({ fetch: fetch as typeof globalThis.fetch })).comment).toBe(SAID);
  });
});

describe("a custom judge", () => {
  const LONG = `[${"0,".repeat(50_000_000)}0]`;
  const model = (text: string) => ({
    specificationVersion: "v3",
    modelId: "m",
    doGenerate: async () => ({ content: [{ type: "text", text }], finishReason: "stop", usage: {} }),
  });
  const client = (content: string) => ({
    chat: { completions: { create: async () => ({ choices: [{ message: { content } }] }) } },
  });

  it.each([
    ["a function that returns a text", async () => LONG],
    ["a function that returns an object", async () => ({ score: true, reasoning: LONG })],
    ["a model of the AI SDK", model(LONG)],
    ["an OpenAI client", client(LONG)],
    ["a model of LangChain", { invoke: async () => ({ content: LONG }) }],
  ])("%s may not answer with 100 MB", async (_, own) => {
    const error = await errorOf(
      createLLMAsJudge({
        prompt: "{outputs}",
        judge: own,
        ...("chat" in own && { model: "m" }),
      })({ outputs: 1 }),
    );
    expect(error).toMatchObject({ code: "invalid_judge_output", attempts: 1 });
    expect(error.message).toMatch(/with 100,000,\d{3} characters; the limit is 8,000,000/);
    expect(error.raw?.length).toBe(1000);
    expect(JSON.stringify(error.raw)).toContain("0,0,0,0");
  });

  it("may answer with 8,000,000 characters", async () => {
    const own = async () => YES.padEnd(DEFAULT_LIMIT);
    const evaluator = createLLMAsJudge({ prompt: "{outputs}", judge: own });
    expect((await evaluator({ outputs: 1 })).score).toBe(true);
    const longer = createLLMAsJudge({ prompt: "{outputs}", judge: async () => `${await own()} ` });
    expect((await errorOf(longer({ outputs: 1 }))).code).toBe("invalid_judge_output");
  });
});

describe("a process", () => {
  /** Runs a program that asks the server, and prints its result. It ends when nothing is pending. */
  async function run(answer: Step, settings: string) {
    const program = `
      import { createLLMAsJudge, initChatModel } from "openevals-wasm";
      const [baseURL, apiKey] = process.argv.slice(1);
      const controller = new AbortController();
      const { signal } = controller;
      /** Gives up after an answer has begun. */
      const fetch = async (...request) => {
        const response = await globalThis.fetch(...request);
        setTimeout(() => controller.abort(), 10);
        return response;
      };
      const settings = { baseURL, apiKey, timeoutMs: 100_000_000, maxRetries: 1, ...(${settings}) };
      const asked = createLLMAsJudge({ prompt: "", judge: initChatModel("openai:gpt-5.4", settings) })({});
      console.log(await asked.then(({ score }) => score, ({ code }) => code));
    `;
    // The timeout may come before the request.
    server.script.splice(0, Infinity, answer);
    const { baseURL, apiKey = "" } = openai.options(server);
    const args = ["--input-type=module", "--eval", program, baseURL, apiKey];
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (text) => {
        output += text;
      });
    }
    const code = await new Promise((ended) => child.on("close", ended));
    return { code, output: output.trim() };
  }

  it.each<[string, () => Step, string, string]>([
    ["an answer that has come", () => completion(YES), "{}", "true"],
    ["one that is too long", () => ({ chunks: forEver(" ".repeat(60_000)) }), "{}", "provider_error"],
    ["one that takes too long", () => ({ chunks: slowly("{") }), "{ timeoutMs: 500 }", "timeout"],
    ["one that was given up", () => ({ chunks: slowly("{") }), "{ fetch, signal }", "aborted"],
    [
      "a pause that was given up",
      () => ({ status: 429, headers: { "retry-after": "10000" }, body: "" }),
      "{ fetch, signal }",
      "aborted",
    ],
  ])("is not kept alive by %s", async (_, answer, settings, output) => {
    expect(await run(answer(), settings)).toEqual({ code: 0, output });
  });
});
