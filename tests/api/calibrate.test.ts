/** calibrate(): figures of a judge against people who have labelled the same rows. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge } from "openevals-wasm";
import { cohensKappa, evaluate, formatExperiment } from "openevals-wasm/evaluation";
import {
  type CalibrationReport,
  calibrate,
  correctRate,
  type Figure,
  formatCalibration,
  improve,
} from "openevals-wasm/judges";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../evaluation/folder.js";
import { errorOf } from "./error-of.js";
import { unhandledIn } from "./unhandled.js";

/** A judge that returns the verdict in the row. */
const reader = ({ outputs }: { outputs: unknown }) => ({ key: "reader", score: outputs });

const folder = temporaryFolder();

/** The path of a CSV file with these rows. */
function csvOf(rows: readonly object[]): string {
  const lines = [Object.keys(rows[0]!), ...rows.map(Object.values)].map((cells) => cells.join(","));
  const file = join(folder, "rows.csv");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Rows with this many of each pair of label and verdict. */
const rows = (counts: [label: unknown, verdict: unknown, count: number][]) =>
  counts.flatMap(([human, outputs, count]) => Array.from({ length: count }, () => ({ outputs, human })));

const mixed = rows([
  [true, true, 16],
  [true, false, 4],
  [false, false, 14],
  [false, true, 6],
]);

describe("verdicts", () => {
  it("have rates, coefficients and counts, each with an interval", async () => {
    const report = await calibrate(reader, { data: mixed, label: "human" });
    expect(report).toMatchObject({
      key: "reader",
      kind: "verdicts",
      count: 40,
      examples: 40,
      leftOut: { unlabelled: 0, undecided: 0, errors: 0, notApplicable: 0 },
      accuracy: { value: 0.75 },
      sensitivity: { value: 0.8 },
      specificity: { value: 0.7 },
      kappa: { value: 0.5 },
      meanAbsoluteError: { value: 0.25 },
      confusion: {
        labels: [false, true],
        matrix: [
          [14, 6],
          [4, 16],
        ],
      },
      verdicts: { truePositives: 16, falseNegatives: 4, falsePositives: 6, trueNegatives: 14 },
      people: null,
    });
    const { accuracy, kappa, weightedKappa, alpha, ac1, spearman, kendall } = report;
    for (const { value, interval } of [
      accuracy,
      kappa,
      weightedKappa,
      ac1,
      spearman,
      kendall,
      ...Object.values(alpha),
    ]) {
      expect(interval!.low).toBeLessThan(value!);
      expect(interval!.high).toBeGreaterThan(value!);
      expect(interval!.level).toBe(0.95);
    }
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("have no interval of agreement if too few labels are in the rarer class", async () => {
    const data = rows([
      [true, true, 17],
      [false, true, 1],
      [true, false, 2],
    ]);
    const report = await calibrate(reader, { data, label: "human" });
    for (const figure of ["kappa", "weightedKappa", "spearman", "kendall"] as const) {
      expect(report[figure].value, figure).not.toBeNull();
      expect(report[figure].interval, figure).toBeNull();
      expect(report.notes[figure], figure).toContain("fewer than 5 independent labels");
    }
    expect(report.alpha.nominal.interval).toBeNull();
    expect(report.accuracy.interval).not.toBeNull();
    expect(report.ac1.interval).not.toBeNull();
    // Four false labels are too few; five are enough.
    for (const [falses, isEnough] of [
      [4, false],
      [5, true],
    ] as const) {
      const more = rows([
        [true, true, 17],
        [false, false, falses],
      ]);
      const { kappa } = await calibrate(reader, { data: more, label: "human" });
      expect(kappa.interval !== null).toBe(isEnough);
    }
  });

  it("have the kappa of cohensKappa(), with its interval", async () => {
    const { kappa } = await calibrate(reader, { data: mixed, label: "human" });
    const { score, interval } = await cohensKappa()({
      outputs: mixed.map(({ outputs }) => outputs),
      referenceOutputs: mixed.map(({ human }) => human),
    });
    expect({ value: score, interval }).toEqual(kappa);
  });

  it("have intervals at perfect agreement, too", async () => {
    const data = rows([
      [true, true, 12],
      [false, false, 12],
    ]);
    const report = await calibrate(reader, { data, label: "human" });
    for (const figure of [
      "accuracy",
      "sensitivity",
      "specificity",
      "kappa",
      "weightedKappa",
      "ac1",
      "spearman",
      "kendall",
    ] as const) {
      expect(report[figure].value, figure).toBe(1);
      expect(report[figure].interval!.high, figure).toBe(1);
      expect(report[figure].interval!.low, figure).toBeLessThan(0.95);
    }
    expect(report.meanAbsoluteError).toMatchObject({ value: 0, interval: { low: 0 } });
    expect(report.disagreements).toEqual([]);
  });

  it("that are undefined are null, and the notes say why", async () => {
    const report = await calibrate(reader, { data: rows([[true, true, 9]]), label: "human" });
    expect(report.accuracy.value).toBe(1);
    expect(report.ac1.value).toBe(1);
    expect(report.specificity).toEqual({ value: null, interval: null });
    expect(report.kappa.value).toBeNull();
    expect(report.notes).toMatchObject({
      specificity: expect.stringContaining("No row is labelled false"),
      kappa: expect.stringContaining("the same"),
      brier: expect.stringContaining("confidence"),
      flipRate: expect.stringContaining("numRepetitions"),
      "bias.position": expect.stringContaining("position"),
    });
  });
});

describe("rows without a score", () => {
  it("are counted: missing labels, failures, and rows that do not apply", async () => {
    const asked: string[] = [];
    const judge = ({ outputs }: { outputs: string }) => {
      asked.push(outputs);
      if (outputs === "fails") throw new Error("unreachable");
      return { key: "judge", score: outputs === "yes", ...(outputs === "none" && { applicable: false }) };
    };
    const data = [
      { outputs: "yes", human: true },
      { outputs: "no", human: false },
      { outputs: "yes" },
      { outputs: "yes", human: null },
      { outputs: "fails", human: true },
      { outputs: "none", human: true },
    ];
    const report = await calibrate(judge, { data, label: "human" });
    expect(report.count).toBe(2);
    expect(report.leftOut).toEqual({ unlabelled: 2, undecided: 0, errors: 1, notApplicable: 1 });
    expect(asked).toEqual(["yes", "no", "fails", "none"]);
    const twice = await calibrate(judge, { data, label: "human", numRepetitions: 2 });
    expect(twice.leftOut).toEqual({ unlabelled: 4, undecided: 0, errors: 2, notApplicable: 2 });
    expect(twice.disagreements).toEqual([]);
    const failing = () => {
      throw new Error("unreachable");
    };
    await expect(calibrate(failing, { data, label: "human" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("unreachable"),
    });
    const nobody = await calibrate(() => ({ key: "judge", score: null }), {
      data: [{ outputs: "yes", human: true }],
      label: "human",
    });
    expect(nobody).toMatchObject({ count: 0, accuracy: { value: null }, kappa: { value: null } });
    expect(nobody.notes["accuracy"]).toContain("No row");
  });

  it("on which the judge failed are listed by error", async () => {
    vi.stubEnv("TEAM_API_KEY", "secret-of-the-team");
    const judge = ({ inputs, outputs }: { inputs: string; outputs: boolean }) => {
      if (inputs === "down") throw new TypeError("Status 401: the key secret-of-the-team is wrong");
      if (inputs === "odd")
        throw new Error(`The judge did not answer with JSON. It answered: ${Math.random()}`);
      if (inputs === "long") throw new Error("x".repeat(600));
      return inputs === "silent" ? [] : { key: "polite", score: outputs };
    };
    const kinds = ["down", "odd", "fine", "long", "down", "silent", "odd"];
    const labelled = ["down", ...Array(3).fill(kinds).flat()].map((inputs, row) => ({
      id: `r${row}`,
      inputs,
      outputs: true,
      human: true,
    }));
    const report = await calibrate(judge as never, { data: labelled, label: "human" });
    expect(report.leftOut.errors).toBe(19);
    expect(report.failures).toEqual([
      {
        message: "TypeError: Status 401: the key [redacted] is wrong",
        count: 7,
        exampleIds: ["r0", "r1", "r5", "r8", "r12"],
      },
      {
        message: expect.stringMatching(/^Error: The judge did not answer with JSON. It answered: 0\.\d+$/),
        count: 6,
        exampleIds: ["r2", "r7", "r9", "r14", "r16"],
      },
      { message: `Error: ${"x".repeat(493)}…`, count: 3, exampleIds: ["r4", "r11", "r18"] },
      { message: "The judge returned no result.", count: 3, exampleIds: ["r6", "r13", "r20"] },
    ]);
    expect(await calibrate(reader, { data: mixed, label: "human" })).not.toHaveProperty("failures");
  });

  it("keep their place in the data, which is the id of the others", async () => {
    const data = [{ outputs: true }, { outputs: true, human: false }];
    const { disagreements } = await calibrate(reader, { data, label: "human" });
    expect(disagreements.map(({ exampleId }) => exampleId)).toEqual(["2"]);
  });

  it.each([
    [[{ outputs: true, humen: true }], "human", 'No row has the label "human"; did you mean "humen"?'],
    [
      [{ outputs: true, metadata: { ann: true } }],
      ["ann", "bob"],
      'No row has the label "bob"; the rows have "ann".',
    ],
    [[{ outputs: true }], "human", 'No row has the label "human"; the rows have no labels.'],
    [[{ outputs: true, human: null }], "human", 'No row has a label in "human".'],
    [
      [{ id: ["a"], outputs: true, human: true }],
      "human",
      'data[0] has the id ["a"]; an id has to be a number, or a text that is not empty.',
    ],
    [[{ outputs: true, human: true }], () => undefined, "The function label returned no label for any row."],
  ])("are an error before the judge is asked if all are: %j, %s", async (data, label, message) => {
    const judge = vi.fn(reader);
    await expect(calibrate(judge, { data, label })).rejects.toMatchObject({ code: "invalid_input", message });
    expect(judge).not.toHaveBeenCalled();
  });

  it.each([
    [{ position: "shwn" }, 'No row has the position "shwn"; did you mean "shown"?'],
    [{ author: "writer" }, 'No row has an author in "writer".'],
    [{ author: () => undefined }, "The function author returned no author for any row."],
  ])("a field that no row has is an error before the judge is asked: %j", async (options, message) => {
    const judge = vi.fn(reader);
    const data = [{ outputs: true, human: true, shown: "first", writer: "" }];
    await expect(calibrate(judge, { data, label: "human", ...options })).rejects.toMatchObject({
      code: "invalid_input",
      message,
    });
    expect(judge).not.toHaveBeenCalled();
  });

  it.each([
    [{ positive: "Rude" }, 'No label and no verdict is "Rude", which is positive; did you mean "rude"?'],
    [
      { positive: "loud" },
      'No label and no verdict is "loud", which is positive; the classes are "rude", "polite".',
    ],
  ])("a positive class that does not exist is an error: %j", async (options, message) => {
    const data = ["rude", "polite"].map((human) => ({ outputs: "rude", human }));
    const tone = ({ outputs }: { outputs: string }) => ({ key: "tone", value: outputs });
    await expect(calibrate(tone, { data, label: "human", ...options })).rejects.toMatchObject({
      code: "invalid_input",
      message,
      experiment: { rows: [{}, {}] },
    });
    // A class may be known, but not occur.
    const listed = { ...options, categories: ["polite", "rude", options.positive] };
    expect((await calibrate(tone, { data, label: "human", ...listed })).sensitivity.value).toBe(null);
    const verdicts = [{ outputs: true, human: false }];
    await expect(calibrate(reader, { data: verdicts, label: "human", ...options })).rejects.toThrow(
      "Leave it out",
    );
  });

  it("a judge that always fails is an error with the first reason", async () => {
    const failing = () => {
      throw new Error("The key is invalid.");
    };
    await expect(calibrate(failing, { data: rows([[true, true, 3]]), label: "human" })).rejects.toMatchObject(
      {
        message: expect.stringMatching(/^The judge has no result in any of 3 rows; .*The key is invalid\.$/),
      },
    );
  });

  it("a text among labels that are true or false is an error, not a disagreement", async () => {
    const judge = ({ outputs }: { outputs: boolean }) => ({ key: "judge", score: outputs });
    const data = [true, "n/a", false, ""].map((human, row) => ({ outputs: row < 2, human }));
    await expect(calibrate(judge, { data, label: "human" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('There are labels that are texts, such as "n/a"'),
    });
  });

  it.each([
    [{ polite: true }, "object"],
    [["polite"], "list"],
  ])("a label that is %j is an error for a judge that returns true", async (human, type) => {
    const data = Array.from({ length: 30 }, () => ({ outputs: true, human }));
    const error = {
      code: "invalid_input",
      message: expect.stringMatching(
        `^There are labels that are ${type}s, such as .*, but the judge returned true, which equals no ${type}\\. Pass a function as label`,
      ),
    };
    const judge = vi.fn(reader);
    await expect(calibrate(judge, { data, label: "human" })).rejects.toMatchObject(error);
    expect(judge.mock.calls.length).toBeLessThan(10);
    const experiment = await evaluate(undefined, { data, evaluators: [reader], progress: false });
    const labels = data.map((_, row) => ({ id: `${row + 1}`, human }));
    await expect(calibrate(experiment, { data: labels, label: "human" })).rejects.toMatchObject(error);
    const model = () => ({ reasoning: "", prompt: "" });
    const different = data.map((row, n) => ({ ...row, inputs: n }));
    await expect(
      improve(() => reader, { data: different, label: "human" }, { prompt: "{outputs}", model }),
    ).rejects.toMatchObject(error);
    // A judge may return such a value.
    const same = await calibrate(() => ({ key: "judge", value: human }), { data, label: "human" });
    expect(same).toMatchObject({ kind: "classes", accuracy: { value: 1 } });
  });

  it("texts as labels of a judge without texts are an error after its first verdicts", async () => {
    const judge = vi.fn(({ outputs }: { outputs: boolean }) => ({ key: "judge", score: outputs }));
    const data = Array.from({ length: 30 }, (_, row) => ({
      outputs: true,
      human: ["true", "yes", "no"][row % 3],
    }));
    const error = {
      code: "invalid_input",
      message:
        'There are labels that are texts, such as "yes", but the judge returned true, which equals no text. ' +
        'Pass a function as label, such as (row) => row.human === "…", with the text that means true, or one as verdict that returns a text.',
    };
    await expect(calibrate(judge, { data, label: "human" })).rejects.toMatchObject(error);
    // The next row may have started.
    expect(judge.mock.calls.length).toBeLessThan(4);
    const experiment = await evaluate(undefined, { data, evaluators: [judge], progress: false });
    await expect(calibrate(experiment, { data, label: "human" })).rejects.toMatchObject(error);
    const verdict = ({ score }: { score: boolean }) => (score ? "yes" : "no");
    expect((await calibrate(judge, { data, label: "human", verdict })).accuracy.value).toBeCloseTo(1 / 3, 12);
    // As the rows of a CSV file have it.
    const within = data.map(({ human, ...row }) => ({ ...row, metadata: { "says yes": human, human } }));
    for (const [label, place] of [
      ["human", ".human"],
      ["says yes", '["says yes"]'],
    ]) {
      await expect(calibrate(judge, { data: within, label: label! })).rejects.toThrow(
        `such as (row) => row.metadata${place} === "…", with`,
      );
    }
  });

  it("are an error if they cannot be read", async () => {
    const invalid = (judge: any, options: any) => expect(calibrate(judge, options)).rejects;
    await invalid(reader, { data: mixed }).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/label/),
    });
    await invalid(reader, { label: "human" }).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/data/),
    });
    await invalid("judge", { data: mixed, label: "human" }).toMatchObject({ code: "invalid_config" });
    await invalid(reader, { data: mixed, label: "human", treshold: 1 }).toMatchObject({
      code: "invalid_config",
    });
    await invalid(reader, { data: [7], label: "human" }).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/data\[0\]/),
    });
    const scores = rows([
      [true, 0.4, 3],
      [false, 0.2, 3],
    ]);
    await invalid(reader, { data: scores, label: "human" }).toMatchObject({
      message: expect.stringMatching(/threshold/),
    });
    await invalid(reader, { data: rows([[7, 3, 4]]), label: "human" }).toMatchObject({
      message: expect.stringMatching(/from 0 to 1/),
    });
    const two = () => [
      { key: "a", score: true },
      { key: "b", score: true },
    ];
    await invalid(two, { data: mixed, label: "human" }).toMatchObject({
      message: expect.stringMatching(/"a", "b"/),
    });
    expect((await calibrate(two, { data: mixed, label: "human", key: "b" })).key).toBe("b");
  });
});

describe("scores on a scale of the judge's own", () => {
  const grader = createLLMAsJudge({
    prompt: "{outputs}",
    choices: [1, 2, 3, 4, 5],
    passAt: 4,
    judge: ({ messages }: any) => ({ reasoning: "", score: Number(/\d/.exec(messages[0].content)?.[0]) }),
  });
  const grades = [
    [5, 5],
    [4, 5],
    [3, 3],
    [2, 4],
    [1, 1],
    [5, 3],
  ].map(([outputs, human], row) => ({ outputs, human, shown: row % 2 ? "second" : "first" }));
  const toShare = (grade: any) => (grade - 1) / 4;
  const shares = grades.map(({ outputs, human, ...row }) => {
    return { ...row, outputs: toShare(outputs), human: toShare(human) };
  });
  const options = { label: "human", position: "shown" };

  it("have the figures of their shares of the range, and distances in their unit", async () => {
    const ours = await calibrate(grader, { data: grades, ...options });
    const same = await calibrate(reader, { data: shares, ...options });
    for (const figure of [
      "accuracy",
      "kappa",
      "weightedKappa",
      "alpha",
      "ac1",
      "spearman",
      "kendall",
    ] as const)
      expect(ours[figure]).toEqual(same[figure]);
    // 1, 2 and 2 grades in six rows.
    expect(ours.meanAbsoluteError.value).toBeCloseTo(5 / 6, 12);
    expect(ours.meanAbsoluteError.interval?.high).toBeCloseTo(
      4 * (same.meanAbsoluteError.interval?.high as number),
      12,
    );
    // The first ones exceed their labels by 0, 0 and 0, the others by -1, -2 and 2.
    expect(ours.bias.position.value).toBeCloseTo(1 / 3, 12);
    expect(ours.confusion?.labels).toEqual([1, 2, 3, 4, 5]);
    expect(ours.disagreements.map(({ distance }) => distance)).toEqual([2, 2, 1]);
    expect(ours).toMatchObject({ kind: "scores", brier: { value: null } });
    const mapped = { evaluator: grader, mapInputs: ({ outputs }: any) => ({ outputs }) };
    expect(await calibrate(mapped, { data: grades, ...options })).toEqual(ours);
    expect(ours.notes.sensitivity).toBe("It is unknown which scores count as true. Set threshold.");
    const experiment = await evaluate(undefined, { data: grades, evaluators: [grader], progress: false });
    expect(
      await calibrate(experiment, { data: grades.map((row, i) => ({ ...row, id: `${i + 1}` })), ...options }),
    ).toEqual(ours);
  });

  it("against true and false are cut at the pass mark or a threshold", async () => {
    const data = grades.map(({ outputs, human }) => ({ outputs, human: human >= 4 }));
    const marked = await calibrate(grader, { data, label: "human" });
    expect(marked).toMatchObject({
      kind: "verdicts",
      threshold: 4,
      verdicts: { truePositives: 2, falseNegatives: 1, falsePositives: 1, trueNegatives: 2 },
    });
    // The mark is three quarters of the range; the lowest score is as far from it as possible.
    expect(marked.disagreements.map(({ verdict, confidence }) => [verdict, confidence])).toEqual([
      [2, 2 / 3],
      [5, 1 / 3],
    ]);
    expect((await calibrate(grader, { data, label: "human", threshold: 2 })).verdicts?.falsePositives).toBe(
      2,
    );
  });

  it("are refused before more than the first is paid for", async () => {
    const judge = vi.fn(({ outputs }: { outputs: number }) => ({ key: "k", score: outputs }));
    const refused = (options: object) =>
      expect(calibrate(judge, { data: grades, label: "human", ...options })).rejects;
    await refused({ threshold: 4 }).toMatchObject({
      code: "invalid_config",
      message: "threshold is 4, but the scores are from 0 to 1.",
    });
    expect(judge).not.toHaveBeenCalled();
    await refused({}).toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/from 0 to 1, but found 5\. Declare the scale of the judge: as choices/),
    });
    expect(judge.mock.calls.length).toBeLessThan(4);
    const declared = Object.assign(judge, { scale: { min: 1, max: 5, direction: "higher" as const } });
    expect((await calibrate(declared, { data: grades, label: "human" })).accuracy.value).toBe(0.5);
  });
});

it("10,000 labels that are texts are compared in seconds", async () => {
  const data = Array.from({ length: 10_000 }, (_, row) => ({
    outputs: row % 2 === 0,
    human: row % 4 ? "false" : "true",
  }));
  const started = performance.now();
  expect((await calibrate(reader, { data, label: "human" })).accuracy.value).toBe(0.75);
  // Reading all labels for each row took 50 seconds.
  expect(performance.now() - started).toBeLessThan(20_000);
});

describe("scores", () => {
  it("against true and false need a threshold, and count as probabilities", async () => {
    const data = [
      { id: "sure", outputs: 0.95, human: false },
      { id: "unsure", outputs: 0.45, human: true },
      { id: "right", outputs: 0.9, human: true },
      { id: "low", outputs: 0.1, human: false },
    ];
    const report = await calibrate(reader, { data, label: "human", threshold: 0.5 });
    expect(report).toMatchObject({ kind: "verdicts", threshold: 0.5, accuracy: { value: 0.5 } });
    expect(report.brier.value).toBeCloseTo((0.95 ** 2 + 0.55 ** 2 + 0.01 + 0.01) / 4, 12);
    expect(report.expectedCalibrationError.interval).toBeNull();
    expect(report.notes["expectedCalibrationError"]).toContain("interval");
    // The most confident one first.
    expect(report.disagreements.map(({ exampleId }) => exampleId)).toEqual(["sure", "unsure"]);
    expect(report.disagreements[0]!.confidence).toBeCloseTo(0.9, 12);
    expect(report.disagreements[0]).toMatchObject({
      label: false,
      verdict: 0.95,
      repetition: 0,
    });
  });

  it("with few distinct values are classes; with many, numbers only", async () => {
    const few = [0, 0.5, 1, 0.5, 1, 0, 0.5].map((outputs, row) => ({
      outputs,
      human: row === 1 ? 1 : outputs,
    }));
    const report = await calibrate(reader, { data: few, label: "human" });
    expect(report).toMatchObject({ kind: "scores", accuracy: { value: 6 / 7 }, verdicts: null });
    expect(report.confusion).toEqual({
      labels: [0, 0.5, 1],
      matrix: [
        [2, 0, 0],
        [0, 2, 0],
        [0, 1, 2],
      ],
    });
    expect(report.weightedKappa.value).not.toBeNull();
    expect(report.sensitivity.value).toBeNull();
    const many = Array.from({ length: 20 }, (_, row) => ({ outputs: row / 20, human: row / 19 }));
    const numbers = await calibrate(reader, { data: many, label: "human" });
    expect(numbers.accuracy.value).toBeNull();
    expect(numbers.kappa.value).toBeNull();
    expect(numbers.notes["kappa"]).toContain("threshold");
    expect(numbers.spearman.value).toBe(1);
    expect(numbers.kendall.value).toBe(1);
    expect(numbers.alpha.interval.value).toBeGreaterThan(0.9);
    const cut = await calibrate(reader, { data: many, label: "human", threshold: 0.5 });
    expect(cut.accuracy.value).toBe(1);
    expect(cut.verdicts).toEqual({
      truePositives: 10,
      falseNegatives: 0,
      falsePositives: 0,
      trueNegatives: 10,
    });
  });
});

it("classes without an order can have a positive class", async () => {
  const judge = ({ outputs }: { outputs: string }) => ({ key: "tone", value: outputs });
  const data = rows([
    ["rude", "rude", 5],
    ["rude", "cold", 1],
    ["warm", "warm", 6],
    ["cold", "cold", 4],
  ]);
  const report = await calibrate(judge, { data, label: "human", positive: "rude" });
  expect(report).toMatchObject({ kind: "classes", accuracy: { value: 15 / 16 }, specificity: { value: 1 } });
  expect(report.sensitivity.value).toBeCloseTo(5 / 6);
  expect(report.confusion!.labels).toEqual(["cold", "rude", "warm"]);
  expect(report.spearman.value).toBeNull();
  expect(report.notes["spearman"]).toContain("no order");
  expect(report.verdicts).toEqual({
    truePositives: 5,
    falseNegatives: 1,
    falsePositives: 0,
    trueNegatives: 10,
  });
});

it("confidence is read from the metadata", async () => {
  const judge = ({ outputs }: any) => ({
    key: "j",
    score: outputs.says,
    metadata: { confidence: outputs.sure },
  });
  const data = [
    { id: "a", outputs: { says: true, sure: 0.6 }, human: false },
    { id: "b", outputs: { says: true, sure: 0.9 }, human: false },
    { id: "c", outputs: { says: true, sure: 0.8 }, human: true },
  ];
  const report = await calibrate(judge, { data, label: "human" });
  expect(report.brier.value).toBeCloseTo((0.36 + 0.81 + 0.04) / 3, 12);
  expect(report.disagreements.map(({ exampleId, confidence }) => [exampleId, confidence])).toEqual([
    ["b", 0.9],
    ["a", 0.6],
  ]);
  expect(report.notes.brier).toBeUndefined();
  const unsure = { id: "d", outputs: { says: true }, human: true };
  const { notes } = await calibrate(judge, { data: [...data, unsure], label: "human" });
  expect(notes.brier).toBe("Only 3 of 4 results have a confidence.");
  expect(notes.expectedCalibrationError).toMatch(
    /^Only 3 of 4 results have a confidence\. It has no interval/,
  );
});

describe("labels of several people", () => {
  it("may be written as 1 and true", async () => {
    const data = [
      { outputs: true, ann: true, bob: 1 },
      { outputs: 0, ann: 0, bob: false },
    ];
    const { people, accuracy, count } = await calibrate(reader, { data, label: ["ann", "bob"] });
    expect([count, accuracy.value, people!.agreement.value]).toEqual([2, 1, 1]);
  });

  it("are of different people", async () => {
    const data = [{ outputs: true, ann: true }];
    await expect(calibrate(reader, { data, label: ["ann", "ann"] })).rejects.toThrow(
      'label is ["ann","ann"]; it has to be the name of a field, a function of a row, or a list of these, each once',
    );
  });

  it("set the ceiling, and their majority counts", async () => {
    const data = [
      { outputs: true, ann: true, bob: true, cy: false },
      { outputs: false, ann: false, bob: false, cy: false },
      { outputs: true, ann: true, bob: true, cy: true },
      { outputs: true, ann: false, bob: false },
      { outputs: true, ann: true, bob: false },
    ];
    const report = await calibrate(reader, { data, label: ["ann", "bob", "cy"] });
    expect(report.count).toBe(4);
    expect(report.leftOut.undecided).toBe(1);
    expect(formatCalibration(report)).toContain("Left out: 1 with tied labels");
    expect(report.accuracy.value).toBe(0.75);
    // (1/3 + 1 + 1 + 1 + 0) / 5
    expect(report.people).toMatchObject({ annotators: 3, count: 5 });
    expect(report.people!.agreement.value).toBeCloseTo(2 / 3, 12);
    expect(report.people!.alpha.nominal.value).toBeLessThan(1);
  });

  const grades = [
    [5, 5, 5, 4],
    [4, 4, 4, 5],
    [3, 3, 3, 2],
    [1, 1, 2, 1],
    [3, 2, 5, 3],
  ].map(([outputs, ann, bob, cy]) => ({ outputs, ann, bob, cy }));
  const grader = Object.assign(({ outputs }: { outputs: number }) => ({ key: "grade", score: outputs }), {
    scale: { min: 1, max: 5, direction: "higher" as const },
  });

  it("are grades: the median counts, and rows without one are left out", async () => {
    const three = await calibrate(grader, { data: grades, label: ["ann", "bob", "cy"] });
    expect([three.count, three.accuracy.value, three.meanAbsoluteError.value]).toEqual([5, 1, 0]);
    expect(three.confusion!.labels).toEqual([1, 3, 4, 5]);
    const two = await calibrate(grader, { data: grades, label: ["bob", "cy"] });
    expect(two).toMatchObject({ count: 0, leftOut: { undecided: 5 } });
    // Both people pass or fail four of the rows.
    const passing = await calibrate(grader, { data: grades, label: ["bob", "cy"], threshold: 3 });
    expect(passing).toMatchObject({ count: 4, leftOut: { undecided: 1 }, accuracy: { value: 1 } });
    expect(passing.verdicts).toMatchObject({ truePositives: 3, trueNegatives: 1 });
  });

  it("mixed with whether a row passes, on a scale of grades, are an error", async () => {
    const data = grades.map((row, index) => ({ ...row, ann: index > 2 ? row.ann > 2 : row.ann }));
    await expect(calibrate(grader, { data, label: "ann", threshold: 3 })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(
        /^Some labels are true or false, and others are scores from 1 to 5, such as 5\./,
      ),
    });
  });

  it("are scores with many values: their mean counts", async () => {
    const data = Array.from({ length: 12 }, (_, row) => ({
      outputs: row / 20,
      ann: row / 20,
      bob: row / 20 + 0.1,
    }));
    const { count, meanAbsoluteError } = await calibrate(reader, { data, label: ["ann", "bob"] });
    expect(count).toBe(12);
    expect(meanAbsoluteError.value).toBeCloseTo(0.05, 12);
  });
});

it("classes that differ only in case or spaces have a note", async () => {
  const judge = ({ outputs }: { outputs: string }) => ({ key: "j", value: outputs });
  const data = [
    { outputs: "good", human: "Good" },
    { outputs: "bad", human: "bad" },
  ];
  const report = await calibrate(judge, { data, label: "human" });
  expect(report.accuracy.value).toBe(0.5);
  expect(report.notes["confusion"]).toMatch(
    /^"Good" and "good" count as different classes\. If they are one, /,
  );
  expect(formatCalibration(report, { columns: 200 })).toContain(report.notes["confusion"]);
  const same = data.map((row) => ({ ...row, human: row.outputs }));
  expect((await calibrate(judge, { data: same, label: "human" })).notes).not.toHaveProperty("confusion");
});

it("verdicts of clusters count as their effective number", async () => {
  // 54 threads of one row and 6 of 20: 174 rows, and 174² / (54 + 6 · 400).
  const data = [...Array.from({ length: 54 }, () => 1), 20, 20, 20, 20, 20, 20].flatMap((size, thread) =>
    Array.from({ length: size }, () => ({ outputs: true, human: thread % 2 === 0, metadata: { thread } })),
  );
  const { verdicts } = await calibrate(reader, { data, label: "human", clusterBy: "thread" });
  const { truePositives, falseNegatives, falsePositives, trueNegatives } = verdicts!;
  expect(truePositives + falseNegatives + falsePositives + trueNegatives).toBeCloseTo(174 ** 2 / 2454, 9);
  // 27 + 60 of 174 rows are true.
  expect(truePositives).toBeCloseTo(((27 + 60) * 174) / 2454, 9);
});

it("an existing experiment is accepted, also with labels from elsewhere", async () => {
  const data = mixed.map(({ outputs, human }, row) => ({ id: `r${row}`, outputs, metadata: { human } }));
  const experiment = await evaluate(undefined, { data, evaluators: [reader], progress: false });
  const report = await calibrate(experiment, { label: "human" });
  expect(report.accuracy.value).toBe(0.75);
  expect(await calibrate(JSON.parse(JSON.stringify(experiment)), { label: "human" })).toEqual(report);
  const labels = data.slice(0, 20).map(({ id, metadata }) => ({ id, other: metadata.human }));
  const partly = await calibrate(experiment, { data: labels, label: "other" });
  expect(partly).toMatchObject({ count: 20, leftOut: { unlabelled: 20 } });
  expect(partly.leftOut).not.toHaveProperty("unmatched");
  // Rows without a label are not missed.
  const others = [{ id: "R1", other: true }, { id: "r2 ", other: false }, { id: "R3" }];
  const some = await calibrate(experiment, { data: [...labels, ...others], label: "other" });
  expect(some).toEqual({ ...partly, leftOut: { ...partly.leftOut, unmatched: 2 } });
  expect(formatCalibration(some)).toContain("2 labelled but not in the experiment");
  await expect(calibrate(experiment, { data: others, label: "other" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(
      /^No label belongs to a row of the experiment: labels have ids such as "R1", and rows such as "r0"\. Give/,
    ),
  });
});

it("repetitions are one observation each, and show the flip rate", async () => {
  const calls = new Map<string, number>();
  const judge = ({ outputs }: { outputs: string }) => {
    const call = calls.get(outputs) ?? 0;
    calls.set(outputs, call + 1);
    // Every third row has another verdict the second time.
    return { key: "j", score: Number(outputs) % 3 === 0 ? call === 0 : true };
  };
  const data = Array.from({ length: 12 }, (_, row) => ({ outputs: `${row}`, human: true }));
  const report = await calibrate(judge, { data, label: "human", numRepetitions: 2 });
  expect(report).toMatchObject({ count: 24, examples: 12, flipRate: { value: 4 / 12 } });
  expect(report.accuracy.value).toBeCloseTo(20 / 24);
  expect(report.verdicts!.truePositives).toBeCloseTo(10);
});

it("repetitions that agree change no coefficient of agreement", async () => {
  const [once, thrice] = await Promise.all(
    [1, 3].map((numRepetitions) => calibrate(reader, { data: mixed, label: "human", numRepetitions })),
  );
  for (const of of [({ kappa }) => kappa, ({ alpha }) => alpha.nominal, ({ alpha }) => alpha.interval] as ((
    report: CalibrationReport,
  ) => Figure)[]) {
    const [expected, found] = [of(once!), of(thrice!)];
    expect(found.value).toBeCloseTo(expected.value!, 12);
    expect(found.interval!.low).toBeCloseTo(expected.interval!.low, 12);
    expect(found.interval!.high).toBeCloseTo(expected.interval!.high, 12);
  }
});

it("bias of the judge towards a group", async () => {
  // It prefers the first answer, long answers, and its own.
  const judge = ({ outputs }: { outputs: string }) => ({
    key: "j",
    score: outputs.includes("good") || outputs.length > 30,
    metadata: { model: "stub-1" },
  });
  const data = Array.from({ length: 40 }, (_, row) => {
    const isLong = row % 2 === 0;
    const human = row % 4 < 2;
    return {
      outputs: `${human ? "good" : "poor"} ${"and so on ".repeat(isLong ? 4 : 1)}`,
      human,
      place: isLong ? "first" : "second",
      metadata: { writer: isLong ? "openai:stub-1" : "other" },
    };
  });
  const report = await calibrate(judge, { data, label: "human", position: "place", author: "writer" });
  const { position, verbosity, selfPreference } = report.bias;
  expect(position.value).toBeCloseTo(0.5);
  expect(position.interval!.low).toBeGreaterThan(0.2);
  expect(selfPreference.value).toBeCloseTo(0.5);
  expect(verbosity.value).toBeGreaterThan(0.4);
  expect(verbosity.interval!.low).toBeGreaterThan(0);
});

describe("the true rate", () => {
  const verdicts = { truePositives: 80, falseNegatives: 20, falsePositives: 30, trueNegatives: 70 };

  it("is corrected for the errors of the judge", async () => {
    // 0.3 · 0.8 + 0.7 · 0.3
    const options = { positives: 450, count: 1_000, calibration: { verdicts } };
    const { value, interval } = await correctRate(options);
    expect(value).toBeCloseTo(0.3, 12);
    expect(interval!.low).toBeGreaterThan(0.1);
    expect(interval!.high).toBeLessThan(0.45);
    const wider = await correctRate({ ...options, level: 0.99 });
    expect(wider.interval!.high).toBeGreaterThan(interval!.high);
  });

  it("is undefined for a judge no better than chance", async () => {
    const coin = { truePositives: 5, falseNegatives: 5, falsePositives: 5, trueNegatives: 5 };
    expect(await correctRate({ positives: 1, count: 2, calibration: { verdicts: coin } })).toEqual({
      value: null,
      interval: null,
    });
    const without = { verdicts: null } as Pick<CalibrationReport, "verdicts">;
    await expect(correctRate({ positives: 1, count: 2, calibration: without })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await expect(correctRate({ positives: 3, count: 2, calibration: { verdicts } })).rejects.toMatchObject({
      code: "invalid_config",
    });
  });

  it("needs counts of rows, and a valid calibration", async () => {
    const unreadable = new Proxy(
      { verdicts },
      {
        get() {
          throw new TypeError("not mine");
        },
      },
    );
    for (const [wrong, message] of [
      [{ positives: 1.5 }, "positives is 1.5; it has to be a whole number from 0"],
      [{ count: 2.5 }, "count is 2.5; it has to be a whole number from 1"],
      [{ count: 0 }, "count is 0"],
      [{ calibration: unreadable }, "not mine"],
      [{ calibration: { verdicts: unreadable as never } }, "not mine"],
    ] as const) {
      const options = { positives: 1, count: 2, calibration: { verdicts }, ...wrong };
      await expect(correctRate(options)).rejects.toMatchObject({
        name: "OpenEvalsError",
        code: "invalid_config",
        message: expect.stringContaining(message),
      });
    }
  });

  it("is in the aggregates of an experiment with a calibrated judge", async () => {
    const report = await calibrate(reader, { data: mixed, label: "human" });
    const data = Array.from({ length: 100 }, (_, row) => ({ outputs: row < 45 }));
    const { aggregates } = await evaluate(undefined, {
      data,
      evaluators: [reader],
      calibration: { reader: report },
      progress: false,
    });
    const direct = await correctRate({ positives: 45, count: 100, calibration: report });
    expect(aggregates["reader"]).toMatchObject({ mean: 0.45 });
    expect(aggregates["reader"]!.corrected!.value).toBeCloseTo(0.3, 12);
    expect(aggregates["reader"]!.corrected!.interval!.low).toBeCloseTo(direct.interval!.low, 12);
    const experiment = await evaluate(undefined, {
      data,
      evaluators: [reader],
      calibration: { reader: report },
      progress: false,
    });
    expect(formatExperiment(experiment, { columns: 140, color: false })).toMatch(
      /True rate[\s\S]*% \(0\.0% to 64\.4%\)/,
    );
    const wrong = { reader: { accuracy: 1 } } as never;
    await expect(evaluate(undefined, { data, calibration: wrong })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("calibration"),
    });
    // Repetitions that agree count as one observation.
    const twice = await evaluate(undefined, {
      data,
      evaluators: [reader],
      numRepetitions: 2,
      calibration: { reader: report },
      progress: false,
    });
    expect(twice.aggregates["reader"]!.corrected!.interval!.low).toBeCloseTo(direct.interval!.low, 12);
    const without = await evaluate(undefined, {
      data: mixed.map(({ outputs }) => ({ outputs })),
      evaluators: [reader],
      progress: false,
    });
    expect(without.aggregates["reader"]).not.toHaveProperty("corrected");
  });

  it("a key without results is an error that has the completed rows", async () => {
    const report = await calibrate(reader, { data: mixed, label: "human" });
    const data = [{ outputs: true }, { outputs: false }];
    const run = (evaluators: any[], calibration: object = { raeder: report }) =>
      evaluate(undefined, { data, evaluators, calibration: calibration as never, progress: false });
    await expect(run([reader])).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(/"raeder", which no result has; did you mean "reader"\?/),
      experiment: {
        rows: { length: 2 },
        aggregates: { reader: { mean: 0.5 } },
        stopped: { code: "invalid_config" },
      },
    });
    // Without results, no key is known.
    const failing = () => {
      throw new Error("unreachable");
    };
    const { aggregates } = await run([reader, failing], { reader: report, raeder: report });
    expect(aggregates["reader"]!.corrected).toBeDefined();
    const never = () => ({ key: "raeder", applicable: false });
    expect((await run([never])).aggregates["raeder"]!.corrected).toEqual({ value: null, interval: null });
  });
});

describe("weighted kappa", () => {
  // sklearn.metrics.cohen_kappa_score(…, labels=[0, 0.25, 0.5, 0.75, 1], weights=…), with the classes as
  // text.
  const judged = [0, 0.5, 1, 1, 0.5, 0, 1, 0, 0.5, 1, 0.25, 1];
  const people = [0, 0.5, 1, 1, 0.5, 0.5, 1, 0, 0.5, 1, 0.25, 0];
  const data = judged.map((outputs, row) => ({ outputs, human: people[row] }));

  it.for([
    ["linear", 0.7165354330708662, 0.6774193548387097],
    ["quadratic", 0.6747967479674797, 0.6176470588235294],
  ] as const)("weighs the %s distance of scores, or of places in categories", async ([
    weights,
    distance,
    place,
  ]) => {
    const kappaOf = async (categories?: number[]) =>
      (await calibrate(reader, { data, label: "human", weights, categories })).weightedKappa.value;
    expect(await kappaOf()).toBeCloseTo(distance, 12);
    expect(await kappaOf([0, 0.25, 0.5, 0.75, 1])).toBeCloseTo(distance, 12);
    // The result of scikit-learn for the four grades that occur.
    expect(await kappaOf([0, 0.25, 0.5, 1])).toBeCloseTo(place, 12);
  });

  it("is defined for ordered classes", async () => {
    const classes = { 0: "poor", 0.25: "fair", 0.5: "good", 1: "great" } as Record<number, string>;
    const named = data.map(({ outputs, human }) => ({
      outputs: classes[outputs],
      human: classes[human ?? 0],
    }));
    const judge = ({ outputs }: { outputs: string }) => ({ key: "grade", value: outputs });
    const options = { data: named, label: "human" };
    const { weightedKappa, notes } = await calibrate(judge, options);
    expect(weightedKappa.value).toBeNull();
    expect(notes["weightedKappa"]).toContain("categories");
    const categories = ["poor", "fair", "good", "great"];
    const ordered = await calibrate(judge, { ...options, categories });
    expect(ordered.weightedKappa.value).toBeCloseTo(0.6176470588235294, 12);
    await expect(
      calibrate(judge, { ...options, categories: ["poor", "fair", "good"] }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining('"great"'),
    });
    for (const wrong of [["poor", "poor"], ["poor"], "poor"]) {
      const call = calibrate(judge, { ...options, categories: wrong as string[] });
      await expect(call).rejects.toMatchObject({ code: "invalid_config" });
    }
  });
});

describe("categories", () => {
  const judged = [0, 0.5, 1, 1, 0.5, 0, 1, 0, 0.5, 1, 0.25, 1];
  const people = [0, 0.5, 1, 1, 0.5, 0.5, 1, 0, 0.5, 1, 0.25, 0];
  const names: Record<number, string> = { 0: "poor", 0.25: "fair", 0.5: "good", 0.75: "great", 1: "perfect" };
  const scores = judged.map((outputs, row) => ({ outputs, human: people[row] }));
  const classes = scores.map(({ outputs, human }) => ({ outputs: names[outputs], human: names[human!] }));
  const judge = ({ outputs }: { outputs: string }) => ({ key: "grade", value: outputs });
  const five = Object.keys(names).map(Number).sort();

  it("count towards the chance agreement of AC1, even if they do not occur", async () => {
    // irrCAC.raw.CAC(…, categories=…).gwet(), with 4, 5 and 6 categories.
    const ac1Of = async (categories?: number[]) =>
      (await calibrate(reader, { data: scores, label: "human", categories })).ac1.value;
    expect(await ac1Of()).toBeCloseTo(0.7821482602118, 12);
    expect(await ac1Of(five)).toBeCloseTo(0.79768177028451, 12);
    expect(await ac1Of([0, 0.1, 0.25, 0.5, 0.75, 1])).toBeCloseTo(0.805982215036378, 12);
    const named = { data: classes, label: "human", categories: five.map((grade) => names[grade]) };
    expect((await calibrate(judge, named)).ac1.value).toBeCloseTo(0.79768177028451, 12);
    // Verdicts always have two classes.
    const verdicts = { data: mixed, label: "human" };
    const [without, listed] = [verdicts, { ...verdicts, categories: [false, true] }].map((options) =>
      calibrate(reader, options),
    );
    expect((await listed)!.ac1).toEqual((await without)!.ac1);
  });

  it("count towards the AC1 of people, too", async () => {
    const third = people.toReversed().map((grade, row) => (row % 5 === 4 ? undefined : grade));
    const data = judged.map((grade, row) => ({ a: grade, b: people[row]!, c: third[row] }));
    const named = data.map(({ a, b, c }) => ({
      outputs: "good",
      ...Object.fromEntries(Object.entries({ a, b, c }).map(([who, grade]) => [who, names[grade!]])),
    }));
    const ac1Of = async (categories?: unknown[]) =>
      (await calibrate(judge, { data: named, label: ["a", "b", "c"], categories })).people!.ac1.value;
    // irrCAC, as above, with missing ratings.
    expect(await ac1Of()).toBeCloseTo(0.383478844862324, 12);
    expect(await ac1Of(five.map((grade) => names[grade]))).toBeCloseTo(0.427234440804866, 12);
  });

  it("can have an order, which ranks classes like numbers", async () => {
    const ofScores = await calibrate(reader, { data: scores, label: "human" });
    const categories = five.map((grade) => names[grade]);
    const { alpha, spearman, kendall, meanAbsoluteError, notes } = await calibrate(judge, {
      data: classes,
      label: "human",
      categories,
    });
    expect(spearman).toEqual(ofScores.spearman);
    expect(kendall).toEqual(ofScores.kendall);
    expect(alpha.ordinal).toEqual(ofScores.alpha.ordinal);
    expect(spearman.value).toBeCloseTo(0.669250569836399, 12); // scipy.stats.spearmanr
    for (const name of ["alpha.ordinal", "spearman", "kendall"]) expect(notes).not.toHaveProperty([name]);
    // An order does not define distances.
    expect([alpha.interval.value, meanAbsoluteError.value]).toEqual([null, null]);
    for (const name of ["alpha.interval", "meanAbsoluteError"]) {
      expect(notes[name]).toContain("not numbers");
      expect(notes[name]).not.toContain("order");
    }
    const unordered = await calibrate(judge, { data: classes, label: "human" });
    expect(unordered.spearman.value).toBeNull();
    expect(unordered.notes["spearman"]).toContain("categories");
  });

  it("have an order in the agreement of people, too", async () => {
    const data = judged.map((grade, row) => ({ outputs: "poor", a: names[grade], b: names[people[row]!] }));
    const label = ["a", "b"];
    const categories = five.map((grade) => names[grade]);
    const report = await calibrate(judge, { data, label, categories });
    const ofScores = await calibrate(reader, { data: scores, label: "human" });
    expect(report.people!.alpha.ordinal.value).toBeCloseTo(ofScores.alpha.ordinal.value!, 12);
    expect(report.people!.ac1.value).toBeCloseTo(0.79768177028451, 12); // irrCAC
    expect(report.notes).not.toHaveProperty(["people.alpha.ordinal"]);
    const missing = calibrate(judge, { data, label, categories: categories.slice(1) });
    await expect(missing).rejects.toMatchObject({ code: "invalid_input" });
    const unordered = await calibrate(judge, { data, label });
    expect(unordered.notes["people.alpha.ordinal"]).toContain("categories");
  });
});

describe("clusterBy", () => {
  /** Fifty answers with eight claims each; the judge is wrong about all claims of ten answers. */
  const claims = Array.from({ length: 400 }, (_, index) => {
    const human = index % 2 === 0;
    const answer = Math.floor(index / 8);
    return { id: `${index}`, outputs: answer < 10 ? !human : human, human, metadata: { answer } };
  });
  const widthOf = ({ accuracy: { interval } }: CalibrationReport) => interval!.high - interval!.low;

  it("gives intervals as wide as those of the clusters alone", async () => {
    const alone = await calibrate(reader, { data: claims, label: "human" });
    const clustered = await calibrate(reader, { data: claims, label: "human", clusterBy: "answer" });
    const answers = await calibrate(reader, {
      data: claims.filter((_, index) => index % 8 === 0),
      label: "human",
    });
    expect(clustered).toMatchObject({
      count: 400,
      examples: 400,
      clusters: 50,
      accuracy: { value: 0.8 },
      // Fifty clusters in place of 400 claims.
      verdicts: { truePositives: 20, trueNegatives: 20, falsePositives: 5, falseNegatives: 5 },
    });
    expect(alone.clusters).toBeUndefined();
    expect(widthOf(clustered)).toBeGreaterThan(2 * widthOf(alone));
    expect(widthOf(clustered)).toBeCloseTo(widthOf(answers), 1);
    expect(formatCalibration(clustered)).toContain("400 results in 50 clusters");
    const byFunction = { clusterBy: ({ metadata }: any) => metadata.answer };
    expect(await calibrate(reader, { data: claims, label: "human", ...byFunction })).toEqual(clustered);
  });

  it("has no intervals with fewer than 50 clusters", async () => {
    const report = await calibrate(reader, { data: claims.slice(8), label: "human", clusterBy: "answer" });
    expect(report).toMatchObject({
      clusters: 49,
      accuracy: { value: 40 / 49, interval: null },
      kappa: { interval: null },
      notes: { accuracy: "It has no interval: an interval needs 50 clusters, and there are 49." },
    });
  });

  it("is a function that is not asynchronous, as are those of labels", async () => {
    const rejects: any = async () => {
      throw new Error("no thread");
    };
    const options = { data: claims, label: "human" };
    const unhandled = await unhandledIn(async () => {
      for (const name of ["clusterBy", "label", "author"]) {
        await expect(calibrate(reader, { ...options, [name]: rejects })).rejects.toMatchObject({
          code: "invalid_input",
          message: expect.stringMatching(
            /returned a promise; it must not be asynchronous|a promise \(await it\)/,
          ),
        });
      }
    });
    expect(unhandled).toEqual([]);
  });

  it("needs a cluster for each row", async () => {
    const options = { data: claims, label: "human", clusterBy: "page" };
    await expect(calibrate(reader, options)).rejects.toThrow(
      'The cluster of the example "0" is undefined ("page" in its metadata or inputs)',
    );
    await expect(calibrate(reader, { ...options, clusterBy: 7 as any })).rejects.toThrow(
      "clusterBy is 7; it has to be the name of a field, or a function",
    );
  });
});

describe("a key with better low scores", () => {
  const toxic = Object.assign(({ outputs }: { outputs: unknown }) => ({ key: "toxic", score: outputs }), {
    scale: { min: 0, max: 1, direction: "lower", passAt: 0 } as const,
  });

  it("a label of true says that a row passes", async () => {
    const data = rows([
      [true, false, 6],
      [false, true, 3],
      [false, false, 1],
    ]);
    const report = await calibrate(toxic, { data, label: "human" });
    expect(report).toMatchObject({
      lowerIsBetter: true,
      accuracy: { value: 0.9 },
      sensitivity: { value: 0.75 },
      verdicts: { truePositives: 3, falseNegatives: 1, falsePositives: 0, trueNegatives: 6 },
      disagreements: [{ label: true, verdict: false }],
    });
    expect(formatCalibration(report)).toContain("Lower scores are better");
    // The same in an experiment that has run, also with lines of `view --label`, and texts of CSV files.
    const experiment = await evaluate(undefined, {
      data: data.map(({ outputs }, row) => ({ id: `${row + 1}`, outputs })),
      evaluators: [({ outputs }) => ({ key: "toxic", score: outputs as boolean })],
      lowerIsBetter: ["toxic"],
    });
    const labels = data.map(({ human }, row) => ({ id: `${row + 1}`, repetition: 0, label: human }));
    expect(await calibrate(experiment, { data: labels, label: "label" })).toEqual(report);
    const texts = labels.map(({ label, ...row }) => ({ ...row, label: String(label) }));
    expect(await calibrate(experiment, { data: texts, label: "label" })).toEqual(report);
    // Numbers are scores, as are the labels of an experiment that records no direction.
    const scores = labels.map(({ label, ...row }) => ({ ...row, label: Number(!label) }));
    expect((await calibrate(experiment, { data: scores, label: "label" })).accuracy.value).toBe(0.9);
    const { scales: _, ...older } = experiment;
    const asScores = await calibrate(older, { data: labels, label: "label" });
    expect(asScores).not.toHaveProperty("lowerIsBetter");
    expect(asScores.accuracy.value).toBeCloseTo(0.1);
  });

  it("passes up to the threshold, and the true rate is corrected by the same", async () => {
    const data = rows([
      [true, 0.5, 12],
      [true, 0.1, 8],
      [false, 0.9, 20],
    ]);
    const report = await calibrate(toxic, { data, label: "human", threshold: 0.5 });
    expect(report).toMatchObject({ threshold: 0.5, accuracy: { value: 1 }, verdicts: { truePositives: 20 } });
    const { aggregates } = await evaluate(undefined, {
      data: [...Array(30).fill(0.5), ...Array(10).fill(0.9)].map((outputs) => ({ outputs })),
      evaluators: [toxic],
      calibration: { toxic: report },
    });
    expect(aggregates.toxic?.corrected?.value).toBeCloseTo(0.25);
  });

  it("the recorded pass mark is the threshold, if it is between the ends", async () => {
    const data = rows([
      [true, 0.3, 1],
      [false, 0.4, 1],
    ]);
    const marked = Object.assign(toxic.bind(undefined), { scale: { ...toxic.scale, passAt: 0.3 } });
    expect(await calibrate(marked, { data, label: "human" })).toMatchObject({
      threshold: 0.3,
      accuracy: { value: 1 },
    });
    await expect(calibrate(toxic, { data, label: "human" })).rejects.toThrow(/Set threshold/);
  });
});

describe("errors after the judge was asked", () => {
  const data = rows([
    [true, true, 3],
    [false, false, 3],
  ]);

  it("have its answers, which calibrate takes in place of the judge", async () => {
    for (const wrong of [{ key: "typo" }, { clusterBy: "typo" }]) {
      const error = await errorOf(calibrate(reader, { data, label: "human", ...wrong }));
      expect(error.code).toMatch(/^invalid_/);
      expect(error.experiment?.rows).toHaveLength(6);
      const report = await calibrate(error.experiment!, { data: withIds, label: "human" });
      expect(report.accuracy.value).toBe(1);
    }
  });

  it("have them after an abort, too", async () => {
    const stopping = new AbortController();
    let asked = 0;
    const judge = async ({ outputs }: { outputs: boolean }) => {
      if (++asked === 3) stopping.abort();
      return { key: "right", score: outputs };
    };
    const options = { data, label: "human", maxConcurrency: 1, signal: stopping.signal };
    const error = await errorOf(calibrate(judge, options));
    expect([error.code, error.experiment?.rows.length]).toEqual(["aborted", 2]);
  });

  it("texts of a judge that equal no score are one of them", async () => {
    const judge = async () => ({ key: "right", value: "yes" });
    const error = await errorOf(calibrate(judge, { data, label: "human" }));
    expect(error.message).toBe(
      'The labels are scores, such as true, but the judge returned "yes", which equals none. Pass a function as verdict, such as ({ value }) => value === "yes".',
    );
    expect(error.experiment?.rows).toHaveLength(6);
    const verdict = ({ value }: { value?: unknown }) => value === "yes";
    expect((await calibrate(judge, { data, label: "human", verdict })).accuracy.value).toBe(0.5);
  });

  const withIds = data.map((row, index) => ({ id: String(index + 1), ...row }));
});

describe("map", () => {
  const map = { outputs: "answer", "metadata.topic": "topic" };
  const labelled = mixed.map(({ outputs, human }) => ({ answer: outputs, human, topic: "tea" }));

  it.each<[string, () => typeof labelled | string]>([
    ["a list", () => labelled],
    ["CSV", () => csvOf(labelled)],
  ])("renames the fields of %s; labels keep their names", async (_, data) => {
    const topics = new Set<unknown>();
    const judge = ({ outputs, metadata }: { outputs: unknown; metadata: { topic: string } }) => {
      topics.add(metadata.topic);
      // Cells of CSV are texts.
      return reader({ outputs: String(outputs) === "true" });
    };
    const mapInputs = ({ example }: { example: { metadata: object } }) => ({ metadata: example.metadata });
    const label = ({ human }: object & { human?: unknown }) => String(human) === "true";
    const report = await calibrate(judge, { data: data() as never, map, label, mapInputs });
    expect(report).toMatchObject({ count: 40, accuracy: { value: 0.75 }, sensitivity: { value: 0.8 } });
    expect([...topics]).toEqual(["tea"]);
  });

  it("with a field that no row has is an error, and so is one without data", async () => {
    expect(
      await errorOf(
        calibrate(reader, { data: labelled as never, map: { outputs: "anwser" }, label: "human" }),
      ),
    ).toMatchObject({ code: "invalid_input", message: expect.stringContaining('did you mean "answer"?') });
    const experiment = await evaluate(undefined, { data: mixed, evaluators: [reader], progress: false });
    expect(await errorOf(calibrate(experiment, { map, label: "human" }))).toMatchObject({
      code: "invalid_config",
      message: "map renames the fields of data, which is missing. Add data, or leave map out.",
    });
  });
});
