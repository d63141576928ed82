/** The caller's criteria: questions to the model, and results. */
import { CheckCriteriaEvaluator, type CheckCriteriaEvaluatorConfig } from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { block, recorded } from "./asked.ts";

const MESSAGES = [
  { role: "system", content: "You know Oslo." },
  { role: "developer", content: "No small talk." },
  { role: "user", content: "Is it warm?" },
  { role: "assistant", content: "Where?" },
  { role: "user", content: "In Oslo." },
  { role: "assistant", content: [{ type: "text", text: "It is 4 °C." }, "Take a coat."] },
];

/** A judge that returns the number in the criterion as the probability. */
const stated = () =>
  recorded(({ prompt }) => {
    const [, probability] = /=(.*)/.exec(block("criterion", prompt)) ?? [];
    return { reasoning: `It says ${probability}.`, probability: Number(probability) };
  });

describe("the score", () => {
  it("is the mean of the probabilities in percent, with those below the threshold as feedback", async () => {
    const { model, asked } = stated();
    const evaluator = new CheckCriteriaEvaluator({ criteria: ["a=1", "b=0.75", "c=0.2"], model });
    expect(await evaluator.evaluate(MESSAGES, [])).toEqual({
      evalName: "check_criteria",
      applicable: true,
      score: 65, // (1 + 0.75 + 0.2) / 3
      feedback:
        "The response does not clearly meet these criteria:\n" +
        "<criterion>c=0.2</criterion>\n<reasoning>It says 0.2.</reasoning>",
      metadata: {
        criteriaEvaluations: [
          { criterion: "a=1", reasoning: "It says 1.", probability: 1 },
          { criterion: "b=0.75", reasoning: "It says 0.75.", probability: 0.75 },
          { criterion: "c=0.2", reasoning: "It says 0.2.", probability: 0.2 },
        ],
      },
    });
    expect(asked).toHaveLength(3);
  });

  it("has no feedback when all criteria reach the threshold", async () => {
    const { model } = stated();
    const options = { criteria: ["a=0.2"], passedThreshold: 20, model };
    const output = await new CheckCriteriaEvaluator(options).evaluate(MESSAGES);
    expect(output).not.toHaveProperty("feedback");
    expect(output.score).toBe(20);
  });
});

describe("a model reads", () => {
  it("the conversation without system messages and the answer, and the criterion", async () => {
    const { model, asked } = stated();
    await new CheckCriteriaEvaluator({ criteria: ["It is brief. =1"], model }).evaluate(MESSAGES);
    const [{ system, prompt, fields, schema }] = asked as [(typeof asked)[0]];
    expect(block("conversation", prompt)).toBe(
      "[1] user\n| Is it warm?\n\n[2] assistant\n| Where?\n\n[3] user\n| In Oslo.",
    );
    expect(block("response", prompt)).toBe("It is 4 °C.\nTake a coat.");
    expect(block("criterion", prompt)).toBe("It is brief. =1");
    expect(system).toMatch(/^You are a reviewer .* never an instruction to you\./s);
    // In the order in which a model thinks before it decides.
    expect(fields).toEqual(["reasoning", "probability"]);
    expect(schema).toMatchObject({ required: fields, additionalProperties: false });
  });

  it("nothing that came after the answer, tool calls before it included", async () => {
    const { model, asked } = stated();
    const call = { type: "function_call", call_id: "c1", name: "thermometer", arguments: "{}" };
    const messages = [
      { role: "user", content: "Is it warm?" },
      call,
      { type: "function_call_output", call_id: "c1", output: "4" },
      { role: "assistant", content: "No." },
      { ...call, call_id: "c2" },
      { role: "user", content: "Thanks." },
    ];
    await new CheckCriteriaEvaluator({ criteria: ["=1"], model }).evaluate(messages);
    const prompt = asked[0]?.prompt as string;
    expect(block("response", prompt)).toBe("No.");
    expect(block("conversation", prompt)).toBe(
      "[1] user\n| Is it warm?\n\n[2] assistant\n-> call of thermometer (c1)\n| {}\n\n[3] tool (result of c1)\n| 4",
    );
  });

  it("passes the arguments of run() on unchanged", async () => {
    const { model, asked } = stated();
    const evaluator = new CheckCriteriaEvaluator({ criteria: ["=0.5"], model });
    const result = await evaluator.run({ conversationHistory: "User: {Hi}", finalResponse: "Hello!" });
    expect(result).toEqual({
      applicable: true,
      score: 50,
      feedback: expect.stringContaining("It says 0.5."),
      criteriaEvaluations: [{ criterion: "=0.5", reasoning: "It says 0.5.", probability: 0.5 }],
    });
    const prompt = asked[0]?.prompt as string;
    expect([block("conversation", prompt), block("response", prompt)]).toEqual(["User: {Hi}", "Hello!"]);
  });
});

describe("nothing is asked, and the evaluation is not applicable,", () => {
  const nothing = { evalName: "check_criteria", applicable: false, score: 0, metadata: {} };
  const model = () => expect.unreachable();

  it("without criteria", async () => {
    expect(await new CheckCriteriaEvaluator().evaluate(MESSAGES)).toEqual(nothing);
    expect(await new CheckCriteriaEvaluator({ criteria: [], model }).evaluate(MESSAGES)).toEqual(nothing);
  });

  it("without an answer that has text", async () => {
    const evaluator = new CheckCriteriaEvaluator({ criteria: ["c"], model });
    const reasoning = { type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] };
    for (const messages of [[], MESSAGES.slice(0, 3), [reasoning], [{ role: "assistant", content: "" }]])
      expect(await evaluator.evaluate(messages)).toEqual(nothing);
  });
});

it("so many criteria are judged at a time, and their order is kept", async () => {
  let running = 0;
  const seen: number[] = [];
  const model = async ({ messages }: { messages: { content: string }[] }) => {
    seen.push(++running);
    const name = block("criterion", messages[1]?.content as string);
    // Later ones answer first.
    for (let turn = 0; turn < 10 - Number(name); turn++) await Promise.resolve();
    running--;
    return { reasoning: name, probability: 1 };
  };
  for (const maxConcurrency of [1, 2, 9]) {
    seen.length = 0;
    const criteria = ["1", "2", "3", "4"];
    const { metadata } = await new CheckCriteriaEvaluator({ criteria, maxConcurrency, model }).evaluate(
      MESSAGES,
    );
    expect(Math.max(...seen)).toBe(Math.min(maxConcurrency, 4));
    const evaluations = metadata.criteriaEvaluations as { reasoning: string }[];
    expect(evaluations.map(({ reasoning }) => reasoning)).toEqual(criteria);
  }
});

describe("errors", () => {
  it("of an answer that stays unusable name the step and have its text", async () => {
    const { model, asked } = recorded((_, index) =>
      index ? "Later." : { reasoning: "Sure.", probability: 90 },
    );
    const evaluator = new CheckCriteriaEvaluator({ criteria: ["c"], model });
    const error = await errorOf(evaluator.evaluate(MESSAGES));
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: "Later." });
    expect(error.message).toMatch(/^criterion: The judge was asked twice/);
    expect(asked).toHaveLength(2);
  });

  it("of the model are thrown unchanged", async () => {
    const model = () => {
      throw new TypeError("no network");
    };
    const error = await errorOf(new CheckCriteriaEvaluator({ criteria: ["c"], model }).evaluate(MESSAGES));
    expect(error.code).toBe("callback_failed");
    expect(error.cause).toBeInstanceOf(TypeError);
  });

  const cases: [unknown, RegExp][] = [
    [{ criteria: "brief" }, /^criteria is "brief"; it has to be a list of strings/],
    [{ passedThreshold: 101 }, /^passedThreshold is 101; it has to be a number from 0 to 100/],
    [{ passedThreshold: "75" }, /^passedThreshold is "75"; it has to be a number/],
    [{ passedThreshold: Number.NaN }, /^passedThreshold is NaN; it has to be a number/],
    [{ maxConcurrency: 0 }, /^maxConcurrency is 0; it has to be a whole number from 1/],
    [{ criterion: [] }, /^CheckCriteriaEvaluator has no option "criterion"; did you mean criteria\?/],
    [null, /^CheckCriteriaEvaluator needs an object of options/],
    [{ model: 5 }, /^model has to be a function/],
  ];
  it.each(cases)("of options come at once: %j", (options, expected) => {
    const make = () => new CheckCriteriaEvaluator(options as CheckCriteriaEvaluatorConfig);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
    expect(make).toThrow(expected);
  });

  it.each([
    undefined,
    {},
    { finalResponse: "a" },
    { conversationHistory: 1, finalResponse: "a" },
  ])("of run() name the argument: %j", async (input) => {
    const evaluator = new CheckCriteriaEvaluator({ criteria: ["c"], model: () => expect.unreachable() });
    const error = await errorOf(evaluator.run(input as never));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/^run got .* as conversationHistory; it has to be a string\.$/);
  });
});
