/** Samples and juries in experiments: recorded, replayed, and in batches. */

import { createLLMAsJudge, initChatModel, type LLMAsJudgeOptions } from "openevals-wasm";
import { type EvaluateOptions, evaluate } from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BatchServer } from "../providers/servers/batches.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, failure, startOpenAI } from "../providers/servers/openai.js";
import { APIS, KEY } from "./batch-apis.js";

const DATA = [{ outputs: "a" }, { outputs: "b" }];
const judgeOf = (options: Partial<LLMAsJudgeOptions> = {}) =>
  createLLMAsJudge({ prompt: "Is {outputs} right?", model: "openai:gpt-5.4", ...options });

describe("a cache", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await startOpenAI(KEY);
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", KEY);
    return async () => {
      vi.unstubAllEnvs();
      await server.close();
    };
  });
  /** The answers of a server in turn, each with a different reason. */
  const says = (...scores: boolean[]) =>
    server.script.push(
      ...scores.map((score, index) =>
        completion(JSON.stringify({ reasoning: `Answer ${index + 1}.`, score })),
      ),
    );
  const run = (
    cache: Map<string, string>,
    evaluator: EvaluateOptions["evaluators"][number],
    options: Partial<EvaluateOptions> = {},
  ) =>
    evaluate(undefined, {
      data: DATA,
      evaluators: [evaluator],
      ...options,
      judges: { cache, ...options.judges },
    });
  /** Results without fields that differ each time. */
  const resultsOf = ({ rows }: Awaited<ReturnType<typeof evaluate>>) =>
    rows.map(({ evaluationResults: [result] }) => {
      const { latencyMs, cached, attempts, ...metadata } = result?.metadata ?? {};
      return { ...result, metadata };
    });

  it("stores each sample, and replays the n-th answer for the n-th", async () => {
    says(true, false, true, false, false, true);
    const cache = new Map<string, string>();
    const first = await run(cache, judgeOf({ samples: 3 }));
    expect(resultsOf(first)).toMatchObject([{ score: true }, { score: false }]);
    expect([server.requests.length, cache.size]).toEqual([6, 6]);
    for (const cacheMode of ["auto", "replay"] as const) {
      const again = await run(cache, judgeOf({ samples: 3 }), { judges: { cacheMode } });
      expect(resultsOf(again)).toEqual(resultsOf(first));
      expect(again.rows[0]?.evaluationResults[0]?.metadata).toMatchObject({ cached: true, attempts: 0 });
      expect(again.usage).toEqual(first.usage);
    }
    expect(server.requests).toHaveLength(6);
  });

  it("requests the missing samples", async () => {
    says(true, false);
    const cache = new Map<string, string>();
    await run(cache, judgeOf());
    says(false, false, false, true);
    const { rows } = await run(cache, judgeOf({ samples: 3 }));
    expect(rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([false, false]);
    expect(server.requests).toHaveLength(6);
  });

  it("stores no failed sample, and the verdict is the same without it", async () => {
    const data = [{ outputs: "a" }];
    server.script.push(completion('{"score": true}'), failure(400, "No."), completion('{"score": true}'));
    const cache = new Map<string, string>();
    const { rows } = await run(cache, judgeOf({ samples: 3 }), { data });
    expect([rows[0]?.evaluationResults[0]?.score, cache.size]).toEqual([true, 2]);
    const again = await run(cache, judgeOf({ samples: 3 }), { data, judges: { cacheMode: "replay" } });
    const [result] = again.rows[0]!.evaluationResults;
    expect(result?.score).toBe(true);
    const votes = result?.metadata?.["votes"] as { error?: { code: string } }[];
    // It depends on timing which of the three the server refused.
    expect(votes.flatMap(({ error }) => error?.code ?? [])).toEqual(["cache_miss"]);
  });

  it("stores a sample's repaired answer as that sample's", async () => {
    const data = [{ outputs: "a" }];
    const says = (text: string) => completion(text);
    const cache = new Map<string, string>();
    let isFirst = true;
    const answer = ({ body }: { body: { messages: unknown[] } }) => {
      if (body.messages.length > 1) return says('{"score": false}');
      if (!isFirst) return says('{"score": true}');
      isFirst = false;
      return says("Well.");
    };
    server.script.push(answer, answer, answer, answer);
    const first = await run(cache, judgeOf({ samples: 3 }), { data });
    expect(resultsOf(first)).toMatchObject([{ score: true, metadata: { confidence: 2 / 3 } }]);
    const again = await run(cache, judgeOf({ samples: 3 }), { data, judges: { cacheMode: "replay" } });
    expect(resultsOf(again)).toEqual(resultsOf(first));
  });

  it("distinguishes temperatures, repetitions, and members of a jury with the same request", async () => {
    says(true, true, false, false);
    const cache = new Map<string, string>();
    const judge = initChatModel("openai:gpt-5.4");
    await run(cache, judgeOf({ judge, temperature: 0 }));
    await run(cache, judgeOf({ judge, temperature: 1 }));
    expect(cache.size).toBe(4);
    const cold = await run(cache, judgeOf({ judge, temperature: 0 }), { judges: { cacheMode: "replay" } });
    expect(cold.aggregates.score).toMatchObject({ mean: 1, count: 2 });

    says(true, false, true, true, true, false);
    const jury = () => createJury({ judges: [judgeOf(), judgeOf(), judgeOf()] });
    const first = await run(cache, jury());
    const again = await run(cache, jury(), { judges: { cacheMode: "replay" } });
    expect(again.rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([true, true]);
    expect(again.rows[0]?.evaluationResults[0]?.comment).toBe(first.rows[0]?.evaluationResults[0]?.comment);
    expect(again.rows[0]?.evaluationResults[0]?.metadata).toMatchObject({ cached: true });
  });
});

describe.each(["openai", "anthropic", "google"] as const)("batches of %s", (name) => {
  const { face, says, env, model, submits } = APIS[name];
  let server: BatchServer;
  let asked: number;
  beforeEach(async () => {
    asked = 0;
    // Every third answer differs.
    const answer = (body: never) => says(JSON.stringify({ reasoning: "", score: ++asked % 3 !== 0 }), body);
    server = await BatchServer.start(face, { answer });
    for (const [variable, value] of Object.entries(env(server.url))) vi.stubEnv(variable, value);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.down();
  });

  it("include all samples of all rows, and all members of a jury, in one", async () => {
    const judge = judgeOf({ model, samples: 3 });
    const jury = createJury({ judges: [judgeOf({ model }), judgeOf({ model }), () => true] });
    const { rows } = await evaluate(undefined, {
      data: DATA,
      evaluators: [judge, jury],
      judges: { mode: "batch", batch: { pollMs: 5 } },
    });
    expect([server.count(submits), server.submitted, server.singles]).toEqual([1, 10, 0]);
    for (const { evaluationResults, errors } of rows) {
      expect(errors).toEqual([]);
      const [sampled, voted] = evaluationResults;
      expect((sampled?.metadata?.["votes"] as object[]).length).toBe(3);
      expect((voted?.metadata?.["votes"] as object[]).length).toBe(3);
    }
  });
});
