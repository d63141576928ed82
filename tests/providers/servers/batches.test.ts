/** The official SDKs submit batches to our servers, which validates the servers. */
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI, { toFile } from "openai";
import { afterEach, describe, expect, it } from "vitest";
import { message } from "./anthropic.js";
import { BatchServer, type Face, type Script } from "./batches.js";
import { anthropicBatches } from "./batches-anthropic.js";
import { googleBatches } from "./batches-google.js";
import { openaiBatches } from "./batches-openai.js";
import { content } from "./google.js";
import type { Json } from "./loopback.js";
import { completion } from "./openai.js";

const KEY = "sk-secret-of-the-test";

let server: BatchServer;
const start = async (face: Face, script: Script) => {
  server = await BatchServer.start(face, script);
  server.isHeld = true;
  return server.url;
};
afterEach(() => server.down());

/** The first request is answered, the second fails, the third is lost, the fourth expires. */
const fate = (_body: Json, n: number) =>
  ([undefined, { status: 500, message: "Overloaded" }, "lost", "expired"] as const)[n];

describe("the batches of OpenAI", () => {
  const question = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] };
  const line = (id: string, more: Json = {}) =>
    JSON.stringify({ custom_id: id, method: "POST", url: "/v1/chat/completions", body: question, ...more });

  async function submit(client: OpenAI, lines: string[]) {
    const file = await client.files.create({
      purpose: "batch",
      file: await toFile(Buffer.from(lines.join("\n")), "batch.jsonl"),
    });
    return client.batches.create({
      input_file_id: file.id,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { run: "1" },
    });
  }

  it("return files of answers and errors", async () => {
    const url = await start(openaiBatches(KEY), { answer: () => completion("Hello"), fate });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 });
    const { id } = await submit(
      client,
      ["a", "b", "c", "d"].map((id) => line(id)),
    );
    expect(await client.batches.retrieve(id)).toMatchObject({
      status: "in_progress",
      metadata: { run: "1" },
    });
    server.release();
    const { status, output_file_id, error_file_id } = await client.batches.retrieve(id);
    expect(status).toBe("completed");
    const linesOf = async (file = "") => {
      const text = await (await client.files.content(file)).text();
      return text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    };
    expect(await linesOf(output_file_id)).toEqual([
      expect.objectContaining({ custom_id: "a", response: expect.objectContaining({ status_code: 200 }) }),
    ]);
    expect(await linesOf(error_file_id)).toEqual([
      expect.objectContaining({ custom_id: "d", error: expect.objectContaining({ code: "batch_expired" }) }),
      expect.objectContaining({ custom_id: "b", response: expect.objectContaining({ status_code: 500 }) }),
    ]);
    const ids = [];
    for await (const batch of client.batches.list({ limit: 1 })) ids.push(batch.id);
    expect(ids).toEqual([id]);
  });

  it("can be cancelled, and fail for invalid requests", async () => {
    const url = await start(openaiBatches(KEY), { answer: () => completion("Hello") });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY, maxRetries: 0 });
    const { id } = await submit(client, [line("a")]);
    expect((await client.batches.cancel(id)).status).toBe("cancelling");
    for (const lines of [
      [line("a"), line("a")],
      [line("a"), line("b", { body: { ...question, model: "gpt-5.5" } })],
      [line("a", { url: "/v1/responses" })],
      ["{"],
    ]) {
      const { id } = await submit(client, lines);
      const batch = await client.batches.retrieve(id);
      expect(batch.status).toBe("failed");
      expect(batch.errors?.data).toHaveLength(1);
    }
    const wrong = new OpenAI({ baseURL: `${url}/v1`, apiKey: "another", maxRetries: 0 });
    await expect(wrong.batches.retrieve(id)).rejects.toMatchObject({ status: 401 });
  });
});

describe("the batches of Anthropic", () => {
  const params = {
    model: "claude-sonnet-4-5",
    max_tokens: 100,
    messages: [{ role: "user" as const, content: "Hi" }],
  };
  const answer = (body: Json) => (message("Hello") as (request: Json) => Json)({ body });

  it("return a file with all results", async () => {
    const baseURL = await start(anthropicBatches(KEY), { answer, fate });
    const { batches } = new Anthropic({ baseURL, apiKey: KEY, maxRetries: 0 }).messages;
    const requests = ["a", "b", "c", "d"].map((custom_id) => ({ custom_id, params }));
    const { id, processing_status } = await batches.create({ requests });
    expect(processing_status).toBe("in_progress");
    server.release();
    expect(await batches.retrieve(id)).toMatchObject({ processing_status: "ended" });
    const results = [];
    for await (const result of await batches.results(id)) results.push(result);
    expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
      ["d", "expired"],
      ["b", "errored"],
      ["a", "succeeded"],
    ]);
    const ids = [];
    for await (const batch of batches.list({ limit: 1 })) ids.push(batch.id);
    expect(ids).toEqual([id]);
  });

  it("can be cancelled, and are refused for invalid requests", async () => {
    const baseURL = await start(anthropicBatches(KEY), { answer });
    const { batches } = new Anthropic({ baseURL, apiKey: KEY, maxRetries: 0 }).messages;
    const { id } = await batches.create({ requests: [{ custom_id: "a", params }] });
    expect((await batches.cancel(id)).processing_status).toBe("canceling");
    const twice = [
      { custom_id: "a", params },
      { custom_id: "a", params },
    ];
    for (const requests of [[], twice, [{ custom_id: "a b", params }]]) {
      await expect(batches.create({ requests })).rejects.toMatchObject({ status: 400 });
    }
  });
});

describe("the batches of Gemini", () => {
  const model = "gemini-3.8-flash";
  const src = ["a", "b", "c", "d"].map((key) => ({
    contents: [{ role: "user", parts: [{ text: "Hi" }] }],
    metadata: { key },
  }));
  const client = (baseUrl: string) => new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl } }).batches;

  it("contain their results", async () => {
    const batches = client(await start(googleBatches(KEY), { answer: () => content("Hello"), fate }));
    const { name = "", state } = await batches.create({ model, src, config: { displayName: "run 1" } });
    expect(state).toBe("JOB_STATE_PENDING");
    server.release();
    const batch = await batches.get({ name });
    expect(batch).toMatchObject({ state: "JOB_STATE_SUCCEEDED", displayName: "run 1" });
    const results = batch.dest?.inlinedResponses?.map(({ metadata, response, error }) => [
      metadata?.key,
      response?.candidates?.[0]?.content?.parts?.[0]?.text ?? error?.code,
    ]);
    expect(results).toEqual([
      ["d", 4],
      ["b", 13],
      ["a", "Hello"],
    ]);
    const names = [];
    for await (const { name } of await batches.list({ config: { pageSize: 1 } })) names.push(name);
    expect(names).toEqual([name]);
  });

  it("can be cancelled, and are refused if empty", async () => {
    const batches = client(await start(googleBatches(KEY), { answer: () => content("Hello") }));
    const { name = "" } = await batches.create({ model, src, config: { displayName: "run 1" } });
    await batches.cancel({ name });
    expect((await batches.get({ name })).state).toBe("JOB_STATE_CANCELLED");
    await expect(batches.create({ model, src: [] })).rejects.toMatchObject({ status: 400 });
  });
});
