/** Budgets of cost, tokens and time. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLLMAsJudge } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import {
  type EvaluateOptions,
  type Experiment,
  evaluate,
  evaluateComparative,
  formatExperiment,
  mean,
  mergeExperiments,
  readExperiment,
} from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "budget-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const file = () => join(folder, `${files++}.jsonl`);

const prices = { "gpt-5.4": { input: 1, output: 10 } };
const metadata = { model: "gpt-5.4", usage: { inputTokens: 100, outputTokens: 10 }, latencyMs: 1 };
/** Uses 110 tokens, and 0.0002 dollars. */
async function judge() {
  await new Promise((resolve) => setImmediate(resolve));
  return { key: "judged", score: true, metadata };
}
/** The same, with a call counter. */
function counting(evaluator: () => Promise<object>) {
  const counted = {
    calls: 0,
    judge: () => {
      counted.calls++;
      return evaluator();
    },
  };
  return counted;
}
const data = Array.from({ length: 40 }, (_, index) => ({ inputs: index, outputs: index }));
const run = (options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, {
    ...{ data, evaluators: [judge], progress: false, ...options },
    budget: { prices, ...options.budget },
  });
const count = ({ rowCount, rows }: Experiment) => rowCount ?? rows.length;

describe("a budget", () => {
  it.each([
    ["maxTokens", 1100, "maxTokens is 1,100, and 1,100 tokens were used"],
    ["maxTokens", 1001, "maxTokens is 1,001, and 1,100 tokens were used"],
    ["maxCost", 0.002, "maxCost is $0.002, and $0.002 was spent"],
    ["maxCost", 0.00199, "maxCost is $0.002, and $0.002 was spent"],
  ] as const)("of %s %s ends before the next row", async (limit, most, message) => {
    const asked = vi.fn();
    const summary = vi.fn(mean({ key: "judged" }));
    const experiment = await run({
      budget: { [limit]: most },
      onProgress: asked,
      summaryEvaluators: [summary],
    });
    expect(experiment.rows.map(({ example }) => example.inputs)).toEqual(
      data.slice(0, 10).map((row) => row.inputs),
    );
    expect(experiment.stopped).toEqual({
      name: "OpenEvalsError",
      code: "budget_exceeded",
      message: `The budget is used up after 10 rows: ${message}.`,
    });
    expect(experiment.budget).toEqual({
      [limit]: most,
      ...(limit === "maxCost" && { cost: 0.002 }),
      tokens: 1100,
      usedUp: limit,
    });
    expect(experiment.aggregates.judged).toMatchObject({ count: 10, usage: { inputTokens: 1000 } });
    // As for an aborted run: over some of the rows, they would differ.
    expect(summary).not.toHaveBeenCalled();
    expect(formatExperiment(experiment)).toContain("Stopped before the end: The budget is used up");
    expect(JSON.parse(JSON.stringify(experiment))).toEqual(experiment);
  });

  it("that suffices is reported with the usage, and stops nothing", async () => {
    const experiment = await run({ budget: { maxTokens: 4400, maxCost: 1, maxDurationMs: 60_000 } });
    expect(experiment.budget).toEqual({
      ...{ maxTokens: 4400, maxCost: 1, maxDurationMs: 60_000 },
      ...{ cost: 0.008, tokens: 4400 },
    });
    expect([count(experiment), experiment.stopped]).toEqual([40, undefined]);
    expect((await run()).budget).toBe(undefined);
  });

  it("is exceeded by at most the rows under way, which are finished and counted", async () => {
    let [underWay, most] = [0, 0];
    const slow = async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve, 1));
      underWay--;
      return judge();
    };
    const experiment = await run({ evaluators: [slow], maxConcurrency: 8, budget: { maxTokens: 1100 } });
    expect([underWay, most]).toEqual([0, 8]);
    expect(count(experiment)).toBeGreaterThanOrEqual(10);
    expect(count(experiment)).toBeLessThanOrEqual(10 + 7);
    expect(experiment.budget?.tokens).toBe(110 * count(experiment));
  });

  it("counts repetitions, all calls of juries and samples, and parts once", async () => {
    const repeated = await run({ budget: { maxTokens: 1100 }, numRepetitions: 3 });
    expect(repeated.rows.map(({ run }) => run.repetition)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2, 0]);
    const jury = createJury({ judges: [judge, judge, judge] });
    expect((await run({ budget: { maxTokens: 1100 }, evaluators: [jury] })).budget?.tokens).toBe(4 * 330);
    const inner = allOf([judge, allOf([judge])]);
    expect((await run({ budget: { maxTokens: 1100 }, evaluators: [inner] })).budget?.tokens).toBe(5 * 220);
  });

  it("of time is for this run, and ends data that blocks", async () => {
    const { stopped, budget, rows } = await run({
      data: (async function* () {
        yield* data.slice(0, 3);
        await new Promise(() => {});
      })(),
      budget: { maxDurationMs: 2_000 },
    });
    expect([stopped?.code, budget?.usedUp, rows.length]).toEqual(["budget_exceeded", "maxDurationMs", 3]);
    const slow = () => new Promise((resolve) => setTimeout(() => resolve(1), 5));
    const list = await run({ evaluators: [slow as () => Promise<number>], budget: { maxDurationMs: 40 } });
    expect(list.budget?.usedUp).toBe("maxDurationMs");
    expect(count(list)).toBeLessThan(9);
    expect(list.stopped?.message).toMatch(/: maxDurationMs is 40 ms, and \d+ ms have passed\.$/);
  });

  it("covers the whole experiment when a file is resumed, except for time", async () => {
    const sink = file();
    const first = await run({ output: { sink, resume: true }, budget: { maxTokens: 1100 } });
    expect(count(first)).toBe(10);
    const read = await readExperiment(sink);
    expect([read.budget, read.stopped?.code]).toEqual([first.budget, "budget_exceeded"]);
    const asked = counting(judge);
    const again = await run({
      output: { sink, resume: true },
      budget: { maxTokens: 1100 },
      evaluators: [asked.judge],
    });
    expect([count(again), again.budget?.usedUp, asked.calls]).toEqual([10, "maxTokens", 0]);
    const more = await run({
      output: { sink, resume: true },
      budget: { maxTokens: 2200, maxDurationMs: 60_000 },
    });
    expect([count(more), more.budget?.tokens]).toEqual([20, 2200]);
    const rest = await run({ output: { sink, resume: true } });
    expect([count(rest), rest.stopped, rest.budget]).toEqual([40, undefined, undefined]);
    expect(rest.aggregates.judged?.usage).toEqual({ inputTokens: 4000, outputTokens: 400 });
  });

  it("of a shard is its own, and shards that it ended can be merged", async () => {
    const sinks = [1, 2].map(() => file());
    for (const [index, sink] of sinks.entries())
      await run({ output: { sink }, shard: { index: index + 1, count: 2 }, budget: { maxTokens: 1100 } });
    const error = await errorOf(mergeExperiments(sinks));
    expect(error.message).toContain("ended early: The budget is used up");
    const whole = await mergeExperiments(sinks, { partial: true });
    expect([whole.rowCount, whole.usage?.inputTokens, whole.stopped?.code, whole.budget]).toEqual([
      20,
      2000,
      "budget_exceeded",
      undefined,
    ]);
  });

  it("can be combined with stopWhen and a signal: the first to fire ends the run", async () => {
    const when = { stopWhen: { judged: { threshold: 0.2 } } };
    const decided = await run({ ...when, budget: { maxTokens: 4000 } });
    expect([decided.stoppedEarly, decided.stopped, decided.decisions?.[0]?.verdict]).toEqual([
      true,
      undefined,
      "above",
    ]);
    const broke = await run({ ...when, budget: { maxTokens: 330 } });
    expect([broke.stoppedEarly, broke.stopped?.code, broke.decisions?.[0]?.examples]).toEqual([
      undefined,
      "budget_exceeded",
      3,
    ]);
    const stop = new AbortController();
    const aborted = await run({
      budget: { maxTokens: 1100 },
      signal: stop.signal,
      onProgress: ({ done }) => done === 5 && stop.abort(),
    });
    expect([aborted.stopped?.code, aborted.budget?.usedUp]).toEqual(["aborted", undefined]);
  });

  it("is an error without prices, with an unknown model, or if all rows start at once", async () => {
    const model = createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-9" });
    const refused: [Partial<EvaluateOptions>, string][] = [
      [{ budget: { maxCost: 1, prices: undefined } }, "budget.maxCost needs budget.prices"],
      [
        { budget: { maxCost: 1 }, evaluators: [model] },
        'the model "openai:gpt-9" has no price. There are prices for "gpt-5.4"',
      ],
      [
        { budget: { maxCost: 1 }, evaluators: [{ evaluator: model, mapInputs: () => ({}) }] },
        '"openai:gpt-9"',
      ],
      [
        { budget: { maxTokens: 1 }, judges: { mode: "batch" } },
        'budget.maxTokens cannot be combined with judges.mode "batch"',
      ],
      [{ budget: { maxCost: 0 } }, "maxCost is 0; it has to be an amount of money above 0"],
      [{ budget: { maxTokens: 1.5 } }, "maxTokens is 1.5"],
      [{ budget: { maxDurationMs: Number.NaN } }, "maxDurationMs is NaN"],
      [{ budget: { prices: { "gpt-5.4": 1 } as never } }, "prices is"],
    ];
    for (const [options, message] of refused) {
      const { code, message: said } = await errorOf(run(options));
      expect([code, said]).toEqual(["invalid_config", expect.stringContaining(message)]);
    }
  });

  it("ends at the first uncountable result, and keeps everything", async () => {
    const sink = file();
    const other = async () => ({ key: "judged", score: true, metadata: { ...metadata, model: "gpt-6" } });
    const error = await errorOf(
      run({
        output: { sink },
        evaluators: [counting(other).judge],
        budget: { maxCost: 1 },
        maxConcurrency: 4,
      }),
    );
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      expect.stringContaining('the model "gpt-6" has no price'),
    ]);
    const done = count(error.experiment as Experiment);
    expect([done > 0 && done <= 4, error.experiment?.cost]).toEqual([
      true,
      { total: 0, unpriced: { "gpt-6": done } },
    ]);
    const known = { ...prices, "gpt-6": { input: 1, output: 1 } };
    const again = counting(other);
    const refused = await errorOf(
      run({ output: { sink, resume: true }, evaluators: [again.judge], budget: { maxCost: 1 } }),
    );
    expect([refused.message, again.calls]).toEqual([expect.stringContaining('"gpt-6"'), 0]);
    const rest = await run({
      output: { sink, resume: true },
      evaluators: [again.judge],
      budget: { maxCost: 1, prices: known },
    });
    expect([count(rest), again.calls, rest.stopped]).toEqual([40, 40 - done, undefined]);

    for (const limit of [{ maxTokens: 5000 }, { maxCost: 1 }]) {
      const usage = { inputTokens: "100", outputTokens: 1 };
      const wrong = async () => ({ key: "judged", score: true, metadata: { ...metadata, usage } });
      const { code, message } = await errorOf(run({ evaluators: [wrong], budget: limit }));
      expect([code, message]).toEqual([
        "invalid_input",
        expect.stringContaining(
          'metadata.usage.inputTokens of "judged" in the row "1" is "100", which is not a count',
        ),
      ]);
    }
  });

  it("reports how many judges' results have no usage", async () => {
    const silent = async () => ({ key: "silent", score: true, metadata: { latencyMs: 3 } });
    const experiment = await run({ evaluators: [silent, judge], budget: { maxTokens: 10_000 } });
    expect(experiment.budget).toMatchObject({ withoutUsage: 40, tokens: 4400 });
    expect(formatExperiment(experiment)).toContain("not counted in the budget: 40 results");
  });
});

describe("a budget of comparisons", () => {
  const experiments = () => ["a", "b"].map((experimentPrefix) => run({ experimentPrefix }));
  const pair = (model = "gpt-5.4") =>
    async function better({ runs }: { runs: { id: string }[] }) {
      await judge();
      return { scores: { [runs[0]!.id]: 1, [runs[1]!.id]: 0 }, metadata: { ...metadata, model } };
    };

  it("ends before the next example, with the usage", async () => {
    const compared = await evaluateComparative(await Promise.all(experiments()), {
      ...{ evaluators: [pair()], budget: { prices, maxCost: 0.001 }, maxConcurrency: 2, progress: false },
    });
    expect(compared.stopped?.code).toBe("budget_exceeded");
    expect([5, 6]).toContain(compared.rows.length);
    expect(compared.budget).toMatchObject({
      maxCost: 0.001,
      usedUp: "maxCost",
      tokens: 110 * compared.rows.length,
    });
    expect(compared.cost?.total).toBeCloseTo(0.0002 * compared.rows.length, 12);
  });

  it("keeps completed rows if something cannot be counted", async () => {
    const compared = await evaluateComparative(await Promise.all(experiments()), {
      ...{ evaluators: [pair("gpt-6")], budget: { prices, maxCost: 1 }, progress: false },
    });
    expect([compared.rows.length, compared.stopped?.code, compared.cost]).toEqual([
      1,
      "invalid_config",
      { total: 0, unpriced: { "gpt-6": 1 } },
    ]);
  });
});

describe("a budget of judges' requests", () => {
  let server: Loopback;
  beforeEach(async () => {
    server = await startOpenAI("sk-test");
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "sk-test");
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await server.close();
  });
  const says = (times: number) => {
    for (let n = 0; n < times; n++) server.script.push(completion('{"reasoning": "Well.", "score": true}'));
  };

  it("counts samples, and nothing for cached answers", async () => {
    const samples = createLLMAsJudge({ prompt: "Is {outputs} right?", model: "openai:gpt-5.4", samples: 2 });
    const cache = new Map<string, string>();
    const options = { evaluators: [samples], judges: { cache } };
    says(4);
    // 150 tokens per answer.
    const first = await run({ ...options, budget: { maxTokens: 600 } });
    expect([count(first), first.budget]).toEqual([2, { maxTokens: 600, tokens: 600, usedUp: "maxTokens" }]);
    says(4);
    const second = await run({ ...options, budget: { maxTokens: 600, maxCost: 1 } });
    expect([count(second), second.budget?.tokens, server.requests.length]).toEqual([4, 600, 8]);
    expect(second.cost?.recorded).toBeCloseTo((second.cost?.total ?? 0) / 2, 12);
    const free = await run({
      ...{ ...options, data: data.slice(0, 4), judges: { cache, cacheMode: "replay" } },
      ...{ budget: { maxTokens: 600, maxCost: 1, prices: { other: { input: 1, output: 1 } } } },
    });
    expect([count(free), free.budget?.tokens, free.budget?.cost, free.stopped]).toEqual([4, 0, 0, undefined]);
  });
});
