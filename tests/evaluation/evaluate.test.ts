import { exactMatch } from "openevals-wasm";
import { contains } from "openevals-wasm/checks";
import { type DataRow, evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { f1ScoreSummaryEvaluator } from "./summary-f1.js";

const classes = (pairs: [output: string, reference: string][]): DataRow[] =>
  pairs.map(([output, reference]) => ({ inputs: { output }, outputs: { class: reference } }));

const echo = ({ output }: { output: string }) => ({ class: output });

function correct({ outputs, referenceOutputs }: { outputs: any; referenceOutputs?: any }) {
  return { key: "correct", score: outputs.class === referenceOutputs?.class };
}

const CLASSES = classes([
  ["Toxic", "Toxic"],
  ["Toxic", "Toxic"],
  ["Toxic", "Not toxic"],
  ["Not toxic", "Toxic"],
  ["Not toxic", "Not toxic"],
]);

describe("an experiment", () => {
  it("runs the example of LangSmith's page on summary evaluators", async () => {
    const experiment = await evaluate(echo, {
      data: CLASSES,
      evaluators: [correct],
      summaryEvaluators: [f1ScoreSummaryEvaluator],
      experimentPrefix: "Toxic Queries",
    });
    // Precision and recall are 2/3 each.
    expect(experiment.summaryResults).toEqual([{ key: "f1_score", score: 2 / 3 }]);
    expect(experiment.experimentName).toMatch(/^Toxic Queries-[0-9a-f]{8}$/);
    expect(experiment.aggregates.correct).toMatchObject({
      mean: 3 / 5,
      count: 5,
      errors: 0,
      notApplicable: 0,
    });
  });

  it("is plain data, with every detail of each row", async () => {
    const before = Date.now();
    const experiment = await evaluate(echo, {
      data: [
        { id: "a", inputs: { output: "Toxic" }, outputs: { class: "Toxic" }, metadata: { split: "test" } },
      ],
      evaluators: [correct],
      metadata: { version: 2 },
    });
    expect(experiment).toEqual({
      experimentName: expect.stringMatching(/^experiment-[0-9a-f]{8}$/),
      metadata: { version: 2 },
      startedAt: expect.any(String),
      rows: [
        {
          example: {
            id: "a",
            inputs: { output: "Toxic" },
            outputs: { class: "Toxic" },
            metadata: { split: "test" },
          },
          run: {
            id: expect.stringMatching(
              /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
            ),
            outputs: { class: "Toxic" },
            startTime: expect.any(Number),
            durationMs: expect.any(Number),
            repetition: 0,
          },
          evaluationResults: [{ key: "correct", score: true }],
          errors: [],
        },
      ],
      aggregates: { correct: expect.objectContaining({ mean: 1, count: 1 }) },
      scales: { correct: { direction: "higher", passAt: 1 } },
      summaryResults: [],
      usage: null,
      durationMs: expect.any(Number),
    });
    expect(new Date(experiment.startedAt).toISOString()).toBe(experiment.startedAt);
    expect(experiment.rows[0]?.run.startTime).toBeGreaterThanOrEqual(before);
    expect(JSON.parse(JSON.stringify(experiment))).toEqual(experiment);
  });

  it("records unsupported values as JSON, and passes them unchanged to evaluators", async () => {
    const date = new Date("2026-11-21T00:00:00Z");
    const seen: unknown[] = [];
    const experiment = await evaluate(() => ({ date, nothing: undefined, nan: Number.NaN }), {
      data: [{ inputs: { date } }],
      evaluators: [
        ({ inputs, outputs }) => {
          seen.push(inputs.date, outputs.date);
          return { key: "seen", score: true, metadata: { date }, comment: undefined };
        },
      ],
    });
    expect(seen).toEqual([date, date]);
    const [row] = experiment.rows;
    const text = "2026-11-21T00:00:00.000Z";
    expect(row?.example.inputs).toEqual({ date: text });
    expect(row?.run.outputs).toEqual({ date: text, nothing: null, nan: null });
    expect(row?.evaluationResults).toEqual([{ key: "seen", score: true, metadata: { date: text } }]);
    expect(JSON.parse(JSON.stringify(experiment))).toEqual(experiment);
  });

  it("runs each row several times on request", async () => {
    let calls = 0;
    const experiment = await evaluate(() => ++calls, {
      data: [{ inputs: "a" }, { inputs: "b" }],
      evaluators: [({ run }) => ({ key: "repetition", score: run.repetition })],
      numRepetitions: 3,
    });
    const runs = experiment.rows.map(({ example, run }) => [example.id, run.repetition, run.outputs]);
    expect(runs).toEqual([
      ["1", 0, 1],
      ["1", 1, 2],
      ["1", 2, 3],
      ["2", 0, 4],
      ["2", 1, 5],
      ["2", 2, 6],
    ]);
    expect(experiment.aggregates.repetition?.mean).toBe(1);
    expect(new Set(experiment.rows.map(({ run }) => run.id)).size).toBe(6);
  });

  it("scores recorded outputs", async () => {
    const { rows, aggregates } = await evaluate(undefined, {
      data: [
        { inputs: "1 + 1", outputs: "2", referenceOutputs: "2" },
        { inputs: "1 + 2", outputs: "4", reference_outputs: "3" },
        { inputs: "1 + 3", referenceOutputs: "4" },
      ],
      evaluators: [exactMatch],
    });
    expect(aggregates.exact_match).toMatchObject({ mean: 1 / 2, count: 2, errors: 1 });
    expect(rows[0]).toMatchObject({ example: { outputs: "2" }, run: { outputs: "2", durationMs: 0 } });
    expect(rows[1]).toMatchObject({ example: { outputs: "3" }, run: { outputs: "4" } });
    expect(rows[2]?.run.error?.message).toContain("has no outputs");
  });

  it.each([
    ["outputs", { outputs: "r" }],
    ["referenceOutputs", { referenceOutputs: "r", outputs: "x" }],
    ["reference_outputs", { reference_outputs: "r", outputs: "x" }],
  ])("has the reference in %s", async (_, row) => {
    const { rows } = await evaluate(() => "r", { data: [{ inputs: "", ...row }], evaluators: [exactMatch] });
    expect(rows[0]?.evaluationResults).toEqual([{ key: "exact_match", score: true }]);
  });

  it("accepts targets with invoke, and passes the signal and the attachments of the row", async () => {
    const { signal } = new AbortController();
    const asked: unknown[][] = [];
    const target = {
      prefix: "said ",
      async invoke(this: { prefix: string }, ...args: unknown[]) {
        asked.push(args);
        return this.prefix + args[0];
      },
    };
    const data = [{ inputs: "a" }, { inputs: "b", attachments: ["https://example.com/b.png"] }];
    const { rows } = await evaluate(target, { data });
    await evaluate(target, { data, signal });
    expect(rows.map(({ run }) => run.outputs)).toEqual(["said a", "said b"]);
    const attachments = ["https://example.com/b.png"];
    expect(asked).toEqual([["a"], ["b", { attachments }], ["a", { signal }], ["b", { signal, attachments }]]);
  });

  it("sums the tokens of judges", async () => {
    const judge = (key: string, usage?: object) => () => ({ key, score: 1, metadata: { usage } });
    const { usage } = await evaluate(() => "", {
      data: [{ inputs: 1 }, { inputs: 2 }],
      evaluators: [
        judge("a", { inputTokens: 100, outputTokens: 7, reasoningTokens: 3 }),
        judge("b", { inputTokens: 20, outputTokens: 1 }),
        judge("c"),
      ],
    });
    expect(usage).toEqual({ inputTokens: 240, outputTokens: 16, reasoningTokens: 6 });
  });

  it("without rows is an error, since nothing was measured", async () => {
    const error = await errorOf(evaluate(echo, { data: [], evaluators: [correct] }));
    expect(error).toMatchObject({ code: "invalid_input", message: "The data has no rows." });
    expect(error.experiment).toMatchObject({ rows: [], aggregates: {}, usage: null });
  });
});

describe("a failure", () => {
  const target = ({ n }: { n: number }) => {
    if (n === 2) throw new TypeError("n is two", { cause: new Error("it had to be") });
    return { n };
  };
  function odd({ outputs }: { outputs: any }) {
    if (outputs.n === 3) throw new Error("three is too much");
    return { key: "is_odd", score: outputs.n % 2 === 1 };
  }
  const none = () => {
    throw new Error("never");
  };
  const maybe = ({ outputs }: { outputs: any }) => ({ key: "maybe", applicable: outputs.n > 3, score: 1 });
  const data = [1, 2, 3, 4].map((n) => ({ inputs: { n } }));

  it("is recorded with its cause, and the run continues", async () => {
    const { rows, aggregates } = await evaluate(target, { data, evaluators: [odd, none, maybe] });
    const failure = {
      name: "TypeError",
      message: "n is two",
      cause: { name: "Error", message: "it had to be" },
    };
    expect(rows[1]?.run.error).toEqual(failure);
    expect(rows[1]?.run).not.toHaveProperty("outputs");
    expect(rows[1]?.evaluationResults).toEqual([]);
    // The evaluators were not called, so each of their keys lacks a score.
    expect(rows[1]?.errors).toEqual(["is_odd", "none", "maybe"].map((key) => ({ key, error: failure })));
    expect(rows[2]?.errors).toEqual([
      { key: "is_odd", error: { name: "Error", message: "three is too much" } },
      { key: "none", error: { name: "Error", message: "never" } },
    ]);
    expect(rows[3]?.evaluationResults).toEqual([
      { key: "is_odd", score: false },
      { key: "maybe", applicable: true, score: 1 },
    ]);
    // Neither errors nor rows that do not apply are in the numerator or the denominator.
    expect(aggregates.is_odd).toMatchObject({ mean: 1 / 2, count: 2, errors: 2, notApplicable: 0 });
    expect(aggregates.maybe).toMatchObject({ mean: 1, count: 1, errors: 1, notApplicable: 2 });
    expect(aggregates.none).toMatchObject({ mean: null, count: 0, errors: 4, notApplicable: 0 });
    expect(Object.keys(aggregates)).toEqual(["is_odd", "none", "maybe"]);
  });

  it("counts for every key of its evaluator", async () => {
    const two = ({ outputs }: { outputs: any }) => {
      if (outputs.n === 1) throw new Error("one");
      return [
        { key: "a", score: true },
        { key: "b", score: 0.5 },
      ];
    };
    const experiment = evaluate(({ n }) => ({ n }), { data, evaluators: [two] });
    const streamed = [];
    for await (const { errors } of experiment) streamed.push(...errors.map(({ key }) => key));
    const { rows, aggregates } = await experiment;
    expect(streamed).toEqual(["two"]); // unknown when the first row was done
    expect(rows[0]?.errors.map(({ key }) => key)).toEqual(["a", "b"]);
    expect(aggregates).toMatchObject({ a: { count: 3, errors: 1 }, b: { count: 3, errors: 1 } });
    expect(aggregates).not.toHaveProperty("two");
  });

  it("is left out for summary evaluators, which get the number of missing rows", async () => {
    const seen: any[] = [];
    await evaluate(target, { data, evaluators: [maybe], summaryEvaluators: [(params) => seen.push(params)] });
    const [{ inputs, outputs, referenceOutputs, runs, examples, evaluationResults, errors }] = seen;
    expect(inputs).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
    expect(outputs).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
    expect(referenceOutputs).toEqual([{}, {}, {}]);
    expect(runs.map(({ outputs }: any) => outputs)).toEqual(outputs);
    expect(examples.map(({ id }: any) => id)).toEqual(["1", "3", "4"]);
    expect(evaluationResults.map(([{ score }]: any) => score)).toEqual([null, null, 1]);
    expect(errors).toBe(1);
  });

  it("of a summary evaluator is its result", async () => {
    const broken = () => {
      throw new RangeError("no rows");
    };
    const nothing = () => undefined as any;
    const nan = () => ({ key: "f1", score: Number.NaN });
    const passed = () => true;
    const { summaryResults } = await evaluate(target, {
      data,
      summaryEvaluators: [
        broken,
        nothing,
        nan,
        passed,
        async ({ runs }) => ({ results: [{ name: "runs", score: runs.length, comment: "answered" }] }),
        (runs, examples) => [{ key: "older", score: runs.length + examples.length }],
        () => ({ key: "matrix", score: null, value: [[1]], interval: { low: 0, high: 1, level: 0.95 } }),
      ],
    });
    expect(summaryResults).toEqual([
      { key: "broken", error: { name: "RangeError", message: "no rows" } },
      { key: "nothing", error: expect.objectContaining({ code: "invalid_input" }) },
      { key: "nan", error: expect.objectContaining({ message: expect.stringContaining("score NaN") }) },
      { key: "passed", score: true },
      { key: "runs", score: 3, comment: "answered" },
      { key: "older", score: 6 },
      { key: "matrix", score: null, value: [[1]], interval: { low: 0, high: 1, level: 0.95 } },
    ]);
  });

  it("can be any thrown value", async () => {
    const throwing = (thrown: unknown) => () => {
      throw thrown;
    };
    const errorOfTarget = async (thrown: unknown) =>
      (await evaluate(throwing(thrown), { data: [{ inputs: "" }] })).rows[0]?.run.error;
    expect(await errorOfTarget("text")).toEqual({ name: "Error", message: "text" });
    expect(await errorOfTarget(undefined)).toEqual({ name: "Error", message: "undefined" });
    expect(await errorOfTarget({ code: "E1" })).toMatchObject({ code: "E1" });
    const cycle = new Error("round");
    cycle.cause = cycle;
    expect(JSON.stringify(await errorOfTarget(cycle))).toContain("round");
  });

  it("can be an output that cannot be recorded", async () => {
    const { rows } = await evaluate(() => ({ n: 1n }), { data: [{ inputs: "" }] });
    expect(rows[0]?.run.error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("outputs.n is a BigInt"),
    });
  });
});

function revoked(target: object) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

describe("invalid options are errors", () => {
  it.each<[string, any, any, string]>([
    ["no options", undefined, undefined, "evaluate needs an object of options"],
    ["no data", echo, {}, "data is undefined"],
    ["data that is a number", echo, { data: 3 }, "data is 3; it has to be a list of rows"],
    ["a target that cannot be called", { ask() {} }, { data: [] }, "The target is {}"],
    ["the name of a dataset", echo, { data: "Toxic queries" }, 'data is the path "Toxic queries"'],
    [
      "a limit of an experiment",
      echo,
      { data: [], failUnder: { exact_match: 1 } },
      'evaluate has no option "failUnder"; defineExperiment() accepts it, for `openevals-wasm run`, and describeEval() for tests.',
    ],
    [
      "a matrix",
      echo,
      { data: [], matrix: { model: ["a"] } },
      'evaluate has no option "matrix"; defineExperiment() accepts',
    ],
    [
      "an empty list of evaluators",
      echo,
      { data: [{}], evaluators: [] },
      "evaluators is empty, so nothing would be measured",
    ],
    ["an unknown option", echo, { data: [], evaluator: [] }, 'no option "evaluator"'],
    ["evaluators that are none", echo, { data: [], evaluators: [3] }, "evaluators[0] is 3"],
    [
      "a single evaluator",
      echo,
      { data: [], evaluators: correct },
      "evaluators has to be a list, such as [exactMatch]",
    ],
    [
      "an empty key",
      echo,
      { data: [], evaluators: [correct, contains("a", { feedbackKey: "" })] },
      "evaluators[1] has an empty feedbackKey",
    ],
    ["gaps between evaluators", echo, { data: [], evaluators: new Array(2) }, "evaluators[0] is undefined"],
    ["evaluators that cannot be read", echo, { data: [], evaluators: revoked([]) }, "cannot be read"],
    [
      "an evaluator that cannot be read",
      echo,
      { data: [], evaluators: [revoked(() => 1)] },
      "cannot be read",
    ],
    ["a target that cannot be read", revoked({}), { data: [] }, "cannot be read"],
    ["no repetition", echo, { data: [], numRepetitions: 0 }, "numRepetitions is 0"],
    ["endless repetitions", echo, { data: [], numRepetitions: 1e308 }, "a whole number from 1 to 1000000"],
    [
      "a list of calibrations",
      echo,
      { data: [], calibration: [] },
      "calibration is []; it has to be an object",
    ],
    ["a Map of calibrations", echo, { data: [], calibration: new Map() }, "calibration is {}; it has to be"],
    ["no conditions", echo, { data: [], stopWhen: null }, "evaluate.stopWhen needs an object of options"],
    [
      "no batch",
      echo,
      { data: [], judges: { mode: "batch", batch: null } },
      "evaluate.judges.batch needs an object of options",
    ],
    [
      "an option outside its group",
      echo,
      { data: [], sink: "x.jsonl" },
      'evaluate has no option "sink"; did you mean output.sink?',
    ],
    [
      "a group that is a text",
      echo,
      { data: [], output: "x.jsonl" },
      "evaluate.output needs an object of options",
    ],
    ["a seed that is none", echo, { data: [], seed: -1 }, "seed is -1; it has to be a whole number from 0"],
    ["half a row at once", echo, { data: [], maxConcurrency: 0.5 }, "maxConcurrency is 0.5"],
    ["mapInputs that is no function", echo, { data: [], mapInputs: {} }, "mapInputs is {}"],
    ["metadata that cannot be recorded", echo, { data: [], metadata: { n: 1n } }, "metadata.n is a BigInt"],
  ])("%s", async (_, target, options, message) => {
    expect((await errorOf(evaluate(target, options))).message).toContain(message);
  });
});

describe("one object that a function returns for every row, and goes on changing", () => {
  const data = [1, 2, 3].map((inputs) => ({ id: `${inputs}`, inputs }));

  it("is read at once from a target", async () => {
    const shared = { answer: 0 };
    const target = (inputs: number) => Object.assign(shared, { answer: inputs });
    const isOne = ({ outputs }: { outputs: { answer: number } }) => ({
      key: "one",
      score: outputs.answer === 1,
    });
    const { aggregates, rows } = await evaluate(target, { data, evaluators: [isOne], maxConcurrency: 3 });
    expect(aggregates["one"]?.mean).toBeCloseTo(1 / 3);
    expect(rows.map(({ run }) => run.outputs)).toEqual([{ answer: 1 }, { answer: 2 }, { answer: 3 }]);
  });

  it("is read at once from an evaluator", async () => {
    const shared = { key: "one", score: false };
    const isOne = ({ outputs }: { outputs: number }) => Object.assign(shared, { score: outputs === 1 });
    const { aggregates } = await evaluate((inputs: number) => inputs, {
      data,
      evaluators: [isOne],
      maxConcurrency: 3,
    });
    expect(aggregates["one"]?.mean).toBeCloseTo(1 / 3);
  });
});
