/** Plans, clusters, rankings and repetitions. */
import { createLLMAsJudge } from "openevals-wasm";
import {
  adjustPValues,
  aggregateOf,
  compareExperiments,
  compareMatrix,
  evaluate,
  planExperiment,
  rank,
  renderReport,
} from "openevals-wasm/evaluation";
import { describe, expect, it, test } from "vitest";
import { DATA, isRight, of, randomOf, run } from "./comparison-data.js";

describe("planExperiment", () => {
  it("computes the omitted parameter", async () => {
    const question = { baseline: 0.8, correlation: 0.5 };
    const { rows } = await planExperiment({ ...question, minimumDifference: 0.05 });
    expect(rows).toBe(488);
    const { minimumDifference } = await planExperiment({ ...question, rows: 488 });
    expect(minimumDifference).toBeCloseTo(0.05, 4);
    const { power } = await planExperiment({ ...question, rows: 488, minimumDifference: 0.05 });
    expect(power).toBeCloseTo(0.8, 2);
  });

  it("for every rate, up to differences that lead to 1", async () => {
    for (const baseline of [0.01, 0.1, 0.3, 0.35, 0.6, 0.66, 0.85]) {
      const { minimumDifference } = await planExperiment({ baseline, rows: 200 });
      const { power } = await planExperiment({ baseline, rows: 200, minimumDifference: minimumDifference! });
      expect(power).toBeCloseTo(0.8, 2);
      const toOne = await planExperiment({ baseline, rows: 200, minimumDifference: 1 - baseline });
      expect(toOne.power).toBeGreaterThan(0.8);
    }
  });

  it("trades repetitions against rows", async () => {
    const question = { standardDeviation: 0.4, minimumDifference: 0.05, correlation: 0.3 };
    const rows = await Promise.all(
      [1, 2, 5].map((repetitions) =>
        planExperiment({ ...question, repetitions, repetitionCorrelation: 0.5 }),
      ),
    );
    expect(rows.map((plan) => plan.rows)).toEqual([706, 455, 304]);
    const careful = await planExperiment({ ...question, repetitions: 5 });
    expect(careful).toMatchObject({ rows: 706, comment: expect.stringContaining("repetitionCorrelation") });
  });

  it("plans for a margin", async () => {
    const question = { baseline: 0.8, correlation: 0.5, margin: 0.1 };
    const { rows } = await planExperiment(question);
    const { power } = await planExperiment({ ...question, rows: rows! });
    expect(power).toBeGreaterThanOrEqual(0.8);
    expect((await planExperiment({ ...question, rows: rows! - 1 })).power).toBeLessThan(0.8);
    // Without noise, the fewest rows that can show the margin are enough.
    const quiet = await planExperiment({ standardDeviation: 1e-6, margin: 0.1 });
    expect(quiet.rows).toBeGreaterThanOrEqual(29);
    expect(quiet.rows).toBeLessThan(35);
    const stars = { standardDeviation: 1, correlation: 0.5, margin: 0.25, range: [1, 5] } as const;
    const shares = { standardDeviation: 0.25, correlation: 0.5, margin: 0.0625 };
    expect((await planExperiment(stars)).rows).toBe((await planExperiment(shares)).rows);
  });

  it("says if rates cannot have the correlation", async () => {
    const commentOn = async (correlation: number, options: object = { minimumDifference: 0.15 }) =>
      (await planExperiment({ baseline: 0.8, correlation, ...options })).comment;
    // At most 0.8 and at least 0.75 of the rows are right in both: (0.8 - 0.76) / sqrt(0.8 * 0.2 * 0.95 * 0.05), and with 0.75.
    expect(await commentOn(0.5)).toBe(
      "The correlation of the rates 0.8 and 0.95 is at most 0.459, so the plan uses that instead of 0.5.",
    );
    expect(await commentOn(-0.9)).toBe(
      "The correlation of the rates 0.8 and 0.95 is at least -0.115, so the plan uses that instead of -0.9.",
    );
    expect(await commentOn(0.45)).toBe(null);
    expect(await commentOn(1, { margin: 0.1 })).toBe(null);
    expect(await commentOn(-0.3, { margin: 0.1 })).toContain("0.8 and 0.8 is at least -0.25,");
    // Numbers can have every correlation.
    const numbers = { standardDeviation: 0.4, minimumDifference: 0.15, correlation: 0.99 };
    expect((await planExperiment(numbers)).comment).toBe(null);
  });

  it("derives parameters from two experiments", async () => {
    const random = randomOf(3);
    const drawn = Array.from({ length: 200 }, () => random());
    const [before, after] = [of(drawn.map((one) => one < 0.7)), of(drawn.map((one) => one < 0.75))];
    const { means, correlation } = (await compareExperiments(before, after)).score!;
    const experiments = [before, after] as const;
    expect(await planExperiment({ experiments, minimumDifference: 0.05 })).toEqual(
      await planExperiment({ baseline: means.first!, correlation: correlation!, minimumDifference: 0.05 }),
    );
    // Explicit parameters take precedence.
    expect(await planExperiment({ experiments, correlation: 0, minimumDifference: 0.05 })).toEqual(
      await planExperiment({ baseline: means.first!, minimumDifference: 0.05 }),
    );
    const numbers = [of(drawn), of(drawn.map((one) => one / 2))] as const;
    const { rows } = await planExperiment({ experiments: numbers, key: "score", minimumDifference: 0.05 });
    // All differences are half of the numbers, and vary half as much.
    const mean = drawn.reduce((sum, one) => sum + one, 0) / 200;
    const variance = drawn.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 199 / 4;
    const plan = await planExperiment({
      standardDeviation: Math.sqrt(variance / 2),
      minimumDifference: 0.05,
    });
    expect(rows).toBe(plan.rows);
    await expect(
      planExperiment({ experiments, key: "other", minimumDifference: 0.05 }),
    ).rejects.toMatchObject({ code: "invalid_config", message: expect.stringContaining('"score"') });
  });

  it("takes null for a correlation that is not known", async () => {
    const question = { baseline: 0.8, minimumDifference: 0.05, repetitions: 3 };
    const unknown = { correlation: null, repetitionCorrelation: null };
    expect(await planExperiment({ ...question, ...unknown })).toEqual(await planExperiment(question));
  });

  it("allows for repetitions that agree less than the experiments, by chance", async () => {
    // Half of the rows agree in their repetitions, and all rows agree in both experiments.
    const rows = [
      [0, 1],
      [1, 0],
      [1, 1],
      [0, 0],
    ].flatMap((scores, id) => scores.map((score, repetition) => ({ id, score, repetition })));
    const pilot = {
      rows: rows.map(({ id, score, repetition }) => ({
        example: { id: `${id}` },
        run: { id: `${id}/${repetition}`, repetition },
        evaluationResults: [{ key: "score", score }],
        errors: [],
      })),
    } as never;
    const question = { minimumDifference: 0.2, repetitions: 2 };
    const plan = await planExperiment({ experiments: [pilot, pilot], ...question });
    const given = { baseline: 0.5, correlation: 1, repetitionCorrelation: 1 };
    expect(plan.comment).toContain("uses a repetitionCorrelation of 1 instead of ");
    expect(plan.comment).toContain("only 4 pairs");
    expect(plan.rows).toBe((await planExperiment({ ...given, ...question })).rows);
    const numbers = { standardDeviation: 0.4, minimumDifference: 0.05, correlation: 0.19, repetitions: 3 };
    const limited = await planExperiment({ ...numbers, repetitionCorrelation: 0.108 });
    expect(limited).toEqual({
      ...(await planExperiment({ ...numbers, repetitionCorrelation: 0.19 })),
      comment:
        "Repetitions of one experiment correlate at least as much as two experiments, so the plan uses a " +
        "repetitionCorrelation of 0.19 instead of 0.108.",
    });
    expect((await planExperiment({ ...numbers, repetitionCorrelation: 0.108, repetitions: 1 })).comment).toBe(
      null,
    );
  });

  it("plans numbers by the variance of their differences, in either order of experiments", async () => {
    const steady = of([0.5, 0.52, 0.48, 0.5, 0.51, 0.49, 0.5, 0.5]);
    const varied = of([0.2, 0.9, 0.4, 0.7, 0.6, 0.3, 0.8, 0.5]);
    // The differences have the sum 0.4 and the sum of squares 0.415: their variance is (0.415 - 8 * 0.05 ** 2) / 7.
    const standardDeviation = Math.sqrt(0.395 / 7 / 2);
    for (const question of [{ minimumDifference: 0.1 }, { margin: 0.1 }]) {
      const { rows } = await planExperiment({ standardDeviation, ...question });
      expect(rows).toBeGreaterThan(40);
      for (const experiments of [
        [steady, varied],
        [varied, steady],
      ] as const) {
        const plan = await planExperiment({ experiments, ...question });
        expect(plan).toMatchObject({ rows, comment: expect.stringContaining("only 8 pairs") });
      }
    }
  });

  it("detects any difference of scores that do not vary", async () => {
    const constant = of(Array<number>(30).fill(0.5));
    const experiments = [constant, constant] as const;
    expect(await planExperiment({ experiments, rows: 100 })).toMatchObject({ minimumDifference: 0 });
    expect(await planExperiment({ experiments, rows: 5 })).toMatchObject({ minimumDifference: null });
  });

  it("is an error for impossible parameters", async () => {
    const huge = { standardDeviation: 1e9, minimumDifference: 1e9 };
    expect((await planExperiment(huge)).rows).toBe(
      (await planExperiment({ standardDeviation: 1, minimumDifference: 1 })).rows,
    );
    await expect(planExperiment({ ...huge, standardDeviation: 2e9 })).rejects.toMatchObject({
      message: expect.stringContaining(
        "standardDeviation is 2000000000; it has to be a number above 0, up to 1e9",
      ),
    });
    const none = await planExperiment({ baseline: 0.95, rows: 10 });
    expect(none).toMatchObject({ minimumDifference: null, comment: expect.stringContaining("not even") });
    for (const [options, message] of [
      [{ baseline: 0.5 }, "needs rows, minimumDifference or margin"],
      [{ baseline: 0.5, margin: 0.1, minimumDifference: 0.1 }, "not both"],
      [{ baseline: 0.5, margin: 1.5 }, "no difference can be larger"],
      [{ rows: 9 }, "needs one of baseline"],
      [{ baseline: 0.5, rows: 9, minimumDifference: 0.1, power: 0.8 }, "leave one of them out"],
      [{ baseline: 0.9, minimumDifference: 0.2 }, "would become"],
      [{ baseline: 2, rows: 9 }, "baseline is 2"],
    ] as const) {
      await expect(planExperiment(options)).rejects.toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(message),
      });
    }
  });
});

describe("scores on different scales", () => {
  const scored = async (score: number, max: number | undefined) => {
    const scale = { min: 1, ...(max && { max }), direction: "higher", passAt: 4 };
    const own = Object.assign(() => ({ key: "own", score }), { scale });
    return evaluate(undefined, { data: [{ outputs: "a" }], evaluators: [own] });
  };

  it("are not compared", async () => {
    await expect(compareExperiments(await scored(5, 5), await scored(6, 10))).rejects.toMatchObject({
      code: "invalid_input",
      message:
        'The scores of "own" are from 1 to 5 in the first experiment and from 1 to 10 in the second, so they cannot be ' +
        "compared. Score the first one again, or give the key another name.",
    });
  });

  it("are compared if an experiment does not record them, or only the mark differs", async () => {
    const [five, open] = [await scored(5, 5), await scored(4, undefined)];
    expect((await compareExperiments(five, open)).own?.difference).toBe(-1);
    const { scales: _, ...older } = await scored(6, 10);
    expect((await compareExperiments(five, older)).own?.difference).toBe(1);
  });
});

describe("true and false, and numbers", () => {
  const data = Array.from({ length: 12 }, (_, n) => ({ id: `${n}`, inputs: n, outputs: "a" }));
  const judged = (options: object, score: (n: number) => number | boolean) =>
    evaluate(undefined, {
      data,
      evaluators: [
        createLLMAsJudge({
          prompt: "{inputs}",
          feedbackKey: "quality",
          judge: ({ messages }) => ({ reasoning: "", score: score(Number(messages[0]?.content)) }),
          ...options,
        }),
        () => ({ key: "other", score: 1 }),
      ],
    });
  const returned = (score: (n: number) => number | boolean) =>
    evaluate(undefined, {
      data,
      evaluators: [({ inputs }) => ({ key: "quality", score: score(inputs) })],
    });
  const refusal = (first: string, second: string) => ({
    code: "invalid_input",
    message:
      `The scores of "quality" are ${first} in the first experiment and ${second} in the second, so they cannot be compared. ` +
      "Score the first one again, or give the key another name.",
  });

  it("are not compared if the numbers are not from 0 to 1", async () => {
    const verdicts = await judged({}, (n) => n > 3);
    const grades = await judged({ choices: [1, 2, 3, 4, 5] }, () => 1);
    await expect(compareExperiments(verdicts, grades)).rejects.toMatchObject(
      refusal("true or false", "from 1 to 5"),
    );
    await expect(compareExperiments(grades, verdicts)).rejects.toMatchObject(
      refusal("from 1 to 5", "true or false"),
    );
    await expect(renderReport(grades, { compareWith: verdicts })).rejects.toMatchObject(
      refusal("true or false", "from 1 to 5"),
    );
    await expect(
      compareExperiments(await returned((n) => n > 3), await returned((n) => 1 + (n % 3))),
    ).rejects.toMatchObject(refusal("true or false", "numbers outside of 0 to 1"));
    const others = await compareExperiments(verdicts, grades, { keys: ["other"] });
    expect(others.other?.count).toBe(12);
  });

  it("are compared if they are from 0 to 1", async () => {
    const verdicts = await judged({}, (n) => n > 3);
    const shares = await judged({ continuous: true }, () => 0.5);
    expect((await compareExperiments(verdicts, shares)).quality?.count).toBe(12);
    const numbers = await returned((n) => Number(n > 5));
    expect((await compareExperiments(verdicts, numbers)).quality?.count).toBe(12);
  });
});

it("errors without a key in text are refused", async () => {
  const good = await evaluate(undefined, { data: [{ outputs: 1 }], evaluators: [() => true] });
  const bad = structuredClone(good) as any;
  bad.rows[0].errors = [{ key: { toString: 1 }, error: { message: "x" } }];
  const refusal = {
    code: "invalid_input",
    message: "rows[0] of the second experiment needs errors, a list of { key, error }.",
  };
  await expect(compareExperiments(good, bad)).rejects.toMatchObject(refusal);
  await expect(renderReport(good, { compareWith: bad })).rejects.toMatchObject({ code: "invalid_input" });
});

describe("scores with another better direction", () => {
  const tox = async (score: number, options: object = {}) =>
    evaluate(undefined, {
      data: Array.from({ length: 12 }, () => ({ outputs: "a" })),
      evaluators: [() => ({ key: "tox", score })],
      ...options,
    });
  const lowerIsBetter = ["tox"];
  const message =
    'In the first experiment, lower scores of "tox" are better, and in the second, higher ones, so they ' +
    "cannot be compared. Score the first one again with the same lowerIsBetter, or give the key another name.";

  it("are not compared", async () => {
    const [before, after] = [await tox(0.1, { lowerIsBetter }), await tox(0.9)];
    await expect(compareExperiments(before, after)).rejects.toMatchObject({ code: "invalid_input", message });
    await expect(compareMatrix([before, before, after])).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(message),
    });
    await expect(renderReport([before, after])).rejects.toMatchObject({ code: "invalid_input", message });
  });

  it("are compared if an experiment does not record it, or the reader sets it", async () => {
    const [before, after] = [await tox(0.1, { lowerIsBetter }), await tox(0.9)];
    const { scales: _, ...older } = before;
    expect((await compareExperiments(older, after)).tox?.difference).toBeCloseTo(0.8);
    const undirected = { ...before, scales: { tox: {} } };
    expect((await compareExperiments(undirected, after)).tox?.difference).toBeCloseTo(0.8);
    expect(await renderReport([before, after], { lowerIsBetter })).toContain("Worse on tox");
  });
});

describe("clusterBy", () => {
  it("treats the rows of a cluster as one observation", async () => {
    const by = await run((passage) => passage % 2 === 0, { clusterBy: "passage" });
    // The rows of each passage agree, so there are twelve independent observations.
    const alone = await aggregateOf({
      scores: DATA.slice(12).map((_, i) => i % 2 === 0),
      errors: 0,
      notApplicable: 0,
    });
    const { clusters, interval, standardError } = by.aggregates.isRight!;
    expect({ clusters, interval }).toEqual({ clusters: 12, interval: alone.interval });
    expect(standardError).toBeCloseTo(alone.standardError!, 12);
    const without = await run((passage) => passage % 2 === 0);
    expect(without.aggregates.isRight!.standardError).toBeLessThan(standardError!);
  });

  it("gives a function its own example, which it may change", async () => {
    const { rows, aggregates } = await evaluate(() => 1, {
      data: [
        { id: "1", inputs: { tags: ["a"] } },
        { id: "2", inputs: { tags: ["a"] } },
      ],
      evaluators: [() => ({ key: "one", score: 1 })],
      clusterBy: (example) => {
        example.id = "other";
        return (example.inputs as { tags: string[] }).tags.pop() ?? "none";
      },
    });
    expect(rows.map(({ example: { id, inputs } }) => ({ id, inputs }))).toEqual([
      { id: "1", inputs: { tags: ["a"] } },
      { id: "2", inputs: { tags: ["a"] } },
    ]);
    expect(aggregates.one?.clusters).toBe(1);
  });

  it("compares by clusters from an input field or a function", async () => {
    const [before, after] = [await run((passage) => passage < 6), await run((passage) => passage < 11)];
    const rows = (await compareExperiments(before, after)).isRight!;
    const passages = (
      await compareExperiments(before, after, { clusterBy: ({ inputs }) => (inputs as { n: number }).n >> 1 })
    ).isRight!;
    expect(passages).toEqual((await compareExperiments(before, after, { clusterBy: "passage" })).isRight);
    expect(rows.difference).toBe(passages.difference);
    // Ten rows gain, or five passages: two of 2^10 or 2^5 sign patterns are as far.
    expect(rows.pValue).toBeCloseTo(2 / 2 ** 10, 12);
    expect(passages.pValue).toBeCloseTo(2 / 2 ** 5, 12);
    expect(passages.standardError).toBeGreaterThan(rows.standardError!);
  });

  it("a row without a cluster is an error, and completed rows are kept", async () => {
    const data = [...DATA.slice(0, 2), { id: "z", inputs: { n: 1 } }];
    await expect(run(() => true, { data, clusterBy: "passage" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('The cluster of the example "z" is undefined ("passage"'),
    });
    for (const cluster of [Number.NaN, Number.POSITIVE_INFINITY])
      await expect(run(() => true, { clusterBy: () => cluster })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`is ${cluster} (returned by clusterBy)`),
      });
    const throws = () => {
      throw new Error("no topic");
    };
    await expect(run(() => true, { clusterBy: throws })).rejects.toMatchObject({
      code: "callback_failed",
      message: "clusterBy failed: no topic",
    });
    await expect(run(() => true, { clusterBy: 3 })).rejects.toMatchObject({ code: "invalid_config" });
  });
});

describe("compareExperiments", () => {
  it("adjusts for the keys that decide only", async () => {
    const keys = ["right", "short", "polite", "fast", "safe"];
    const scored = async (isRight: boolean) =>
      evaluate(() => 0, {
        data: Array.from({ length: 10 }, (_, row) => ({ id: `${row}`, inputs: row })),
        evaluators: [
          ({ inputs }) =>
            keys.map((key) => ({ key, score: key === "right" ? isRight || Number(inputs) > 6 : true })),
        ],
        progress: false,
      });
    const [before, after] = [await scored(false), await scored(true)];
    // Of ten rows, seven became right: 2 / 2^7, and five times that for five keys.
    const all = await compareExperiments(before, after);
    expect(all.right?.pValue).toBeCloseTo(0.015625, 12);
    expect(all.right?.adjustedPValue).toBeCloseTo(0.078125, 12);
    const named = await compareExperiments(before, after, { keys: ["right"] });
    expect(Object.keys(named)).toEqual(["right"]);
    expect(named.right?.adjustedPValue).toBeCloseTo(0.015625, 12);
    await expect(compareExperiments(before, after, { keys: ["rihgt"] })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(
        'keys has the key "rihgt", which no result has; did you mean "right"?',
      ),
    });
    await expect(compareExperiments(before, after, { keys: [] })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("a list of keys"),
    });
  });

  it("takes rounding errors as ties", async () => {
    const found = await compareExperiments(of(Array(20).fill(0.3)), of(Array(20).fill(0.1 + 0.2)));
    expect(found.score).toMatchObject({ difference: 0, pValue: 1, interval: null, flipped: [] });
    const one = [...Array<number>(19).fill(0.1 + 0.2), 0.4];
    const { flipped, pValue } = (await compareExperiments(of(Array(20).fill(0.3)), of(one))).score!;
    expect(flipped).toEqual([{ exampleId: "19", repetition: 0, from: 0.3, to: 0.4 }]);
    expect(pValue).toBe(1);
  });

  it("has intervals within what is possible on a recorded scale", async () => {
    const [before, after] = [of([0.2, 0.9, 0.1]), of([0.9, 0.3, 0.2])];
    const free = (await compareExperiments(before, after)).score!.interval!;
    expect([free.low < -1, free.high > 1]).toEqual([true, true]);
    const scales = { score: { min: 0, max: 1 } };
    // The scale may be recorded on one side only.
    for (const [first, second] of [
      [{ ...before, scales }, after],
      [before, { ...after, scales }],
    ] as const)
      expect((await compareExperiments(first, second)).score!.interval).toMatchObject({ low: -1, high: 1 });
    const lower = { ...before, scales: { score: { min: 0 } } };
    expect((await compareExperiments(lower, after)).score!.interval).toEqual(free);
  });
});

describe("rank", () => {
  const truth = { strong: 1, middle: 0, weak: -1 };
  const names = Object.keys(truth) as (keyof typeof truth)[];
  const random = randomOf(42);
  const duels = Array.from({ length: 600 }, (_, index) => {
    const [first, second] = [names[index % 3]!, names[(index + 1 + (index % 2)) % 3]!];
    const chance = 1 / (1 + Math.exp(truth[second] - truth[first]));
    const score = random() < 0.2 ? 0.5 : random() < chance ? 1 : 0;
    return { first, second, score };
  }).filter(({ first, second }) => first !== second);

  it("recovers the order, and the strengths within their intervals", async () => {
    const ranked = await rank(duels);
    expect(ranked.map(({ name }) => name)).toEqual(names);
    expect(ranked.reduce((sum, { strength }) => sum + strength!, 0)).toBeCloseTo(0, 9);
    // A fifth are ties, which shrinks strengths by about as much.
    for (const { name, strength, interval } of ranked) {
      expect(strength).toBeCloseTo(truth[name as keyof typeof truth] * 0.8, 0);
      expect(interval!.low < strength! && strength! < interval!.high).toBe(true);
    }
    const elo = await rank(duels, { method: "elo", kFactor: 8, initialRating: 1500, seed: 1, level: 0.9 });
    expect(elo.map(({ name }) => name)).toEqual(names);
    expect(elo[0]!.strength).toBeGreaterThan(1500);
  });

  it("rates by Elo in the given order, also with several comparisons of an example", async () => {
    const score = (first: string, second: string, exampleId: string) => ({
      first,
      second,
      score: 1,
      exampleId,
    });
    const of = [score("a", "b", "1"), score("b", "c", "2"), score("a", "c", "1")];
    const ranked = await rank(of, { method: "elo" });
    // 1016, then 984 + 16.7363 after a win over 1000, then 1016 + 14.4969 after one over 983.2637.
    expect(ranked.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(ranked[0]!.strength).toBeCloseTo(1030.4969, 3);
    expect(ranked[1]!.strength).toBeCloseTo(1000.7363, 3);
  });

  it("treats comparisons of an example as one", async () => {
    const twice = duels.flatMap((duel, index) => [
      { ...duel, exampleId: `${index}` },
      { ...duel, exampleId: `${index}` },
    ]);
    const [once] = await rank(duels);
    const [both] = await rank(twice);
    expect(both!.interval!.low).toBeCloseTo(once!.interval!.low, 9);
    expect(both!.count).toBe(2 * once!.count);
  });

  it("has no interval with too few examples, or if they do not differ, and says which", async () => {
    const tie = { first: "a", second: "b", score: 0.5 };
    const commentsOn = async (...[comparisons, options]: Parameters<typeof rank>) => [
      ...new Set(
        (await rank(comparisons, options)).map(({ interval, comment }) => [interval, comment].join()),
      ),
    ];
    const tooFew = ",Too few comparisons for an interval.";
    const noDifference = ",The results do not differ between examples, so there is no interval.";
    expect(await commentsOn([tie])).toEqual([tooFew]);
    expect(await commentsOn([tie], { method: "elo" })).toEqual([tooFew]);
    const ties = Array<typeof tie>(10).fill(tie);
    expect(await commentsOn(ties)).toEqual([noDifference]);
    expect(await commentsOn(ties, { method: "elo" })).toEqual([noDifference]);
    // a beats b, b beats c, and c beats a, on each of 5 examples.
    const circles = Array.from({ length: 15 }, (_, index) => ({
      first: "abc"[index % 3]!,
      second: "bca"[index % 3]!,
      score: 1,
      exampleId: `${Math.floor(index / 3)}`,
    }));
    expect(await commentsOn(circles)).toEqual([noDifference]);
    expect(await commentsOn(circles.slice(0, 6))).toEqual([tooFew]);
  });

  it("has no strengths if none are finite, and reports that", async () => {
    const all = await rank([
      { first: "a", second: "b", score: true },
      { first: "b", second: "a", score: 0 },
    ]);
    expect(all).toMatchObject([
      { name: "a", strength: null, interval: null, winRate: 1, count: 2, comment: expect.any(String) },
      { name: "b", strength: null, winRate: 0 },
    ]);
    expect(all[0]!.comment).toContain("won or lost all");
    const apart = await rank([
      { first: "a", second: "b", score: 1 },
      { first: "b", second: "a", score: 1 },
      { first: "c", second: "d", score: 1 },
      { first: "d", second: "c", score: 1 },
    ]);
    expect(apart[3]).toMatchObject({
      strength: null,
      comment: expect.stringContaining("no chain of comparisons links all competitors"),
    });
    expect(await rank([])).toEqual([]);
    await expect(rank([{ first: "a", second: "a", score: 1 }])).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(rank([{ first: "a", second: "b", score: 2 }])).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

test("repetitions have their variance and flips", async () => {
  let calls = 0;
  const moody = ({ n }: { n: number }) => (n % 2 || calls++ % 2 ? n * 2 : -1);
  const { aggregates } = await evaluate(moody, {
    data: DATA.slice(0, 12),
    evaluators: [isRight],
    numRepetitions: 4,
    progress: false,
  });
  const { repetitions } = aggregates.isRight!;
  expect(repetitions).toMatchObject({ flipped: { value: 0.5 }, examples: 12 });
  // Six examples of two right and two wrong: 1 within, over three degrees of freedom, and half as many examples.
  expect(repetitions!.withinVariance).toBeCloseTo(1 / 3 / 2, 12);
  const once = await run(() => true);
  expect(once.aggregates.isRight).not.toHaveProperty("repetitions");
});

describe("adjustPValues", () => {
  const before = of(Array.from({ length: 20 }, () => false));
  /** Right on the first rows: McNemar's exact p-value of `right` changes in one direction is 2 / 2 ** right. */
  const variant = (right: number) =>
    compareExperiments(before, of(Array.from({ length: 20 }, (_, row) => row < right)));

  it("adjusts for all keys of all comparisons by Holm's method, and changes no argument", async () => {
    const comparisons = [await variant(6), await variant(8), await variant(4)];
    const figures = (all: typeof comparisons) =>
      all.map(({ score }) => Number(score!.adjustedPValue!.toFixed(12)));
    expect(figures(comparisons)).toEqual([2 / 64, 2 / 256, 2 / 16]);
    const adjusted = await adjustPValues(comparisons);
    expect(figures(adjusted)).toEqual([(2 * 2) / 64, (3 * 2) / 256, 2 / 16]);
    expect(figures(comparisons)).toEqual([2 / 64, 2 / 256, 2 / 16]);
    // At 1 - 0.05 / 3, the interval includes zero, as the adjusted p-value wants.
    const adjustedInterval = { low: 0, high: expect.any(Number), level: expect.closeTo(0.98333) };
    expect(adjusted[0]!.score).toEqual({
      ...comparisons[0]!.score,
      adjustedPValue: 4 / 64,
      adjustedInterval,
    });
    expect(comparisons[0]!.score).not.toHaveProperty("adjustedInterval");
    // Comparisons read from JSON have no data to compute it from.
    const [read] = await adjustPValues(JSON.parse(JSON.stringify(comparisons)));
    expect(read!.score).toEqual({ ...comparisons[0]!.score, adjustedPValue: 4 / 64 });
  });

  it("takes no comparisons, and those without a p-value", async () => {
    expect(await adjustPValues([])).toEqual([]);
    const nothing = await compareExperiments(of([]), of([]));
    expect(await adjustPValues([nothing])).toEqual([nothing]);
  });

  it("rejects values that are not lists of comparisons", async () => {
    const others = [new Map([["score", { pValue: 0.01 }]]), new Date(), new (class Empty {})(), []].map(
      (one) => [one],
    );
    for (const wrong of [undefined, 1, [null], [{ score: 1 }], [{ score: { pValue: "0.1" } }], ...others])
      await expect(adjustPValues(wrong as never)).rejects.toMatchObject({ code: "invalid_input" });
    await expect(adjustPValues([await variant(6), variant(8)] as never)).rejects.toMatchObject({
      code: "invalid_input",
      message: "comparisons[1] is a promise. Await it, such as with Promise.all(comparisons).",
    });
    const withOptions = adjustPValues as (...given: unknown[]) => Promise<unknown>;
    await expect(withOptions([await variant(6)], { method: "holm" })).rejects.toMatchObject({
      code: "invalid_input",
      message: 'adjustPValues takes one list and no options, but also got {"method":"holm"}.',
    });
  });
});
