/** Batches with misbehaving servers, files and processes. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { type BatchOptions, evaluate } from "openevals-wasm/evaluation";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BatchServer } from "../providers/servers/batches.js";
import type { Json } from "../providers/servers/loopback.js";
import { APIS, KEY } from "./batch-apis.js";

let folder: string;
let stateFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "batch-hostile-"));
  stateFile = join(folder, "state.json");
  return () => rmSync(folder, { recursive: true });
});

type Point = "upload" | "create" | "poll" | "results";

describe("an OpenAI batch server", () => {
  let server: Server;
  let url: string;
  let ids: string[];
  let paths: string[];
  /** The misbehaviour at a given point. */
  let instead: Partial<Record<Point, (response: ServerResponse) => void>>;
  let batch: Json;

  beforeEach(async () => {
    [ids, paths, instead, batch] = [[], [], {}, { id: "b1", status: "completed", output_file_id: "o1" }];
    server = createServer(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      paths.push(String(request.url));
      const [point, body]: [Point | undefined, Json] = request.url?.endsWith("/content")
        ? ["results", undefined]
        : request.url?.endsWith("/files")
          ? ["upload", { id: "f1" }]
          : request.url?.endsWith("/batches")
            ? ["create", { id: batch.id }]
            : request.url?.endsWith("/cancel")
              ? [undefined, {}]
              : ["poll", batch];
      if (point === "upload") ids = [...text.matchAll(/"custom_id":"([^"]+)"/g)].map(([, id]) => String(id));
      const other = point && instead[point];
      if (other) other(response);
      else response.end(point === "results" ? answers().join("\n") : JSON.stringify(body));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    return () => {
      server.closeAllConnections();
      server.close();
    };
  });

  const line = (custom_id: string, score = true, error: Json = null) => {
    const message = { role: "assistant", content: JSON.stringify({ reasoning: "So.", score }) };
    const body = { choices: [{ index: 0, finish_reason: "stop", message }] };
    return JSON.stringify({ custom_id, response: { status_code: 200, body }, error });
  };
  const answers = () => ids.map((id) => line(id));

  const run = (options: BatchOptions = {}, model = {}) => {
    const judge = initChatModel("openai:gpt-5.4", { apiKey: KEY, baseURL: url, ...model });
    return evaluate(undefined, {
      data: ["a", "b"].map((outputs) => ({ outputs })),
      evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge })],
      judges: { mode: "batch", batch: { pollMs: 5, ...options } },
    });
  };
  const failures = async (...options: Parameters<typeof run>) => {
    const { rows } = await run(...options);
    expect(JSON.stringify(rows)).not.toContain(KEY.slice(0, 12));
    return rows.map(({ errors: [failure] }) => failure?.error);
  };
  /** Answers with these lines. */
  const lines = (make: () => string[]) => {
    instead.results = (response) => response.end(make().join("\n"));
  };

  it.each(["upload", "create", "poll", "results"] as const)("that never answers the %s", async (point) => {
    instead[point] = () => {};
    const [failure] = await failures({ timeLimitMs: 300 });
    expect(failure).toMatchObject({ code: "timeout", message: expect.stringMatching(/after 300 ms/) });
  });

  it.each([
    ["hangs", () => {}],
    ["drips", (response: ServerResponse) => void setInterval(() => response.write("\n"), 20).unref()],
  ])("whose results begin, and then it %s", async (_, go) => {
    instead.results = (response) => {
      response.writeHead(200).flushHeaders();
      go(response);
    };
    const [failure] = await failures({ timeLimitMs: 300, stateFile });
    expect(failure).toMatchObject({ code: "timeout", message: expect.stringMatching(/could not be read/) });
    expect(existsSync(stateFile)).toBe(true);
  });

  it("whose results never end", async () => {
    instead.results = (response) => {
      const more = () => {
        while (!response.destroyed && response.write("a".repeat(10_000)));
      };
      response.on("drain", more);
      more();
    };
    const [failure] = await failures({}, { maxResponseBytes: 1000 });
    expect(failure?.message).toMatch(/has a line longer than \d+ characters/);
  });

  it("whose lines are invalid JSON with the key in them", async () => {
    lines(() => [`{"${KEY}`, ...answers().slice(1)]);
    const [failure, answered] = await failures();
    expect(failure?.message).toMatch(/has no JSON object on line 1\.$/);
    expect(answered).toBeUndefined();
    lines(() => [`{"${KEY}`, "[]"]);
    for (const failure of await failures())
      expect(failure?.message).toMatch(/has no JSON object on line 1\.$/);
  });

  it("whose results are cut off, and whole when they are read again", async () => {
    lines(() => answers().map((line, index) => (index ? line.slice(0, 40) : line)));
    const [first, second] = await failures({ stateFile });
    expect([first, second?.message]).toEqual([undefined, expect.stringMatching(/on line 2\.$/)]);
    delete instead.results;
    expect(await failures({ stateFile })).toEqual([undefined, undefined]);
    expect(paths.filter((path) => path.endsWith("/batches"))).toHaveLength(1);
    expect(existsSync(stateFile)).toBe(false);
  });

  it("whose results stay damaged, and are read twice", async () => {
    lines(() => answers().map((line, index) => (index ? line.slice(0, 40) : line)));
    for (const isKept of [true, false]) {
      expect((await failures({ stateFile }))[1]?.message).toMatch(/on line 2\.$/);
      expect(existsSync(stateFile)).toBe(isKept);
    }
  });

  it.each<[string, () => void]>([
    ["no results", () => lines(() => [])],
    ["results of one question", () => lines(() => answers().slice(1))],
    [
      "no file of results",
      () => {
        batch = { ...batch, output_file_id: null };
      },
    ],
  ])("that has %s for a completed batch, and all when it is asked again", async (_, forget) => {
    const usual = batch;
    const counts = { total: 2, completed: 2, failed: 0 };
    batch = { ...batch, request_counts: counts };
    forget();
    const forgotten = { forget: batch, results: instead.results };
    const [failure] = await failures({ stateFile });
    expect(failure).toMatchObject({
      code: "provider_error",
      message: expect.stringMatching(
        /^The batch b1 of openai has no answer to this question: its results have [01] of 2 answers\. .* batch\.stateFile keeps the batch/,
      ),
    });
    const deletes = () => paths.filter((path) => path.endsWith("/files/f1"));
    expect([existsSync(stateFile), deletes()]).toEqual([true, []]);
    batch = { ...usual, request_counts: counts };
    delete instead.results;
    expect(await failures({ stateFile })).toEqual([undefined, undefined]);
    expect(paths.filter((path) => path.endsWith("/batches"))).toHaveLength(1);
    expect([existsSync(stateFile), deletes()]).toEqual([false, ["/v1/files/f1"]]);

    // They are read twice, and then asked again.
    for (const isKept of [true, false]) {
      batch = forgotten.forget;
      if (forgotten.results) instead.results = forgotten.results;
      expect((await failures({ stateFile }))[0]?.message).toContain("of 2 answers");
      expect(existsSync(stateFile)).toBe(isKept);
    }
    // Nothing is kept without a file.
    expect((await failures())[0]?.message).toMatch(/of 2 answers\. Run the experiment again; with a cache/);
  });

  it("that answers a poll with the page of a proxy, and then with the batch", async () => {
    let polls = 0;
    instead.poll = (response) => {
      if (++polls < 3) response.writeHead(200, { "content-type": "text/html" }).end("<html>Back soon</html>");
      else response.end(JSON.stringify(batch));
    };
    expect(await failures({}, { maxRetries: 0 })).toEqual([undefined, undefined]);
    expect(paths.filter((path) => path === "/v1/batches/b1")).toHaveLength(3);
    instead.poll = (response) => response.end("<html>Back soon</html>");
    expect((await failures({ timeLimitMs: 300 }))[0]).toMatchObject({
      code: "timeout",
      message: expect.stringMatching(
        /is not done after 300 ms .* \(The answer to GET .* is not a JSON object\)/,
      ),
    });
  });

  it.each([["null"], ["[1"], [KEY], ["{}"]])("that answers a poll with %s", async (text) => {
    instead.poll = (response) => response.end(text);
    const [failure] = await failures({ timeLimitMs: 300 });
    expect(failure?.message).not.toMatch(/destructure|Unexpected|undefined/);
  });

  it("whose answer contains an error", async () => {
    lines(() => ids.map((id) => line(id, true, { code: "x", message: `Failed with ${KEY}` })));
    const [failure] = await failures();
    expect(failure?.message).toMatch(/has an error instead of an answer: Failed with \[redacted\]\.$/);
  });

  it("that answers a request twice, differently", async () => {
    lines(() => [...answers(), line(String(ids[0]), false), line(String(ids[1]))]);
    const [first, second] = await failures();
    expect(first?.message).toMatch(/two answers that differ/);
    expect(second).toBeUndefined();
  });

  it.each([
    ["failed", 2],
    ["expired", 0],
  ])("whose batch has %s, and has results anyway", async (status, count) => {
    batch = { ...batch, status };
    expect((await failures()).filter(Boolean)).toHaveLength(count);
  });

  it("that says whether to send a batch again, at most maxRetries times", async () => {
    instead.poll = (response) => response.end('{"data":[]}');
    const attempts = async (status: number, headers: Record<string, string>, model = {}) => {
      paths.length = 0;
      instead.create = (response) =>
        response.writeHead(status, { "retry-after-ms": "1", ...headers }).end("{}");
      expect((await failures({}, model))[0]?.message).toContain(`HTTP status ${status}`);
      return paths.filter((path) => path.endsWith("/batches")).length;
    };
    expect(await attempts(429, {})).toBe(3);
    expect(await attempts(429, {}, { maxRetries: 0 })).toBe(1);
    expect(await attempts(429, {}, { maxRetries: 4 })).toBe(5);
    expect(await attempts(429, { "x-should-retry": "false" })).toBe(1);
    expect(await attempts(400, { "x-should-retry": "true" })).toBe(3);
    // Nothing waits for an hour: it is a daily limit.
    expect(await attempts(429, { "retry-after-ms": "3600000" })).toBe(1);
  });

  it.each(["create", "poll", "results"] as const)("that asks for a pause after the %s", async (point) => {
    const times: number[] = [];
    const usual = (response: ServerResponse) => {
      const isFile = response.req.url?.endsWith("/content");
      response.end(isFile ? answers().join("\n") : JSON.stringify({ ...batch, data: [] }));
    };
    instead.poll = usual;
    instead[point] = (response) => {
      // Not the search for a batch that may have arrived.
      if (!response.req.url?.includes("?")) times.push(performance.now());
      if (times.length === 1) response.writeHead(503, { "retry-after": "1" }).end("{}");
      else usual(response);
    };
    expect(await failures()).toEqual([undefined, undefined]);
    const [first = 0, second = 0] = times;
    // Without the header, the first pause is at most half a second. A timer may fire a moment early.
    expect(second - first).toBeGreaterThan(990);
  });

  it("whose ids contain other paths", async () => {
    batch = { ...batch, id: "../../evil?x=", output_file_id: "../o" };
    await failures();
    expect(paths).toContain("/v1/batches/..%2F..%2Fevil%3Fx%3D");
    expect(paths).toContain("/v1/files/..%2Fo/content");
    batch = { ...batch, output_file_id: ".." };
    expect((await failures())[0]?.message).toMatch(/lacks an id/);
  });

  const submission = { provider: "openai", key: "k", createdAt: new Date().toISOString(), requests: ["q"] };
  const state = (...submissions: Json[]) => JSON.stringify({ version: 1, submissions });

  it("with a file of another experiment, which is kept", async () => {
    const other = state({ ...submission, batch: "other" });
    writeFileSync(stateFile, other);
    const { aggregates } = await run({ stateFile });
    expect(aggregates.score?.count).toBe(2);
    expect(readFileSync(stateFile, "utf8")).toBe(other);
  });

  it.each([
    [null],
    [{ ...submission, requests: "abc" }],
    [{ ...submission, createdAt: "then" }],
  ])("with a file that is damaged: %j", async (entry) => {
    const damaged = state(submission, entry);
    writeFileSync(stateFile, damaged);
    const error = await run({ stateFile }).catch((error) => error);
    expect(error).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/is not a state file/),
    });
    expect(readFileSync(stateFile, "utf8")).toBe(damaged);
  });

  it("with a batch that cannot be found", async () => {
    batch = { ...batch, status: "in_progress" };
    const running = run({ stateFile, timeLimitMs: 60_000 });
    await vi.waitFor(() => expect(readFileSync(stateFile, "utf8")).toContain('"b1"'));
    const before = readFileSync(stateFile, "utf8").replace(/,"batch":"b1"/, "");
    batch = { ...batch, status: "completed" };
    await running;
    writeFileSync(stateFile, before);
    instead.poll = (response) => response.writeHead(404).end("{}");
    expect((await failures({ stateFile }))[0]?.message).toMatch(/HTTP status 404/);
    expect(JSON.parse(readFileSync(stateFile, "utf8"))).toEqual(JSON.parse(before));
  });

  it.each([
    ["batch", "poll", "/v1/batches/b1"],
    ["results", "results", "/v1/files/o1/content"],
  ] as const)("that no longer has the %s of an earlier run", async (_, point, gone) => {
    batch = { ...batch, status: "in_progress" };
    const running = run({ stateFile });
    await vi.waitFor(() => expect(readFileSync(stateFile, "utf8")).toContain('"b1"'));
    const before = readFileSync(stateFile, "utf8");
    batch = { ...batch, status: "completed" };
    await running;
    writeFileSync(stateFile, before);
    batch = { ...batch, id: "b2", output_file_id: "o2" };
    const found = { ...batch, output_file_id: "o1" };
    instead.poll = (response) =>
      response.end(JSON.stringify(response.req.url?.endsWith("b1") ? found : batch));
    instead[point] = ((usual) => (response) => {
      if (response.req.url === gone) response.writeHead(404).end('{"error":{"message":"No such object"}}');
      else if (usual) usual(response);
      else response.end(answers().join("\n"));
    })(instead[point]);
    paths.length = 0;
    expect(await failures({ stateFile })).toEqual([undefined, undefined]);
    expect(paths).toContain(gone);
    expect(paths.filter((path) => path.endsWith("/batches"))).toHaveLength(1);
    expect(existsSync(stateFile)).toBe(false);
  });

  it.each([
    ["batch", "poll", "The batch b1 of openai no longer exists: "],
    ["results", "results", "A file with the results of the batch b1 of openai no longer exists: "],
  ] as const)("that has deleted the %s", async (_, point, what) => {
    instead[point] = (response) => response.writeHead(404).end('{"error":{"message":"No such object"}}');
    for (const failure of await failures()) {
      expect(failure?.code).toBe("provider_error");
      expect(failure?.message).toContain(what);
      expect(failure?.message).toMatch(/HTTP status 404: No such object\. Run the experiment again; /);
      expect(failure?.message).not.toContain("baseURL");
    }
  });

  it("that has the answers, but no file with the errors", async () => {
    batch = { ...batch, error_file_id: "e1" };
    instead.results = (response) => {
      if (response.req.url?.includes("o1")) response.end(answers()[0]);
      else response.writeHead(404).end("{}");
    };
    const [answered, failure] = await failures();
    expect(answered).toBeUndefined();
    expect(failure?.message).toContain("A file with the results of the batch b1 of openai no longer exists");
  });

  it("without batches", async () => {
    instead.upload = (response) => response.writeHead(404).end("{}");
    const [failure] = await failures();
    expect(failure?.message).toMatch(/HTTP status 404: \{\}\. Check baseURL: not every server/);
  });

  it("with a file in use by another experiment, and one of a dead process", async () => {
    let lock = "";
    batch = { ...batch, status: "in_progress" };
    const running = run({ stateFile });
    await vi.waitFor(() => {
      lock = readFileSync(`${stateFile}.lock`, "utf8");
    });
    const error = await run({ stateFile }).catch((error) => error);
    expect(error).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/is in use by another experiment, of process \d+\. Wait/),
    });
    batch = { ...batch, status: "completed" };
    await running;
    writeFileSync(`${stateFile}.lock`, JSON.stringify({ ...JSON.parse(lock), pid: 2147483646 }));
    expect((await run({ stateFile })).aggregates.score?.count).toBe(2);
    expect(existsSync(`${stateFile}.lock`)).toBe(false);
  });
});

describe.each(["openai", "anthropic", "google"] as const)("a finished batch of %s", (name) => {
  afterEach(() => vi.unstubAllEnvs());

  it("with the same requests is not mistaken for one that was about to be submitted", async () => {
    const { face, says, env, model, submits } = APIS[name];
    const answer = (body: Json) => says(JSON.stringify({ reasoning: "So.", score: true }), body);
    const server = await BatchServer.start(face, { answer });
    for (const [variable, value] of Object.entries(env(server.url))) vi.stubEnv(variable, value);
    const run = () =>
      evaluate(undefined, {
        data: [{ outputs: "a" }],
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", model })],
        judges: { mode: "batch", batch: { pollMs: 5, stateFile } },
      });
    let before = "";
    try {
      server.onRequest = ({ method, path }) => {
        if (submits.test(`${method} ${path}`)) before = readFileSync(stateFile, "utf8");
        return undefined;
      };
      await run();
      const [old] = server.batches;
      if (old) old.createdAt = new Date(Date.now() - 7 * 86_400_000);
      await run();
      server.batches.pop();
      writeFileSync(stateFile, before);
      await run();
      expect(server.count(submits)).toBe(3);
    } finally {
      await server.down();
    }
  });
});
