/** Slices: where an experiment is worse. */
import { sliceExperiment } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { of, randomOf, run } from "./comparison-data.js";

describe("sliceExperiment", () => {
  it("fails with the error of a function", async () => {
    const experiment = await run(() => true);
    const by = () => {
      throw new Error("no language");
    };
    await expect(sliceExperiment(experiment, { by })).rejects.toMatchObject({
      code: "callback_failed",
      message: "by failed: no language",
    });
  });

  it("finds worse slices by fields, tags and functions", async () => {
    const experiment = await run((passage) => passage < 6);
    const slices = await sliceExperiment(experiment, {
      by: [
        "language",
        "tags",
        function isEven({ inputs }) {
          return (inputs as { n: number }).n % 2 === 0;
        },
      ],
      correction: "holm",
      clusterBy: "passage",
    });
    expect(slices.map(({ by, value }) => `${by}: ${value}`).sort()).toEqual([
      "isEven: false",
      "isEven: true",
      "language: de",
      "language: en",
      "tags: x",
      "tags: y",
    ]);
    const [worst] = slices.filter(({ difference }) => (difference ?? 0) < 0);
    expect(worst).toMatchObject({
      by: "language",
      value: "de",
      key: "isRight",
      difference: -1,
      aggregate: { mean: 0 },
    });
    expect(worst!.adjustedPValue).toBeLessThan(0.05);
    // All rows have this tag, so there is no rest.
    expect(slices.find(({ value }) => value === "x")).toMatchObject({
      difference: null,
      pValue: null,
      comment: expect.any(String),
    });
  });

  it("gives a function its own example", async () => {
    const experiment = await run(() => true);
    const before = structuredClone(experiment.rows);
    const by = (example: { id: string }) => {
      example.id = "other";
      return "all";
    };
    await sliceExperiment(experiment, { by });
    expect(experiment.rows).toEqual(before);
  });

  it("takes rounding errors as ties, and keeps intervals within the scale", async () => {
    const partOf = (row: number) => ({ part: row < 10 ? "own" : "other" });
    const rounded = of(
      Array.from({ length: 20 }, (_, row) => (row < 10 ? 0.3 : 0.1 + 0.2)),
      partOf,
    );
    const [tied] = await sliceExperiment(rounded, { by: "part" });
    expect(tied).toMatchObject({ difference: 0, pValue: 1, interval: null });
    const extremes = of(
      Array.from({ length: 11 }, (_, row) => (row < 5 || row === 10 ? 0.01 * row : 1)),
      (row) => ({ part: row < 5 ? "own" : "other" }),
    );
    const { high } = (await sliceExperiment(extremes, { by: "part" }))[1]!.interval!;
    expect(high).toBeGreaterThan(1);
    const scaled = { ...extremes, scales: { score: { min: 0, max: 1 } } };
    expect((await sliceExperiment(scaled, { by: "part" }))[1]!.interval!.high).toBe(1);
  });

  it("does not conclude from a slice without variance", async () => {
    // 48 rows score 1, six 0.5 and six 0.
    const scores = Array.from({ length: 60 }, (_, row) => (row < 48 ? 1 : row < 54 ? 0.5 : 0));
    const sliced = async (size: number) => {
      const slices = await sliceExperiment(
        of(scores, (row) => ({ part: row < size ? "own" : "other" })),
        { by: "part" },
      );
      return slices.find(({ value }) => value === "own")!;
    };
    // All of six out of sixty are 1 with a probability of about a quarter; some others are as far on the
    // other side.
    const { pValue, adjustedPValue, interval } = await sliced(6);
    expect(pValue).toBeGreaterThan(0.2);
    expect(adjustedPValue).toBe(pValue);
    expect(interval!.low).toBeLessThanOrEqual(0);
    expect(await sliced(3)).toMatchObject({
      units: 3,
      pValue: null,
      interval: null,
      comment: expect.stringContaining("the slice has 3 of the 5 needed"),
    });
  });

  it.each([
    "normal",
    "skewed",
    "three values",
  ])("raises few false alarms for scores that are %s", async (kind) => {
    const random = randomOf(5);
    const score = () => {
      const drawn = random();
      if (kind === "three values") return drawn < 0.85 ? 1 : drawn < 0.92 ? 0.5 : 0;
      const normal = Math.sqrt(-2 * Math.log(drawn)) * Math.cos(2 * Math.PI * random());
      return kind === "normal" ? normal : Math.exp(normal);
    };
    let alarms = 0;
    for (let time = 0; time < 40; time++) {
      const experiment = of(Array.from({ length: 60 }, score), (row) => ({ part: row % 10 }));
      const [first] = await sliceExperiment(experiment, { by: "part" });
      expect(first!.omnibusPValue).toBe(first!.adjustedPValue);
      alarms += Number(first!.adjustedPValue! < 0.05);
    }
    // Of 40 at 5 %, more than 7 have a probability of 0.1 %.
    expect(alarms).toBeLessThanOrEqual(7);
  });

  it("an unknown field is an error", async () => {
    const experiment = of([1, 0, 1], () => ({ language: "en", region: null }));
    const message = expect.stringContaining(
      '"langage", but no row has this field in its metadata or inputs; did you mean',
    );
    await expect(sliceExperiment(experiment, { by: ["language", "langage"] })).rejects.toMatchObject({
      code: "invalid_config",
      message,
    });
    expect(await sliceExperiment(experiment, { by: "region" })).toEqual([]);
    expect(await sliceExperiment(of([]), { by: "language" })).toEqual([]);
  });

  it("reports where nothing can be found", async () => {
    const fields = Array.from({ length: 13 }, (_, field) => `field${field}`);
    const experiment = of(
      Array.from({ length: 10 }, (_, row) => row / 10),
      (row) => Object.fromEntries(fields.map((field) => [field, row < 5])),
    );
    // One of the 252 ways to choose five of ten, times 13: 0.0516. Times 12, it is 0.0476.
    const slices = await sliceExperiment(experiment, { by: fields });
    for (const { comment } of slices)
      expect(comment).toContain("the smallest possible adjusted p-value is 0.052");
    const fewer = await sliceExperiment(experiment, { by: fields.slice(1) });
    expect(fewer.filter(({ comment }) => comment !== undefined)).toEqual([]);
  });

  it("does not mistake a larger spread for a difference", async () => {
    // Ten scores of 0.39 and 0.9, and forty of 0.49 and 0.5: the means are 0.645 and 0.495.
    const scores = Array.from({ length: 50 }, (_, row) =>
      row < 10 ? (row % 2 ? 0.9 : 0.39) : 0.5 - (row % 2) / 100,
    );
    const slices = await sliceExperiment(
      of(scores, (row) => ({ part: row < 10 })),
      { by: "part" },
    );
    // Welch: 0.15 with a standard error of 0.085 and nine degrees of freedom has a p-value of 0.11.
    expect(slices[0]!.pValue).toBeGreaterThan(0.05);
    expect(slices[0]!.interval!.low).toBeLessThanOrEqual(0);
  });

  it("compares a hundred thousand rows in twenty slices", async () => {
    const random = randomOf(9);
    const scores = Array.from({ length: 100_000 }, () => random());
    const experiment = of(
      scores.map((score, row) => (row % 20 ? score : score * 0.97)),
      (row) => ({ part: row % 20 }),
    );
    const [worst, next] = await sliceExperiment(experiment, { by: "part" });
    expect(worst).toMatchObject({ value: "0", units: 5_000 });
    expect(worst!.adjustedPValue).toBeLessThan(0.05);
    expect(next!.adjustedPValue).toBeGreaterThan(0.05);
  }, 120_000);

  it("does not mistake chance for a difference among many slices", async () => {
    const random = randomOf(7);
    let wrong = 0;
    for (let time = 0; time < 12; time++) {
      const rows = Array.from({ length: 100 }, (_, row) => ({
        example: { id: `${row}`, inputs: {}, metadata: { part: Math.floor(row / 10) } },
        run: { repetition: 0 },
        evaluationResults: [{ key: "right", score: random() < 0.7 }],
        errors: [],
      }));
      const [first] = await sliceExperiment({ rows } as never, { by: "part" });
      wrong += Number(first!.adjustedPValue! < 0.05);
    }
    expect(wrong).toBeLessThanOrEqual(2);
  });
});
