/** One meaning of "pass": whatever says "pass" or "fail" reads the same record, for every kind of score. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLLMAsJudge, levenshteinDistance } from "openevals-wasm";
import { allOf, anyOf, firstFailing, guard, not, unless, weighted } from "openevals-wasm/checks";
import {
  type Experiment,
  evaluate,
  formatExperiment,
  type MarkOptions,
  passes,
  passRate,
  readExperiment,
} from "openevals-wasm/evaluation";
import { createGEval, createJury } from "openevals-wasm/judges";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { createNdcgEvaluator } from "openevals-wasm/retrieval";
import {
  createReadabilityEvaluator,
  createTokenF1Evaluator,
  createWordErrorRateEvaluator,
  wordCount,
} from "openevals-wasm/text";
import { evaluatorMatchers } from "openevals-wasm/vitest";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "../evaluation/folder.js";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

expect.extend(evaluatorMatchers);

const score = (score: number | boolean) => () => ({ key: "own", score });
const judgeOf = (score: number | boolean, options: object) =>
  createLLMAsJudge({ prompt: "{outputs}", judge: () => ({ reasoning: "", score }), ...options });
const recipeOf = (probability: number, options = {}) =>
  new CheckCriteriaEvaluator({
    criteria: ["It is short"],
    model: () => ({ reasoning: "", probability }),
    ...options,
  });

/** Two of five words are wrong, and 7 of 10 letters are right. */
const ROW = { inputs: "Say it.", outputs: "a b c x y", referenceOutputs: "a b c d e" };

/** An evaluator, and whether its result passes; `undefined` without a pass mark. */
const CASES: [string, any, boolean | undefined][] = [
  ["true", score(true), true],
  ["false", score(false), false],
  ["a number of 1", score(1), true],
  ["a number of 0.7", score(0.7), false],
  [
    "a function with a scale",
    Object.assign(score(0.7), { scale: { direction: "higher", passAt: 0.7 } }),
    true,
  ],
  ["an error rate", createWordErrorRateEvaluator(), false],
  ["an error rate, at its mark", createWordErrorRateEvaluator({ passAt: 0.4 }), true],
  ["an error rate, beyond its mark", createWordErrorRateEvaluator({ passAt: 0.39 }), false],
  ["a share", createTokenF1Evaluator(), false],
  ["a share, at its mark", createTokenF1Evaluator({ passAt: 0.5 }), true],
  ["a recipe", recipeOf(0.9), false],
  ["a recipe, full marks", recipeOf(1), true],
  ["a recipe, at its mark", recipeOf(0.9, { passAt: 90 }), true],
  ["a continuous judge", judgeOf(0.7, { continuous: true }), false],
  ["a continuous judge, at its mark", judgeOf(0.7, { continuous: true, passAt: 0.7 }), true],
  ["a judge of toxicity", judgeOf(true, { lowerIsBetter: true }), false],
  ["a judge of toxicity, of none", judgeOf(false, { lowerIsBetter: true }), true],
  ["choices", judgeOf(3, { choices: [1, 3, 5] }), false],
  ["the highest choice", judgeOf(5, { choices: [1, 3, 5] }), true],
  ["a jury", createJury({ judges: [judgeOf(3, { choices: [1, 3, 5] })] }), false],
  ["a figure", wordCount, undefined],
  [
    "a grade with a mark",
    createReadabilityEvaluator({ formula: "fleschKincaidGrade", passAt: 8, lowerIsBetter: true }),
    true,
  ],
  [
    "a weighted mean",
    weighted([
      { evaluator: createTokenF1Evaluator({ passAt: 0.5 }), weight: 1 },
      { evaluator: score(1), weight: 1 },
    ]),
    true,
  ],
];

/** As evaluators of one experiment: each with its own key and scale. */
const named = (evaluator: any, key: string) =>
  Object.assign(
    async (params: any) => {
      const messages = [
        { role: "user", content: params.inputs },
        { role: "assistant", content: params.outputs },
      ];
      const { score } = await (evaluator.evaluate ? evaluator.evaluate(messages, []) : evaluator(params));
      return { key, score };
    },
    { scale: evaluator.scale },
  );

const folder = temporaryFolder();

describe.each(CASES)("%s", (_, evaluator, verdict) => {
  const part = evaluator.evaluate ? named(evaluator, "recipe") : evaluator;
  const messages = [
    { role: "user", content: ROW.inputs },
    { role: "assistant", content: ROW.outputs },
  ];

  it("means the same to combinations", async () => {
    const combinations = [allOf([part]), anyOf([part]), firstFailing([part]), not(part)];
    if (verdict === undefined) {
      for (const combination of combinations)
        expect(await errorOf(combination(ROW))).toMatchObject({
          code: "invalid_config",
          message: expect.stringContaining("has no pass mark"),
        });
      return;
    }
    const scores = await Promise.all(combinations.map(async (one) => (await one(ROW)).score));
    expect(scores).toEqual([verdict, verdict, verdict, !verdict]);
    const asked: string[] = [];
    const judge = () => asked.push("judge") > 0;
    await unless(part, judge)(ROW);
    expect(asked).toEqual(verdict ? [] : ["judge"]);
    expect((await guard(ROW.outputs, [part], row())).ok).toBe(verdict);
  });

  it("means the same to the matcher", async () => {
    const matching = expect(evaluator.evaluate ? messages : ROW.outputs).toPassEvaluator(evaluator, row());
    if (verdict === true) await matching;
    else {
      const { message } = await matching.catch((error) => error);
      expect(message).toMatch(verdict === false ? "it should be" : "has no pass mark");
    }
  });

  it("means the same to an experiment, its summaries and its text", async () => {
    const own = named(evaluator, "own");
    const experiment = await evaluate(undefined, {
      data: [ROW],
      evaluators: [own],
      summaryEvaluators: [passRate({ key: "own" })],
    });
    const result = experiment.rows[0]!.evaluationResults[0]!;
    expect(passes(result.score!, experiment.scales!.own!)).toBe(verdict);
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
      expect(() => passes(none, experiment.scales!.own!)).toThrow(
        `a finite number as the score, not ${none}`,
      );
    const [summary] = experiment.summaryResults;
    if (verdict === undefined) expect(summary!.error!.message).toContain("has no pass mark");
    else expect(summary!.score).toBe(Number(verdict));
    const text = formatExperiment(experiment, { color: false, columns: 100 });
    expect(text.includes("✗ own")).toBe(verdict === false);
  });

  function row() {
    const { outputs: _, ...rest } = ROW;
    return rest;
  }
});

describe("one experiment of all", () => {
  let experiment: Experiment;
  const keyed = CASES.map(([name, evaluator, verdict]) => ({
    key: name.replaceAll(/\W+/g, "_"),
    evaluator,
    verdict,
  }));
  const verdicts = Object.fromEntries(keyed.map(({ key, verdict }) => [key, verdict]));

  beforeAll(async () => {
    experiment = await evaluate(undefined, {
      data: [{ id: "1", ...ROW }],
      evaluators: keyed.map(({ key, evaluator }) => named(evaluator, key)),
      shard: { index: 1, count: 1 },
      output: { sink: join(folder, "part.jsonl"), keepRows: true },
    });
  });

  it("is the same in its file, and merged", async () => {
    const read = await readExperiment(join(folder, "part.jsonl"));
    expect(read.scales).toEqual(experiment.scales);
    expect(JSON.parse(JSON.stringify(experiment)).scales).toEqual(experiment.scales);
    expect(Object.keys(experiment.scales!)).toEqual(Object.keys(verdicts));
  });

  it("means the same to the program: JUnit, Markdown and the share of repetitions", async () => {
    const args = ["merge", "part.jsonl", "--output", "whole.json", "--junit", "junit.xml"];
    const { stderr } = await runProgram(folder, [...args, "--each-at-least", "1"]);
    const [suite] = await readJUnit(join(folder, "junit.xml"));
    const failed = suite!.cases.filter(({ kind }) => kind === "failure").map(({ name }) => name);
    const failing = keyed.filter(({ verdict }) => verdict === false).map(({ key }) => key);
    expect(failed).toEqual([...failing.map((key) => `1 › ${key}`), "all rows"]);
    const skipped = suite!.cases.filter(({ kind }) => kind === "skipped").map(({ name }) => name);
    const unmarked = keyed.filter(({ verdict }) => verdict === undefined).map(({ key }) => `1 › ${key}`);
    expect(skipped).toEqual(unmarked);
    const said = [...stderr.matchAll(/^(\w+) passes in less than/gm)].map(([, key]) => key);
    expect(said).toEqual(failing);
    const whole = JSON.parse(await readFile(join(folder, "whole.json"), "utf8"));
    expect(whole.scales).toEqual(experiment.scales);
    await runProgram(folder, ["merge", "part.jsonl", "--format", "markdown", "--output", "whole.md"]);
    const markdown = await readFile(join(folder, "whole.md"), "utf8");
    expect(markdown).toContain(`${failing.length} scores that fail`);
  });
});

it("the share of repetitions needs a score that passes or fails", async () => {
  const { rows: _, ...rest } = await evaluate(undefined, {
    data: [{ id: "1", ...ROW }],
    evaluators: [wordCount],
    output: { sink: join(folder, "words.jsonl") },
    shard: { index: 1, count: 1 },
  });
  expect(rest.scales?.word_count?.passAt).toBeUndefined();
  const { stderr, code } = await runProgram(folder, ["merge", "words.jsonl", "--each-at-least", "1"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("No score passes or fails: set pass marks with passAt"),
  ]);
});

describe("passAt of evaluate()", () => {
  const run = (options: MarkOptions, evaluators: any[] = [score(0.7)]) =>
    evaluate(undefined, { data: [ROW], evaluators, ...options });

  it("is for all keys that have a direction, or by key, and goes before that of an evaluator", async () => {
    const evaluators = [score(0.7), wordCount, createTokenF1Evaluator({ passAt: 0.9 })];
    const { scales } = await run({ passAt: 0.5 }, evaluators);
    expect(scales).toMatchObject({ own: { passAt: 0.5 }, token_f1: { passAt: 0.5 } });
    expect(scales!.word_count).toEqual({ min: 0, unit: "words" });
    const byKey = await run({ passAt: { own: 0.6 } }, evaluators);
    expect(byKey.scales).toMatchObject({ own: { passAt: 0.6 }, token_f1: { passAt: 0.9 } });
  });

  it("turns keys around where lower is better", async () => {
    const { scales } = await run({ lowerIsBetter: ["own"] });
    expect(scales!.own).toEqual({ direction: "lower", passAt: 0 });
    expect((await run({ lowerIsBetter: ["own"], passAt: 0.7 })).scales!.own).toEqual({
      direction: "lower",
      passAt: 0.7,
    });
    const figure = await run({ lowerIsBetter: ["word_count"], passAt: { word_count: 5 } }, [wordCount]);
    expect(figure.scales!.word_count).toEqual({ min: 0, direction: "lower", passAt: 5, unit: "words" });
  });

  it("refuses marks that cannot be", async () => {
    const message = async (options: MarkOptions, evaluators?: any[]) =>
      (await errorOf(run(options, evaluators))).message;
    expect(await message({ passAt: "1" as never })).toContain("passAt is");
    expect(await message({ passAt: { token_f1: 70 } }, [createTokenF1Evaluator()])).toBe(
      "token_f1: passAt is 70, but the scores are from 0 to 1.",
    );
    expect(await message({ passAt: { word_count: 70 } }, [wordCount])).toContain(
      "word_count: passAt needs lowerIsBetter here",
    );
    expect(await message({ passAt: { onw: 0.7 } })).toBe(
      'passAt has the key "onw", which no result has; there are "own".',
    );
    expect(await message({ lowerIsBetter: ["word_cuont"] }, [wordCount])).toBe(
      'lowerIsBetter has the key "word_cuont", which no result has; did you mean "word_count"?',
    );
    expect(() => createNdcgEvaluator({ passAt: 80 })).toThrow(
      "passAt is 80, but the scores are from 0 to 1.",
    );
    expect(() => allOf([createNdcgEvaluator()], { passAt: 80 })).toThrow("ndcg: passAt is 80");
    const geval = createGEval({
      steps: ["Rate it."],
      judge: () => ({ score: 5 }),
      samples: 1,
      useReasoning: false,
    });
    expect((await errorOf(allOf([geval])(ROW))).message).toContain("has no pass mark");
  });

  it("is --pass-at of the program", async () => {
    await writeFile(join(folder, "rows.jsonl"), `${JSON.stringify({ id: "1", ...ROW })}\n`);
    const scored = async (...args: string[]) => {
      const evaluator = ["score", "rows.jsonl", "--evaluator", "levenshtein_distance"];
      return (await runProgram(folder, [...evaluator, "--each-at-least", "1", ...args])).code;
    };
    const { score } = await levenshteinDistance(ROW);
    expect(score).toBeCloseTo(7 / 9, 12);
    expect([await scored(), await scored("--pass-at", "levenshtein_distance=0.7")]).toEqual([1, 0]);
  });

  it("is overridden by --pass-at of run, which may be for one of several experiments", async () => {
    const files = {
      "a.mjs": `
        import { levenshteinDistance } from "openevals-wasm";
        export default {
          data: [{ id: "1", ...${JSON.stringify(ROW)} }],
          evaluators: [levenshteinDistance, function own() { return 0.5; }],
          passAt: { levenshtein_distance: 0.9, own: 0.4 },
        };`,
      "b.mjs": `export default { data: [{ outputs: 1 }], evaluators: [function other() { return 0.5; }] };`,
    };
    const folder = await projectOf(files);
    const run = (...args: string[]) => runProgram(folder, ["run", "--each-at-least", "1", ...args]);
    // The score is 7 of 9.
    const marked = ["--pass-at", "levenshtein_distance=0.7"];
    expect([(await run("a.mjs")).code, (await run("a.mjs", ...marked)).code]).toEqual([1, 0]);
    const both = await run("a.mjs", "b.mjs", ...marked, "--pass-at", "other=0.5", "--output", "both");
    expect(both).toMatchObject({ code: 0 });
    const { scales } = JSON.parse(await readFile(join(folder, "both/a.json"), "utf8"));
    expect([scales.levenshtein_distance.passAt, scales.own.passAt]).toEqual([0.7, 0.4]);
    expect((await run("b.mjs", "--pass-at", "others=0.5")).stderr).toContain(
      '--pass-at has the key "others", which no result has; did you mean "other"?',
    );
    expect((await run("a.mjs", "--pass-at", "levenshtein_distance=7")).stderr).toBe(
      "a.mjs: levenshtein_distance: --pass-at is 7, but the scores are from 0 to 1.\n",
    );
    const all = files["a.mjs"].replace(/passAt: .*,/, "passAt: 0.5,");
    await writeFile(join(folder, "a.mjs"), all);
    expect((await run("a.mjs", ...marked)).stderr).toBe(
      'a.mjs: passAt is 0.5 for all keys, so --pass-at cannot set it for "levenshtein_distance"; write it by key in the definition, such as passAt: { "levenshtein_distance": 0.5 }.\n',
    );
  });
});

describe("an experiment of an earlier version", () => {
  it("is read as before: from one half on, error rates up to it, and figures not at all", async () => {
    const old = await readExperiment(join(import.meta.dirname, "expected", "old-experiment.jsonl"));
    expect(old.scales).toBeUndefined();
    const marks = (options: object) => {
      const text = formatExperiment(old, { color: false, columns: 120, ...options });
      return [...text.matchAll(/[✓✗·] [a-z_]+(?: [\d.]+)?/g)].map(([mark]) => mark);
    };
    const figures = ["· word_count 5.000"];
    // Only the second row fails. Toxicity is known by the name of its prompt.
    expect(marks({})).toEqual([
      ...["✗ helpful 0.400", "✗ right", "✗ toxicity 0.700", "✗ ter 0.800", ...figures],
    ]);
    expect(marks({ lowerIsBetter: ["toxicity"] })).toEqual(marks({}));
    expect(marks({ lowerIsBetter: ["helpful"] })).toEqual([
      ...["✗ helpful 0.700", "✓ right", "✓ toxicity 0.400", "✓ ter 0.200", ...figures],
      ...["✓ helpful 0.400", "✗ right", "✗ toxicity 0.700", "✗ ter 0.800", ...figures],
    ]);
  });

  it("is so for the program, too", async () => {
    await cp(join(import.meta.dirname, "expected", "old-experiment.jsonl"), join(folder, "old.jsonl"));
    await runProgram(folder, ["merge", "old.jsonl", "--each-at-least", "1", "--junit", "old.xml"]);
    const [suite] = await readJUnit(join(folder, "old.xml"));
    const failed = suite!.cases.filter(({ kind }) => kind === "failure").map(({ name }) => name);
    expect(failed).toEqual(["2 › helpful", "2 › right", "2 › toxicity", "2 › ter", "all rows"]);
  });
});
