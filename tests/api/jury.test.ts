/** Several judges that vote. */

import { createJsonMatchEvaluator, createLLMAsJudge, exactMatch, OpenEvalsError } from "openevals-wasm";
import { contains } from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";
import { calibrate, createJury, type JuryOptions } from "openevals-wasm/judges";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.js";

const row = { outputs: "Paris", referenceOutputs: "Paris" };

/** A judge with this name that always gives the same score. */
const saying = (key: string, score: unknown) => () => ({ key, score });
const broken = (key: string) =>
  Object.assign(
    () => {
      throw new Error("no power");
    },
    { feedbackKey: key },
  );
const juryOf = (scores: unknown[], options: Partial<JuryOptions> = {}) =>
  createJury({ judges: scores.map((score, index) => saying(`${index}`, score)), ...options })(row);

describe("the scale of a jury", () => {
  const judgeOf = (options: object) => createLLMAsJudge({ prompt: "", judge: () => "", ...options });
  const scaleOf = (...judges: object[]) => createJury({ judges: judges.map(judgeOf) }).scale;
  it("has no mark if those of the judges differ", () => {
    const choices = [1, 5];
    expect(scaleOf({ choices }, { choices })).toMatchObject({ max: 5, passAt: 5 });
    expect(scaleOf({ choices }, { choices, passAt: 4 })).toEqual({ min: 1, max: 5, direction: "higher" });
    expect(scaleOf({}, { continuous: true })).toEqual({ min: 0, max: 1, direction: "higher" });
  });

  it("cannot be of different ranges or directions", () => {
    const first = { choices: [1, 5], feedbackKey: "stars" };
    expect(() => scaleOf(first, { choices: [0, 1], feedbackKey: "share" })).toThrow(
      "The judges of a jury need the same scale, but for stars, scores are from 1 to 5, and for share, scores are from 0 to 1.",
    );
    expect(() => scaleOf(first, { feedbackKey: "polite" })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message:
          "The judges of a jury need the same scale, but for stars, scores are from 1 to 5, and for polite, scores are true or false. " +
          "Use several juries, or evaluators outside of a jury.",
      }),
    );
    // A function without a scale may return stars, too.
    expect(createJury({ judges: [() => 3, judgeOf(first)] }).scale).toMatchObject({ min: 1, max: 5 });
    const toxic = judgeOf({ lowerIsBetter: true, feedbackKey: "toxic" });
    const kind = () => true;
    expect(() => createJury({ judges: [kind, toxic, toxic] })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringContaining(
          "for kind, higher scores are better, and for judges[1], lower scores are better.",
        ),
      }),
    );
    // The option is also about the functions.
    expect(createJury({ judges: [kind, toxic], lowerIsBetter: true }).scale.direction).toBe("lower");
  });
});

it("a jury of 1 to 5 refuses true and false, of functions without a scale when they return it", async () => {
  const stars = createLLMAsJudge({ prompt: "", choices: [1, 5], judge: () => ({ score: 5 }) });
  const hasParis = contains("Paris");
  expect(() => createJury({ judges: [hasParis, stars], vote: "mean" })).toThrow(
    "for contains, scores are true or false, and for score, scores are from 1 to 5",
  );
  const undeclared = (params: object) => hasParis(params as never);
  const jury = createJury({ judges: [undeclared, stars] as never, vote: "mean" });
  expect(await errorOf(jury(row))).toMatchObject({
    code: "invalid_config",
    message:
      "undeclared returned true, but the scores of this jury are from 1 to 5. Use several juries, or evaluators outside of a jury.",
  });
});

describe("a vote", () => {
  it.each([
    ["majority", [true, true, false], true, 2 / 3],
    ["majority", [0.5, 1, 0.5], 0.5, 2 / 3],
    ["mean", [true, false, true, 0.5], 0.625, 0.625],
    ["median", [0.9, 0.1, 0.8], 0.8, 1 - 0.8 / 3],
    ["median", [true, true, false], 1, 2 / 3],
    ["unanimous", [true, true, true], true, 1],
    ["unanimous", [true, false, true], false, 1 / 3],
    ["unanimous", [0.7, 0.9], 0.7, 0.5],
  ] as const)("by %s of %j is %j", async (vote, scores, verdict, agreement) => {
    const { score, metadata } = await juryOf([...scores], { vote });
    expect(score).toBe(verdict);
    expect(metadata.agreement).toBeCloseTo(agreement, 12);
    expect(metadata.confidence).toBe(metadata.agreement);
    expect(metadata.votes.map((one) => one.score)).toEqual(scores);
    expect(metadata).not.toHaveProperty("tie");
  });

  it("that is tied does not pass: the lowest of the most frequent scores wins, and is marked", async () => {
    expect(await juryOf([true, false])).toMatchObject({
      score: false,
      metadata: { agreement: 0.5, standardDeviation: 0.5, tie: true },
    });
    expect(await juryOf([1, 0.5, 0.5, 1, 0])).toMatchObject({ score: 0.5, metadata: { tie: true } });
  });

  it("chooses the worst score, which is the highest if lower is better", async () => {
    const toxic = (scores: unknown[], vote: JuryOptions["vote"]) =>
      juryOf(scores, { vote, lowerIsBetter: true });
    // Passes only if all pass.
    expect(await toxic([true, false], "unanimous")).toMatchObject({
      score: true,
      metadata: { agreement: 0.5 },
    });
    expect(await toxic([false, false], "unanimous")).toMatchObject({ score: false });
    expect(await toxic([0.9, 0.1], "unanimous")).toMatchObject({ score: 0.9 });
    expect(await toxic([0, 0], "unanimous")).toMatchObject({ score: 0 });
    expect(await toxic([true, false], "majority")).toMatchObject({ score: true, metadata: { tie: true } });
    expect(await toxic([true, false, false], "majority")).toMatchObject({ score: false });
    expect(await toxic([0.2, 0.6], "mean")).toMatchObject({ score: 0.4, metadata: { agreement: 0.8 } });
  });

  it("of samples is the worst score, too", async () => {
    let asked = 0;
    const judge = () => ({ score: asked++ % 2 === 0, reasoning: "" });
    const options = { prompt: "{outputs}", judge, samples: 2 };
    const good = await createLLMAsJudge(options)(row);
    const toxic = await createLLMAsJudge({ ...options, lowerIsBetter: true })(row);
    expect([good, toxic]).toMatchObject([
      { score: false, metadata: { tie: true } },
      { score: true, metadata: { tie: true } },
    ]);
  });

  it("has no agreement if the range of scores is unknown", async () => {
    const { score, metadata } = await juryOf([1, 4, 7], { vote: "mean" });
    expect(score).toBe(4);
    expect(metadata).toMatchObject({ standardDeviation: Math.sqrt(6) });
    expect(metadata).not.toHaveProperty("agreement");
    expect(metadata).not.toHaveProperty("confidence");
  });

  it.each([
    "majority",
    "unanimous",
  ] as const)("by %s does not count true and false with numbers", async (vote) => {
    const error = await errorOf(juryOf([true, 0.7, 1], { vote }));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(
      `"${vote}" cannot mix booleans with numbers: judges[0] gave true, judges[1] 0.7`,
    );
  });
});

describe("a jury", () => {
  it("keeps its verdict if a member fails, which does not vote", async () => {
    const jury = createJury({ judges: [saying("a", true), broken("b"), saying("c", true)] });
    const { key, score, metadata } = await jury(row);
    expect([key, score, metadata.agreement]).toEqual(["jury", true, 1]);
    expect(metadata.votes[1]).toEqual({
      name: "b",
      error: { code: "callback_failed", message: "The judge failed: no power" },
    });
  });

  it("outvotes a member that always says yes", async () => {
    const isParis = ({ outputs }: { outputs: string }) => outputs === "Paris";
    const judges = [exactMatch, isParis, saying("kind", true)];
    const { rows, aggregates } = await evaluate(undefined, {
      data: ["Paris", "Rome", "Oslo"].map((outputs) => ({ outputs, referenceOutputs: "Paris" })),
      evaluators: [createJury({ judges, feedbackKey: "capital" })],
    });
    expect(rows.map(({ evaluationResults: [result] }) => result?.score)).toEqual([true, false, false]);
    expect(rows[1]?.evaluationResults[0]?.metadata?.["votes"]).toEqual([
      { name: "exact_match", score: false, comment: 'outputs is "Rome" instead of "Paris"' },
      { name: "isParis", score: false },
      { name: "judges[2]", score: true },
    ]);
    expect(aggregates.capital).toMatchObject({ mean: 1 / 3, count: 3, errors: 0 });
  });

  it("needs more than half by default, all for unanimity, or its quorum", async () => {
    const judges = [saying("a", true), broken("b"), broken("c")];
    const error = await errorOf(createJury({ judges })(row));
    expect(error.code).toBe("callback_failed");
    expect(error.message).toBe(
      "1 of 3 judges returned a score, but the quorum is 2. b, c: The judge failed: no power.",
    );
    const { errors } = error.cause as AggregateError;
    expect(errors.map((one) => OpenEvalsError.isInstance(one) && one.code)).toEqual([
      "callback_failed",
      "callback_failed",
    ]);
    expect(errors[0].cause).toEqual(new Error("no power"));
    expect((await createJury({ judges, quorum: 1 })(row)).score).toBe(true);

    const nearly = [saying("a", true), saying("b", true), broken("c")];
    expect((await errorOf(createJury({ judges: nearly, vote: "unanimous" })(row))).message).toContain(
      "2 of 3",
    );
    expect((await createJury({ judges: nearly, vote: "unanimous", quorum: 2 })(row)).score).toBe(true);
  });

  it("does not count invalid scores as votes", async () => {
    const junk = ["yes", Number.NaN, undefined, null, {}, [], [true, false], () => true].map(
      (it) => () => it,
    );
    const jury = createJury({ judges: [saying("a", true), ...(junk as never[])], quorum: 1 });
    const { score, metadata } = await jury(row);
    expect(score).toBe(true);
    for (const vote of metadata.votes.slice(1)) expect(vote).not.toHaveProperty("score");
    const codes = metadata.votes.slice(1).map(({ error }) => error?.code);
    // A judge that returns a function is a factory that was not called.
    expect(codes).toEqual([...Array(7).fill("invalid_input"), "invalid_config"]);
    const error = await errorOf(createJury({ judges: junk as never[] })(row));
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/^0 of 8 judges/) });
  });

  it("may have a thousand members, and an error names a few", async () => {
    const numbers = Array.from({ length: 1_000 }, (_, number) => number);
    const jury = createJury({ judges: numbers.map((number) => () => number % 3 > 0) });
    expect(await jury(row)).toMatchObject({ score: true, metadata: { agreement: 0.666 } });
    const failing = createJury({
      judges: numbers.map((number) => () => {
        throw new Error(`no ${number}`);
      }),
    });
    const { message, cause } = await errorOf(failing(row));
    expect(message).toContain("judges[4]: The judge failed: no 4; and 995 more.");
    expect((cause as AggregateError).errors).toHaveLength(1_000);
  });

  it("asks all members concurrently, with its own arguments", async () => {
    let waiting = 0;
    let go = () => {};
    const all = new Promise<void>((resolve) => {
      go = resolve;
    });
    const judge = async ({ outputs, referenceOutputs }: { outputs: unknown; referenceOutputs: unknown }) => {
      if (++waiting === 3) go();
      await all;
      return outputs === referenceOutputs;
    };
    const jury = createJury({ judges: [judge, judge, judge], feedbackKey: "same" });
    expect(jury.feedbackKey).toBe("same");
    expect((await jury(row)).score).toBe(true);
    expect((await jury("Paris", "Rome")).score).toBe(false);
    const results = await jury.batch([row, { ...row, outputs: "Rome" }]);
    expect(results.map(({ key, score }) => [key, score])).toEqual([
      ["same", true],
      ["same", false],
    ]);
    const picky = createJury({ judges: [({ outputs }) => outputs === "Paris" || Promise.reject(outputs)] });
    expect((await errorOf(picky.batch([row, { outputs: "Rome" }]))).message).toMatch(
      /^rows\[1\]: 0 of 1 judges returned a score, but the quorum is 1\. judges\[0\]: The judge failed: Rome/,
    );
  });

  it("can have evaluators of all kinds, juries included, and sums usage", async () => {
    const told = (model: string, inputTokens: number) => () => ({
      score: true,
      comment: `I am ${model}.`,
      metadata: { model, usage: { inputTokens, outputTokens: 1 } },
    });
    const inner = createJury({ judges: [told("small", 1), told("large", 10)], feedbackKey: "inner" });
    const judges = [
      inner,
      contains("Paris"),
      createLLMAsJudge({ prompt: "{outputs}", feedbackKey: "judge", judge: () => ({ score: true }) }),
      told("large", 100),
      createJsonMatchEvaluator({ aggregator: "average" }),
    ];
    const outputs = { city: "Paris" };
    const experiment = await evaluate(undefined, {
      data: [{ outputs, referenceOutputs: outputs }],
      evaluators: [createJury({ judges, vote: "mean" })],
    });
    const [result] = experiment.rows[0]!.evaluationResults;
    expect(result).toMatchObject({ score: 1, metadata: { models: ["small", "large"] } });
    expect(result?.comment).toBe(
      "inner (true): judges[0] (true): I am small.\njudges[1] (true): I am large.\njudges[3] (true): I am large.",
    );
    expect(experiment.usage).toEqual({ inputTokens: 111, outputTokens: 3 });
  });

  it("invalid options are errors", () => {
    const judges = [saying("a", true)];
    for (const [options, problem] of [
      [{}, "judges is missing"],
      [{ judges: [] }, "judges is []"],
      [{ judges: [true] }, "judges is [true]"],
      [{ judges, quorum: 0 }, "quorum is 0"],
      [{ judges, quorum: 2 }, "quorum is 2, but there are only 1 judges"],
      [{ judges, vote: "loudest" }, 'vote is "loudest"'],
      [{ judges, weights: [1] }, 'createJury has no option "weights"'],
    ] as const) {
      expect(() => createJury(options as never)).toThrow(
        expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(problem) }),
      );
    }
  });

  it("gives calibrate its confidence", async () => {
    const split = ({ outputs }: { outputs: boolean[] }) => outputs;
    const judges = [0, 1, 2, 3, 4].map((index) => (params: { outputs: boolean[] }) => split(params)[index]!);
    const votes = (verdict: boolean) => [verdict, verdict, !verdict, verdict, verdict];
    // Four of five agree each time, and are right four times out of five.
    const data = [true, true, true, true, false].map((human) => ({ outputs: votes(true), human }));
    const { expectedCalibrationError, brier, disagreements } = await calibrate(createJury({ judges }), {
      data,
      label: "human",
    });
    expect(expectedCalibrationError.value).toBeCloseTo(0, 12);
    expect(brier.value).toBeCloseTo(0.16, 12);
    expect(disagreements).toMatchObject([{ exampleId: "5", confidence: 0.8 }]);
  });
});
