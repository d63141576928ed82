/** Several evaluations at once: built-in ones and those of the caller. */
import { OpenEvalsError } from "openevals-wasm";
import {
  type EvaluateOptions,
  type EvaluationOutput,
  evaluate,
  type RecipeMessage,
  type RecipeTool,
} from "openevals-wasm/recipes";
import { describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { failureIn } from "./asked.ts";

const MESSAGES = [
  { role: "user", content: "What is Python?" },
  { role: "assistant", content: "A programming language." },
];
const TOOLS = [{ type: "function", function: { name: "search" } }];

/** The custom evaluator in the documentation of Eval Recipes. */
class ResponseLengthEvaluator {
  readonly #perPoint: number;

  constructor({ perPoint = 1 }: { perPoint?: number } = {}) {
    this.#perPoint = perPoint;
  }

  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[],
  ): Promise<EvaluationOutput> {
    const { length } = String(messages.at(-1)?.content);
    const score = Math.max(0, 100 - Math.floor(length / this.#perPoint));
    return { evalName: "response_length", applicable: true, score, metadata: { tools } };
  }
}

/** An evaluator that answers this. */
const answering = (output: unknown) =>
  class Answering {
    evaluate() {
      return output as Promise<EvaluationOutput>;
    }
  };

class Failing {
  evaluate(): Promise<EvaluationOutput> {
    throw new RangeError("out of paper");
  }
}

const criteria = (probability: number) => ({
  criteria: ["It is brief."],
  model: () => ({ reasoning: "r", probability }),
});

const run = (options: Partial<EvaluateOptions>) =>
  evaluate({ messages: MESSAGES, evaluations: [], ...options });

describe("the results", () => {
  it("come in the order asked, of built-in evaluations and others side by side", async () => {
    const outputs = await run({
      tools: TOOLS,
      evaluations: ["preference_adherence", ResponseLengthEvaluator, "check_criteria"],
      evaluationConfigs: {
        check_criteria: criteria(0.25),
        preference_adherence: { model: () => ({ preferences: [] }) },
        ResponseLengthEvaluator: { perPoint: 2 },
      },
    });
    expect(outputs).toEqual([
      {
        evalName: "preference_adherence",
        applicable: false,
        score: 0,
        metadata: {
          extractedUserPreferences: [],
          adherenceToPreferences: [],
          adhered: 0,
          didNotAdhere: 0,
          notApplicable: 0,
        },
      },
      { evalName: "response_length", applicable: true, score: 89, metadata: { tools: TOOLS } }, // 23 / 2
      {
        evalName: "check_criteria",
        applicable: true,
        score: 25,
        feedback: expect.stringContaining("<criterion>It is brief.</criterion>"),
        metadata: { criteriaEvaluations: [{ criterion: "It is brief.", reasoning: "r", probability: 0.25 }] },
      },
    ]);
  });

  it("are none for no evaluations, and the same for the same asked twice", async () => {
    expect(await run({})).toEqual([]);
    const [first, second] = await run({ evaluations: [ResponseLengthEvaluator, ResponseLengthEvaluator] });
    expect(first).toEqual({
      evalName: "response_length",
      applicable: true,
      score: 77,
      metadata: { tools: [] },
    });
    expect(second).toEqual(first);
  });

  it("of evaluators of the caller's need no metadata", async () => {
    const output = { evalName: "e", applicable: true, score: 100 };
    expect(await run({ evaluations: [answering(output)] })).toEqual([{ ...output, metadata: {} }]);
  });
});

describe("so many run at a time:", () => {
  it.each([
    [undefined, 1],
    [2, 2],
    [5, 3],
  ])("with maxConcurrency %j, %j of three", async (maxConcurrency, expected) => {
    let running = 0;
    let most = 0;
    class Slow {
      async evaluate() {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        return { evalName: "slow", applicable: true, score: 1, metadata: {} };
      }
    }
    const outputs = await run({ evaluations: [Slow, Slow, Slow], maxConcurrency });
    expect(outputs).toHaveLength(3);
    expect(most).toBe(expected);
  });
});

describe("an evaluation that fails does not lose the others", () => {
  it("when the model does", async () => {
    const model = () => "Not now.";
    const [failed, other] = await run({
      evaluations: ["check_criteria", ResponseLengthEvaluator],
      evaluationConfigs: { check_criteria: { criteria: ["c"], model } },
    });
    expect(failed).toEqual({
      evalName: "check_criteria",
      applicable: false,
      score: 0,
      metadata: {},
      error: expect.any(OpenEvalsError),
    });
    const error = failureIn(failed);
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: "Not now." });
    expect(error.message).toMatch(/^check_criteria: criterion: The judge was asked twice/);
    expect(other?.score).toBe(77);
  });

  it("if the caller's class fails, with its error as the cause", async () => {
    const [failed, other] = await run({ evaluations: [Failing, ResponseLengthEvaluator] });
    expect(failed).toMatchObject({ evalName: "Failing", applicable: false, score: 0 });
    const error = failureIn(failed);
    expect(error).toMatchObject({ code: "callback_failed", message: "Failing failed: out of paper" });
    expect(error.cause).toBeInstanceOf(RangeError);
    expect(other?.score).toBe(77);
  });

  it("and still says why as JSON", async () => {
    const written = JSON.parse(JSON.stringify(await run({ evaluations: [Failing] })));
    expect(written).toEqual([
      {
        evalName: "Failing",
        applicable: false,
        score: 0,
        metadata: {},
        error: {
          name: "OpenEvalsError",
          code: "callback_failed",
          message: "Failing failed: out of paper",
        },
      },
    ]);
  });

  it.each([
    undefined,
    null,
    "good",
    {},
    { applicable: true, score: 1 },
    { evalName: "e", applicable: 1, score: 1 },
    { evalName: "e", applicable: true },
    { evalName: "e", applicable: true, score: "1" },
    { evalName: "e", applicable: true, score: 101 },
    { evalName: "e", applicable: true, score: -1 },
    { evalName: "e", applicable: true, score: Number.NaN },
  ])("when it returns nonsense: %j", async (output) => {
    const [failed] = await run({ evaluations: [answering(output)] });
    expect(failed).toMatchObject({ evalName: "Answering", applicable: false, score: 0 });
    expect(failureIn(failed).message).toMatch(
      /^Answering failed: it returned .*; the result of an evaluation needs/,
    );
  });
});

describe("mistakes are reported before anything is evaluated:", () => {
  class Unasked {
    evaluate() {
      return expect.unreachable();
    }
  }
  class Unmade extends Unasked {
    constructor() {
      super();
      throw new TypeError("no licence");
    }
  }
  const cases: [string, object, string, RegExp][] = [
    [
      "a misspelt name",
      { evaluations: [Unasked, "tool_use"] },
      "invalid_config",
      /^evaluations\[1\] is "tool_use"; did you mean "tool_usage"\?$/,
    ],
    [
      "an unknown name",
      { evaluations: [Unasked, "politeness"] },
      "invalid_config",
      /^evaluations\[1\] is "politeness"; it has to be an evaluator class, or one of .*check_criteria, .*preference_adherence/,
    ],
    [
      "a name of all objects",
      { evaluations: ["toString"] },
      "invalid_config",
      /^evaluations\[0\] is "toString"/,
    ],
    [
      "an evaluator in the place of its class",
      { evaluations: [new Unasked()] },
      "invalid_config",
      /^evaluations\[0\] is \{\}/,
    ],
    ["null", { evaluations: [null] }, "invalid_config", /^evaluations\[0\] is null/],
    [
      "a class without evaluate",
      { evaluations: [Unasked, Date] },
      "invalid_config",
      /^Date is a class without the method evaluate/,
    ],
    [
      "a function",
      { evaluations: [Unasked, () => 1] },
      "callback_failed",
      /^evaluations\[1\] failed: .* is not a constructor/,
    ],
    [
      "a class that throws",
      { evaluations: [Unasked, Unmade] },
      "callback_failed",
      /^Unmade failed: no licence$/,
    ],
    [
      "no evaluations",
      { evaluations: undefined },
      "invalid_config",
      /^evaluations is null; it has to be a list/,
    ],
    [
      "a configuration of an unknown evaluation",
      { evaluationConfigs: { check_criterion: {} } },
      "invalid_config",
      /^evaluationConfigs has no option "check_criterion"; did you mean check_criteria\?$/,
    ],
    [
      "a configuration that does not work",
      { evaluations: [Unasked, "check_criteria"], evaluationConfigs: { check_criteria: { criteria: 5 } } },
      "invalid_config",
      /^check_criteria: criteria is 5; it has to be a list of strings/,
    ],
    [
      "configurations that are none",
      { evaluationConfigs: [1] },
      "invalid_config",
      /^evaluationConfigs has no option "0"; it has check_criteria, .*Unasked\.$/,
    ],
    [
      "tools that are no list",
      { tools: {} },
      "invalid_config",
      /^tools is \{\}; it has to be a list of tools/,
    ],
    [
      "a limit below 1",
      { maxConcurrency: 0 },
      "invalid_config",
      /^maxConcurrency is 0; it has to be a whole number/,
    ],
    [
      "an unknown option",
      { configs: {} },
      "invalid_config",
      /^evaluate has no option "configs"; it has messages, tools/,
    ],
    [
      "what is no message",
      { messages: [{ content: "Hi" }] },
      "invalid_input",
      /^messages\[0\] is .*, which is not a message/,
    ],
    ["no messages", { messages: undefined }, "invalid_input", /^messages has to be a list/],
  ];

  it.each(cases)("%s", async (_, options, code, message) => {
    const error = await errorOf(run({ evaluations: [Unasked], ...options }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it("but configurations may be there for evaluations that are built in and not asked for", async () => {
    const evaluationConfigs = { check_criteria: criteria(1) };
    expect(await run({ evaluations: [ResponseLengthEvaluator], evaluationConfigs })).toHaveLength(1);
  });
});
