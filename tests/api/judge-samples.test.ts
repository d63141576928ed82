/** Several samples of one judge. */

import {
  createCodeLLMAsJudge,
  createGraphTrajectoryLLMAsJudge,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  initChatModel,
  type LLMAsJudgeOptions,
} from "openevals-wasm";
import { calibrate } from "openevals-wasm/judges";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.js";

/** A model with these answers in turn; a string is thrown. */
function saying(...scores: (number | boolean | string)[]) {
  let asked = 0;
  return () => {
    const score = scores[asked++ % scores.length]!;
    if (typeof score === "string") throw new Error(score);
    return { score, reasoning: `Answer ${asked}.` };
  };
}

const judgeOf = (options: Partial<LLMAsJudgeOptions>) =>
  createLLMAsJudge({ prompt: "Is {outputs} right?", ...options });

describe("samples", () => {
  it("of a judge vote by majority; the verdict has the reasoning of a sample that agrees", async () => {
    const result = await judgeOf({ samples: 3, judge: saying(false, true, true) })({ outputs: "a" });
    expect(result).toEqual({
      key: "score",
      score: true,
      comment: "Answer 2.",
      metadata: {
        attempts: 3,
        promptHash: expect.any(String),
        latencyMs: expect.any(Number),
        confidence: 2 / 3,
        standardDeviation: expect.closeTo(Math.sqrt(2) / 3, 12),
        voteRule: "majority",
        votes: [
          { score: false, comment: "Answer 1." },
          { score: true, comment: "Answer 2." },
          { score: true, comment: "Answer 3." },
        ],
      },
    });
  });

  it("that are tied do not pass", async () => {
    const { score, metadata } = await judgeOf({ samples: 2, judge: saying(true, false) })({ outputs: "a" });
    expect([score, metadata.confidence, metadata.tie]).toEqual([false, 0.5, true]);
  });

  it("of choices vote as well, and those of continuous scores have a mean", async () => {
    const choices = judgeOf({ samples: 3, choices: [0, 0.5, 1], judge: saying(0.5, 1, 0.5) });
    expect(await choices({ outputs: "a" })).toMatchObject({ score: 0.5, metadata: { confidence: 2 / 3 } });
    const continuous = judgeOf({ samples: 3, continuous: true, judge: saying(0.25, 0.5, 0.75) });
    const { score, comment, metadata } = await continuous({ outputs: "a" });
    expect([score, comment]).toEqual([0.5, "Answer 2."]);
    expect(metadata.confidence).toBeCloseTo(1 - 0.5 / 3, 12);
  });

  it("are one by default, without a confidence", async () => {
    for (const samples of [undefined, 1]) {
      const { metadata } = await judgeOf({ samples, judge: saying(true) })({ outputs: "a" });
      expect(metadata).toEqual({
        attempts: 1,
        latencyMs: expect.any(Number),
        promptHash: expect.any(String),
      });
    }
  });

  it("that fail do not vote, if more than half have a score", async () => {
    const one = judgeOf({ samples: 3, judge: saying(true, "no power", true) });
    const { score, metadata } = await one({ outputs: "a" });
    expect([score, metadata.confidence, metadata.attempts]).toEqual([true, 1, 3]);
    expect(metadata.votes?.[1]).toEqual({
      error: { code: "callback_failed", message: expect.stringContaining("no power") },
    });
    const two = judgeOf({ samples: 4, judge: saying(true, "no power", true, "no light") });
    const { code, message, cause } = await errorOf(two({ outputs: "a" }));
    expect(code).toBe("callback_failed");
    expect(message).toMatch(
      /^2 of 4 samples returned a score, but the quorum is 3\. sample 2: .*no power; sample 4: .*no light\.$/,
    );
    expect((cause as AggregateError).errors).toHaveLength(2);
  });

  it("that all fail alike fail like one", async () => {
    const missing = judgeOf({ prompt: "{context}", samples: 5, judge: saying(true) });
    const error = await errorOf(missing({ outputs: "a" }));
    expect(error).toMatchObject({
      code: "missing_variable",
      message: expect.stringMatching(/^The prompt has/),
    });
  });

  it.each([0, -1, 1.5, Number.NaN, 1e9, "3"])("cannot be %j", (samples) => {
    expect(() => judgeOf({ samples: samples as number, judge: saying(true) })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringMatching(/^samples is .*; it has to be a whole number from 1 to 1000\.$/),
      }),
    );
  });

  it("may be a thousand", async () => {
    const judge = judgeOf({ samples: 1_000, judge: saying(true, false, true) });
    const { score, metadata } = await judge({ outputs: "a" });
    expect([score, metadata.confidence, metadata.votes?.length]).toEqual([true, 0.667, 1_000]);
  });

  it("have no verdict if the answer has no score", () => {
    const outputSchema = { type: "object" };
    expect(() => createLLMAsJudge({ prompt: "", samples: 2, judge: saying(true), outputSchema })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining("leave out continuous, choices and samples"),
      }),
    );
  });

  it("are an option of every judge", async () => {
    const options = { samples: 3, judge: saying(true, false, true) };
    const steps = { results: [{ answer: "4 °C" }], steps: [["agent"]] };
    const messages = [{ role: "user", content: "Hi" }] as const;
    const results = [
      await createTrajectoryLLMAsJudge({ ...options, prompt: "{outputs}" })({ outputs: [...messages] }),
      await createGraphTrajectoryLLMAsJudge(options)({ inputs: ["Hi"], outputs: steps }),
      await createCodeLLMAsJudge({ ...options, prompt: "{outputs}" })({ outputs: "let a = 1;" }),
    ];
    for (const { score, metadata } of results) {
      expect(score).toBe(true);
      expect(metadata?.["confidence"]).toBeCloseTo(2 / 3, 12);
    }
  });

  it("give calibrate the confidence of the judge", async () => {
    let asked = 0;
    const judge = judgeOf({
      prompt: "{outputs}",
      samples: 5,
      // Every fifth answer is wrong.
      judge: ({ messages }) => ({ score: (messages[0]?.content === "true") !== (asked++ % 5 === 0) }),
    });
    const said = (outputs: string, human: boolean, count: number) =>
      Array.from({ length: count }, () => ({ outputs, human }));
    const { expectedCalibrationError, brier } = await calibrate(judge, {
      data: [...said("true", true, 4), ...said("false", false, 4), ...said("true", false, 2)],
      label: "human",
    });
    expect(expectedCalibrationError.value).toBeCloseTo(0, 12);
    expect(brier.value).toBeCloseTo(0.16, 12);
  });
});

describe("a temperature", () => {
  it("cannot be set for a function, or for a client", () => {
    const client = { chat: { completions: { create: async () => ({}) } } };
    for (const judge of [saying(true), client]) {
      for (const make of [
        () => judgeOf({ temperature: 1, model: "gpt-5.4", judge: judge as never }),
        () =>
          createJsonMatchEvaluator({
            temperature: 1,
            model: "gpt-5.4",
            judge: judge as never,
            rubric: { a: "" },
          }),
      ]) {
        expect(make).toThrow(
          expect.objectContaining({
            code: "invalid_config",
            message: expect.stringMatching(
              /^temperature applies only to `model`, or to a judge made with initChatModel\(\)\./,
            ),
          }),
        );
      }
    }
  });

  it.each([-1, Number.NaN, "0"])("cannot be %j", (temperature) => {
    const judge = initChatModel("ollama:llama3.3");
    expect(() => judgeOf({ temperature: temperature as number, judge })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^temperature is .*a number from 0\.$/) }),
    );
  });
});
