/** Statistics of the results of `evaluate()`. */
import { exactMatch } from "openevals-wasm";
import {
  accuracy,
  compareExperiments,
  confusionMatrix,
  evaluate,
  f1Score,
  mean,
  passAtK,
  passHatK,
  passRate,
  type SummaryEvaluatorParams,
} from "openevals-wasm/evaluation";
import { expect, test } from "vitest";

const DATA = [
  { id: "a", inputs: { text: "a" }, outputs: { class: "Toxic" } },
  { id: "b", inputs: { text: "b" }, outputs: { class: "Toxic" } },
  { id: "c", inputs: { text: "c" }, outputs: { class: "Not toxic" } },
  { id: "d", inputs: { text: "d" }, outputs: { class: "Toxic" } },
];

/** A classifier that calls these texts toxic, and fails on one. */
const classifier =
  (...toxic: string[]) =>
  ({ text }: { text: string }) => {
    if (text === "d" && toxic.includes("fail")) throw new Error("no answer");
    return { class: toxic.includes(text) ? "Toxic" : "Not toxic" };
  };

test("summary evaluators can be passed directly", async () => {
  const { aggregates, summaryResults } = await evaluate(classifier("a", "c", "fail"), {
    data: DATA,
    evaluators: [exactMatch],
    summaryEvaluators: [
      accuracy(),
      f1Score({ positive: "Toxic" }),
      confusionMatrix(),
      mean({ key: "exact_match" }),
      mean({ key: "exact" }),
    ],
  });
  expect(aggregates.exact_match).toMatchObject({ mean: 1 / 3, count: 3, errors: 1 });
  // statsmodels 0.15: proportion_confint(1, 3, method="wilson")
  expect(aggregates.exact_match?.interval).toEqual({
    low: expect.closeTo(0.0614919447203962, 12),
    high: expect.closeTo(0.7923403991979523, 12),
    level: 0.95,
  });
  expect(summaryResults).toMatchObject([
    { key: "accuracy", score: 1 / 3, metadata: { count: 3, errors: 1 } },
    { key: "f1_score", score: 0.5 },
    {
      key: "confusion_matrix",
      value: {
        labels: ["Not toxic", "Toxic"],
        matrix: [
          [0, 1],
          [1, 1],
        ],
      },
    },
    { key: "exact_match:mean", score: 1 / 3, metadata: { count: 3, errors: 1, notApplicable: 0 } },
    { key: "exact:mean", error: { code: "invalid_input" } },
  ]);
  expect(summaryResults[3]?.interval).toEqual(aggregates.exact_match?.interval);
});

test("a row for which an evaluator returns nothing is no failure of it", async () => {
  /** Nothing for the first row, a failure for the second, and scores for the others. */
  function graded({ outputs }: { outputs: { class: string } }) {
    if (outputs.class === "none") return [];
    if (outputs.class === "error") throw new Error("no answer");
    return [{ key: "grade", score: Number(outputs.class) }];
  }
  const { aggregates, summaryResults } = await evaluate(undefined, {
    data: ["none", "error", "1", "0", "1"].map((name) => ({ inputs: name, outputs: { class: name } })),
    evaluators: [graded, () => true],
    summaryEvaluators: [
      mean({ key: "grade" }),
      passRate({ key: "grade" }),
      ({ evaluationErrors }: SummaryEvaluatorParams) =>
        evaluationErrors.map((errors) => errors.length)[1] ?? 0,
    ],
    progress: false,
  });
  expect(aggregates.grade).toMatchObject({ mean: 2 / 3, count: 3, errors: 1 });
  expect(summaryResults).toMatchObject([
    { key: "grade:mean", score: 2 / 3, metadata: { count: 3, errors: 1, notApplicable: 0 } },
    { key: "grade:pass_rate", score: 2 / 3, metadata: { count: 3, errors: 1, notApplicable: 0 } },
    { score: 1 },
  ]);
  // Without the failures, a row without a result counts as one.
  const evaluationResults = [[], [{ key: "grade", score: 1 }]];
  const alone = await mean({ key: "grade" })({ evaluationResults });
  expect(alone).toMatchObject({ score: 1, metadata: { count: 1, errors: 1 } });
});

test("repetitions are attempts at the same example", async () => {
  const calls = new Map<string, number>();
  /** Right every time, never, and the first time only. */
  const agent = ({ text }: { text: string }) => {
    const call = (calls.get(text) ?? 0) + 1;
    calls.set(text, call);
    return { class: text === "b" || (text === "d" && call > 1) ? "Not toxic" : "Toxic" };
  };
  const { aggregates, summaryResults } = await evaluate(agent, {
    data: DATA.filter(({ id }) => id !== "c"),
    evaluators: [exactMatch],
    numRepetitions: 3,
    summaryEvaluators: [
      passRate({ key: "exact_match" }),
      passAtK({ key: "exact_match", k: 2 }),
      passHatK({ key: "exact_match", k: 2 }),
    ],
  });
  expect(aggregates.exact_match).toMatchObject({ mean: 4 / 9, count: 9 });
  // Two of the three pairs of attempts at d have the first one.
  expect(summaryResults).toMatchObject([
    { key: "exact_match:pass_rate", score: 4 / 9 },
    { key: "exact_match:pass@2", score: expect.closeTo((1 + 0 + 2 / 3) / 3, 12), metadata: { count: 3 } },
    { key: "exact_match:pass^2", score: expect.closeTo(1 / 3, 12) },
  ]);
  // Three examples give less information than nine rows would: proportion_confint(4, 9, method="wilson") is
  // 0.189 to 0.733.
  const { low, high } = aggregates.exact_match?.interval ?? { low: Number.NaN, high: Number.NaN };
  expect(high - low).toBeGreaterThan(0.733 - 0.189);
});

test("two experiments are compared", async () => {
  const run = (target: ReturnType<typeof classifier>) =>
    evaluate(target, { data: DATA, evaluators: [exactMatch] });
  const before = await run(classifier("c"));
  const after = await run(classifier("a", "b", "fail"));
  const { exact_match } = await compareExperiments(before, JSON.parse(JSON.stringify(after)));
  expect(exact_match).toMatchObject({ difference: 1, count: 3, test: "mcnemar_exact", pValue: 0.25 });
  expect(exact_match?.flipped.map(({ exampleId }) => exampleId)).toEqual(["a", "b", "c"]);
});
