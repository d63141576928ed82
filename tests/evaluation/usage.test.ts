/** The usage of judges: tokens and cost, by key and in total. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allOf } from "openevals-wasm/checks";
import {
  type EvaluateOptions,
  type Experiment,
  evaluate,
  formatExperiment,
  type ModelPrices,
  mergeExperiments,
  readExperiment,
  renderReport,
} from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "usage-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A judge of a model that reads this many tokens and writes a tenth of that. */
const judge = (key: string, model: string | undefined, tokens: number, more: object = {}) =>
  Object.assign(
    ({ outputs }: { outputs: number }) => ({
      key,
      score: true,
      metadata: {
        ...(model && { model }),
        usage: { inputTokens: tokens * outputs, outputTokens: (tokens * outputs) / 10 },
        ...more,
      },
    }),
    { feedbackKey: key },
  );
const data = Array.from({ length: 10 }, (_, index) => ({ inputs: index, outputs: 10 * (index + 1) }));
const prices = {
  "openai:gpt-5.4": { input: 1, output: 10 },
  // The rounded sum of such prices depends on the order.
  other: { input: 0.1, output: 0.7 },
};
const run = (evaluators: EvaluateOptions["evaluators"], options: object = {}) =>
  evaluate(undefined, { data, evaluators, budget: { prices }, progress: false, ...options });
const figures = ({ aggregates, usage, cost, prices }: Experiment) =>
  JSON.stringify({ aggregates, usage, cost, prices });

describe("judges' usage", () => {
  it("is in the aggregates and in total, with its cost", async () => {
    const { aggregates, usage, cost, ...rest } = await run([
      judge("a", "gpt-5.4-2026-03-05", 10),
      judge("b", "mystery", 1),
      ({ outputs }) => outputs > 1,
    ]);
    // 55 times as much: 5,500 at 1, and 550 at 10 millionths.
    expect(aggregates.a).toMatchObject({
      usage: { inputTokens: 5500, outputTokens: 550 },
      cost: { total: 0.011 },
    });
    expect(aggregates.b).toMatchObject({
      usage: { inputTokens: 550, outputTokens: 55 },
      cost: { total: 0, unpriced: { mystery: 10 } },
    });
    expect(Object.keys(aggregates["evaluators[2]"] ?? {})).not.toContain("usage");
    expect(usage).toEqual({ inputTokens: 6050, outputTokens: 605 });
    expect(cost).toEqual({ total: 0.011, unpriced: { mystery: 10 } });
    expect(rest.prices).toEqual(prices);
    const bare = await run([judge("a", "other", 1)], { budget: {} });
    expect([bare.aggregates.a?.usage, bare.aggregates.a?.cost, bare.cost]).toEqual([
      { inputTokens: 550, outputTokens: 55 },
      undefined,
      undefined,
    ]);
  });

  it("counts parts and votes once, each by its model", async () => {
    const parts = allOf([judge("x", "gpt-5.4", 10), judge("y", "other", 10)], { feedbackKey: "both" });
    const jury = createJury({ judges: [judge("x", "gpt-5.4", 10), judge("y", "other", 10)] });
    const { aggregates } = await run([parts, jury]);
    for (const key of ["both", "jury"]) {
      expect(aggregates[key]?.usage).toEqual({ inputTokens: 11_000, outputTokens: 1100 });
      expect(aggregates[key]?.cost?.total).toBeCloseTo(0.011 + 0.000935, 12);
      expect(aggregates[key]?.cost?.unpriced).toBe(undefined);
    }
  });

  it("has prices for tokens read from and written to a provider's cache", async () => {
    const usage = {
      inputTokens: 2_100,
      outputTokens: 100,
      cachedInputTokens: 1_000,
      cacheWriteTokens: 1_000,
    };
    const metadata = { model: "claude", usage };
    const costWith = async (price: object) => {
      const options = { data: [{ outputs: "a" }], evaluators: [() => ({ key: "k", score: 1, metadata })] };
      const prices = { claude: { input: 3, output: 15, ...price } };
      return (await evaluate(undefined, { ...options, budget: { prices } })).cost?.total;
    };
    // 100 tokens are neither.
    expect(await costWith({ cachedInput: 0.3, cacheWrite: 3.75 })).toBeCloseTo(
      (100 * 3 + 1_000 * 0.3 + 1_000 * 3.75 + 100 * 15) / 1e6,
      12,
    );
    expect(await costWith({})).toBeCloseTo((2_100 * 3 + 100 * 15) / 1e6, 12);
  });

  it("distinguishes earlier and current cost", async () => {
    const cached = judge("b", "gpt-5.4", 10, { cached: true });
    const both = await run([judge("a", "gpt-5.4", 10), cached]);
    expect(both.cost).toEqual({ total: 0.022, recorded: 0.011 });
    expect(formatExperiment(both)).toContain("$0.022 ($0.011 from a cache)");
    expect(formatExperiment(await run([cached]))).toContain("$0.011 (all from a cache)");
  });

  it("is identical from a sink, from parts, and in any order", async () => {
    const evaluators = [judge("a", "gpt-5.4", 37), judge("b", "other", 13), judge("c", "other", 1)];
    const whole = await run(evaluators);
    const path = join(folder, "whole.jsonl");
    const sunk = await run(evaluators, { data: data.toReversed(), output: { sink: path } });
    expect([sunk.rows.length, sunk.cost, sunk.usage]).toEqual([0, whole.cost, whole.usage]);
    expect(figures(await readExperiment(path))).toBe(figures(sunk));
    // As a process leaves it that is killed at the end.
    writeFileSync(path, readFileSync(path, "utf8").replace(/^\{"end".*\n/m, ""));
    expect(figures(await readExperiment(path))).toBe(figures(sunk));
    const paths = [1, 2, 3].map((index) => join(folder, `${index}.jsonl`));
    for (const [index, sink] of paths.entries())
      await run(evaluators, { output: { sink }, shard: { index: index + 1, count: 3 } });
    expect(figures(await mergeExperiments(paths.toReversed()))).toBe(figures(whole));
  });

  it("is merged with given prices if parts have different ones", async () => {
    const part = (index: number, prices: ModelPrices | undefined) =>
      run([judge("a", "other", 100)], { shard: { index, count: 2 }, budget: { prices } });
    const parts = [await part(1, prices), await part(2, undefined)];
    const error = await errorOf(mergeExperiments(parts));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      expect.stringContaining("have different prices. Pass budget: { prices }"),
    ]);
    const { cost } = await mergeExperiments(parts, {
      budget: { prices: { other: { input: 1, output: 0 } } },
    });
    expect(cost).toEqual({ total: 0.055 });
    const bare = await mergeExperiments([await part(1, undefined), await part(2, undefined)]);
    expect([bare.cost, bare.usage]).toEqual([undefined, { inputTokens: 55_000, outputTokens: 5500 }]);
  });

  it.each([
    ["a text", { inputTokens: "12", outputTokens: 1 }],
    ["no number", { inputTokens: Number.NaN, outputTokens: 1 }],
    ["no whole number", { inputTokens: 0.5, outputTokens: 1 }],
    ["negative", { inputTokens: 1, outputTokens: -1 }],
    ["half missing", { inputTokens: 1 }],
    ["a negative part", { inputTokens: 1, outputTokens: 1, cachedInputTokens: -1 }],
    ["no object", 42],
  ])("is reported and not summed if a count is %s", async (_, usage) => {
    const wrong = () => ({ key: "wrong", score: 1, metadata: { usage } });
    const inParts = () => ({ key: "parts", score: 1, metadata: { parts: [{ metadata: { usage } }] } });
    const experiment = await run([judge("right", "other", 1), wrong, inParts]);
    expect(experiment.usage).toEqual({ inputTokens: 550, outputTokens: 55 });
    expect(experiment.unreadableUsage).toEqual({ wrong: 10, parts: 10 });
    expect(formatExperiment(experiment)).toContain("Invalid token counts in 10 results of wrong");
    expect((await run([judge("right", "other", 1)])).unreadableUsage).toBe(undefined);
  });

  it("is shown in the terminal and the report, with the prices of the experiment", async () => {
    const experiment = await run([judge("a", "gpt-5.4", 10), judge("b", "mystery", 1)]);
    const shown = formatExperiment(experiment, { columns: 120 });
    expect(shown).toMatch(/6,050 \+ 605 tokens · \$0\.011 \+ \?$/m);
    expect(shown).toMatch(/Tokens +Cost +n$/m);
    expect(shown).toMatch(/^a .* 6,050 +\$0\.011 +10$/m);
    expect(shown).toMatch(/^b .* 605 +no price +10$/m);
    expect(formatExperiment(await run([() => 1]))).not.toContain("Tokens");
    const { prices: embedded } = JSON.parse(
      /<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(await renderReport(experiment))?.[1] ?? "",
    );
    expect(embedded).toEqual(prices);
  });
});
