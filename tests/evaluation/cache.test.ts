import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import OpenAI from "openai";
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  initChatModel,
  type LLMAsJudgeOptions,
} from "openevals-wasm";
import {
  type Cache,
  directoryCache,
  type EvaluateOptions,
  evaluate,
  type RowEvaluator,
} from "openevals-wasm/evaluation";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { temporaryFolder } from "./folder.js";

const KEY = "sk-secret-of-the-test";
const PROMPT = "Is {outputs} right?";
const folder = temporaryFolder();

let server: Loopback;
beforeEach(async () => {
  server = await startOpenAI(KEY);
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** Makes the server answer "true" this many times, with a number to distinguish the answers. */
function says(times: number, score: unknown = true) {
  for (let n = 0; n < times; n++) {
    const reasoning = `Answer ${server.requests.length + server.script.length + 1}.`;
    server.script.push(completion(JSON.stringify({ reasoning, score })));
  }
}

/** Removes everything that a judge needs for requests. */
async function goOffline() {
  await server.close();
  vi.stubEnv("OPENAI_API_KEY", undefined);
}

const judgeOf = (options: Partial<LLMAsJudgeOptions> = {}) =>
  createLLMAsJudge({ prompt: PROMPT, model: "openai:gpt-5.4", ...options });

const DATA = [{ outputs: "a" }, { outputs: "b" }];
const run = (cache: Cache, evaluators: RowEvaluator[], options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, { data: DATA, evaluators, ...options, judges: { cache, ...options.judges } });

describe("a cache", () => {
  it("stores judges' answers, and sends no request the second time", async () => {
    says(2);
    const cache = new Map<string, string>();
    const { rows, usage } = await run(cache, [judgeOf()]);
    const metadata = {
      model: "gpt-5.4",
      usage: { inputTokens: 120, outputTokens: 30 },
      promptHash: expect.any(String),
    };
    expect(rows.map(({ evaluationResults: [result] }) => result)).toEqual([
      {
        key: "score",
        score: true,
        comment: "Answer 1.",
        metadata: { ...metadata, attempts: 1, latencyMs: expect.any(Number) },
      },
      {
        key: "score",
        score: true,
        comment: "Answer 2.",
        metadata: { ...metadata, attempts: 1, latencyMs: expect.any(Number) },
      },
    ]);
    expect([...cache.keys()].every((key) => /^[0-9a-f]{64}$/.test(key))).toBe(true);

    const again = await run(cache, [judgeOf()]);
    expect(server.requests).toHaveLength(2);
    expect(again.rows.map(({ evaluationResults: [result] }) => result)).toEqual([
      {
        key: "score",
        score: true,
        comment: "Answer 1.",
        metadata: { ...metadata, attempts: 0, cached: true, latencyMs: expect.any(Number) },
      },
      {
        key: "score",
        score: true,
        comment: "Answer 2.",
        metadata: { ...metadata, attempts: 0, cached: true, latencyMs: expect.any(Number) },
      },
    ]);
    expect(again.usage).toEqual(usage);
  });

  it("replays without key and network; a missing entry is an error that shows the request", async () => {
    says(2);
    const cache = new Map<string, string>();
    await run(cache, [judgeOf()]);
    await goOffline();
    const { aggregates } = await run(cache, [judgeOf()], { judges: { cacheMode: "replay" } });
    expect(aggregates.score).toMatchObject({ mean: 1, count: 2, errors: 0 });

    const data = [...DATA, { outputs: "something new" }];
    const { rows } = await run(cache, [judgeOf()], { judges: { cacheMode: "replay" }, data });
    expect(rows[2]?.errors[0]?.error).toMatchObject({
      name: "OpenEvalsError",
      code: "cache_miss",
      message: expect.stringMatching(
        /openai:gpt-5\.4 at http:.* in repetition 0 to "Is something new right\?"\. Record it/,
      ),
    });
  });

  it("is recorded again on request", async () => {
    says(2, false);
    const cache = new Map<string, string>();
    await run(cache, [judgeOf()]);
    says(2, true);
    await run(cache, [judgeOf()], { judges: { cacheMode: "record" } });
    expect(server.requests).toHaveLength(4);
    expect(cache.size).toBe(2);
    const { aggregates } = await run(cache, [judgeOf()], { judges: { cacheMode: "replay" } });
    expect(aggregates.score?.mean).toBe(1);
  });

  it.each([1, 2])("records a question of two rows once, %i at a time", async (maxConcurrency) => {
    const cache = new Map<string, string>();
    const data = [{ outputs: "a" }, { outputs: "a" }];
    const scores = async (cacheMode: "auto" | "record" | "replay") => {
      const { rows } = await run(cache, [judgeOf()], { data, maxConcurrency, judges: { cacheMode } });
      return rows.map(({ evaluationResults: [result] }) => result?.score);
    };
    says(1, true);
    expect(await scores("auto")).toEqual([true, true]);
    says(1, false);
    expect(await scores("record")).toEqual([false, false]);
    expect(server.requests).toHaveLength(2);
    expect(await scores("replay")).toEqual([false, false]);
  });

  it.each(["auto", "record"] as const)("asks once what it cannot store: %s", async (cacheMode) => {
    says(1);
    const full: Cache = {
      get: () => undefined,
      set() {
        throw new Error("disk full");
      },
    };
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const data = [{ outputs: "a" }, { outputs: "a" }, { outputs: "a" }];
    const { rows } = await run(full, [judgeOf()], { data, maxConcurrency: 1, judges: { cacheMode } });
    expect(rows.map(({ evaluationResults: [result] }) => result?.comment)).toEqual(
      data.map(() => "Answer 1."),
    );
    expect(server.requests).toHaveLength(1);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/did not store some answers.*disk full/)]]);
  });

  it("has an answer for each repetition", async () => {
    for (const score of [true, false, false, true]) says(1, score);
    const cache = new Map<string, string>();
    const first = await run(cache, [judgeOf()], { numRepetitions: 2 });
    expect(first.rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([
      true,
      false,
      false,
      true,
    ]);
    await goOffline();
    const again = await run(cache, [judgeOf()], {
      numRepetitions: 2,
      maxConcurrency: 4,
      judges: { cacheMode: "replay" },
    });
    expect(again.rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it("has the second answer to a request that an evaluator repeats", async () => {
    for (const score of [true, false]) says(1, score);
    const judge = judgeOf();
    const twice = async (params: object) => {
      const scores = [await judge(params), await judge(params)].map(({ score }) => Number(score));
      return { key: "twice", score: scores[0]! + 10 * scores[1]! };
    };
    const cache = new Map<string, string>();
    const data = [{ outputs: "a" }];
    expect((await run(cache, [twice], { data })).aggregates.twice?.mean).toBe(1);
    await goOffline();
    expect(
      (await run(cache, [twice], { data, judges: { cacheMode: "replay" } })).aggregates.twice?.mean,
    ).toBe(1);
  });

  const other: [string, Partial<LLMAsJudgeOptions>][] = [
    ["model", { model: "openai:gpt-5.4-mini" }],
    ["prompt", { prompt: "Is {outputs} wrong?" }],
    ["system message", { system: "Be strict." }],
    ["schema", { useReasoning: false }],
    ["temperature", { model: undefined, judge: initChatModel("openai:gpt-5.4", { temperature: 0.5 }) }],
    ["seed", { model: undefined, judge: initChatModel("openai:gpt-5.4", { params: { seed: 7 } }) }],
  ];
  it.each(other)("sends a new request for another %s", async (_, options) => {
    says(1);
    const cache = new Map<string, string>();
    const data = [{ outputs: "a" }];
    await run(cache, [judgeOf()], { data });
    says(1);
    await run(cache, [judgeOf(options)], { data });
    expect(server.requests).toHaveLength(2);
    await run(cache, [judgeOf(options)], { data });
    await run(cache, [judgeOf({ model: undefined, judge: initChatModel("openai:gpt-5.4") })], { data });
    expect(server.requests).toHaveLength(2);
  });

  it("sends one request for the same question in three concurrent rows", async () => {
    says(1);
    const data = [{ outputs: "a" }, { outputs: "a" }, { outputs: "a" }];
    const slow = {
      kept: new Map<string, string>(),
      async get(key: string) {
        for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
        return this.kept.get(key);
      },
      async set(key: string, value: string) {
        this.kept.set(key, value);
      },
    };
    const { rows } = await run(slow, [judgeOf()], { data, maxConcurrency: 3 });
    expect(server.requests).toHaveLength(1);
    const metadata = rows.map(({ evaluationResults: [result] }) => result?.metadata);
    expect(metadata.filter((found) => found?.attempts === 1 && !found.cached)).toHaveLength(1);
    expect(metadata.filter((found) => found?.attempts === 0 && found.cached)).toHaveLength(2);
  });

  it("stores no failures", async () => {
    server.script.push({ status: 400, body: '{"error": {"message": "no"}}' });
    const cache = new Map<string, string>();
    const data = [{ outputs: "a" }];
    const { rows } = await run(cache, [judgeOf()], { data });
    expect(rows[0]?.errors[0]?.error.code).toBe("provider_error");
    expect(cache.size).toBe(0);
    says(1);
    expect((await run(cache, [judgeOf()], { data })).aggregates.score?.mean).toBe(1);
  });

  it("stores an invalid answer together with the one after it", async () => {
    server.script.push(completion("I cannot say."));
    says(1);
    const cache = new Map<string, string>();
    const data = [{ outputs: "a" }];
    const first = await run(cache, [judgeOf()], { data });
    expect(first.rows[0]?.evaluationResults[0]?.metadata).toMatchObject({
      attempts: 2,
      usage: { inputTokens: 240, outputTokens: 60 },
    });
    await goOffline();
    const again = await run(cache, [judgeOf()], { data, judges: { cacheMode: "replay" } });
    expect(again.aggregates.score?.mean).toBe(1);
    expect(again.usage).toEqual(first.usage);
  });
});

describe("a cache is used", () => {
  it("by concurrent experiments, each its own", async () => {
    says(4);
    const caches = [new Map<string, string>(), new Map<string, string>()];
    const judge = judgeOf();
    await Promise.all(caches.map((cache) => run(cache, [judge], { maxConcurrency: 2 })));
    expect(server.requests).toHaveLength(4);
    expect(caches.map(({ size }) => size)).toEqual([2, 2]);
    const keys = caches.map((cache) => [...cache.keys()].sort());
    expect(keys[0]).toEqual(keys[1]);
  });

  it("only within evaluators", async () => {
    says(3);
    const judge = judgeOf();
    const cache = new Map<string, string>();
    const target = async (inputs: unknown) => (await judge({ outputs: inputs })).comment;
    await evaluate(target, { data: [{ inputs: "x" }, { inputs: "x" }], judges: { cache } });
    await judge({ outputs: "x" });
    expect(server.requests).toHaveLength(3);
    expect(cache.size).toBe(0);
  });

  const verdict = { reasoning: "So.", score: true };
  it.each<[string, object, () => RowEvaluator]>([
    [
      "a judge in a function",
      verdict,
      () => {
        const judge = judgeOf();
        return ({ outputs }) => judge({ outputs });
      },
    ],
    [
      "a rubric",
      { a: { reasoning: "So.", score: true } },
      () => {
        const match = createJsonMatchEvaluator({ model: "openai:gpt-5.4", rubric: { a: "Is it alike?" } });
        return ({ outputs }) => match({ outputs: { a: outputs }, referenceOutputs: { a: "c" } });
      },
    ],
    [
      "a client of OpenAI",
      verdict,
      () => judgeOf({ model: "gpt-5.4", judge: new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1` }) }),
    ],
    [
      "a recipe",
      { reasoning: "So.", probability: 0.5 },
      () => {
        const criteria = new CheckCriteriaEvaluator({ criteria: ["It is short"], model: "openai:gpt-5.4" });
        return ({ outputs }) => criteria.evaluate([{ role: "assistant", content: outputs }]);
      },
    ],
  ])("by %s", async (_, answer, evaluator) => {
    const cache = new Map<string, string>();
    server.script.push(...DATA.map(() => completion(JSON.stringify(answer))));
    const first = await run(cache, [evaluator()]);
    expect(first.rows.flatMap(({ errors }) => errors)).toEqual([]);
    const asked = server.requests.length;
    expect(asked).toBe(2);
    const again = await run(cache, [evaluator()], { judges: { cacheMode: "replay" } });
    expect(server.requests).toHaveLength(asked);
    expect(again.rows.flatMap(({ errors }) => errors)).toEqual([]);
    expect(again.aggregates).toEqual(first.aggregates);
    for (const { evaluationResults } of again.rows)
      for (const { metadata } of evaluationResults) expect(metadata?.cached).toBe(true);
  });

  it("by functions, distinguished by their cacheKey", async () => {
    const cache = new Map<string, string>();
    const judge = (score: boolean) => () => ({ score, reasoning: "" });
    const mean = async (options: Partial<LLMAsJudgeOptions>) =>
      (await run(cache, [judgeOf({ model: undefined, ...options })])).aggregates.score?.mean;
    expect(await mean({ judge: judge(true), cacheKey: "one" })).toBe(1);
    expect(await mean({ judge: judge(false), cacheKey: "other" })).toBe(0);
    expect(await mean({ judge: judge(false), cacheKey: "one" })).toBe(1);
  });

  it("by LangChain models without a name, if they have a cacheKey", async () => {
    const cache = new Map<string, string>();
    const judge = (score: boolean) =>
      new FakeListChatModel({ responses: [JSON.stringify({ reasoning: "So.", score })] }) as any;
    const mean = async (score: boolean) =>
      (await run(cache, [judgeOf({ model: undefined, judge: judge(score), cacheKey: "fake" })])).aggregates
        .score?.mean;
    expect(await mean(true)).toBe(1);
    expect(await mean(false)).toBe(1);
  });

  it("without AsyncLocalStorage by one evaluator at a time", () => {
    const script = `
      process.getBuiltinModule = undefined;
      const { createLLMAsJudge } = await import("openevals-wasm");
      const { evaluate } = await import("openevals-wasm/evaluation");
      let now = 0, most = 0, asked = 0;
      const judge = async () => {
        asked++;
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now--;
        return { score: true, reasoning: "" };
      };
      const evaluators = ["a", "b"].map((feedbackKey) =>
        createLLMAsJudge({ prompt: feedbackKey + "{outputs}", feedbackKey, judge, cacheKey: "counting" }));
      const data = [{ outputs: 1 }, { outputs: 2 }];
      const caches = [new Map(), new Map(), new Map()];
      const run = (cache) => evaluate(undefined, { data, evaluators, judges: { cache }, maxConcurrency: 4 });
      await Promise.all(caches.map(run));
      await run(caches[0]);
      console.log(JSON.stringify([most, asked, ...caches.map(({ size }) => size)]));
    `;
    const cwd = join(import.meta.dirname, "..");
    const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { cwd });
    expect(JSON.parse(output.toString())).toEqual([1, 12, 4, 4, 4]);
  });
});

describe("a cache can be", () => {
  it("a directory with readable files without keys", async () => {
    says(2);
    const path = join(folder, "deep/answers");
    await run(directoryCache(path), [judgeOf()]);
    const files = readdirSync(path);
    expect(files).toHaveLength(2);
    expect(files.every((name) => /^[0-9a-f]{64}\.json$/.test(name))).toBe(true);
    const texts = files.map((name) => readFileSync(join(path, name), "utf8"));
    expect(texts.join("")).not.toContain(KEY);
    const kept = texts
      .map((text) => JSON.parse(text))
      .find(({ messages }) => messages[0].content === "Is a right?");
    expect(kept).toMatchObject({
      model: { name: "openai:gpt-5.4" },
      schema: { type: "object" },
      repetition: 0,
      answer: { text: '{"reasoning":"Answer 1.","score":true}', inputTokens: 120, outputTokens: 30 },
    });
    await goOffline();
    const { aggregates } = await run(directoryCache(path), [judgeOf()], { judges: { cacheMode: "replay" } });
    expect(aggregates.score?.mean).toBe(1);
  });

  it("an asynchronous store", async () => {
    says(2);
    const kept = new Map<string, string>();
    const store = {
      async get(key: string) {
        return kept.get(key) ?? null;
      },
      async set(key: string, value: string) {
        await new Promise(setImmediate);
        kept.set(key, value);
      },
    };
    await run(store, [judgeOf()]);
    const { aggregates } = await run(store, [judgeOf()], { judges: { cacheMode: "replay" } });
    expect(aggregates.score?.mean).toBe(1);
  });

  it("a store that parses JSON", async () => {
    says(2);
    const kept = new Map<string, unknown>();
    const store = {
      get: async (key: string) => kept.get(key),
      set: async (key: string, value: string) => kept.set(key, JSON.parse(value)),
    };
    await run(store, [judgeOf()]);
    const { aggregates, rows } = await run(store, [judgeOf()], { judges: { cacheMode: "replay" } });
    expect(aggregates.score).toMatchObject({ mean: 1, count: 2, errors: 0 });
    expect(rows.map(({ evaluationResults }) => evaluationResults[0]?.metadata?.cached)).toEqual([true, true]);
  });

  it("that fails to read is asked again for each answer, and is reported once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const kept = new Map<string, string>();
    const judge = vi.fn(() => ({ reasoning: "", score: true }));
    const evaluators = [judgeOf({ judge, model: undefined, cacheKey: "yes" })];
    const data = ["a", "b", "c"].map((outputs) => ({ outputs }));
    await run(kept, evaluators, { data });
    let calls = 0;
    const restarting = {
      async get(key: string) {
        if (++calls < 3) throw new Error("the store restarts");
        return kept.get(key);
      },
      set: (key: string, value: string) => kept.set(key, value),
    };
    const options = { data, maxConcurrency: 1 };
    const { aggregates, rows } = await run(restarting, evaluators, options);
    expect(aggregates.score).toMatchObject({ mean: 1, count: 3, errors: 0 });
    expect(rows.map(({ evaluationResults }) => evaluationResults[0]?.metadata?.cached)).toEqual([
      undefined,
      undefined,
      true,
    ]);
    expect(judge).toHaveBeenCalledTimes(5);
    expect(warn.mock.calls).toEqual([
      [
        "openevals-wasm: the cache did not return some answers, so they are requested again: cache.get failed: the store restarts",
      ],
    ]);
    warn.mockRestore();

    const path = join(folder, "file");
    writeFileSync(path, "");
    calls = 0;
    for (const [cache, message] of [
      [restarting, /^cache\.get failed: the store restarts$/],
      [directoryCache(path), /^cache\.get failed: .*file/],
    ] as const) {
      const replayed = await run(cache, evaluators, {
        data: [{ outputs: "a" }],
        judges: { cacheMode: "replay" },
      });
      expect(replayed.rows[0]?.errors[0]?.error).toMatchObject({
        code: "callback_failed",
        message: expect.stringMatching(message),
      });
    }
    expect(judge).toHaveBeenCalledTimes(5);
  });

  it("that fails to store costs no score, and is reported once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const set = async () => {
      throw new Error("the disk is full");
    };
    server.script.push(...Array(3).fill(completion('{"reasoning": "", "score": true}')));
    const data = ["a", "b", "c"].map((outputs) => ({ outputs }));
    const { aggregates } = await run({ get() {}, set }, [judgeOf()], { data });
    server.script.length = 0;
    expect(aggregates.score).toMatchObject({ mean: 1, count: 3, errors: 0 });
    expect(warn.mock.calls).toEqual([[expect.stringContaining("cache.set failed: the disk is full")]]);
    warn.mockRestore();
  });

  it("that never ends storing costs no score, and is waited for once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => {
      vi.useRealTimers();
      warn.mockRestore();
    });
    let calls = 0;
    let started!: () => void;
    const firstCall = new Promise<void>((resolve) => {
      started = resolve;
    });
    const set = () => {
      calls++;
      started();
      return new Promise(() => {});
    };
    const judge = judgeOf({
      judge: () => ({ reasoning: "", score: true }),
      model: undefined,
      cacheKey: "yes",
    });
    const data = ["a", "b", "c"].map((outputs) => ({ outputs }));
    const running = run({ get() {}, set }, [judge], { data, maxConcurrency: 1 });
    await firstCall;
    await vi.advanceTimersByTimeAsync(10_000);
    expect((await running).aggregates.score).toMatchObject({ mean: 1, count: 3, errors: 0 });
    expect(calls).toBe(3);
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining("cache.set failed: it took longer than 10 seconds")],
    ]);
  });

  it.each([
    "auto",
    "replay",
  ] as const)("that never ends reading is waited for once, in %s", async (cacheMode) => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    onTestFinished(() => {
      vi.useRealTimers();
      warn.mockRestore();
    });
    let calls = 0;
    let started!: () => void;
    const firstCall = new Promise<void>((resolve) => {
      started = resolve;
    });
    const get = () => {
      calls++;
      started();
      return new Promise(() => {});
    };
    const judge = vi.fn(() => ({ reasoning: "", score: true }));
    const kept: string[] = [];
    const cache = { get, set: (key: string) => kept.push(key) };
    const data = ["a", "b", "c"].map((outputs) => ({ outputs }));
    const evaluators = [judgeOf({ judge, model: undefined, cacheKey: "yes" })];
    const running = run(cache, evaluators, { data, maxConcurrency: 1, judges: { cacheMode } });
    await firstCall;
    await vi.advanceTimersByTimeAsync(10_000);
    const { aggregates, rows } = await running;
    expect(calls).toBe(1);
    if (cacheMode === "auto") {
      expect(aggregates.score).toMatchObject({ mean: 1, count: 3, errors: 0 });
      expect([judge.mock.calls.length, kept.length]).toEqual([3, 3]);
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(/cache\.get failed: it took longer than 10 seconds/)],
      ]);
    } else {
      expect(rows.flatMap(({ errors }) => errors.map(({ error }) => error))).toEqual(
        Array(3).fill(
          expect.objectContaining({
            code: "callback_failed",
            message: expect.stringContaining("cache.get failed: it took longer than 10 seconds"),
          }),
        ),
      );
      expect([judge.mock.calls.length, warn.mock.calls.length]).toEqual([0, 0]);
    }
  });

  it("with an answer under the name of another question, which fails the evaluator", async () => {
    const cache = new Map<string, string>();
    server.script.push(...Array(2).fill(completion('{"reasoning": "", "score": true}')));
    const data = [{ outputs: "a" }, { outputs: "b" }];
    await run(cache, [judgeOf()], { data });
    const [[first, ofA], [second, ofB]] = [...cache] as [[string, string], [string, string]];
    cache.set(first, ofB).set(second, ofA);
    const { rows } = await run(cache, [judgeOf()], { data });
    expect(rows.flatMap(({ errors }) => errors.map(({ error }) => error))).toEqual([
      expect.objectContaining({
        code: "invalid_input",
        message: expect.stringMatching(
          `^The cache entry ${first} has the answer to another question: .* Delete it\\.$`,
        ),
      }),
      expect.objectContaining({ code: "invalid_input" }),
    ]);
  });

  it("damaged in its file, as after a power cut, which is asked again and replaced", async () => {
    const path = join(folder, "damaged");
    const answer = completion('{"reasoning": "", "score": true}');
    const again = () => run(directoryCache(path), [judgeOf()], { data: [{ outputs: "a" }] });
    server.script.push(answer);
    await again();
    const [name] = readdirSync(path) as [string];
    const file = join(path, name);
    const whole = readFileSync(file, "utf8");
    for (const damaged of ["", whole.slice(0, 50), "\0".repeat(whole.length), "null", '{"a":1}']) {
      writeFileSync(file, damaged);
      const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
      server.script.push(answer);
      const { aggregates } = await again();
      expect([aggregates.score?.mean, server.script.length, readFileSync(file, "utf8")]).toEqual([
        1,
        0,
        whole,
      ]);
      expect(warn.mock.calls).toEqual([
        [
          expect.stringMatching(
            /^openevals-wasm: the cache has damaged entries, so their answers are requested again: The cache entry [\da-f]{64} is not a judge answer/,
          ),
        ],
      ]);
      warn.mockRestore();
    }
    expect((await again()).rows[0]?.evaluationResults[0]?.metadata?.cached).toBe(true);
  });

  it("broken, which fails the evaluator in a replay", async () => {
    const failure = async (cache: any) => {
      const judges = { cacheMode: "replay" } as const;
      const { rows } = await run(cache, [judgeOf()], { data: [{ outputs: "a" }], judges });
      return rows[0]?.errors[0]?.error;
    };
    const negative = '{"answer": {"text": "{}", "inputTokens": -5, "outputTokens": 1}}';
    for (const value of ["", "[]", "null", '{"answer": {"text": 3}}', 7, negative]) {
      expect(await failure({ get: () => value, set() {} })).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("is not a judge answer"),
      });
    }
    const cacheKey = "of the judge";
    expect(await failure({ get: () => ({ model: { cacheKey } }), set() {} })).toMatchObject({
      message: expect.stringContaining(
        'is not a judge answer: {"model":{"cacheKey":"of the judge"}}. Delete it.',
      ),
    });
  });

  it.each<[object, string]>([
    [{ cache: {} }, "cache is {}; it has to be an object with get and set"],
    [{ cache: "directory" }, 'cache is "directory"'],
    [
      { cache: new Map(), cacheMode: "offline" },
      'cacheMode is "offline"; it has to be "auto", "record" or "replay"',
    ],
  ])("nothing else: %j", async (options, message) => {
    const error = await errorOf(evaluate(undefined, { data: [], judges: options }));
    expect(error.message).toContain(message);
  });
});
