/** Answers that a judge cannot use: they were paid for. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJsonMatchEvaluator, createLLMAsJudge } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import {
  type EvaluateOptions,
  evaluate,
  evaluateComparative,
  mergeExperiments,
  readExperiment,
  renderReport,
} from "openevals-wasm/evaluation";
import { createGEval, createJury, createPairwiseJudge } from "openevals-wasm/judges";
import { faithfulness, ragSuite } from "openevals-wasm/rag";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { errorOf } from "../api/error-of.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

let server: Loopback;
beforeEach(async () => {
  server = await startOpenAI("sk-key");
  vi.stubEnv("OPENAI_API_KEY", "sk-key");
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});
/** Each answer has 120 input and 30 output tokens. */
const says = (content: string, times: number) => {
  for (let n = 0; n < times; n++) server.script.push(completion(content));
};

const model = "openai:gpt-5.4";
const prices = { "gpt-5.4": { input: 1000, output: 10_000 } };
const data = Array.from({ length: 20 }, (_, index) => ({ inputs: index, outputs: `answer ${index}` }));
const run = (options: Partial<EvaluateOptions>) =>
  evaluate(undefined, { data, progress: false, maxConcurrency: 1, ...options });
const polite = () => createLLMAsJudge({ prompt: "Is {outputs} polite?", model, feedbackKey: "polite" });
/** The errors of an evaluator have the usage of this many answers. */
const ofAnswers = (count: number) => ({ inputTokens: 120 * count, outputTokens: 30 * count });

describe("answers that cannot be used", () => {
  it("count towards the budget: a judge that always fails ends the experiment", async () => {
    says("I would rather not say.", 40);
    // Two answers a row cost 2 * (120 * $0.001 + 30 * $0.01) = $0.84.
    const experiment = await run({ evaluators: [polite()], budget: { maxCost: 2, prices } });
    expect(server.requests).toHaveLength(6);
    expect(experiment.stopped?.code).toBe("budget_exceeded");
    expect(experiment.budget).toEqual({
      ...{ maxCost: 2, cost: expect.closeTo(2.52, 10), tokens: 900, usedUp: "maxCost" },
    });
    expect(experiment.usage).toEqual(ofAnswers(6));
    expect(experiment.cost?.total).toBeCloseTo(2.52, 10);
    expect(experiment.rows[0]?.errors[0]?.error).toMatchObject({
      code: "invalid_judge_output",
      metadata: { model: "gpt-5.4", usage: ofAnswers(2) },
    });
    expect(await renderReport(experiment)).toContain("polite");
  });

  it("are in the error of the judge, with the model", async () => {
    says("No.", 2);
    const error = await errorOf(polite()({ outputs: "Hi." }));
    expect([error.code, error.metadata]).toEqual([
      "invalid_judge_output",
      { model: "gpt-5.4", usage: ofAnswers(2) },
    ]);
    // The first answer is prose, and the second request fails.
    says("No.", 1);
    server.script.push({ status: 401, body: "{}" });
    const failed = await errorOf(polite()({ outputs: "Hi." }));
    expect([failed.status, failed.metadata]).toEqual([401, { model: "gpt-5.4", usage: ofAnswers(1) }]);
    says("No.", 1);
    server.script.push({ status: 401, body: "{}" });
    const options = { data: data.slice(0, 1), evaluators: [polite()], judges: { cache: new Map() } };
    expect((await run(options)).usage).toEqual(ofAnswers(1));
    server.script.push({ status: 401, body: "{}" });
    expect((await errorOf(polite()({ outputs: "Hi." }))).metadata).toBeUndefined();
  });

  it("count once where several keys, rows that are run again, and parts share them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "failures-"));
    try {
      const judge = polite();
      /** Has two keys, and asks a judge. */
      async function both(params: { inputs: number; outputs: string }) {
        if (params.inputs % 2) await judge(params);
        return [
          { key: "a", score: 1 },
          { key: "b", score: 1 },
        ];
      }
      const rows = data.slice(0, 4);
      says("No.", 4);
      const sink = join(folder, "both.jsonl");
      const first = await run({ data: rows, evaluators: [both], output: { sink, keepRows: true } });
      expect([first.usage, first.aggregates.a?.usage, first.aggregates.b?.usage]).toEqual([
        ofAnswers(4),
        ofAnswers(4),
        undefined,
      ]);
      expect(first.rows[1]?.errors.map(({ error }) => error.metadata?.usage)).toEqual([
        ofAnswers(2),
        undefined,
      ]);
      expect((await readExperiment(sink)).usage).toEqual(ofAnswers(4));
      says("No.", 4);
      const again = await run({
        ...{ data: rows, evaluators: [both], output: { sink, resume: "failed" } },
        budget: { maxTokens: 10_000 },
      });
      expect([again.usage, again.budget?.tokens, again.budget?.dropped?.tokens]).toEqual([
        ofAnswers(4),
        1200,
        600,
      ]);
      says("No.", 4);
      const shards = [1, 2].map((index) =>
        run({ data: rows, evaluators: [both], shard: { index, count: 2 } }),
      );
      expect((await mergeExperiments(await Promise.all(shards))).usage).toEqual(ofAnswers(4));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("count beside those that can be used, in everything that asks several judges", async () => {
    const outputs = "Hi.";
    const yes = '{"reasoning": "Well.", "score": true}';
    const other = createLLMAsJudge({ prompt: "Is {outputs} kind?", model, feedbackKey: "kind" });
    const usageOf = async (evaluator: (params: any) => Promise<unknown>, params: object = { outputs }) =>
      (await errorOf(evaluator(params))).metadata?.usage;
    /** Answers by the prompt, because requests arrive in any order. */
    const answers = (times: number, good: RegExp) => {
      server.script.length = 0;
      for (let n = 0; n < times; n++)
        server.script.push(({ text }) => completion(good.test(text) ? yes : "No."));
    };
    answers(3, /kind/);
    expect(await usageOf(allOf([polite(), other]))).toEqual(ofAnswers(3));
    answers(3, /kind/);
    expect(await usageOf(createJury({ judges: [polite(), other], quorum: 2 }))).toEqual(ofAnswers(3));
    // The jury has its quorum, and the judge that failed counts as well.
    answers(3, /kind/);
    const { metadata } = await createJury({ judges: [polite(), other], quorum: 1 })({ outputs });
    expect(metadata.usage).toEqual(ofAnswers(3));
    answers(6, /qqq/);
    const samples = createLLMAsJudge({ prompt: "Is {outputs} polite?", model, samples: 3 });
    expect(await usageOf(samples)).toEqual(ofAnswers(6));
    answers(4, /qqq/);
    expect(await usageOf(createPairwiseJudge({ model }), { inputs: "?", outputs: ["a", "b"] })).toEqual(
      ofAnswers(4),
    );
    answers(3, /kind/);
    const match = createJsonMatchEvaluator({ evaluators: { a: polite(), b: other }, aggregator: "all" });
    expect(
      await usageOf(match, { outputs: { a: "x", b: "y" }, referenceOutputs: { a: "x", b: "y" } }),
    ).toEqual(ofAnswers(3));
    answers(10, /qqq/);
    const steps = createGEval({ steps: ["Look."], model, samples: 3, logprobs: false });
    expect(await usageOf(steps)).toEqual(ofAnswers(6));
    answers(2, /qqq/);
    const row = { inputs: "?", outputs: "A fact.", context: ["A fact."], referenceOutputs: "A fact." };
    expect(await usageOf(faithfulness({ model }), row)).toEqual(ofAnswers(2));
    answers(100, /qqq/);
    const before = server.requests.length;
    expect(await usageOf(ragSuite({ model }), row)).toEqual(ofAnswers(server.requests.length - before));
    // One criterion after the other.
    answers(4, /kind/);
    const criteria = new CheckCriteriaEvaluator({ criteria: ["It is kind.", "It is short."], model });
    const messages = [
      { role: "user" as const, content: "Hi." },
      { role: "assistant" as const, content: "Yes." },
    ];
    expect(await usageOf(() => criteria.evaluate(messages))).toEqual(ofAnswers(2));
  });

  it("count if the schema of a library refuses them, and in comparisons of experiments", async () => {
    const outputSchema = z.object({ score: z.number() }).refine(({ score }) => score > 5, "too low");
    const strict = createLLMAsJudge({ prompt: "Rate {outputs}.", model, outputSchema });
    says('{"score": 1}', 1);
    const error = await errorOf(strict({ outputs: "Hi." }));
    expect([error.code, error.metadata]).toEqual([
      "invalid_judge_output",
      { model: "gpt-5.4", usage: ofAnswers(1) },
    ]);

    const recorded = ["a", "b"].map((experimentPrefix) =>
      run({ data: data.slice(0, 3), experimentPrefix, evaluators: [() => 1] }),
    );
    says("No.", 40);
    const compared = await evaluateComparative(await Promise.all(recorded), {
      ...{ evaluators: [createPairwiseJudge({ model })], progress: false },
      budget: { maxTokens: 1000 },
    });
    // Four answers a row.
    expect([compared.usage, compared.budget?.tokens]).toEqual([ofAnswers(8), 1200]);
  });

  it("do not count again when they are replayed, or when an evaluator catches them", async () => {
    const judge = polite();
    says("No.", 2);
    const forgiving = async (params: object) => judge(params).catch(() => ({ key: "polite", score: false }));
    const caught = await run({ data: data.slice(0, 1), evaluators: [forgiving] });
    expect([caught.usage, caught.rows[0]?.errors]).toEqual([null, []]);
    says("No.", 2);
    const wrapping = (params: object) =>
      judge(params).catch((cause) => {
        throw new Error("The judge failed.", { cause });
      });
    const wrapped = await run({ data: data.slice(0, 1), evaluators: [wrapping] });
    expect(wrapped.usage).toEqual(ofAnswers(2));
    // The target's own judges are not those of the experiment.
    says("No.", 2);
    const target = () => judge({ outputs: "Hi." });
    const targets = await evaluate(target, { data: [{ inputs: 1 }], evaluators: [() => 1], progress: false });
    expect([targets.usage, targets.rows[0]?.run.error?.code]).toEqual([null, "invalid_judge_output"]);
  });
});

describe("counts that are not whole numbers from 0", () => {
  const reporting = (usage: object) => {
    const { body, ...step } = completion('{"reasoning": "Well.", "score": true}') as { body: string };
    server.script.push({ ...step, body: JSON.stringify({ ...JSON.parse(body), usage }) });
  };
  const one = { data: data.slice(0, 1) };
  it.each([
    [{ prompt_tokens: "12", completion_tokens: 3 }, 'prompt_tokens: "12"'],
    [{ prompt_tokens: 12, completion_tokens: 1.5 }, "completion_tokens: 1.5"],
    [{ prompt_tokens: -12, completion_tokens: 3 }, "prompt_tokens: -12"],
  ])("%j end an experiment with a budget, and are not added up without", async (usage, shown) => {
    reporting(usage);
    const evaluators = [polite()];
    const error = await errorOf(run({ ...one, evaluators, budget: { maxTokens: 100 } }));
    expect([error.code, error.message]).toEqual([
      "invalid_input",
      `The model of "polite" in the row "1" reported ${shown}, which is not a count of tokens, so maxTokens ` +
        "cannot be enforced. Remove the limit, or use a model whose tokens are counted.",
    ]);
    expect(error.experiment?.rows).toHaveLength(1);
    reporting(usage);
    const free = await run({ ...one, evaluators });
    expect([free.usage, free.unreadableUsage, free.aggregates.polite?.mean]).toEqual([
      null,
      { polite: 1 },
      1,
    ]);
    const [result] = free.rows[0]?.evaluationResults ?? [];
    expect(result?.metadata?.usage).toMatchObject({ unreadable: shown });
  });

  it("are found in samples, juries, and the answers of clients", async () => {
    const limited = async (evaluator: EvaluateOptions["evaluators"][number]) =>
      (await errorOf(run({ ...one, evaluators: [evaluator], budget: { maxTokens: 100 } }))).message;
    const wrong = { prompt_tokens: "12", completion_tokens: 3 };
    for (let n = 0; n < 3; n++) reporting(wrong);
    const samples = createLLMAsJudge({ prompt: "Is {outputs} polite?", model, samples: 3 });
    expect(await limited(samples)).toContain('reported prompt_tokens: "12"');
    reporting(wrong);
    expect(await limited(createJury({ judges: [polite()] }))).toContain('reported prompt_tokens: "12"');
    const client = (usage: object) => ({
      chat: {
        completions: {
          create: async () => ({
            choices: [{ message: { content: '{"reasoning": "Well.", "score": true}' } }],
            usage,
          }),
        },
      },
    });
    const asking = (usage: object) =>
      createLLMAsJudge({ prompt: "Is {outputs} polite?", judge: client(usage) as never, model: "m" });
    expect(await limited(asking({ prompt_tokens: 1.5, completion_tokens: 1 }))).toContain(
      "reported inputTokens: 1.5",
    );
    // A client that does not know a count reports it as NaN.
    const unknown = await run({
      ...one,
      evaluators: [asking({ prompt_tokens: Number.NaN, completion_tokens: 1 })],
    });
    expect([unknown.usage, unknown.unreadableUsage]).toEqual([null, undefined]);
  });

  it("of a cached answer do no harm", async () => {
    const cache = new Map<string, string>();
    reporting({ prompt_tokens: "12", completion_tokens: 3 });
    const options = { ...one, evaluators: [polite()], judges: { cache } };
    await run(options);
    const again = await run({ ...options, budget: { maxTokens: 1 } });
    expect([again.aggregates.polite?.mean, again.budget?.tokens, server.requests.length]).toEqual([1, 0, 1]);
  });
});
