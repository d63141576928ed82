/** Unreadable values that are thrown, returned and passed. */
import * as bullmq from "openevals-wasm/bullmq";
import * as evaluation from "openevals-wasm/evaluation";
import { evaluate, formatExperiment } from "openevals-wasm/evaluation";
import * as optimization from "openevals-wasm/optimization";
import { describe, expect, it } from "vitest";
import { NOT_JSON, testExports, testRefusals, UNPRINTABLE } from "../hostile-values.ts";

const next = async () =>
  (await evaluate(undefined, { data: [{ outputs: 1 }], evaluators: [() => 1] })).aggregates;

describe("every function, with hostile arguments", () => {
  describe("openevals-wasm/evaluation", () => testExports(evaluation, next));
  describe("openevals-wasm/optimization", () => testExports(optimization, next));
  describe("openevals-wasm/bullmq", () => testExports(bullmq, next));
});

describe("unreadable values", () => {
  it.each(UNPRINTABLE)("ends no experiment when it is thrown: %s", async (_, thrown) => {
    const fails = ({ inputs }: { inputs: string }) => {
      if (inputs === "a") throw thrown;
      return { key: "fine", score: true };
    };
    const data = [{ inputs: "a" }, { inputs: "b" }];
    const summaryEvaluators = [
      () => {
        throw thrown;
      },
    ];
    const ofEvaluator = await evaluate((inputs) => inputs, { data, evaluators: [fails], summaryEvaluators });
    expect(ofEvaluator.aggregates.fine).toMatchObject({ count: 1, errors: 1 });
    expect(ofEvaluator.summaryResults[0]?.error?.message).toEqual(expect.any(String));
    const ofTarget = await evaluate((inputs) => fails({ inputs }), { data });
    expect(ofTarget.rows.map(({ run }) => Boolean(run.error))).toEqual([true, false]);
    expect(formatExperiment(ofTarget)).toContain("The target");
  });

  it("are reported for summary evaluators, and do not break the display", async () => {
    const experiment = await evaluate(undefined, {
      data: [{ outputs: "a" }],
      summaryEvaluators: [
        () => new Array(2),
        () => ({ key: "f1", score: 1, comment: 3 as any }),
        function failing() {
          return { key: "f2", score: 1, error: "no rows" } as any;
        },
        () => ({ key: "f3", scroe: 1 }) as any,
      ],
    });
    expect(experiment.summaryResults.map(({ error, comment }) => error?.message ?? comment)).toEqual([
      expect.stringContaining("returned undefined; a summary evaluator returns { key, score }"),
      "3",
      "failing failed: no rows",
      expect.stringContaining('for the key "f3", without a score. Write score instead of scroe'),
    ]);
    expect(formatExperiment(experiment)).toContain("f1");
  });

  it("are reported for an evaluator that returns a sparse list", async () => {
    const gaps = () => new Array(2);
    const { rows } = await evaluate(undefined, { data: [{ outputs: "a" }], evaluators: [gaps] });
    expect(rows[0]?.errors[0]?.error.message).toContain("gaps returned");
  });
});

describe("outputs of a target that JSON cannot represent", () => {
  const outputs = async (value: unknown) => {
    const { rows } = await evaluate(() => value, { data: [{ inputs: 1 }] });
    const { error } = rows[0]!.run;
    if (error) throw Object.assign(new Error(), error);
  };
  testRefusals({ outputs }, NOT_JSON, ["invalid_input"], next);
});

describe("a copy of passed values", () => {
  const own = JSON.parse('{"__proto__": {"a": 1}}');
  it.each<[string, unknown, unknown]>([
    ["numbers", [-0, 1.5, Number.NaN, Number.POSITIVE_INFINITY], [0, 1.5, null, null]],
    ["gaps and what is not defined", [new Array(1), { a: undefined }], [[null], { a: null }]],
    ["texts that are no Unicode", ["\ud800", "\u{10ffff}", ""], ["\ud800", "\u{10ffff}", ""]],
    ["what writes itself", { at: { toJSON: () => [new Date(0)] } }, { at: ["1970-01-01T00:00:00.000Z"] }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: [{}] }), { a: [{}] }],
    ["boxed values", [new Number(1), new String("a")], [1, "a"]],
  ])("is recorded as JSON writes it: %s", async (_, outputs, expected) => {
    const { rows } = await evaluate(() => outputs, { data: [{ inputs: 1 }] });
    expect(rows[0]?.run.outputs).toStrictEqual(expected);
  });

  it("is independent, and keeps a member named __proto__", async () => {
    const outputs = { list: [{ n: 1 }], own };
    const { rows } = await evaluate(() => outputs, { data: [{ inputs: 1 }] });
    outputs.list[0]!.n = 2;
    expect(JSON.stringify(rows[0]?.run.outputs)).toBe('{"list":[{"n":1}],"own":{"__proto__":{"a":1}}}');
  });

  it.each<[string, unknown, string]>([
    ["a cycle", Object.assign([], { 0: {} }) as unknown, ""],
    ["a map", { deep: [new Map()] }, "outputs.deep[0] is a Map"],
    ["a function", { deep: { call() {} } }, "outputs.deep.call is a function"],
  ])("is refused with the place: %s", async (name, value, words) => {
    const outputs: any = value;
    if (name === "a cycle") outputs[0].back = outputs;
    const { rows } = await evaluate(() => outputs, { data: [{ inputs: 1 }] });
    expect(rows[0]?.run.error?.message).toContain(words || "outputs[0].back is a reference back");
  });
});
