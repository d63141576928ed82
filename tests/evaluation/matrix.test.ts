/** Matrices: every two experiments compared, as one family. */
import {
  compareExperiments,
  compareMatrix,
  defineExperiment,
  type Experiment,
  evaluate,
  formatMatrix,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

/** Twenty rows, the first so many of which are right. */
const withRight = (model: string, right: number, options: object = {}) =>
  evaluate((n: number) => (n < right ? n : -1), {
    data: Array.from({ length: 20 }, (_, inputs) => ({ inputs, referenceOutputs: inputs })),
    evaluators: [
      ({ outputs, referenceOutputs }: { outputs: number; referenceOutputs: number }) => ({
        key: "ok",
        score: outputs === referenceOutputs,
      }),
    ],
    metadata: { matrix: { model } },
    experimentPrefix: model,
    ...options,
  });

describe("compareMatrix", () => {
  it("adjusts for all pairs together", async () => {
    const pairs = await compareMatrix([
      await withRight("a", 20),
      await withRight("b", 10),
      await withRight("c", 8),
    ]);
    // McNemar: 10, 12 and 2 rows differ, all one way. Holm: times 2, 3 and 1.
    expect(pairs.map(({ first, second, comparisons: { ok } }) => [first, second, ok!.difference])).toEqual([
      [0, 1, -0.5],
      [0, 2, -0.6],
      [1, 2, expect.closeTo(-0.1)],
    ]);
    expect(pairs.map(({ comparisons: { ok } }) => ok!.adjustedPValue)).toEqual([
      expect.closeTo((2 * 2) / 2 ** 10),
      expect.closeTo((3 * 2) / 2 ** 12),
      0.5,
    ]);
  });

  it.each<[string, unknown, object, string]>([
    ["no list", {}, {}, "it has to be a list of two or more experiments"],
    ["one", [{}], {}, "it has to be a list of two or more experiments"],
    ["no experiments", [{}, {}], {}, "rows"],
    ["an option", [], { correction: "none" }, 'compareMatrix has no option "correction"'],
  ])("rejects invalid options: %s", async (_, list, options, words) => {
    expect((await errorOf(compareMatrix(list as Experiment[], options))).message).toContain(words);
  });
});

describe("formatMatrix", () => {
  it("is one table, the best first", async () => {
    const all = [await withRight("small", 10), await withRight("large", 20)];
    const text = formatMatrix(all, await compareMatrix(all), { columns: 90 });
    const [verdict, , heads, , large, small, , ...legend] = text
      .replaceAll(/ +\d\.\d ms$/gm, "")
      .replace(/ +Time$/m, "")
      .split("\n");
    // Wilson's intervals of 20 and 10 of 20.
    expect([verdict, heads, large, small]).toEqual([
      "large is best on ok, by more than chance",
      "model      ok       95% interval   Failing",
      "large  100.0% ★  83.9% to 100.0%   0 of 20",
      "small   50.0% ▼   29.9% to 70.1%  10 of 20",
    ]);
    expect(legend.join(" ")).toContain("by more than chance (p below 0.05, adjusted for 1 comparison).");
  });

  it("reads the direction of a key, and has no winner without one", async () => {
    const all = [await withRight("small", 10), await withRight("large", 20)];
    const pairs = await compareMatrix(all);
    expect(formatMatrix(all, pairs, { lowerIsBetter: ["ok"] })).toContain("small is best on ok");
    const undirected = all.map((one) => ({ ...one, scales: { ok: {} } }));
    expect(formatMatrix(undirected, pairs)).toContain("No combination is best by more than chance");
  });

  it("shows each error once", async () => {
    const failing = await evaluate(
      () => {
        throw new Error("The model is gone");
      },
      { data: [{ inputs: 1 }, { inputs: 2 }], evaluators: [() => ({ key: "ok", score: true })] },
    );
    const all = [failing, { ...failing, experimentName: "again" }];
    const text = formatMatrix(all, await compareMatrix(all));
    expect(text).toContain("1 distinct error, in 4 places");
    // The time is a column only if a run took a millisecond.
    expect(text).toMatch(/ Errors(?: +Time)?\n/);
  });
});

describe("adjustedInterval", () => {
  const experiment = (flipped: number, keys: readonly string[]) =>
    evaluate((n: number) => n < flipped, {
      data: Array.from({ length: 12 }, (_, inputs) => ({ inputs })),
      evaluators: keys.map((key) => ({ outputs }: { outputs: boolean }) => ({ key, score: outputs })),
    });

  it("is there where the interval would contradict the adjusted p-value", async () => {
    const keys = ["a", "b"];
    const compared = await compareExperiments(await experiment(0, keys), await experiment(6, keys));
    // 2 / 2 ** 6, twice.
    expect(compared.a).toMatchObject({ pValue: 0.03125, adjustedPValue: 0.0625 });
    expect(compared.a!.interval!.low).toBeGreaterThan(0);
    const { low, high, level } = compared.a!.adjustedInterval!;
    expect(level).toBeCloseTo(0.975);
    expect(low).toBeLessThanOrEqual(0);
    const alone = await compareExperiments(await experiment(0, ["a"]), await experiment(6, ["a"]), {
      level: 0.975,
    });
    expect(alone.a!.interval).toEqual({ low, high, level });
  });

  it("is not where they agree", async () => {
    // 2 / 2 ** 12, twice; and no difference at all.
    for (const flipped of [12, 0]) {
      const keys = ["a", "b"];
      const compared = await compareExperiments(await experiment(0, keys), await experiment(flipped, keys));
      expect(compared.a).not.toHaveProperty("adjustedInterval");
    }
    const alone = await compareExperiments(await experiment(0, ["a"]), await experiment(6, ["a"]));
    expect(alone.a).not.toHaveProperty("adjustedInterval");
  });
});

describe("defineExperiment", () => {
  it.each<[unknown]>([
    [[]],
    [{}],
    [{ model: [] }],
    [{ model: {} }],
    [{ model: "large" }],
    ["model"],
  ])("refuses a matrix of %j", (matrix) => {
    expect(() => defineExperiment({ data: [], matrix: matrix as any })).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("matrix") }),
    );
  });

  it("takes lists and named values", () => {
    const definition = { data: [], matrix: { model: ["large"], prompt: { brief: "One word." } } };
    expect(defineExperiment(definition)).toBe(definition);
  });
});
