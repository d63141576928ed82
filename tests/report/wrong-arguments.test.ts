/** Formatters, reports and statistics reject invalid input with an error of this package. */
import { OpenEvalsError } from "openevals-wasm";
import {
  aggregateOf,
  compareExperiments,
  formatComparison,
  formatExperiment,
  formatMatrix,
  mean,
  renderReport,
  writeReport,
} from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { experimentOf } from "./experiments.js";

const good = experimentOf([{ id: "a", scores: { exact: true } }]);
const row = good.rows[0];
const withRows = (...rows: unknown[]) => ({ ...good, rows });
/** Throws only when it is read. */
const trap = Object.defineProperty({}, "id", {
  enumerable: true,
  get() {
    throw new TypeError("no luck");
  },
});

const WRONG: [string, unknown, string][] = [
  ["nothing", undefined, "has no rows"],
  ["null", null, "has no rows"],
  ["an object", {}, "has no rows"],
  ["rows that are none", withRows(null), "rows[0]"],
  ["a row without a run", withRows({ example: { id: "a" } }), "rows[0]"],
  ["an id that is an object", withRows({ ...row, example: { id: {} } }), "rows[0].example.id"],
  ["results that are none", withRows({ ...row, evaluationResults: [null] }), "rows[0].evaluationResults[0]"],
  [
    "a result without a key",
    withRows({ ...row, evaluationResults: [{ score: 1 }] }),
    "rows[0].evaluationResults[0]",
  ],
];

for (const score of ["x", Number.NaN, Number.POSITIVE_INFINITY, {}])
  WRONG.push([
    `the score ${score}`,
    withRows({ ...row, evaluationResults: [{ key: "exact", score }] }),
    "rows[0].evaluationResults[0]",
  ]);

const SHOWN: [string, unknown, string][] = [
  ["no errors", withRows({ ...row, errors: undefined }), "rows[0]"],
  ["a name that is none", { ...good, experimentName: 5 }, "experimentName"],
  ["a reason to stop without a message", { ...good, stopped: { code: 5 } }, "stopped.message"],
  ["no aggregates", { ...good, aggregates: undefined }, "aggregates"],
  ["no summary", { ...good, summaryResults: null }, "summaryResults"],
  ["a gap in the summary", { ...good, summaryResults: new Array(1) }, "summaryResults[0]"],
  [
    "a comment that is a number",
    { ...good, summaryResults: [{ key: "f1", comment: 3 }] },
    "summaryResults[0]",
  ],
  ["a summary of a text", { ...good, summaryResults: [{ key: "f1", score: "1" }] }, "summaryResults[0]"],
  ["a mean that is a text", { ...good, aggregates: { x: { mean: "z", count: 1 } } }, 'aggregates["x"].mean'],
  [
    "a distribution of another shape",
    { ...good, aggregates: { x: { mean: 1, distribution: [1, 2] } } },
    'aggregates["x"].distribution',
  ],
  [
    "a histogram that is none",
    {
      ...good,
      aggregates: {
        x: {
          distribution: {
            kind: "number",
            min: 0,
            max: 1,
            median: 0,
            standardDeviation: 0,
            histogram: [null],
          },
        },
      },
    },
    'aggregates["x"].distribution.histogram[0]',
  ],
  [
    "an interval without ends",
    { ...good, aggregates: { x: { interval: {} } } },
    'aggregates["x"].interval.low',
  ],
  ["usage that is none", { ...good, usage: { x: "y" } }, "usage.inputTokens"],
  ["usage that is a list", { ...good, usage: [[1]] }, "usage.inputTokens"],
  ["a duration that is a text", { ...good, durationMs: "x" }, "durationMs"],
  [
    "a time that is a text",
    withRows({ ...row, run: { ...row?.run, startTime: "junk" } }),
    "rows[0].run.startTime",
  ],
  [
    "an interval of the summary",
    { ...good, summaryResults: [{ key: "f1", score: 1, interval: { low: "a", high: 1 } }] },
    "summaryResults[0].interval.low",
  ],
];

const refused = async (work: () => unknown) => {
  const error = await errorOf((async () => work())());
  expect(error).toBeInstanceOf(OpenEvalsError);
  return error;
};

describe("invalid experiments", () => {
  it.each([...WRONG, ...SHOWN])("are not shown: %s", async (_, wrong, words) => {
    const comparisons = await compareExperiments(good, good);
    for (const work of [
      () => formatExperiment(wrong as any),
      () => formatComparison(wrong as any, good, comparisons),
      () => formatComparison(good, wrong as any, comparisons),
      () => formatMatrix([wrong as any, good], []),
      () => renderReport(wrong as any),
      ...(wrong === undefined ? [] : [() => renderReport(good, { compareWith: wrong as any })]),
    ]) {
      const error = await refused(work);
      expect(error.message).toContain(words);
      expect(error.code).toBe("invalid_input");
    }
  });

  it("are refused where a getter throws", async () => {
    const wrong: any = withRows({ ...row, example: trap });
    for (const work of [() => renderReport(wrong), () => compareExperiments(wrong, good)]) {
      expect(await refused(work)).toMatchObject({ code: "invalid_input", cause: expect.any(TypeError) });
    }
  });

  it.each(WRONG)("are not compared: %s", async (_, wrong, words) => {
    expect((await refused(() => compareExperiments(wrong as any, good))).message).toContain(words);
    expect((await refused(() => compareExperiments(good, wrong as any))).message).toContain(words);
  });
});

describe("options that cannot work are refused", () => {
  const comparisons = {};
  it.each<[string, () => unknown, string]>([
    ["a width", () => formatExperiment(good, { columns: "wide" } as any), 'columns is "wide"'],
    ["a colour", () => formatExperiment(good, { color: "red" } as any), 'color is "red"'],
    ["how many rows", () => formatExperiment(good, { maxFailing: -1 }), "maxFailing is -1"],
    [
      "one key",
      () => formatExperiment(good, { lowerIsBetter: "toxicity" } as any),
      'lowerIsBetter is "toxicity"',
    ],
    ["a typing error", () => formatExperiment(good, { colour: true } as any), 'has no option "colour"'],
    ["none", () => formatExperiment(good, null as any), "formatExperiment needs an object of options"],
    [
      "no key",
      () => formatComparison(good, good, comparisons, { lowerIsBetter: [1] } as any),
      "lowerIsBetter is [1]",
    ],
    ["of one kind", () => formatComparison(good, good, comparisons, { maxFailing: 1 } as any), "maxFailing"],
    ["of the report", () => renderReport(good, { lowerIsBetter: 1 } as any), "lowerIsBetter is 1"],
    ["unknown there", () => renderReport(good, { baseline: good } as any), 'has no option "baseline"'],
  ])("%s", async (_, work, words) => {
    const error = await refused(work);
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(words);
  });
});

describe("other invalid values", () => {
  it.each<[string, () => unknown]>([
    ["comparisons", () => formatComparison(good, good, undefined as any)],
    ["a comparison", () => formatComparison(good, good, { exact: null } as any)],
    ["pairs of a matrix", () => formatMatrix([good, good], undefined as any)],
    ["a pair of a matrix", () => formatMatrix([good, good], [{ first: 0, second: 1 } as any])],
    ["a pair of others", () => formatMatrix([good], [{ first: 0, second: 9, comparisons: {} }])],
    ["experiments of a matrix", () => formatMatrix(undefined as any, [])],
    ["scores", () => aggregateOf(undefined as any)],
    ["a list of scores", () => aggregateOf({ errors: 0, notApplicable: 0 } as any)],
    ["results of rows", () => mean({ key: "exact" })({ evaluationResults: [null] } as any)],
    ["a result", () => mean({ key: "exact" })({ evaluationResults: [[null]] } as any)],
  ])("%s", async (_, work) => {
    expect((await refused(work)).code).toBe("invalid_input");
  });
});

it("a report without a path is not written", async () => {
  expect(await errorOf(writeReport(good, undefined as never))).toMatchObject({
    code: "invalid_config",
    message: 'The path of writeReport is undefined; it has to be a text, such as "report.html".',
  });
});
