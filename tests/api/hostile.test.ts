/**
 * Hostile input: whatever an evaluator is given, it fails with an `OpenEvalsError` and does not affect other
 * calls.
 */

import { types } from "node:util";
import {
  createBrowserModel,
  createEmbeddingSimilarityEvaluator,
  createGraphTrajectoryLLMAsJudge,
  createGraphTrajectoryMatchEvaluator,
  createJsonMatchEvaluator,
  createLevenshteinEvaluator,
  createLLMAsJudge,
  createLLMSimulatedUser,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  extractLangGraphTrajectoryFromSnapshots,
  extractLangGraphTrajectoryFromThread,
  graphTrajectoryStrictMatch,
  initChatModel,
  levenshteinDistance,
  OpenEvalsError,
  runMultiturnSimulation,
  trajectoryStrictMatch,
} from "openevals-wasm";
import { noPII } from "openevals-wasm/checks";
import { aggregateOf, evaluate, percentile } from "openevals-wasm/evaluation";
import { createPairwiseJudge } from "openevals-wasm/judges";
import { _createLLMAsJudgeScorer } from "openevals-wasm/llm";
import { init } from "openevals-wasm/slim";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { errorOf } from "./error-of.js";

const boom = new Error("boom");
/** Throws on every operation. */
const trap = new Proxy(
  {},
  {
    get() {
      throw boom;
    },
    has() {
      throw boom;
    },
  },
) as any;
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
/** An object that cannot be converted to text. */
const evil = {
  get message(): string {
    throw new Error("no");
  },
  toString() {
    throw new Error("no");
  },
};
const verdict = () => ({ score: true, reasoning: "Yes." });
const prompt = "Is {outputs} right?";
const calling = (args: unknown) => [
  { role: "assistant", content: "", tool_calls: [{ name: "search", args } as never] },
];

describe("options that are not objects", () => {
  it.each<[string, (options: any) => unknown]>([
    ["createJsonMatchEvaluator", createJsonMatchEvaluator],
    ["createTrajectoryMatchEvaluator", createTrajectoryMatchEvaluator],
    ["createGraphTrajectoryMatchEvaluator", createGraphTrajectoryMatchEvaluator],
    ["createLevenshteinEvaluator", createLevenshteinEvaluator],
    ["createLLMAsJudge", createLLMAsJudge],
    ["createTrajectoryLLMAsJudge", createTrajectoryLLMAsJudge],
    ["createGraphTrajectoryLLMAsJudge", createGraphTrajectoryLLMAsJudge],
  ])("%s(null)", (name, make) => {
    for (const options of [null, 7]) {
      expect(() => make(options)).toThrow(
        expect.objectContaining({ code: "invalid_config", message: `${name} needs an object of options.` }),
      );
    }
  });
});

describe("options with a mistake", () => {
  it.each<[string, () => unknown]>([
    ["timeoutMs", () => initChatModel("openai:stub", { apiKey: "k", timeoutMs: 5n as never })],
    ["timeoutMs", () => initChatModel("openai:stub", { apiKey: "k", timeoutMs: "5" as never })],
    ["maxTokens", () => initChatModel("openai:stub", { apiKey: "k", maxTokens: 2 ** 32 })],
    ["percent", () => percentile({ key: "k", percent: null as never })],
    ["percent", () => percentile({ key: "k", percent: [50] as never })],
    [
      "toolArgsMatchOverrides",
      () => createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: null as never }),
    ],
    [
      "toolArgsMatchOverrides",
      () => createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: new Map() as never }),
    ],
    ["choices", () => createLLMAsJudge({ prompt, model: "openai:stub", choices: new Array(2) })],
    ["excludeKeys", () => createJsonMatchEvaluator({ excludeKeys: new Array(2) })],
  ])("%s", (name, make) => {
    expect(make).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringMatching(`^${name} is `) }),
    );
  });
});

it.each([
  ["exactMatch", exactMatch],
  ["levenshteinDistance", levenshteinDistance],
  ["JSON match", createJsonMatchEvaluator({ aggregator: "average" })],
  ["trajectories", createTrajectoryMatchEvaluator()],
  ["a judge", createLLMAsJudge({ prompt, judge: () => ({ score: true, reasoning: "" }) })],
])("a hole among the rows of a batch is named: %s", async (_, evaluator) => {
  const row = { outputs: calling(1), referenceOutputs: calling(1) };
  const rows = [row, row, row];
  delete rows[1];
  const error = await errorOf(evaluator.batch(rows as never) as Promise<unknown>);
  expect(error).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^rows\[1\]/) });
});

describe("data that throws when it is read", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["a message", () => createTrajectoryMatchEvaluator()({ outputs: [trap], referenceOutputs: [trap] })],
    ["a graph", () => graphTrajectoryStrictMatch({ outputs: trap, referenceOutputs: trap })],
    ["a row", () => createTrajectoryMatchEvaluator().batch([trap])],
    ["parameters", () => exactMatch(trap)],
    ["those of a judge", () => createLLMAsJudge({ prompt, judge: verdict })(trap)],
    ["those of a scorer", () => _createLLMAsJudgeScorer({ prompt, judge: verdict })(trap)],
    ["those of a judge of trajectories", () => createTrajectoryLLMAsJudge({ judge: verdict })(trap)],
    ["rows of such a judge", () => createTrajectoryLLMAsJudge({ judge: verdict }).batch([{ outputs: trap }])],
    ["those of a judge of graphs", () => createGraphTrajectoryLLMAsJudge({ judge: verdict })(trap)],
    ["those of a simulated user", () => createLLMSimulatedUser({ system: "x", client: verdict })(trap)],
    ["a graph of LangGraph", () => extractLangGraphTrajectoryFromThread(trap, {})],
    ["snapshots", async () => extractLangGraphTrajectoryFromSnapshots([trap])],
    ["scores", () => aggregateOf(trap)],
    ["metadata", () => evaluate(undefined, { data: [], metadata: trap })],
  ])("%s", async (_, call) => {
    expect(await errorOf(call())).toMatchObject({ code: "invalid_input", cause: boom });
  });

  it.each<[string, () => Promise<unknown>]>([
    ["exactMatch", () => exactMatch.batch(revoked as never)],
    ["levenshteinDistance", () => levenshteinDistance.batch(revoked as never)],
    ["JSON match", () => createJsonMatchEvaluator().batch(revoked as never)],
    [
      "a trajectory",
      () => createTrajectoryMatchEvaluator()({ outputs: revoked as never, referenceOutputs: [] }),
    ],
  ])("%s, of a proxy that is revoked", async (_, call) => {
    expect((await errorOf(call())).code).toBe("invalid_input");
  });
});

describe("functions that throw unprintable values", () => {
  const throws = () => {
    throw evil;
  };
  const turns = { user: ["a"], maxTurns: 1 };
  const app = () => ({ role: "assistant" as const, content: "Yes." });
  it.each<[string, () => Promise<unknown>]>([
    ["a judge", () => createLLMAsJudge({ prompt, judge: throws })({ outputs: "x" })],
    ["a prompt", () => createLLMAsJudge({ prompt: throws, judge: verdict })({ outputs: "x" })],
    ["embeddings", () => createEmbeddingSimilarityEvaluator({ embeddings: throws })("a", "b")],
    ["an application", () => runMultiturnSimulation({ ...turns, app: throws })],
    ["a condition", () => runMultiturnSimulation({ ...turns, app, stoppingCondition: throws })],
  ])("%s", async (_, call) => {
    const error = await errorOf(call());
    expect(error.code).toBe("callback_failed");
    expect(error.message).toMatch(/cannot be shown|other than an error/);
    expect(error.cause).toBe(evil);
  });

  it("a failing evaluator of a simulation does not affect others", async () => {
    const fine = () => ({ key: "fine", score: 1 });
    const { evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
      ...turns,
      app,
      trajectoryEvaluators: [throws, fine],
    });
    expect(evaluatorResults).toEqual([{ key: "fine", score: 1 }]);
    expect(evaluatorErrors).toEqual([
      { evaluator: 0, error: expect.objectContaining({ code: "callback_failed" }) },
    ]);
  });

  it("a throwing matcher: the message names the tool and the cause", async () => {
    const toolArgsMatchOverrides = {
      search: ({ q }: Record<string, unknown>) => (q as string).toLowerCase() === "",
    };
    for (const scoring of ["boolean", "f1"] as const) {
      const evaluator = createTrajectoryMatchEvaluator({ toolArgsMatchOverrides, scoring });
      const error = await errorOf(evaluator({ outputs: calling({}), referenceOutputs: calling({ q: "" }) }));
      expect(error.code).toBe("callback_failed");
      expect(error.message).toMatch(/^toolArgsMatchOverrides\["search"\] failed: .*toLowerCase/);
      expect(error.cause).toBeInstanceOf(TypeError);
    }
  });

  it("an asynchronous onProgress that rejects", async () => {
    const onProgress = async () => {
      throw boom;
    };
    const running = evaluate(undefined, {
      data: [{ inputs: 1, outputs: 1, referenceOutputs: 1 }],
      evaluators: [exactMatch],
      onProgress: onProgress as never,
    });
    const error = await errorOf(running);
    expect(error).toMatchObject({ code: "callback_failed", cause: boom });
    expect(error.experiment?.rows).toHaveLength(1);
  });

  it("the history of a graph", async () => {
    const graph = { getStateHistory: () => Promise.reject(boom) };
    expect((await errorOf(extractLangGraphTrajectoryFromThread(graph as never, {}))).code).toBe(
      "callback_failed",
    );
    for (const snapshots of [undefined, "x", [null]]) {
      expect(() => extractLangGraphTrajectoryFromSnapshots(snapshots as never)).toThrow(
        "snapshots has to be a list of snapshots",
      );
    }
  });

  it("a schema that cannot produce its JSON schema", async () => {
    const judge = createLLMAsJudge({ prompt, judge: verdict, outputSchema: z.object({ on: z.date() }) });
    expect(await errorOf(judge({ outputs: "a" }))).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/^outputSchema has no JSON schema: Date/),
    });
  });
});

describe("signals that are not signals", () => {
  const options = { apiKey: "no-key-at-all", baseURL: "http://127.0.0.1:1" };
  it.each<[string, object]>([
    ["an object that only looks like one", Object.create(AbortSignal.prototype)],
    ["one that tells nothing", { addEventListener() {} }],
    ["one that throws", trap],
  ])("%s", (_, signal) => {
    expect(() => initChatModel("openai:stub", { ...options, signal: signal as AbortSignal })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringContaining("signal is"),
      }),
    );
  });

  it("a promise that never settles: the call ends, and others continue", async () => {
    const signal = {
      aborted: false,
      reason: undefined,
      addEventListener() {},
      removeEventListener() {
        throw boom;
      },
    };
    let answer = (_: object) => {};
    const waiting = createLLMAsJudge({
      prompt,
      judge: () => new Promise<object>((resolve) => (answer = resolve)),
    })({ outputs: "x" });
    const fetch = () => Promise.reject(new Error("no network"));
    const model = initChatModel("openai:stub", {
      ...options,
      fetch: fetch as never,
      signal: signal as never,
      maxRetries: 0,
    });
    expect((await errorOf(createLLMAsJudge({ prompt, judge: model })({ outputs: "x" }))).code).toBe(
      "provider_error",
    );
    answer(verdict());
    expect((await waiting).score).toBe(true);
  });
});

describe("numbers in typed arrays", () => {
  it("are compared by index", async () => {
    const [a, b] = [Float32Array.of(1, 0.5, -2), Float32Array.of(1, 0.5, 2)];
    expect((await exactMatch(a, Float32Array.from(a))).score).toBe(true);
    expect((await exactMatch(a, b)).score).toBe(false);
    expect((await exactMatch(a, { 0: 1, 1: 0.5, 2: -2 })).score).toBe(true);
    expect((await exactMatch(Buffer.from("ab"), { type: "Buffer", data: [97, 98] })).score).toBe(true);
    expect((await errorOf(exactMatch([new Uint8Array()], []))).message).toContain(
      "outputs[0] is a Uint8Array",
    );
    expect((await errorOf(exactMatch(BigInt64Array.of(1n), 1))).message).toContain("is a BigInt");
  });

  it.each<[string, () => object]>([
    ["a Buffer", () => Buffer.alloc(200_000_000)],
    ["a Float64Array", () => new Float64Array(110_000_000)],
    ["a list", () => new Array(110_000_000)],
    [
      "a list that has no end",
      () => new Proxy([], { get: (list, key) => (key === "length" ? 2 ** 53 : (list as any)[key]) }),
    ],
  ])("%s that is too large is refused before it is written", async (_, make) => {
    const error = await errorOf(exactMatch({ outputs: { a: make() }, referenceOutputs: 1 }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain("the engine takes at most 200,000,000 at once");
  });

  it("the input of a judge has a limit, too", async () => {
    const judge = createLLMAsJudge({ prompt, judge: verdict });
    const error = await errorOf(judge({ outputs: "x".repeat(200_000_001) }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/takes at most 200,000,000 characters at once, and got 200,000,\d{3}\./);
  });
});

describe("lone surrogates", () => {
  const MARK = "\u{10FFFF}";
  it.each<[string, unknown, unknown]>([
    ["values", { a: "\ud800" }, { a: `${MARK}d800` }],
    ["elements", ["\udaca"], [`${MARK}daca`]],
    ["keys", { "\ud800": 1, [`${MARK}d800`]: 2 }, { [`${MARK}d800`]: 2 }],
    ["behind the same character", [`${MARK}\ud800`], [`${MARK}${MARK}d800`]],
  ])("are not what stands for them: %s", async (_, outputs, referenceOutputs) => {
    expect((await exactMatch({ outputs, referenceOutputs })).score).toBe(false);
    const rows = [
      { outputs, referenceOutputs },
      { outputs: referenceOutputs, referenceOutputs: structuredClone(referenceOutputs) },
    ];
    expect((await exactMatch.batch(rows)).map(({ score }) => score)).toEqual([false, true]);
    const args = { trajectoryMatchMode: "strict" } as const;
    const match = createTrajectoryMatchEvaluator(args);
    const { score } = await match({
      outputs: calling({ value: outputs }),
      referenceOutputs: calling({ value: referenceOutputs }),
    });
    expect(score).toBe(false);
  });

  it("are separate keys in a JSON match, and shown unchanged", async () => {
    const results = await createJsonMatchEvaluator()(
      { "\ud800": 1, [`${MARK}d800`]: 2 },
      { "\ud800": 1, [`${MARK}d800`]: 3 },
    );
    expect(results).toEqual([
      { key: "json_match:\ud800", score: 1 },
      {
        key: `json_match:${MARK}d800`,
        score: 0,
        comment: 'outputs["\\udbff\\udfffd800"] is 2 instead of 3',
      },
    ]);
  });

  it("reach a judge unchanged", async () => {
    const outputs = `${MARK}d800 \ud800 ${MARK}\ud800`;
    let asked: unknown;
    const judge = createLLMAsJudge({
      prompt: `${MARK}d800 {outputs}`,
      judge: ({ messages }) => {
        asked = messages.at(-1)?.content;
        return { score: true, reasoning: "" };
      },
    });
    await judge({ outputs });
    expect(asked).toBe(`${MARK}d800 ${outputs}`);
  });

  const text = (json: string) => [
    {
      role: "assistant",
      content: "",
      tool_calls: [{ type: "function", function: { name: "search", arguments: json } } as never],
    },
  ];
  it.each<[string, string, object, boolean]>([
    ["a raw half and the replacement character", '{"a":"\ud800"}', { a: "\ufffd" }, false],
    ["a raw half and the same", '{"a":"\ud800"}', { a: "\ud800" }, true],
    ["a raw half as a key", '{"\ud800":1}', { "\ud800": 1 }, true],
    ["the second half of a pair raw", '{"a":"\\ud83d\ude00"}', { a: "😀" }, true],
    ["the first half of a pair raw", '{"a":"\ud83d\\ude00"}', { a: "😀" }, true],
    ["the character that stands for them", `{"a":"${MARK}d800"}`, { a: "\ud800" }, false],
    ["the same character", `{"a":"${MARK}d800"}`, { a: `${MARK}d800` }, true],
  ])("in the text of arguments: %s", async (_, json, args, score) => {
    const evaluator = createTrajectoryMatchEvaluator();
    const result = await evaluator({ outputs: text(json), referenceOutputs: calling(args) });
    expect(result.score).toBe(score);
  });
});

it("huge and tiny embeddings have a cosine, too", async () => {
  const similarity = (vector: number[], other: number[]) =>
    createEmbeddingSimilarityEvaluator({ embeddings: (text) => (text === "a" ? vector : other) })("a", "b");
  expect((await similarity([1e200, 0], [1e200, 1e200])).score).toBe(0.71);
  expect((await similarity([1e-200, 0], [5e-324, 0])).score).toBe(1);
  expect((await errorOf(similarity([0, 0], [1, 0]))).code).toBe("invalid_input");
});

describe("unreadable options", () => {
  const refusing = new Proxy(
    {} as any,
    new Proxy({} as any, {
      get: () => () => {
        throw boom;
      },
    }),
  );
  const judge = () => ({ score: true, reasoning: "" });
  it.each<[string, (options: any) => unknown]>([
    ["createLLMAsJudge", createLLMAsJudge],
    ["createTrajectoryLLMAsJudge", createTrajectoryLLMAsJudge],
    ["createGraphTrajectoryLLMAsJudge", createGraphTrajectoryLLMAsJudge],
    ["createTrajectoryMatchEvaluator", createTrajectoryMatchEvaluator],
    ["createJsonMatchEvaluator", createJsonMatchEvaluator],
    ["createEmbeddingSimilarityEvaluator", createEmbeddingSimilarityEvaluator],
    ["runMultiturnSimulation", runMultiturnSimulation],
    ["initChatModel", (options) => initChatModel("openai:m", options)],
    ["headers", (headers) => initChatModel("openai:m", { apiKey: "k", headers })],
    ["judge", (judge) => createLLMAsJudge({ prompt, judge })],
    ["embeddings", (embeddings) => createEmbeddingSimilarityEvaluator({ embeddings })],
    ["init", init],
    ["prompt", (prompt) => createLLMAsJudge({ prompt, judge })],
    ["fewShotExamples", (example) => createLLMAsJudge({ prompt, judge, fewShotExamples: [example] })],
    ["evaluate", (options) => evaluate(() => "", options)],
  ])("%s", async (_, make) => {
    for (const options of [revoked, refusing]) {
      const error = await errorOf((async () => make(options))());
      expect(["invalid_config", "invalid_input"]).toContain(error.code);
    }
  });
});

it("the input of AgentEvals functions may be a revoked proxy", async () => {
  expect((await errorOf(trajectoryStrictMatch(revoked as never))).code).toBe("invalid_input");
});

describe("every export, with unreadable arguments", () => {
  const throwing = (target: object) =>
    new Proxy(
      target,
      new Proxy({} as any, {
        get: () => () => {
          throw boom;
        },
      }),
    );
  const revokedOf = (target: object) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const getters = {
    get outputs(): string {
      throw boom;
    },
    get search(): string {
      throw boom;
    },
  };
  const kinds = [{}, [], () => {}];
  const hostiles = [...kinds.map(throwing), ...kinds.map(revokedOf), getters];
  const OPTIONS =
    "prompt judge model client evaluators checks toolArgsMatchOverrides rubric judges outputSchema fewShotExamples embeddings " +
    "schema data app user trajectoryEvaluators referenceOutputs reference_outputs allow kinds excludeKeys headers signal " +
    "parser detect output choices fixedResponses stoppingCondition";
  const fine = { prompt: "{outputs}", judge: () => true, app: () => "a", user: ["a"], maxTurns: 1 };

  /** Returns the result of a call. Fails if it throws anything but our error. */
  async function tried(what: string, call: () => unknown): Promise<void> {
    try {
      const returned = call();
      // Returned input, such as a message, may not be readable as a promise.
      if (types.isPromise(returned))
        await Promise.race([returned, new Promise((done) => setTimeout(done, 50))]);
    } catch (error) {
      if (!OpenEvalsError.isInstance(error)) throw new Error(`${what} threw ${reason(error)}`);
    }
  }
  const reason = (error: unknown) => (error instanceof Error ? error.stack : "what cannot be shown");

  it.each<[string, () => Promise<Record<string, unknown>>]>([
    ["openevals-wasm", () => import("openevals-wasm")],
    ["openevals-wasm/llm", () => import("openevals-wasm/llm")],
    ["openevals-wasm/utils", () => import("openevals-wasm/utils")],
    ["openevals-wasm/checks", () => import("openevals-wasm/checks")],
    ["openevals-wasm/judges", () => import("openevals-wasm/judges")],
    ["openevals-wasm/text", () => import("openevals-wasm/text")],
    ["openevals-wasm/retrieval", () => import("openevals-wasm/retrieval")],
    ["openevals-wasm/recipes", () => import("openevals-wasm/recipes")],
    ["openevals-wasm/evaluation", () => import("openevals-wasm/evaluation")],
    ["openevals-wasm/otel", () => import("openevals-wasm/otel")],
    ["openevals-wasm/bullmq", () => import("openevals-wasm/bullmq")],
  ])(
    "%s",
    async (_, load) => {
      for (const [name, value] of Object.entries(await load())) {
        if (typeof value !== "function" || /^[A-Z]/.test(name)) continue;
        const call = value as ((...args: unknown[]) => unknown) & { batch?(rows: unknown): unknown };
        for (const hostile of hostiles) {
          await tried(name, () => call(hostile));
          await tried(name, () => call("a", hostile));
          await tried(name, () => call([hostile]));
          await tried(name, () => call({ outputs: hostile, referenceOutputs: hostile }));
          for (const option of OPTIONS.split(" ")) {
            await tried(`${name} with ${option}`, () => call({ [option]: hostile }));
            await tried(`${name} with ${option} among others`, () => call({ ...fine, [option]: hostile }));
          }
          if (call.batch) await tried(`${name}.batch`, () => call.batch?.(hostile));
        }
      }
    },
    120_000,
  );

  it.each<[string, () => unknown]>([
    ["a judge", () => createLLMAsJudge({ prompt, judge: verdict })],
    ["a judge of trajectories", () => createTrajectoryLLMAsJudge({ judge: verdict })],
    ["a judge of graphs", () => createGraphTrajectoryLLMAsJudge({ judge: verdict })],
    ["trajectories", () => createTrajectoryMatchEvaluator()],
    ["JSON match", () => createJsonMatchEvaluator()],
    ["a check", () => noPII()],
    ["a model of a browser", () => createBrowserModel()],
    ["a pairwise judge", () => createPairwiseJudge({ judge: () => ({ verdict: "A", reasoning: "" }) })],
  ])("%s", async (name, make) => {
    const evaluate = make() as ((...args: unknown[]) => unknown) & { batch?(rows: unknown): unknown };
    for (const hostile of hostiles) {
      for (const params of [
        hostile,
        { outputs: hostile, referenceOutputs: hostile },
        { outputs: [hostile] },
      ]) {
        await tried(name, () => evaluate(params));
        await tried(`${name}.batch`, () => evaluate.batch?.([params]));
      }
      await tried(`${name}.batch`, () => evaluate.batch?.(hostile));
    }
  });
});
