/** Usage that counts towards a budget: everything that was paid, by one rule. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EvaluateOptions, evaluate, formatExperiment, readExperiment } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

let folder: string;
let files = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "paid-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const file = () => join(folder, `${files++}.jsonl`);

const prices = { "gpt-5.4": { input: 1, output: 10 } };
const data = Array.from({ length: 20 }, (_, index) => ({ inputs: index, outputs: index }));
const run = (options: Partial<EvaluateOptions>) => evaluate(undefined, { data, progress: false, ...options });
const told = (inputTokens: number) => ({ model: "gpt-5.4", usage: { inputTokens, outputTokens: 0 } });

describe("rows that are run again", () => {
  /** Reports 10 tokens. */
  const paying = () => {
    const paid = { tokens: 0, isBroken: true };
    const good = () => {
      paid.tokens += 10;
      return { key: "good", score: 1, metadata: told(10) };
    };
    const bad = () => {
      if (paid.isBroken) throw new Error("ouch");
      return { key: "bad", score: 1 };
    };
    return { paid, evaluators: [good, bad] };
  };

  it("count each time", async () => {
    const { paid, evaluators } = paying();
    const sink = file();
    const output = { sink, resume: "failed" } as const;
    const options = { evaluators, output, budget: { maxTokens: 250, maxCost: 1, prices } };
    const first = await run(options);
    expect([first.stopped, first.budget?.tokens, first.budget?.dropped]).toEqual([undefined, 200, undefined]);
    const second = await run(options);
    // The usage of the stored rows, and of all that was paid.
    expect([second.rowCount, second.usage?.inputTokens, second.aggregates.good?.usage?.inputTokens]).toEqual([
      5, 50, 50,
    ]);
    expect(second.cost?.total).toBeCloseTo(0.00005, 12);
    expect(second.budget).toEqual({
      ...{ maxTokens: 250, maxCost: 1, tokens: 250, usedUp: "maxTokens" },
      ...{ cost: expect.closeTo(0.00025, 12), dropped: { tokens: 200, cost: expect.closeTo(0.0002, 12) } },
    });
    expect(formatExperiment(second)).toContain("200 tokens of rows that were run again");
    expect((await readExperiment(sink)).budget).toEqual(second.budget);
    // Nothing is left of the budget, so nothing is asked.
    for (const resume of ["failed", true] as const) {
      const { budget } = await run({ ...options, output: { sink, resume } });
      expect([budget?.tokens, budget?.usedUp, paid.tokens]).toEqual([250, "maxTokens", 250]);
    }
    paid.isBroken = false;
    const last = await run({ ...options, budget: { ...options.budget, maxTokens: 1000 } });
    expect([last.rowCount, last.stopped, last.usage?.inputTokens]).toEqual([20, undefined, 200]);
    expect([last.budget?.tokens, last.budget?.dropped?.tokens, paid.tokens]).toEqual([450, 250, 450]);
    expect(
      (
        await run({
          ...options,
          budget: { ...options.budget, maxTokens: 1000 },
          output: { sink, resume: true },
        })
      ).budget,
    ).toEqual(last.budget);
  });

  it("count after a run without a budget, and a model without a price is an error", async () => {
    const { evaluators } = paying();
    const sink = file();
    await run({ evaluators, output: { sink } });
    await run({ evaluators, output: { sink, resume: "failed" } });
    const { budget, rowCount } = await run({
      evaluators,
      output: { sink, resume: "failed" },
      budget: { maxTokens: 450 },
    });
    expect([budget?.tokens, rowCount]).toEqual([450, 5]);
    const other = { mystery: { input: 1, output: 1 } };
    const error = await errorOf(
      run({ evaluators, output: { sink, resume: "failed" }, budget: { maxCost: 1, prices: other } }),
    );
    expect(error.message).toContain('the model "gpt-5.4" has no price');
    const header = /"dropped":\{[^}]*\}/;
    const text = readFileSync(sink, "utf8");
    expect(text).toMatch(header);
    writeFileSync(sink, text.replace('"inputTokens":400', '"inputTokens":-1'));
    const damaged = await errorOf(run({ evaluators, output: { sink, resume: true } }));
    expect(damaged.message).toContain("dropped has to have tokens by model");
  });
});

describe("usage", () => {
  const one = async (metadata: object, options: Partial<EvaluateOptions> = {}) =>
    run({
      ...{ data: data.slice(0, 1), budget: { maxTokens: 1000, prices } },
      evaluators: [() => ({ key: "judged", score: 1, metadata })],
      ...options,
    });

  it("of votes alone counts, and of parts that report more than the whole", async () => {
    const votes = [{ metadata: told(20) }, { metadata: told(30) }];
    const alone = await one({ votes, latencyMs: 1 });
    expect([alone.usage?.inputTokens, alone.budget, alone.cost?.total]).toEqual([
      50,
      { maxTokens: 1000, tokens: 50 },
      0.00005,
    ]);
    const less = await one({ votes, usage: { inputTokens: 10, outputTokens: 5 } });
    expect([less.usage, less.budget?.tokens]).toEqual([{ inputTokens: 50, outputTokens: 5 }, 55]);
    const more = await one({ votes, usage: { inputTokens: 60, outputTokens: 5 } });
    expect([more.usage, more.budget?.tokens]).toEqual([{ inputTokens: 60, outputTokens: 5 }, 65]);
    const silent = await one({ votes: [{ metadata: { latencyMs: 1 } }] });
    expect([silent.usage, silent.budget?.withoutUsage]).toEqual([null, 1]);
  });

  it("that is invalid is an error that names the row, in a message of limited length", async () => {
    const { message } = await errorOf(
      one({ usage: { inputTokens: "9".repeat(5_000_000), outputTokens: 1 } }),
    );
    expect(message).toMatch(/^metadata\.usage\.inputTokens of "judged" in the row "1" is "9999/);
    expect(message.length).toBeLessThan(500);
  });

  it("of the last rows that exceeds the budget is reported, though nothing was stopped", async () => {
    const passed = await one(told(3000));
    expect([passed.stopped, passed.budget?.usedUp]).toEqual([undefined, undefined]);
    const note = "The last rows exceeded the budget: maxTokens is 1,000, but 3,000 was used";
    expect(formatExperiment(passed, { columns: 200 })).toContain(note);
    const reached = formatExperiment(await one(told(1000)), { columns: 200 });
    expect(reached).not.toContain("exceeded the budget");
  });

  it("needs valid prices", async () => {
    const refused: [Partial<EvaluateOptions>, string][] = [
      [{ budget: { prices: new Map(Object.entries(prices)) as never } }, "prices is"],
      [{ budget: { prices: { "gpt-5.4": { input: 1e308, output: 1 } } } }, "prices is"],
      [{ budget: { maxCost: Number.NaN } }, "maxCost is NaN;"],
      [{ budget: { maxDurationMs: Infinity } }, "maxDurationMs is Infinity;"],
    ];
    for (const [options, message] of refused) {
      const error = await errorOf(one(told(1), options));
      expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
    }
    const dear = await one(told(Number.MAX_SAFE_INTEGER), {
      budget: { prices: { "gpt-5.4": { input: 1e9, output: 1 } } },
    });
    expect(Number.isFinite(dear.cost?.total)).toBe(true);
  });
});
