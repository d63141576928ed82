import {
  accuracy,
  cohensKappa,
  confusionMatrix,
  f1Score,
  fBeta,
  type Interval,
  matthewsCorrelation,
  precision,
  recall,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

// scikit-learn 1.9.1 gave the figures below.
const OUTPUTS = [..."abaabcbccacbabccbcca"];
const REFERENCES = [..."aaaabbbcccccabcabcca"];
const ROWS = { outputs: OUTPUTS, referenceOutputs: REFERENCES };
/** Here d never occurs in the outputs and e never in the references. */
const GAPS = { outputs: [...OUTPUTS, "a", "b", "e"], referenceOutputs: [...REFERENCES, "d", "d", "a"] };

describe("metrics of classes", () => {
  it("equal those of scikit-learn", async () => {
    // precision_recall_fscore_support(references, outputs, average=…, beta=…)
    const expected = {
      micro: [0.75, 0.75, 0.75, 0.75, 0.75],
      macro: [0.75, 0.7547619047619047, 0.7487022617723396, 0.7488344988344989, 0.7515082956259427],
      weighted: [0.7583333333333334, 0.75, 0.7546718576195773, 0.7510489510489511, 0.7496606334841629],
    };
    for (const average of ["micro", "macro", "weighted"] as const) {
      const evaluators = [
        precision({ average }),
        recall({ average }),
        fBeta({ beta: 0.5, average }),
        f1Score({ average }),
        fBeta({ beta: 2, average }),
      ];
      for (const [index, evaluate] of evaluators.entries()) {
        const { score, interval } = await evaluate(ROWS);
        expect(score).toBeCloseTo(expected[average][index] as number, 12);
        expect(interval?.low).toBeLessThan(score as number);
        expect(interval?.high).toBeGreaterThan(score as number);
      }
    }
    // The same with labels=["b"].
    const positive = "b";
    expect((await precision({ positive })(ROWS)).score).toBeCloseTo(2 / 3, 12);
    expect((await recall({ positive })(ROWS)).score).toBeCloseTo(0.8, 12);
    expect((await f1Score({ positive })(ROWS)).score).toBeCloseTo(0.7272727272727273, 12);
    expect((await fBeta({ positive, beta: 2 })(ROWS)).score).toBeCloseTo(0.7692307692307693, 12);
    // accuracy_score, cohen_kappa_score, matthews_corrcoef
    expect((await accuracy()(ROWS)).score).toBe(0.75);
    expect((await cohensKappa()(ROWS)).score).toBeCloseTo(0.6212121212121212, 12);
    expect((await matthewsCorrelation()(ROWS)).score).toBeCloseTo(0.6235786521484046, 12);
  });

  it("leave out undefined classes, and name them", async () => {
    // The same with zero_division=np.nan.
    const macroPrecision = await precision({ average: "macro" })(GAPS);
    expect(macroPrecision.score).toBeCloseTo(0.5089285714285714, 12);
    const tooFew = "It has no interval: there are too few examples, or too few of a class.";
    const leftOut = "Classes left out because the metric is not defined for them:";
    expect(macroPrecision.comment).toBe(`${leftOut} "d". ${tooFew}`);
    const weightedRecall = await recall({ average: "weighted" })(GAPS);
    expect(weightedRecall.score).toBeCloseTo(0.6521739130434783, 12);
    expect(weightedRecall.comment).toBe(`${leftOut} "e".`);
    const f1 = await f1Score({ average: "macro" })(GAPS);
    expect(f1.score).toBeCloseTo(0.4166666666666667, 12);
    expect(f1.comment).toBe(tooFew);
    expect((await cohensKappa()(GAPS)).score).toBeCloseTo(0.5080213903743316, 12);
    expect((await matthewsCorrelation()(GAPS)).score).toBeCloseTo(0.5149221670525546, 12);
  });

  it("have Wilson's interval if they are rates, otherwise that of as many rows as would vary that little", async () => {
    // statsmodels 0.15: proportion_confint(…, method="wilson") of 15 in 20, 4 in 6, 4 in 5
    for (const [evaluate, low, high] of [
      [accuracy(), 0.5312991223812559, 0.8881382985923344],
      [precision({ positive: "b" }), 0.29999331513839184, 0.9032285888942195],
      [recall({ positive: "b" }), 0.3755346297625252, 0.9637758913675698],
    ] as const) {
      const { interval } = await evaluate(ROWS);
      expect(interval?.low).toBeCloseTo(low, 12);
      expect(interval?.high).toBeCloseTo(high, 12);
      expect(interval?.level).toBe(0.95);
    }
    // numpy and scipy, from the derivatives by the cells of the confusion matrix, as finite differences
    for (const [evaluate, low, high] of [
      [f1Score({ average: "macro" }), 0.525591, 0.889177],
      [precision({ average: "macro" }), 0.528515, 0.889244],
      [fBeta({ average: "weighted", beta: 2 }), 0.52746, 0.889304],
      [f1Score({ positive: "b" }), 0.384407, 0.919276],
      [matthewsCorrelation(), 0.269383, 0.829172],
      [cohensKappa(), 0.265928, 0.827917],
    ] as const) {
      const { interval } = await evaluate(ROWS);
      expect(interval?.low).toBeCloseTo(low, 5);
      expect(interval?.high).toBeCloseTo(high, 5);
    }
    expect((await accuracy({ level: 0.5 })(ROWS)).interval?.level).toBe(0.5);
  });

  it("treat repetitions of an example as one observation", async () => {
    const thrice = <T>(list: T[]) => list.flatMap((value) => [value, value, value]);
    const rows = { outputs: thrice(OUTPUTS), referenceOutputs: thrice(REFERENCES) };
    const examples = thrice(OUTPUTS.map((_, row) => ({ id: `example ${row}` })));
    const once = (await cohensKappa()(ROWS)).interval;
    const { interval } = await cohensKappa()({ ...rows, examples });
    expect(interval?.low).toBeCloseTo(once?.low ?? Number.NaN, 12);
    expect(interval?.high).toBeCloseTo(once?.high ?? Number.NaN, 12);
    expect((await cohensKappa()(rows)).interval?.low).toBeGreaterThan((once?.low ?? Number.NaN) + 0.05);
  });

  it("are null if undefined, with the reason", async () => {
    const none = { outputs: ["a", "a"], referenceOutputs: ["a", "a"] };
    for (const [evaluate, rows, why] of [
      [
        precision({ positive: "b" }),
        { outputs: ["a", "a"], referenceOutputs: ["a", "b"] },
        'no output is "b"; the classes are "a", "b"',
      ],
      [
        recall({ positive: "b" }),
        { outputs: ["a", "b"], referenceOutputs: ["a", "a"] },
        'no reference output is "b"; the classes are "a", "b"',
      ],
      [
        f1Score({ positive: "Toxic" }),
        none,
        'no output and no reference output is "Toxic"; the classes are "a"',
      ],
      [cohensKappa(), none, "all outputs and reference outputs are of the same class"],
      [matthewsCorrelation(), none, "all outputs, or all reference outputs, are of the same class"],
      [accuracy(), { outputs: [], referenceOutputs: [] }, "there are no rows"],
      [f1Score({ average: "macro" }), { outputs: [], referenceOutputs: [] }, "there are no rows"],
      [f1Score(), { outputs: [], referenceOutputs: [] }, "there are no rows"],
    ] as const) {
      const result = await evaluate(rows);
      expect(result).toMatchObject({ score: null, comment: `Not defined: ${why}.` });
      expect(result).not.toHaveProperty("interval");
    }
    // A score of 0 is defined.
    expect(await f1Score({ positive: "b" })({ outputs: ["a"], referenceOutputs: ["b"] })).toMatchObject({
      score: 0,
    });
  });

  it("have a default key, or a custom one", async () => {
    const positive = "a";
    for (const [evaluate, key] of [
      [accuracy(), "accuracy"],
      [precision({ positive }), "precision"],
      [recall({ positive }), "recall"],
      [f1Score({ positive }), "f1_score"],
      [fBeta({ positive, beta: 0.5 }), "f0.5_score"],
      [cohensKappa(), "cohens_kappa"],
      [matthewsCorrelation(), "matthews_correlation"],
      [confusionMatrix(), "confusion_matrix"],
      [f1Score({ positive, feedbackKey: "f1_of_a" }), "f1_of_a"],
    ] as const) {
      expect(evaluate.name).toBe(key);
      // LangSmith passes an object to functions with one parameter.
      expect(evaluate).toHaveLength(1);
      expect((await evaluate(ROWS)).key).toBe(key);
    }
  });
});

describe("the confusion matrix", () => {
  it("equals that of scikit-learn", async () => {
    // confusion_matrix(references, outputs)
    expect(await confusionMatrix()(ROWS)).toEqual({
      key: "confusion_matrix",
      value: {
        labels: ["a", "b", "c"],
        matrix: [
          [5, 1, 1],
          [0, 4, 1],
          [1, 1, 6],
        ],
      },
      metadata: { count: 20, errors: 0 },
    });
  });

  it("has its classes in ascending order", async () => {
    const labels = async (classes: unknown[]) => {
      const { value } = await confusionMatrix()({ outputs: classes, referenceOutputs: classes });
      expect(value.matrix).toEqual(
        classes.map((_, row) => classes.map((_, column) => Number(row === column))),
      );
      return value.labels;
    };
    expect(await labels([10, 9, -1, 1.5])).toEqual([-1, 1.5, 9, 10]);
    expect(await labels(["b", "B", "a", ""])).toEqual(["", "B", "a", "b"]);
    expect(await labels(["a", 1, true, null, false, ["x"]])).toEqual([null, false, true, 1, "a", ["x"]]);
  });

  it("treats equal values as the same class", async () => {
    const outputs = [{ class: { a: 1, b: [2] } }, { class: 1 }, { class: "1" }, { class: -0 }];
    const referenceOutputs = [{ class: { b: [2], a: 1 } }, { class: 1.0 }, { class: 1 }, { class: 0 }];
    const { value } = await confusionMatrix()({ outputs, referenceOutputs });
    expect(value.labels).toEqual([0, 1, "1", { a: 1, b: [2] }]);
    expect((await accuracy()({ outputs, referenceOutputs })).score).toBe(0.75);
  });

  it("refuses texts that are not classes", async () => {
    const outputs = Array.from({ length: 1001 }, (_, row) => `answer ${row}`);
    const error = await errorOf(confusionMatrix()({ outputs, referenceOutputs: outputs }));
    expect(error.message).toContain("found 1001 classes");
    // A matrix is limited to a thousand classes, other metrics are not.
    expect((await f1Score({ average: "macro" })({ outputs, referenceOutputs: outputs })).score).toBe(1);
  });
});

describe("at perfect agreement", () => {
  const perfect = (...counts: [string, number][]) => {
    const labels = counts.flatMap(([label, count]) => Array<string>(count).fill(label));
    return { outputs: labels, referenceOutputs: labels };
  };
  it.each([
    // numpy and scipy, as above.
    ["F1", f1Score({ positive: "a" }), 0.837984],
    ["the mean F1", f1Score({ average: "macro" }), 0.8885624],
    ["the correlation", matthewsCorrelation(), 0.777123],
    ["kappa", cohensKappa(), 0.777123],
  ])("%s has an interval", async (_, evaluate, low) => {
    const { score, interval } = await evaluate(perfect(["a", 10], ["b", 30]));
    expect(score).toBe(1);
    expect(interval).toEqual({ low: expect.closeTo(low, 5), high: 1, level: 0.95 });
  });

  it.each([
    ["kappa", cohensKappa()],
    ["the correlation", matthewsCorrelation()],
  ])("%s says why it has no interval", async (_, evaluate) => {
    const few = "It has no interval: fewer than 5 independent labels are outside the most frequent class";
    expect(await evaluate(perfect(["a", 4], ["b", 30]))).toMatchObject({
      score: expect.closeTo(1, 12),
      comment: expect.stringContaining(few),
    });
    const enough = await evaluate(perfect(["a", 5], ["b", 30]));
    expect(enough).toHaveProperty("interval");
    expect(enough).not.toHaveProperty("comment");
  });

  it.each(
    (["macro", "weighted"] as const).flatMap((average) =>
      Object.entries({ precision, recall, f1Score }).map(([name, make]) => [average, name, make] as const),
    ),
  )("%s %s of a single class has no interval, and says why", async (average, _, make) => {
    const one = await make({ average })(perfect(["a", 8]));
    expect(one).toMatchObject({
      score: 1,
      comment: expect.stringContaining(
        "It has no interval: all outputs and reference outputs are of the same",
      ),
    });
    expect(one).not.toHaveProperty("interval");
    const two = await make({ average })(perfect(["a", 7], ["b", 1]));
    expect(two.interval?.low).toBeLessThan(0.8);
    expect(two).not.toHaveProperty("comment");
  });

  it("a score of 0 has an interval, too", async () => {
    const { outputs, referenceOutputs } = perfect(["a", 10], ["b", 10]);
    const result = await f1Score({ average: "macro" })({ outputs: [...outputs].reverse(), referenceOutputs });
    expect(result).toMatchObject({ score: 0, interval: { low: 0, high: expect.closeTo(0.16002, 5) } });
  });

  it("a single example has no interval", async () => {
    const result = await f1Score({ positive: "a" })(perfect(["a", 1]));
    expect(result).toMatchObject({
      score: 1,
      comment: expect.stringContaining("there are too few examples"),
    });
    expect(result).not.toHaveProperty("interval");
  });

  it("the F1 score of a class that was never found has an interval", async () => {
    const { referenceOutputs } = perfect(["a", 10], ["b", 10]);
    const neverB = { outputs: Array<string>(20).fill("a"), referenceOutputs };
    const { score, interval } = await f1Score({ positive: "b" })(neverB);
    expect([score, interval?.low]).toEqual([0, 0]);
    expect(interval?.high).toBeCloseTo(0.714726, 5);
  });

  it("an undefined score has all reasons", async () => {
    const rows = { outputs: ["b", "b"], referenceOutputs: ["a", "a"] };
    const { score, comment } = await precision({ average: "weighted" })(rows);
    expect({ score, comment }).toEqual({
      score: null,
      comment: 'Not defined for "a", and the reference has no other class.',
    });
  });
});

describe("the class of a row", () => {
  const score = async (options: object, outputs: unknown[], referenceOutputs: unknown[]) =>
    (await accuracy(options)({ outputs, referenceOutputs })).score;

  it("is found in the only key, in a named key, or by a function", async () => {
    expect(await score({}, [{ class: "a" }], [{ label: "a" }])).toBe(1);
    expect(await score({}, ["a"], [{ label: "a" }])).toBe(1);
    expect(await score({ output: "class" }, [{ class: "a", sure: 1 }], [{ class: "a", by: "Ada" }])).toBe(1);
    expect(await score({ output: "class" }, [{ class: "a", sure: 1 }], [{ label: "a" }])).toBe(1);
    const options = { output: (outputs: any) => outputs.text.trim(), reference: "label" };
    expect(await score(options, [{ text: " a " }], [{ label: "a", class: "b" }])).toBe(1);
    expect(await score({}, [{ class: null }], [{ class: null }])).toBe(1);
    const python = { outputs: ["a", "b"], reference_outputs: ["a", "a"] };
    expect((await accuracy()(python)).score).toBe(0.5);
  });

  it.each([
    [{}, { class: "a", sure: 1 }, 'outputs[0] has the keys "class", "sure". Set output to'],
    [{ output: "clas" }, { class: "a" }, 'outputs[0] has the keys "class", and no class in "clas". Set'],
    [{ output: "toString" }, { class: "a" }, 'no class in "toString"'],
    [{}, {}, "outputs[0] has no keys. Set output to the key of the class."],
    [{}, { class: undefined }, 'outputs[0] has the keys "class", and no class in "class"'],
    [{ output: () => undefined }, { class: "a" }, "The function output finds no class in outputs[0]."],
    [{}, { class: Number.NaN }, "The class in outputs[0] is NaN"],
    [{}, { class: 1n }, "outputs[0] is a BigInt"],
  ])("or the error lists the existing ones: %o, %o", async (options, outputs, words) => {
    const error = await errorOf(accuracy(options)({ outputs: [outputs], referenceOutputs: ["a"] }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(words);
  });

  it("has the exception of a function as the cause of its error", async () => {
    const cause = new Error("no luck");
    const reference = () => {
      throw cause;
    };
    const error = await errorOf(accuracy({ reference })({ outputs: ["a"], referenceOutputs: ["a"] }));
    expect(error).toMatchObject({ code: "callback_failed", cause });
    expect(error.message).toBe("reference of referenceOutputs[0] failed: no luck");
  });

  it("is not read from failed runs, which are counted", async () => {
    const rows = {
      outputs: ["a", {}, "b", undefined],
      referenceOutputs: ["a", "a", "a", "a"],
      runs: [{}, { error: "no answer" }, { error: null }, {}],
    };
    expect(await accuracy()(rows)).toMatchObject({ score: 0.5, metadata: { count: 2, errors: 2 } });
    const { metadata } = await accuracy()({ outputs: ["a"], referenceOutputs: ["a"], errors: 3 });
    expect(metadata).toEqual({ count: 1, errors: 3 });
  });

  it("needs as many outputs as reference outputs", async () => {
    for (const rows of [undefined, {}, { outputs: ["a"] }, { outputs: ["a"], referenceOutputs: [] }]) {
      const error = await errorOf(accuracy()(rows as any));
      expect(error.message).toContain("accuracy needs outputs and referenceOutputs, a list of each");
    }
    const missing = { outputs: ["a"], referenceOutputs: [undefined] };
    expect((await errorOf(accuracy()(missing))).message).toBe("referenceOutputs[0] is missing.");
  });
});

describe("the positive class", () => {
  it("is true, or 1, if the classes are unambiguous", async () => {
    const rows = (a: unknown, b: unknown) => ({ outputs: [a, a, b], referenceOutputs: [a, b, a] });
    expect((await precision()(rows(true, false))).score).toBe(0.5);
    expect((await precision()(rows(false, true))).score).toBe(0);
    expect((await precision()(rows(1, 0))).score).toBe(0.5);
    expect((await precision()(rows(0, 1))).score).toBe(0);
    // Even if it does not occur.
    const none = await f1Score()({ outputs: [false], referenceOutputs: [false] });
    expect(none.comment).toBe(
      "Not defined: no output and no reference output is true; the classes are false.",
    );
  });

  it("has to be named otherwise", async () => {
    for (const [classes, shown] of [
      [["no", "yes"], '"no", "yes"'],
      [[1, 2], "1, 2"],
      [[0, true], "true, 0"],
    ]) {
      const error = await errorOf(
        recall()({ outputs: classes as unknown[], referenceOutputs: classes as unknown[] }),
      );
      expect(error.code).toBe("invalid_config");
      expect(error.message).toContain(`recall needs the option positive`);
      expect(error.message).toContain(`the classes are ${shown}.`);
    }
  });

  it("may be any value", async () => {
    const rows = {
      outputs: [{ a: 1, b: 2 }, "x"].map((value) => ({ value })),
      referenceOutputs: [
        { b: 2, a: 1 },
        { b: 2, a: 1 },
      ].map((value) => ({ value })),
    };
    expect((await recall({ positive: { b: 2, a: 1 } })(rows)).score).toBe(0.5);
    expect((await recall({ positive: null })(rows)).score).toBeNull();
  });
});

describe("invalid options are errors", () => {
  it.each([
    ['f1Score has no option "positiv"', () => f1Score({ positiv: "a" } as any)],
    ['accuracy has no option "positive"', () => accuracy({ positive: "a" } as any)],
    [
      'average is "mean"; it has to be "binary", "micro", "macro" or "weighted"',
      () => precision({ average: "mean" } as any),
    ],
    [
      'positive selects one class, but average "macro" is over all',
      () => precision({ average: "macro", positive: "a" }),
    ],
    ["beta is missing; it has to be a positive number", () => fBeta({} as any)],
    ["beta is 0", () => fBeta({ beta: 0 })],
    ["fBeta needs an object of options", () => fBeta(undefined as any)],
    ["output is 1; it has to be a key or a function", () => recall({ output: 1 } as any)],
    ["feedbackKey is 1", () => accuracy({ feedbackKey: 1 } as any)],
    ["level is 95", () => accuracy({ level: 95 })],
  ])("are refused at once: %s", (words, make) => {
    expect(make).toThrow(words);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
  });
});

it("runs of an example that differ are worth more than one row", async () => {
  // About one of ten runs is wrong, in any example.
  const rows = Array.from({ length: 300 }, (_, row) => ({ example: Math.floor(row / 10) }));
  const referenceOutputs = rows.map(({ example }) => example % 2 === 0);
  const isWrong = rows.map((_, row) => (row * 611) % 1009 < 101);
  const outputs = referenceOutputs.map((label, row) => label !== isWrong[row]);
  const examples = rows.map(({ example }) => ({ id: `${example}` }));
  const widthOf = ({ interval }: { interval: Interval | null }) => interval!.high - interval!.low;
  for (const metric of [f1Score(), cohensKappa(), matthewsCorrelation()]) {
    const repeated = widthOf(await metric({ outputs, referenceOutputs, examples }));
    const independent = widthOf(await metric({ outputs, referenceOutputs }));
    // If the runs counted as one row each, it would be 1.64 to 1.89 times as wide.
    expect(repeated).toBeLessThan(1.5 * independent);
  }
});

it("macro recall has an interval as wide as that of the rare class makes it", async () => {
  // All 6 of one class and 52 of 54 of the other are right. The ends are from numpy and scipy, as above.
  const referenceOutputs = Array.from({ length: 60 }, (_, row) => (row < 6 ? "spam" : "ham"));
  const outputs = referenceOutputs.map((label, row) => (row > 57 ? "spam" : label));
  const { score, interval } = await recall({ average: "macro" })({ outputs, referenceOutputs });
  expect(score).toBeCloseTo((1 + 52 / 54) / 2, 12);
  expect(interval!.low).toBeCloseTo(0.781409, 5);
  expect(interval!.high).toBeCloseTo(0.998729, 5);
});
