/** Ours in the form of autoevals, and back. */

import { exactMatch, levenshteinDistance, OpenEvalsError } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";
import { fromAutoevals, toAutoevals } from "openevals-wasm/interop";
import { evaluatorMatchers } from "openevals-wasm/vitest";
import { describe, expect, test } from "vitest";
import { CASES, type Case, missingChecks } from "./evaluators.ts";

/** Metrics that have neither a best score nor a pass mark. */
const WITHOUT_BEST = [
  "fleschReadingEase",
  "fleschKincaidGrade",
  "gunningFog",
  "smogIndex",
  "characterCount",
  "wordCount",
  "sentenceCount",
  "compressionRatio",
];

/** The share of the best score, worked out from the documented range of each metric. */
function shareOf({ name }: Case, score: number | boolean): number {
  if (name === "a judge of toxicity") return score ? 0 : 1;
  if (name === "a judge with choices") return (Number(score) - 1) / 4;
  if (["ter", "wordErrorRate", "characterErrorRate"].includes(name)) return score === 0 ? 1 : 0;
  if (["matchErrorRate", "wordInformationLost", "repetition"].includes(name)) return 1 - Number(score);
  return Number(score);
}

const scorable = CASES.filter(({ name }) => !WITHOUT_BEST.includes(name));

test("the table has every check", () => {
  expect(missingChecks).toEqual([]);
  expect(scorable.length).toBeGreaterThan(60);
});

describe.each(scorable)("$name", (one) => {
  const options = { list: true } as const;
  const { evaluator, row } = one;
  const { inputs, outputs, referenceOutputs, ...rest } = row;
  const args = { input: inputs, output: outputs, expected: referenceOutputs, ...rest };
  test("keeps its key, its score and its comment on the way there and back", async () => {
    const own = [await evaluator(row)].flat();
    const scorer = toAutoevals(evaluator, options);
    const scores = await scorer(args);
    expect(scores.map(({ name }) => name)).toEqual(own.map(({ key }) => key));
    expect(scores.map(({ score }) => score)).toEqual(own.map(({ score }) => shareOf(one, score)));
    const back = await fromAutoevals(scorer)(row);
    expect(back.map(({ key, score, comment }) => ({ key, score, comment }))).toEqual(
      own.map(({ key, score, comment }) => ({ key, score: shareOf(one, score), comment })),
    );
  });

  test("passes where it passed before", async () => {
    const given = { ...rest, referenceOutputs, inputs };
    const passes = async (tested: any) =>
      (await evaluatorMatchers.toPassEvaluator(outputs, tested, given)).pass;
    expect(await passes(fromAutoevals(toAutoevals(evaluator, options)))).toBe(await passes(evaluator));
  });
});

test.each(
  CASES.filter(({ name }) => WITHOUT_BEST.includes(name)),
)("$name needs a pass mark, and is a verdict then", async ({ evaluator, row }) => {
  expect(() => toAutoevals(evaluator)).toThrow(/has no best score.*Set passAt and lowerIsBetter/);
  const scorer = toAutoevals(evaluator, { passAt: 0, lowerIsBetter: true });
  const { score } = await evaluator(row);
  expect(await scorer({ output: row.outputs })).toMatchObject({
    score: score <= 0 ? 1 : 0,
    metadata: { measured: score },
  });
});

test("values that are not rows are errors", async () => {
  const scorer = toAutoevals(exactMatch);
  await expect(scorer(undefined as never)).rejects.toMatchObject({ code: "invalid_input" });
  const hostile = {
    get output(): string {
      throw new Error("no");
    },
  };
  await expect(scorer(hostile)).rejects.toThrow("The arguments of exact_match cannot be read: no");
});

test("a missing score stays missing, or is an error where you ask for it", async () => {
  const notHere = () => ({ key: "refunds", applicable: false, score: null, comment: "No refund." });
  const scorer = toAutoevals(notHere);
  const missing = { name: "refunds", score: null, metadata: { rationale: "No refund." } };
  expect(await scorer({ output: "Hi" })).toEqual(missing);
  expect(await fromAutoevals(scorer)({ outputs: "Hi" })).toEqual({
    key: "refunds",
    score: null,
    applicable: false,
    comment: "No refund.",
    metadata: { rationale: "No refund." },
  });
  const strict = toAutoevals(notHere, { missing: "error" });
  await expect(strict({ output: "Hi" })).rejects.toThrow("refunds has no score here: No refund.");
});

test.each<[string, () => any, unknown]>([
  ["a function", () => Promise.reject(null), null],
  ["a getter", () => ({ key: "a", get score() { throw 1; } }), 1], // biome-ignore format: one line
  ["a failed result", () => ({ evalName: "a", error: "no" }), "no"],
])("what %s throws is an error", async (_, evaluator, cause) => {
  const error = await toAutoevals(evaluator)({ output: "x" }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(OpenEvalsError);
  expect(error).toMatchObject({ code: "callback_failed", cause });
  const recipe = { evaluate: evaluator };
  await expect(toAutoevals(recipe)({ input: "q", output: "x" })).rejects.toMatchObject({ cause });
});

test("an error stays an error", async () => {
  const broken = () => {
    throw new TypeError("no network");
  };
  await expect(toAutoevals(broken)({ output: "" })).rejects.toThrow(new TypeError("no network"));
  const thrown = await fromAutoevals(broken)({ outputs: "" }).catch((error) => error);
  expect(thrown).toBeInstanceOf(OpenEvalsError);
  expect(thrown).toMatchObject({ code: "callback_failed", message: "broken failed: no network" });
  expect(thrown.cause).toBeInstanceOf(TypeError);
  const reported = () => ({ name: "Closeness", score: 0, error: "no vector" });
  await expect(fromAutoevals(reported)({ outputs: "" })).rejects.toMatchObject({
    code: "callback_failed",
    message: "Closeness failed: no vector",
  });
  const unscorable = fromAutoevals(() => ({ name: "Ratio", score: Number.NaN }));
  await expect(unscorable({ outputs: "" })).rejects.toMatchObject({ code: "invalid_input" });
  const back = fromAutoevals(toAutoevals(levenshteinDistance));
  await expect(back({ outputs: "a" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("levenshteinDistance needs referenceOutputs"),
  });
  await expect(back.batch([{ outputs: "a", referenceOutputs: "a" }, { outputs: "a" }])).rejects.toThrow(
    /^rows\[1\]: /,
  );
});

test("scores outside of 0 to 1 and several results need a decision", async () => {
  const seven = () => ({ key: "stars", score: 7 });
  await expect(toAutoevals(seven)({ output: "" })).rejects.toThrow(
    "seven scored 7, which is not between 0 and 1",
  );
  const stars = Object.assign(seven, { scale: { min: 0, max: 10, direction: "higher", passAt: 8 } });
  expect(await toAutoevals(stars)({ output: "" })).toEqual({
    name: "stars",
    score: 0.7,
    metadata: { measured: 7 },
  });
  const two = () => [
    { key: "a", score: true },
    { key: "b", score: false },
  ];
  await expect(toAutoevals(two)({ output: "" })).rejects.toThrow(
    "two returned 2 results, and a scorer returns one. Use { list: true }",
  );
  expect(await toAutoevals(two, { list: true })({ output: "" })).toEqual([
    { name: "a", score: 1 },
    { name: "b", score: 0 },
  ]);
});

test("rejects invalid evaluators, scorers and options immediately", () => {
  expect(() => toAutoevals("exact_match" as any)).toThrow(/needs an evaluator: a function/);
  expect(() => fromAutoevals({} as any)).toThrow("The scorer is {}; it has to be a function.");
  expect(() => toAutoevals(levenshteinDistance, { mising: "error" } as any)).toThrow(
    'toAutoevals has no option "mising"; did you mean missing?',
  );
  expect(() => toAutoevals(levenshteinDistance, { passAt: 2 })).toThrow(
    "passAt is 2, but the scores are from 0 to 1",
  );
});

test("a scorer that returns no score has failed; null says that it does not apply", async () => {
  const evaluator = fromAutoevals(function Safe({ output }: { output: string }) {
    return output === "safe"
      ? { name: "Safe", score: 1 }
      : output === "none"
        ? { name: "Safe", score: null }
        : undefined;
  });
  expect(await evaluator({ outputs: "safe" })).toEqual({ key: "Safe", score: 1 });
  expect(await evaluator({ outputs: "none" })).toMatchObject({ score: null, applicable: false });
  await expect(evaluator({ outputs: "?" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("has no score"),
  });
});

test("scores become shares of their range, and others are errors", async () => {
  const scoring = (score: number, scale: object) =>
    toAutoevals(Object.assign(async () => ({ key: "k", score }), { scale }))({ output: "" });
  expect(await scoring(-10, { min: -10, max: 10, direction: "lower", passAt: 0 })).toMatchObject({
    score: 1,
  });
  expect(await scoring(5, { min: -10, max: 10, direction: "higher", passAt: 0 })).toMatchObject({
    score: 0.75,
  });
  expect(await scoring(80, { min: 0, max: 100, direction: "higher", passAt: 100 })).toMatchObject({
    score: 0.8,
  });
  await expect(scoring(150, { min: 0, max: 100, direction: "higher", passAt: 100 })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("it is from 0 to 100"),
  });
});

test.each([
  // [lowest, highest, score, share]
  [1, 5, 2, 0.25],
  [-5, 5, 0, 0.5],
  [-5, 5, -5, 0],
  [0, 100, 80, 0.8],
  [undefined, 10, 5, 0.5],
  [undefined, 10, -1, 0],
])("a score on the scale from %j to %j: %j is the share %j", async (min, max, score, share) => {
  const scale = { ...(min !== undefined && { min }), max, passAt: max } as const;
  const scored = (direction: "higher" | "lower") =>
    toAutoevals(Object.assign(() => score, { scale: { ...scale, direction } }))({ output: "" });
  expect((await scored("higher")).score).toBeCloseTo(share, 12);
  expect((await scored("lower")).score).toBeCloseTo(1 - share, 12);
});

test("a score outside of its scale is an error, which says what to do", async () => {
  const percent = ({ output }: { output: string }) => ({ name: "Percent", score: Number(output) });
  const message =
    'percent returned the score 3 for the key "Percent", but its scale is from 0 to 1. Correct the score, or declare its ' +
    "range: Object.assign(evaluator, { scale: { min, max, direction } }).";
  await expect(fromAutoevals(percent)({ outputs: "3" })).rejects.toThrow(message);
  const declared = Object.assign(percent, {
    scale: { min: 0, max: 100, direction: "higher", passAt: 50 } as const,
  });
  expect(await fromAutoevals(declared)({ outputs: "3" })).toEqual({ key: "Percent", score: 3 });

  const stars = Object.assign(
    function stars() {
      return 6;
    },
    { scale: { min: 1, max: 5, direction: "higher" } as const },
  );
  const outside = 'stars returned the score 6 for the key "stars", but its scale is from 1 to 5.';
  const { rows } = await evaluate(undefined, {
    ...{ data: [{ inputs: 1, outputs: 1 }], evaluators: [stars], progress: false },
  });
  expect(rows[0]?.errors[0]?.error).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(outside),
  });
  await expect(allOf([stars], { passAt: 4 })({ outputs: 1 })).rejects.toThrow(outside);
  await expect(evaluatorMatchers.toPassEvaluator(1, stars, { passAt: 4 })).rejects.toThrow(outside);
  const open = Object.assign(() => -1, { scale: { min: 0, direction: "lower", passAt: 0 } as const });
  await expect(evaluatorMatchers.toPassEvaluator(1, open, {})).rejects.toThrow(
    "its scale is from 0. Correct",
  );
  // A computed score may exceed the range by rounding.
  const rounded = Object.assign(() => 1 + 2 ** -50, {
    scale: { min: 0, max: 1, direction: "higher" } as const,
  });
  expect((await allOf([rounded], { passAt: 1 })({ outputs: 1 })).score).toBe(true);
});
