/**
 * Hostile input: whatever an evaluator is given, it fails with an `OpenEvalsError` and does not affect other
 * calls.
 */

import * as main from "openevals-wasm";
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
  runMultiturnSimulation,
  trajectoryStrictMatch,
} from "openevals-wasm";
import * as checks from "openevals-wasm/checks";
import { aggregateOf, evaluate, percentile } from "openevals-wasm/evaluation";
import * as judges from "openevals-wasm/judges";
import * as llm from "openevals-wasm/llm";
import * as retrieval from "openevals-wasm/retrieval";
import { init } from "openevals-wasm/slim";
import * as text from "openevals-wasm/text";
import * as utils from "openevals-wasm/utils";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type HostileCalls,
  testEvaluators,
  testExports,
  testRefusals,
  UNPRINTABLE,
  UNREADABLE,
  UNREADABLE_OBJECTS,
} from "../hostile-values.ts";
import { CASES } from "../interop/evaluators.ts";
import { errorOf } from "./error-of.js";

const boom = new Error("boom");
const verdict = () => ({ score: true, reasoning: "Yes." });
const prompt = "Is {outputs} right?";
const next = () => exactMatch("a", "a");
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

const graph = { results: [{}], steps: [["a"]] };
const judged = Object.entries({
  "a judge of trajectories": [
    createTrajectoryLLMAsJudge({ judge: verdict }),
    { outputs: calling({}), referenceOutputs: calling({}) },
  ],
  "a judge of graphs": [
    createGraphTrajectoryLLMAsJudge({ judge: verdict }),
    { inputs: ["a"], outputs: graph, referenceOutputs: graph },
  ],
  "a judge with samples": [createLLMAsJudge({ prompt, judge: verdict, samples: 3 }), { outputs: "x" }],
  "G-Eval": [
    judges.createGEval({ steps: ["Rate it."], judge: () => ({ score: 3, reasoning: "" }), samples: 2 }),
    { outputs: "x" },
  ],
  "a jury": [
    judges.createJury({ judges: [1, 2].map(() => createLLMAsJudge({ prompt, judge: verdict })) }),
    { outputs: "x" },
  ],
  "a pairwise judge": [
    judges.createPairwiseJudge({ judge: () => ({ verdict: "A", reasoning: "" }) }),
    { inputs: "q", outputs: ["a", "b"] },
  ],
} as Record<string, [unknown, Record<string, unknown>]>);

describe("every evaluator, with hostile values", () =>
  testEvaluators([
    // They read the metadata.
    ...CASES.map((one) => (/^(cost|latency)$/.test(one.name) ? { ...one, unread: ["outputs"] } : one)),
    ...judged.map(([name, [evaluator, row]]) => ({ name, evaluator, row })),
  ]));

describe("every function of an entry point, with hostile arguments", () => {
  describe("openevals-wasm", () => testExports(main, next));
  describe("openevals-wasm/llm", () => testExports(llm, next));
  describe("openevals-wasm/utils", () => testExports(utils, next));
  describe("openevals-wasm/checks", () => testExports(checks, next));
  describe("openevals-wasm/judges", () => testExports(judges, next));
  describe("openevals-wasm/text", () => testExports(text, next));
  describe("openevals-wasm/retrieval", () => testExports(retrieval, next));
  const model = createBrowserModel();
  describe("createBrowserModel()", () => testExports({ model }, next));
});

describe("data that cannot be read", () => {
  const calls = {
    "a message": (value) => createTrajectoryMatchEvaluator()({ outputs: [value], referenceOutputs: [value] }),
    "a graph": (value) => graphTrajectoryStrictMatch({ outputs: value, referenceOutputs: value }),
    "a trajectory of AgentEvals": (value) => trajectoryStrictMatch(value),
    "a scorer": (value) => llm._createLLMAsJudgeScorer({ prompt, judge: verdict })(value),
    "a simulated user": (value) => createLLMSimulatedUser({ system: "x", client: verdict })(value),
    "a graph of LangGraph": (value) => extractLangGraphTrajectoryFromThread(value, {}),
    snapshots: (value) => extractLangGraphTrajectoryFromSnapshots([value]),
    scores: (value) => aggregateOf(value),
  } satisfies HostileCalls;
  testRefusals(calls, UNREADABLE, ["invalid_input"], next, true);
});

describe("functions that throw unprintable values", () => {
  const turns = { user: ["a"], maxTurns: 1 };
  const app = () => ({ role: "assistant" as const, content: "Yes." });
  const calls: [string, (throws: () => never) => Promise<unknown>][] = [
    ["a judge", (judge) => createLLMAsJudge({ prompt, judge })({ outputs: "x" })],
    ["a prompt", (prompt) => createLLMAsJudge({ prompt, judge: verdict })({ outputs: "x" })],
    ["embeddings", (embeddings) => createEmbeddingSimilarityEvaluator({ embeddings })("a", "b")],
    ["an application", (app) => runMultiturnSimulation({ ...turns, app })],
    ["a condition", (stoppingCondition) => runMultiturnSimulation({ ...turns, app, stoppingCondition })],
  ];
  it.each(calls)("%s", async (_, call) => {
    for (const [what, thrown] of UNPRINTABLE) {
      const error = await errorOf(
        call(() => {
          throw thrown;
        }),
      );
      expect(error.code, what).toBe("callback_failed");
      expect(error.message).toMatch(/cannot be shown|other than an error|Symbol\(x\)/);
      expect(error.cause).toBe(thrown);
    }
  });

  it("a failing evaluator of a simulation does not affect others", async () => {
    const throws = () => {
      throw UNPRINTABLE[0]![1];
    };
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
    ["one that throws", UNREADABLE["an object whose fields throw"]!()],
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
    expect(error.message).toMatch(/takes at most 200,000,000 characters, and got 200,000,\d{3}\./);
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

describe("options that cannot be read", () => {
  const calls = {
    createLLMAsJudge,
    createTrajectoryLLMAsJudge,
    createGraphTrajectoryLLMAsJudge,
    createTrajectoryMatchEvaluator,
    createJsonMatchEvaluator,
    createEmbeddingSimilarityEvaluator,
    runMultiturnSimulation,
    initChatModel: (options) => initChatModel("openai:m", options),
    headers: (headers) => initChatModel("openai:m", { apiKey: "k", headers }),
    judge: (judge) => createLLMAsJudge({ prompt, judge }),
    embeddings: (embeddings) => createEmbeddingSimilarityEvaluator({ embeddings }),
    prompt: (prompt) => createLLMAsJudge({ prompt, judge: verdict }),
    fewShotExamples: (example) => createLLMAsJudge({ prompt, judge: verdict, fewShotExamples: [example] }),
    evaluate: (options) => evaluate(() => "", options),
  } satisfies HostileCalls;
  testRefusals(calls, UNREADABLE_OBJECTS, ["invalid_config", "invalid_input"], next);
  const only = (...kinds: string[]) => Object.fromEntries(kinds.map((kind) => [kind, UNREADABLE[kind]!]));
  const objects = only("an object that refuses everything", "a revoked object");
  testRefusals({ init }, objects, ["invalid_config"], next);
  const metadata = (metadata: any) => evaluate(undefined, { data: [], metadata });
  const throwing = only("an object whose fields throw");
  testRefusals({ metadata }, throwing, ["invalid_input"], next, true);
});
