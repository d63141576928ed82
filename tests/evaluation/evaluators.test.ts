import { HumanMessage } from "@langchain/core/messages";
import {
  createEmbeddingSimilarityEvaluator,
  createGraphTrajectoryLLMAsJudge,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  graphTrajectoryStrictMatch,
  levenshteinDistance,
  trajectoryStrictMatch,
} from "openevals-wasm";
import { createTypeScriptEvaluator } from "openevals-wasm/code/typescript";
import { type EvaluationResult, evaluate, mean, type RowEvaluator } from "openevals-wasm/evaluation";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOf } from "../api/error-of.js";

/** The results of one evaluator for one row with a recorded output. */
async function resultsOf(evaluator: RowEvaluator, row: object): Promise<EvaluationResult[]> {
  const { rows } = await evaluate(undefined, { data: [row], evaluators: [evaluator] });
  expect(rows[0]?.errors).toEqual([]);
  return rows[0]?.evaluationResults ?? [];
}

/** The error of an evaluator. */
async function failureOf(evaluator: RowEvaluator, row: object = { outputs: "a" }) {
  const { rows } = await evaluate(undefined, { data: [row], evaluators: [evaluator] });
  expect(rows[0]?.evaluationResults).toEqual([]);
  return rows[0]?.errors;
}

const question = { role: "user", content: "What is the weather in Oslo?" };
const calling = {
  role: "assistant",
  content: "",
  tool_calls: [{ function: { name: "weather", arguments: '{"city": "Oslo"}' } }],
};
const answer = { role: "assistant", content: "It snows." };

describe("the evaluators of this package can be passed directly", () => {
  const said: Record<string, any> = { score: true, reasoning: "I think so." };
  const asked: string[] = [];
  const judge = ({ messages }: { messages: { content: any }[] }) => {
    asked.push(messages.map(({ content }) => content).join("\n"));
    return said;
  };

  it.each<[string, RowEvaluator, object, object[]]>([
    [
      "exactMatch",
      exactMatch,
      { outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 } },
      [{ key: "exact_match", score: true }],
    ],
    [
      "levenshteinDistance",
      levenshteinDistance,
      { outputs: "kitten", referenceOutputs: "sitting" },
      [{ key: "levenshtein_distance", score: 1 - 3 / 7 }],
    ],
    [
      "JSON match, with a key for each key",
      createJsonMatchEvaluator(),
      { outputs: { a: 1, b: 2 }, referenceOutputs: { a: 1, b: 3 } },
      [
        { key: "json_match:a", score: 1 },
        { key: "json_match:b", score: 0, comment: "outputs.b is 2 instead of 3" },
      ],
    ],
    [
      "trajectory match, of a list",
      trajectoryStrictMatch,
      { outputs: [question, calling, answer], referenceOutputs: [question, calling, answer] },
      [{ key: "trajectory_strict_match", score: true }],
    ],
    [
      "trajectory match, of an agent's state, with messages of LangChain",
      createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" }),
      {
        outputs: { messages: [new HumanMessage(question.content), calling, answer] },
        referenceOutputs: { messages: [question, calling, answer] },
      },
      [{ key: "trajectory_unordered_match", score: true }],
    ],
    [
      "graph trajectory match",
      graphTrajectoryStrictMatch,
      {
        outputs: { results: [], steps: [["__start__", "agent"]] },
        referenceOutputs: { results: [], steps: [["__start__", "agent"]] },
      },
      [{ key: "graph_trajectory_strict_match", score: true }],
    ],
    [
      "embedding similarity",
      createEmbeddingSimilarityEvaluator({ embeddings: async () => [1, 0] }),
      { outputs: "a", referenceOutputs: "b" },
      [{ key: "embedding_similarity", score: 1 }],
    ],
    [
      "code",
      createTypeScriptEvaluator({}),
      { outputs: "const one: number = 'one';" },
      [{ key: "typescript_succeeded", score: false }],
    ],
    [
      "a judge",
      createLLMAsJudge({ prompt: "Is {outputs} right for {inputs}?", judge, feedbackKey: "right" }),
      { inputs: "1 + 1", outputs: "2" },
      [{ key: "right", score: true, comment: "I think so.", metadata: { attempts: 1 } }],
    ],
    [
      "a judge of trajectories",
      createTrajectoryLLMAsJudge({ prompt: "Is it sound?\n{outputs}", judge }),
      { outputs: { messages: [question, answer] } },
      [{ key: "trajectory_accuracy", score: true }],
    ],
    [
      "a judge of graph trajectories",
      createGraphTrajectoryLLMAsJudge({ prompt: "Is it sound?\n{thread}", judge }),
      { inputs: [null], outputs: { results: [{}], steps: [["__start__"]] } },
      [{ key: "graph_trajectory_accuracy", score: true }],
    ],
    // "code" loads a compiler, which takes long beside other files.
  ])("%s", { timeout: 300_000 }, async (_, evaluator, row, results) => {
    expect(await resultsOf(evaluator, row)).toMatchObject(results);
  });

  it("a judge that always fails is listed under its key", async () => {
    const failing = () => {
      throw new Error("no model");
    };
    const options = { prompt: "{outputs}?", judge: failing };
    const { aggregates } = await evaluate(undefined, {
      data: [{ outputs: [answer] }],
      evaluators: [
        createLLMAsJudge({ ...options, feedbackKey: "right" }),
        createTrajectoryLLMAsJudge(options),
      ],
    });
    expect(aggregates).toMatchObject({
      right: { mean: null, count: 0, errors: 1 },
      trajectory_accuracy: { mean: null, count: 0, errors: 1 },
    });
  });

  it("a judge with a custom schema returns a value", async () => {
    const tone = createLLMAsJudge({
      prompt: "What is the tone of {outputs}?",
      judge: () => ({ tone: "kind" }),
      outputSchema: { type: "object", properties: { tone: { type: "string" } }, required: ["tone"] },
    });
    expect(await resultsOf(tone, { outputs: "Gladly." })).toEqual([
      {
        key: "score",
        value: { tone: "kind" },
        metadata: { latencyMs: expect.any(Number), attempts: 1, promptHash: expect.any(String) },
      },
    ]);
  });

  it("a judge only sees the variables of its prompt, not the run or the example", async () => {
    const seen: object[] = [];
    const prompt = (params: object) => {
      seen.push(Object.keys(params));
      return [{ role: "user" as const, content: "?" }];
    };
    await resultsOf(createLLMAsJudge({ prompt, judge }), {
      inputs: "i",
      outputs: "o",
      referenceOutputs: "r",
    });
    expect(seen).toEqual([["inputs", "outputs", "referenceOutputs", "reference_outputs"]]);
  });

  it("a judge gets the attachments of a row", async () => {
    const parts: any[] = [];
    const see = createLLMAsJudge({
      prompt: "What is it? {attachments}",
      judge: ({ messages }) => {
        parts.push(...messages[0]!.content);
        return { score: true, reasoning: "A cat." };
      },
    });
    await resultsOf(see, { outputs: "a cat", attachments: "https://example.com/cat.png" });
    expect(parts[1]).toMatchObject({ image_url: { url: "https://example.com/cat.png" } });
  });

  it("a target without a return is named in the failures of evaluators", async () => {
    const forgetful = ({ text }: { text: string }) => {
      text.toUpperCase();
    };
    const data = [{ inputs: { text: "a" }, outputs: "A" }];
    const { rows } = await evaluate(forgetful, { data, evaluators: [exactMatch] });
    expect(rows[0]?.errors[0]?.error.message).toBe(
      "exactMatch needs outputs and got undefined. Call it with { outputs, referenceOutputs }. (The target returned undefined.)",
    );
  });

  it("a failure of an evaluator is its own error, with its code", async () => {
    expect(await failureOf(exactMatch)).toEqual([
      {
        key: "exact_match",
        error: {
          name: "OpenEvalsError",
          code: "invalid_input",
          message: expect.stringContaining("exactMatch needs referenceOutputs"),
        },
      },
    ]);
  });
});

describe("rows without a reference", () => {
  const data = [
    { outputs: "a", referenceOutputs: "ab" },
    { outputs: "a", referenceOutputs: null },
    { outputs: "a" },
  ];

  it.each([
    ["exactMatch", exactMatch],
    ["levenshteinDistance", levenshteinDistance],
  ])("%s says what to change in the experiment", async (name, evaluator) => {
    const { rows } = await evaluate(undefined, { data, evaluators: [evaluator] });
    const message = `${name} needs referenceOutputs, and the row has none: it is missing or null. Add it, or wrap the evaluator in a function that returns [] for such rows and has its scale.`;
    expect(rows.map(({ errors }) => errors.map(({ error }) => error.message))).toEqual([
      [],
      [message],
      [message],
    ]);
  });

  it("a wrapper leaves them out, and keeps the scale of the evaluator", async () => {
    const { scale } = levenshteinDistance;
    const evaluateSimilar = (row: { outputs: unknown; referenceOutputs: unknown }) =>
      row.referenceOutputs == null ? [] : levenshteinDistance(row);
    const similar = Object.assign(evaluateSimilar, { feedbackKey: "levenshtein_distance", scale });
    const { aggregates, scales } = await evaluate(undefined, { data, evaluators: [similar] });
    expect(aggregates.levenshtein_distance).toMatchObject({ count: 1, errors: 0, mean: 0.5 });
    expect(scales?.levenshtein_distance).toEqual(scale);
    expect(scale).toMatchObject({ min: 0, max: 1 });
  });
});

describe("evaluators of conversations", () => {
  const seen: unknown[][] = [];
  class Polite {
    result: object = {
      evalName: "polite",
      applicable: true,
      score: 80,
      feedback: "Say please.",
      metadata: {},
    };
    evaluate(...args: unknown[]) {
      seen.push(args);
      return Promise.resolve(this.result);
    }
  }
  const polite = new Polite();
  const called = async (row: object) => {
    seen.length = 0;
    expect(await resultsOf(polite, row)).toEqual([
      { key: "polite", score: 80, applicable: true, comment: "Say please.", metadata: {} },
    ]);
    return seen[0];
  };

  it.each<[string, object, unknown[], unknown[]]>([
    ["an agent's state", { inputs: "?", outputs: { messages: [question, answer] } }, [question, answer], []],
    [
      "messages in inputs, and those that were added",
      { inputs: { messages: [question], tools: ["t"] }, outputs: [calling, answer] },
      [question, calling, answer],
      ["t"],
    ],
    [
      "texts",
      { inputs: "Hi", outputs: "Ho" },
      [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Ho" },
      ],
      [],
    ],
    [
      "the messages of the inputs, and a single one as outputs",
      {
        inputs: { messages: [{ role: "user", content: "Hi" }] },
        outputs: { type: "ai", content: "Ho" },
      },
      [
        { role: "user", content: "Hi" },
        { type: "ai", content: "Ho" },
      ],
      [],
    ],
  ])("read %s", async (_, row, messages, tools) => {
    expect(await called(row)).toEqual([messages, tools]);
  });

  it("explain what they need if the row has no conversation", async () => {
    const [{ key, error }] = (await failureOf(polite, { inputs: { q: 1 }, outputs: "a" })) as any;
    expect(key).toBe("Polite");
    expect(error.message).toContain('reads a conversation, and the inputs are {"q":1}');
  });

  it("can get a conversation from mapInputs", async () => {
    const { rows } = await evaluate(undefined, {
      data: [{ inputs: { q: "Hi" }, outputs: { a: "Ho" } }],
      evaluators: [polite],
      mapInputs: ({ inputs, outputs }) => ({ messages: [inputs.q, outputs.a], tools: [] }),
    });
    expect(rows[0]?.errors).toEqual([]);
    expect(seen.at(-1)).toEqual([["Hi", "Ho"], []]);
  });

  it("may not apply, or fail", async () => {
    const silent = new Polite();
    silent.result = { evalName: "polite", applicable: false, score: 0, metadata: {} };
    expect(await resultsOf(silent, { inputs: "a", outputs: "b" })).toEqual([
      { key: "polite", applicable: false, score: null, metadata: {} },
    ]);
    const failing = new Polite();
    failing.result = { evalName: "polite", applicable: false, score: 0, error: new Error("no model") };
    expect(await failureOf(failing, { inputs: "a", outputs: "b" })).toEqual([
      { key: "Polite", error: { name: "Error", message: "no model" } },
    ]);
  });

  it("may throw something that has no text", async () => {
    const thrown = Object.assign(() => {}, {
      toString() {
        throw new Error("no");
      },
    });
    const broken = Object.assign(
      () => {
        throw thrown;
      },
      { feedbackKey: "broken" },
    );
    const error = { name: "Error", message: "it cannot be shown" };
    expect(await failureOf(broken)).toEqual([{ key: "broken", error }]);
  });

  it("are not believed a score beside an error", async () => {
    const broken = () => ({ key: "broken", score: 1, error: "the model timed out" });
    const [failure] = (await failureOf(broken)) ?? [];
    expect(failure).toMatchObject({
      key: "broken",
      error: { code: "callback_failed", message: "broken failed: the model timed out" },
    });
    const boom = { message: "no network" };
    for (const [fields, message] of [
      [{ key: "k", score: null, error: "boom" }, "boom"],
      [{ key: "k", error: "boom" }, "boom"],
      [{ score: 0, error: boom }, "no network"],
      [{ key: "k", applicable: false, error: boom }, "no network"],
      [{ score: 0, error: true }, "true"],
    ] as const) {
      const judge = () => fields as any;
      expect((await failureOf(judge))?.[0]?.error.message).toBe(`judge failed: ${message}`);
    }
    const silent = () => ({ evalName: "polite", score: 1, error: null });
    expect(await resultsOf(silent as any, { outputs: "a" })).toMatchObject([{ key: "polite", score: 1 }]);
    // A number is a measure.
    const measured = () => ({ key: "fit", score: 1, error: 0.2 });
    expect(await resultsOf(measured, { outputs: "a" })).toMatchObject([{ key: "fit", score: 1 }]);
  });

  it("include those of openevals-wasm/recipes", async () => {
    const criteria = new CheckCriteriaEvaluator({
      criteria: ["It is short"],
      model: () => ({ reasoning: "Two words.", probability: 0.9 }),
    });
    const [failure] = (await failureOf(criteria, { inputs: 1, outputs: "It snows." })) ?? [];
    expect(failure?.key).toBe("check_criteria");
    const [result] = await resultsOf(criteria, { inputs: "Weather?", outputs: "It snows." });
    expect(result).toMatchObject({ key: "check_criteria", score: 90, applicable: true });
  });
});

describe("the forms of evaluators", () => {
  const row = { id: "x", inputs: "i", outputs: "o", referenceOutputs: "r" };
  const run = expect.objectContaining({ outputs: "o", repetition: 0 });
  const example = { id: "x", inputs: "i", outputs: "r" };

  it("an object with all arguments", async () => {
    const seen: unknown[] = [];
    await resultsOf(({ inputs, outputs, referenceOutputs, attachments, run, example }) => {
      seen.push(inputs, outputs, referenceOutputs, attachments, run, example);
      return { key: "k", score: 1 };
    }, row);
    expect(seen).toEqual(["i", "o", "r", undefined, run, example]);
  });

  it("LangSmith's older form with a run and an example", async () => {
    const seen: unknown[] = [];
    const older = (run: any, example: any) => {
      seen.push(run.outputs, run.id, example);
      return { key: "k", score: 1 };
    };
    await resultsOf(older, row);
    expect(seen).toEqual(["o", expect.any(String), example]);
  });

  it("parameters with the names of other libraries are an error, not undefined", async () => {
    const matches = ({ output, expected }: any) => ({ key: "match", score: output === expected });
    const [failure] = (await failureOf(matches, row)) ?? [];
    expect(failure?.error).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(
        "no parameter output; it receives { inputs, outputs, referenceOutputs }",
      ),
    });
    expect(failure?.error.message).toContain("fromAutoevals from openevals-wasm/interop");
    const older = ({ output, expected }: any, example: any) => ({
      key: example.id,
      score: output === expected,
    });
    expect((await failureOf(older, row))?.[0]?.error.message).toContain("no parameter output");
    for (const name of ["input", "expected", "reference"]) {
      const errors = await failureOf((params) => ({ key: "k", score: params[name] === undefined }), row);
      expect(errors?.[0]?.error.message).toContain(`no parameter ${name}`);
    }
    const mapInputs = ({ outputs, referenceOutputs }: any) => ({
      output: outputs,
      expected: referenceOutputs,
    });
    expect(await resultsOf({ evaluator: matches, mapInputs }, row)).toEqual([{ key: "match", score: false }]);
    const { rows } = await evaluate(() => undefined, { data: [row], evaluators: [exactMatch] });
    expect(rows[0]?.errors[0]?.error.message).toContain("exactMatch needs outputs and got undefined");
  });

  it("an object with evaluateRun", async () => {
    const evaluator = {
      async evaluateRun(run: any, example: any) {
        return { key: run.outputs, score: example.outputs === "r" };
      },
    };
    expect(await resultsOf(evaluator, row)).toEqual([{ key: "o", score: true }]);
  });

  function named() {
    return 0.25;
  }
  it.each<[string, RowEvaluator, object[]]>([
    ["a number, by the name of the function", named, [{ key: "named", score: 0.25 }]],
    [
      "a boolean of a function without a name",
      (
        () => () =>
          true
      )(),
      [{ key: "evaluators[0]", score: true }],
    ],
    [
      "an undefined score of a category",
      () => ({ key: "v", score: undefined, value: "x" }),
      [{ key: "v", value: "x" }],
    ],
    [
      "an undefined score that is not applicable",
      () => ({ score: undefined, applicable: false }),
      [{ key: "evaluators[0]", score: null, applicable: false }],
    ],
    ["no results", () => ({ results: [] }), []],
    ["a score without a key", () => ({ score: 1 }), [{ key: "evaluators[0]", score: 1 }]],
    ["a score with a name, as in Python", () => ({ name: "n", score: 1 }), [{ key: "n", score: 1 }]],
    ["an own key", Object.assign(() => 0.5, { feedbackKey: "own" }), [{ key: "own", score: 0.5 }]],
    [
      "a list",
      () => [
        { key: "a", score: 1 },
        { key: "b", score: false, comment: "no" },
      ],
      [
        { key: "a", score: 1 },
        { key: "b", score: false, comment: "no" },
      ],
    ],
    ["results", async () => ({ results: [{ key: "a", score: 1 }] }), [{ key: "a", score: 1 }]],
    ["nothing to say", () => [], []],
    ["no score", () => ({ key: "a", score: null }), [{ key: "a", score: null }]],
    ["a category", () => ({ key: "a", value: "kind" }), [{ key: "a", value: "kind" }]],
    [
      "everything else",
      () => ({ key: "a", score: 1, sourceRunId: "r", metadata: { m: 1 }, feedbackConfig: {} }),
      [{ key: "a", score: 1, sourceRunId: "r", metadata: { m: 1 } }],
    ],
  ])("%s", async (_, evaluator, results) => {
    expect(await resultsOf(evaluator, row)).toEqual(results);
  });

  it.each<[string, any, string]>([
    ["nothing", () => undefined, "named returned undefined; a score is true, false or a finite number"],
    ["a text", () => "good", 'named returned "good"'],
    ["no number", () => Number.NaN, "named returned NaN"],
    [
      "a score that is a text",
      () => ({ key: "a", score: "0.5" }),
      'named returned {"key":"a","score":"0.5"}',
    ],
    [
      "a score that nothing waits for",
      () => ({ key: "a", score: Promise.resolve(1) }),
      "named returned the score a promise (await it)",
    ],
    ["a score that is no number", () => ({ key: "a", score: Number.NaN }), "named returned the score NaN"],
    ["a key that is no text", () => ({ key: 3, score: 1 }), "named returned the key 3"],
    [
      "a score under another name",
      () => ({ key: "a", scor: 1 }),
      'named returned {"key":"a","scor":1} for the key "a", without a score. Write score instead of scor.',
    ],
    [
      "a verdict under the name of another package",
      () => ({ passed: false }),
      'named returned {"passed":false} for the key "named", without a score. Write score instead of passed.',
    ],
    [
      "a key alone",
      () => ({ key: "a", comment: "good" }),
      "without a score. Add a score, or applicable: false if there is none.",
    ],
    [
      "an undefined score",
      () => ({ key: "a", score: undefined }),
      'named returned {"key":"a"} for the key "a", whose score is undefined. Add a score',
    ],
    [
      "an undefined score without a key",
      () => ({ score: undefined, comment: "?" }),
      "whose score is undefined",
    ],
    ["an undefined score that is applicable", () => ({ key: "a", applicable: true }), "without a score"],
    ["an empty object", () => ({}), "named returned {}"],
    ["an empty object in a list", () => [{}], "named returned {}"],
    ["a list in a list", () => [[{ key: "a", score: 1 }]], "named returned a list in a list"],
    [
      "a key twice",
      () => [
        { key: "a", score: 1 },
        { key: "a", score: 0 },
      ],
      'named returned two results with the key "a"',
    ],
    [
      "what cannot be recorded",
      () => ({ key: "a", score: 1, metadata: { n: 1n } }),
      "metadata.n is a BigInt",
    ],
  ])("%s is a failure", async (_, evaluator, message) => {
    Object.defineProperty(evaluator, "name", { value: "named" });
    const [failure] = (await failureOf(evaluator)) as any;
    expect(failure.key).toBe("named");
    expect(failure.error).toMatchObject({ code: "invalid_input", message: expect.stringContaining(message) });
    expect(failure.error?.message).not.toMatch(/[.?]\.$/);
  });

  it("duplicate keys are an error, and completed rows are kept", async () => {
    const judge = () => ({ score: true, reasoning: "" });
    const one = createLLMAsJudge({ prompt: "{outputs}?", judge });
    const other = createLLMAsJudge({ prompt: "{outputs}!", judge });
    const data = [{ outputs: "a" }, { outputs: "b" }];
    const error = await errorOf(evaluate(undefined, { data, evaluators: [one, other] }));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain('evaluators[0] and evaluators[1] both return the key "score"');
    expect(error.experiment?.rows).toEqual([]);
  });
});

describe("what a function changes in its arguments", () => {
  class Basket {
    items = ["a", "b"];
  }

  it("is not seen by other evaluators, or recorded", async () => {
    const row = () => ({ inputs: { q: ["x"] }, outputs: { docs: ["b", "a"] }, referenceOutputs: [["r"]] });
    const taking: RowEvaluator = ({ inputs, outputs, referenceOutputs, run, example }) => {
      const seen = [inputs.q, outputs.docs, referenceOutputs[0]];
      const comment = JSON.stringify(seen);
      for (const list of seen) list.pop();
      expect([example.inputs.q, run.outputs.docs, example.outputs[0]]).toEqual(seen);
      return { key: "left", score: seen.flat().length, comment };
    };
    const sorting: RowEvaluator = {
      evaluator: ({ docs }) => ({ key: "first", score: docs.sort()[0] === "a" }),
      mapInputs: ({ outputs }) => ({ docs: outputs.docs }),
    };
    const data = [row()];
    const { rows } = await evaluate(undefined, {
      data,
      evaluators: [taking, sorting, (params: any) => ({ ...(taking as any)(params), key: "again" })],
      numRepetitions: 2,
    });
    expect(data).toEqual([row()]);
    const comment = '[["x"],["b","a"],["r"]]';
    for (const { example, run, evaluationResults } of rows) {
      expect(example).toMatchObject({ inputs: row().inputs, outputs: row().referenceOutputs });
      expect(run.outputs).toEqual(row().outputs);
      expect(evaluationResults).toEqual([
        { key: "left", score: 1, comment },
        { key: "first", score: true },
        { key: "again", score: 1, comment },
      ]);
    }
  });

  it("is not seen by later calls of the target, or by evaluators", async () => {
    const target = ({ messages }: { messages: string[] }, { attachments }: any) => ({
      count: messages.push("answer") + attachments.push("more"),
    });
    const { rows } = await evaluate(target, {
      data: [{ inputs: { messages: ["question"] }, attachments: ["picture"] }],
      evaluators: [({ inputs }) => ({ key: "inputs", score: inputs.messages.length })],
      numRepetitions: 2,
    });
    for (const { example, run, evaluationResults } of rows) {
      expect(example.inputs).toEqual({ messages: ["question"] });
      expect(run.outputs).toEqual({ count: 4 });
      expect(evaluationResults).toEqual([{ key: "inputs", score: 1 }]);
    }
  });

  it("may be metadata or attachments", async () => {
    const popping: RowEvaluator = ({ attachments, example }) => {
      const lists = [attachments, example.metadata.tags];
      return { key: "left", score: lists.map((list) => list.pop()).filter(Boolean).length };
    };
    const { rows } = await evaluate(undefined, {
      data: [{ outputs: "a", attachments: ["b"], metadata: { tags: ["c"] } }],
      evaluators: [popping],
      numRepetitions: 2,
    });
    expect(rows.map(({ evaluationResults }) => evaluationResults[0]?.score)).toEqual([2, 2]);
  });

  it("may be a field of the run or the example", async () => {
    const trims: RowEvaluator = ({ run, example }) => {
      run.outputs = run.outputs.trim();
      example.outputs = "b";
      return { key: "trims", score: true };
    };
    const older: RowEvaluator = {
      evaluateRun: (run, example) => {
        run.outputs = example.outputs = "c";
        return { key: "older", score: true };
      },
    };
    const data = [{ outputs: " a", referenceOutputs: "a" }];
    for (const evaluators of [
      [trims, older, exactMatch],
      [exactMatch, older, trims],
    ]) {
      const { rows } = await evaluate(undefined, { data, evaluators });
      const { example, run, evaluationResults } = rows[0]!;
      expect([example.outputs, run.outputs]).toEqual(["a", " a"]);
      expect(evaluationResults.find(({ key }) => key === "exact_match")?.score).toBe(false);
    }
  });

  it("does not change the rows of other summary evaluators, or of the experiment", async () => {
    const changing = ({ examples, runs, evaluationResults, scales }: any) => {
      examples[0].id = "other";
      runs[0].outputs.answer = 2;
      evaluationResults[0][0].score = 0;
      scales.own.passAt = 0;
      return { key: "changing", score: 1 };
    };
    const { rows, scales, summaryResults } = await evaluate(undefined, {
      data: [{ id: "1", outputs: { answer: 1 } }],
      evaluators: [({ outputs }) => ({ key: "own", score: outputs.answer })],
      summaryEvaluators: [changing, mean({ key: "own" })],
    });
    expect(summaryResults.map(({ score }) => score)).toEqual([1, 1]);
    expect(rows).toMatchObject([
      {
        example: { id: "1" },
        run: { outputs: { answer: 1 } },
        evaluationResults: [{ key: "own", score: 1 }],
      },
    ]);
    expect(scales?.own?.passAt).toBe(1);
  });

  it("does not change the lists of other summary evaluators", async () => {
    const emptying = ({ evaluationResults, outputs }: any) =>
      [evaluationResults, outputs].map((list) => list.splice(0).length)[0];
    const { summaryResults } = await evaluate(undefined, {
      data: [{ outputs: 1 }, { outputs: 0 }],
      evaluators: [
        function own({ outputs }) {
          return outputs;
        },
      ],
      summaryEvaluators: [emptying, mean({ key: "own" })],
    });
    expect(summaryResults.map(({ score }) => score)).toEqual([2, 0.5]);
  });

  it("leaves instances of classes as they are", async () => {
    const basket = new Basket();
    const { rows } = await evaluate(() => ({ basket }), {
      data: [{ inputs: null }],
      evaluators: [({ outputs }) => ({ key: "same", score: outputs.basket === basket })],
    });
    expect(rows[0]?.evaluationResults).toEqual([{ key: "same", score: true }]);
  });

  it("may have a field __proto__", async () => {
    const inputs = JSON.parse('{"__proto__": {"a": [1]}}');
    const { rows } = await evaluate((given) => Object.keys(given), {
      data: [{ inputs }],
      evaluators: [({ inputs }) => ({ key: "own", score: Object.hasOwn(inputs, "__proto__") })],
    });
    expect(rows[0]?.run.outputs).toEqual(["__proto__"]);
    expect(rows[0]?.evaluationResults).toEqual([{ key: "own", score: true }]);
  });
});

describe("mapInputs", () => {
  it("warns of a name that resembles a parameter, and that no evaluator reads", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const data = ["x", "y"].map((outputs) => ({ outputs, referenceOutputs: "x" }));
    const matches = ({ output }: any) => ({ key: "own", score: output === "x" });
    const judge = createLLMAsJudge({ prompt: "{output}?", judge: () => ({ reasoning: "", score: true }) });
    const run = async (evaluators: RowEvaluator[], mapInputs: any) => {
      await evaluate(undefined, { data, evaluators, mapInputs });
      return warn.mock.calls.splice(0).flat();
    };
    for (const evaluator of [exactMatch, levenshteinDistance, createJsonMatchEvaluator({})])
      expect(await run([evaluator], () => ({ output: "x" }))).toEqual([
        'openevals-wasm: mapInputs returned "output", which no evaluator read; did you mean "outputs"?',
      ]);
    expect(await run([exactMatch], () => ({ referenceOutput: "x" }))).toHaveLength(1);
    expect(await run([exactMatch, matches], () => ({ output: "x" }))).toEqual([]);
    expect(await run([judge], () => ({ output: "x" }))).toEqual([]);
    expect(await run([exactMatch], () => ({ outputs: "x", output: "x", context: "c" }))).toEqual([]);
    // A mapping of one evaluator does not read it, and an evaluator may write it.
    const own = { evaluator: levenshteinDistance, mapInputs: () => ({ more: 1 }) };
    expect(await run([exactMatch, own], () => ({ output: "x" }))).toHaveLength(1);
    const writes = (params: any) => {
      params.output = "y";
      return { key: "own", score: true };
    };
    expect(await run([exactMatch, writes], () => ({ output: "x" }))).toHaveLength(1);
  });

  it.each([
    ["mapinputs", 'evaluators[0] has no option "mapinputs"; did you mean mapInputs?'],
    ["name", 'evaluators[0] has no option "name"; it has evaluator, mapInputs.'],
  ])("beside an evaluator, %s is an unknown option", async (name, message) => {
    const entry = { evaluator: exactMatch, [name]: () => ({ outputs: 1, referenceOutputs: 1 }) };
    const running = evaluate(undefined, {
      data: [{ outputs: 1, referenceOutputs: 2 }],
      evaluators: [entry as never],
    });
    await expect(running).rejects.toMatchObject({ code: "invalid_config", message });
  });

  const data = [{ inputs: { q: "?" }, outputs: { answer: "a", documents: ["d"] } }];
  const seen: object[] = [];
  const look = (key: string) => (params: object) => {
    seen.push({ ...params });
    return { key, score: true };
  };

  it("overrides arguments, for all evaluators or one", async () => {
    seen.length = 0;
    const { rows } = await evaluate(undefined, {
      data,
      evaluators: [
        look("a"),
        {
          evaluator: look("b"),
          mapInputs: async ({ outputs, context, run, example }: any) => ({
            outputs: outputs.toUpperCase(),
            all: [context, run.outputs.answer, example.inputs.q],
          }),
        },
      ],
      mapInputs: ({ outputs }) => ({ outputs: outputs.answer, context: outputs.documents }),
    });
    expect(seen).toEqual([
      { inputs: { q: "?" }, outputs: "a", referenceOutputs: undefined, context: ["d"] },
      {
        inputs: { q: "?" },
        outputs: "A",
        referenceOutputs: undefined,
        context: ["d"],
        all: [["d"], "a", "?"],
      },
    ]);
    expect(rows[0]?.run.outputs).toEqual(data[0]?.outputs);
  });

  it("provides the variables of a prompt", async () => {
    const grounded = createLLMAsJudge({
      prompt: "Is {outputs} in {context}?",
      judge: ({ messages }) => ({ score: true, reasoning: messages[0]!.content }),
    });
    const { rows } = await evaluate(undefined, {
      data,
      evaluators: [grounded],
      mapInputs: ({ outputs }) => ({ context: outputs.documents }),
    });
    expect(rows[0]?.evaluationResults[0]?.comment).toBe('Is {"answer":"a","documents":["d"]} in ["d"]?');
  });

  it("that fails fails the evaluator", async () => {
    const mapInputs = ({ outputs }: any) => ({ context: outputs.missing.documents });
    const { rows } = await evaluate(undefined, { data, evaluators: [look("a")], mapInputs });
    expect(rows[0]?.errors[0]?.error).toMatchObject({
      code: "callback_failed",
      message: expect.stringMatching(/^mapInputs failed: /),
      cause: { name: "TypeError" },
    });
    const { rows: others } = await evaluate(undefined, {
      data,
      evaluators: [look("a")],
      mapInputs: (() => "context") as any,
    });
    expect(others[0]?.errors[0]?.error.message).toContain('mapInputs returned "context"');
  });
});
