/** Comparisons beyond the p-value: margins, correlation, and the judge's error. */
import { type ComparisonOptions, compareExperiments, sliceExperiment } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { of, run } from "./comparison-data.js";

describe("margin", () => {
  it("shows equivalence, which a p-value cannot", async () => {
    const [before, after] = [await run((passage) => passage < 9), await run((passage) => passage < 9)];
    const { isRight: wide } = await compareExperiments(before, after, { margin: 0.3 });
    expect(wide?.margin).toMatchObject({
      margin: 0.3,
      notLower: { isShown: true },
      notHigher: { isShown: true },
      equivalent: { isShown: true },
    });
    const { isRight: narrow } = await compareExperiments(before, after, { margin: { isRight: 0.01 } });
    expect(narrow?.margin?.notLower).toMatchObject({ isShown: false });
    expect(narrow?.margin?.notLower.pValue).toBeGreaterThan(0.05);
    expect((await compareExperiments(before, after, { margin: {} })).isRight).not.toHaveProperty("margin");
    await expect(compareExperiments(before, after, { margin: { isRihgt: 0.1 } })).rejects.toMatchObject({
      code: "invalid_config",
      message: 'margin has the key "isRihgt", which no result has; did you mean "isRight"?',
    });
    await expect(compareExperiments(before, after, { margin: 0 })).rejects.toMatchObject({
      code: "invalid_config",
    });
  });

  it("is shown only if p is below one minus the level", async () => {
    const experiment = of(Array<boolean>(10).fill(true));
    const testAt = async (margin: number, level: number) => {
      const { score } = await compareExperiments(experiment, experiment, { margin, level });
      return score!.margin!.notLower;
    };
    for (const margin of [0.1, 0.15, 0.2, 0.25, 0.3]) {
      const { pValue } = await testAt(margin, 0.95);
      expect(await testAt(margin, 1 - pValue!)).toMatchObject({ pValue, isShown: false });
      expect(await testAt(margin, 0.999 - pValue!)).toMatchObject({ pValue, isShown: true });
    }
  });

  it("is refused if no difference can be that large", async () => {
    const [rates, stars] = [of([true, false, true]), of([1, 3, 5])];
    for (const margin of [12, 1, { score: 12 }])
      await expect(compareExperiments(rates, rates, { margin })).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(
          "only span 1, so no difference can be larger. For 5 percentage points, set 0.05",
        ),
      });
    expect((await compareExperiments(stars, stars, { margin: 4 })).score!.margin).toMatchObject({
      range: [0, 5],
    });
    await expect(
      compareExperiments(stars, stars, { margin: { score: { margin: 4, range: [1, 5] } } }),
    ).rejects.toMatchObject({ code: "invalid_config", message: expect.stringContaining("only span 4") });
  });

  it("is relative to the scale of the evaluator, and so are the bounds", async () => {
    const on = (scale: object | undefined, scores: number[]) => {
      const experiment = of(scores);
      return {
        ...experiment,
        ...(scale && { scales: { score: { direction: "higher", passAt: 1, ...scale } } }),
      };
    };
    const compared = async (scale: object | undefined, scores: number[]) => {
      const experiment = on(scale, scores) as typeof before;
      const [comparison] = Object.values(await compareExperiments(experiment, experiment, { margin: 0.1 }));
      return comparison!.margin;
    };
    const before = of([1]);
    const assumed = expect.stringContaining("The test assumes that all possible scores are from 0 to 1.");
    expect(await compared({ min: 0, max: 1000 }, [3, 20])).toMatchObject({ range: [0, 1000] });
    expect(await compared({ min: 0, max: 1000 }, [3, 20])).not.toHaveProperty("comment");
    expect(await compared({ min: 1, max: 5 }, [2, 4])).toMatchObject({ range: [1, 5] });
    // An error rate has no highest score.
    expect(await compared({ min: 0 }, [0, 0.5])).toMatchObject({ range: [0, 1], comment: assumed });
    expect(await compared(undefined, [0, 0.5])).not.toHaveProperty("comment");

    // The second score is missing in the second experiment.
    const boundsOf = async (scale: object | undefined, scores: [number, number]) => {
      const [whole, part] = [on(scale, scores), on(scale, [scores[0]])] as (typeof before)[];
      return (await compareExperiments(whole!, part!)).score!.bounds;
    };
    expect(await boundsOf({ min: 1, max: 5 }, [5, 4])).toEqual({ worst: -1.5, best: 0.5 });
    expect(await boundsOf(undefined, [1, 0.5])).toEqual({ worst: -0.25, best: 0.25 });
    // Nothing limits how many words there are, or a grade.
    expect(await boundsOf({ min: 0 }, [1, 0.5])).toBe(null);
    expect(await boundsOf({ unit: "grade" }, [1, 0.5])).toBe(null);
  });

  it("is kept by equal experiments from the fewest rows on", async () => {
    for (const [score, test] of [
      [0.7, "betting"],
      [true, "exact_score"],
    ] as const) {
      const compared = async (rows: number) => {
        const one = of(Array.from({ length: rows }, () => score));
        return (await compareExperiments(one, one, { margin: 0.1 })).score!.margin!;
      };
      const { fewestExamples, range } = await compared(200);
      // With losses of 1 in a tenth of all rows, 29 rows have none with a probability below 5 %.
      expect(fewestExamples).toBeGreaterThanOrEqual(29);
      expect(fewestExamples).toBeLessThan(35);
      expect(range).toEqual([0, 1]);
      expect(await compared(fewestExamples!)).toMatchObject({
        test,
        notLower: { isShown: true },
        notHigher: { isShown: true },
        equivalent: { isShown: true },
      });
      expect(await compared(fewestExamples! - 1)).toMatchObject({ notLower: { isShown: false } });
    }
  });

  it("is not kept by a few rows, since others may have collapsed", async () => {
    const before = of([0.5, 0.6, 0.7, 0.8, 0.9, 0.5, 0.6, 0.7, 0.8, 0.9]);
    const nearly = of([0.5, 0.6, 0.7, 0.8, 0.9, 0.5, 0.6, 0.7, 0.8, 0.901]);
    const { notLower } = (await compareExperiments(before, nearly, { margin: 0.04 })).score!.margin!;
    expect(notLower.pValue).toBeGreaterThan(0.5);
    expect(notLower.isShown).toBe(false);
  });

  it("is relative to the range of the scores", async () => {
    const stars = of(Array.from({ length: 300 }, (_, row) => 3 + (row % 3)));
    const shown = async (margin: number | Record<string, { margin: number; range: [number, number] }>) =>
      (await compareExperiments(stars, stars, { margin })).score!.margin!;
    const given = await shown({ score: { margin: 0.1, range: [1, 5] } });
    expect(given).toMatchObject({ range: [1, 5], notLower: { isShown: true } });
    expect(given).not.toHaveProperty("comment");
    expect(await shown(0.1)).toMatchObject({
      range: [0, 5],
      comment: expect.stringContaining("all possible scores are from 0 to 5"),
    });
    await expect(shown({ score: { margin: 0.1, range: [0, 4] } })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("A score of score is 5"),
    });
    await expect(shown({ score: { margin: 0.1, range: [5, 1] } })).rejects.toMatchObject({
      code: "invalid_config",
    });
  });
});

describe("compareExperiments", () => {
  it("has the correlation of pairs, and the mid-p-value", async () => {
    const before = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0].map(Boolean);
    const after = [1, 1, 1, 1, 1, 0, 1, 1, 1, 1].map(Boolean);
    const { score } = await compareExperiments(of(before), of(after));
    // Four gain, one loses: 2 (1 + 5) / 32, and half of the probability of one.
    expect(score!.pValue).toBeCloseTo(0.375, 12);
    expect(score!.midPValue).toBeCloseTo(0.375 - 5 / 32, 12);
    // (0.5 - 0.6 * 0.9) / sqrt(0.6 * 0.4 * 0.9 * 0.1)
    expect(score!.correlation).toBeCloseTo(-0.04 / Math.sqrt(0.24 * 0.09), 12);
    const numbers = (await compareExperiments(of([0.1, 0.2, 0.4]), of([0.5, 0.5, 0.5]))).score!;
    expect(numbers).toMatchObject({ midPValue: null, correlation: null });
  });

  it("has no p-value for a difference that overflows", async () => {
    const [low, high] = [of(Array(8).fill(-1e308)), of(Array(8).fill(1e308))];
    expect((await compareExperiments(low, high, { margin: 0.1 })).score).toMatchObject({
      difference: null,
      interval: null,
      standardError: null,
      pValue: null,
      adjustedPValue: null,
      test: null,
    });
    const slices = await sliceExperiment(
      of([...Array(8).fill(-1e308), ...Array(8).fill(1e308)], (row) => ({ part: row >> 3 })),
      {
        by: "part",
      },
    );
    expect(slices[0]).toMatchObject({
      difference: null,
      pValue: null,
      comment: expect.stringContaining("overflows"),
    });
  });

  it("corrects a difference for the judge's errors", async () => {
    const rows = Array.from({ length: 200 }, (_, row) => row);
    const [before, after] = [of(rows.map((row) => row < 100)), of(rows.map((row) => row < 130))];
    const verdicts = { truePositives: 80, falseNegatives: 20, falsePositives: 20, trueNegatives: 80 };
    const compared = async (options: ComparisonOptions) =>
      (await compareExperiments(before, after, options)).score!;
    const { difference, corrected } = await compared({ calibration: { score: { verdicts } } });
    expect(difference).toBeCloseTo(0.15, 12);
    // With this judge, a difference appears as 0.8 + 0.8 - 1 of itself.
    expect(corrected!.value).toBeCloseTo(0.25, 12);
    const { low, high } = corrected!.interval!;
    expect(low).toBeGreaterThan(0.1);
    expect(low).toBeLessThan(0.25);
    expect(high).toBeGreaterThan(0.3);
    const coin = { truePositives: 5, falseNegatives: 5, falsePositives: 5, trueNegatives: 5 };
    expect((await compared({ calibration: { score: { verdicts: coin } } })).corrected).toEqual({
      value: null,
      interval: null,
    });
    expect(await compared({})).not.toHaveProperty("corrected");
    await expect(compared({ calibration: { scroe: { verdicts } } })).rejects.toMatchObject({
      code: "invalid_config",
      message: 'calibration has the key "scroe", which no result has; did you mean "score"?',
    });
  });
});
