import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  levenshteinDistance,
} from "openevals-wasm";
import { createToolPolicy } from "openevals-wasm/agents";
import { noPII } from "openevals-wasm/checks";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { evaluatorMatchers, type TestEvaluator } from "openevals-wasm/vitest";
import { describe, expect, test } from "vitest";

/** The message of a failed test. */
const failure = (assertion: Promise<void>): Promise<Error & { code?: string }> =>
  assertion.then(
    () => expect.unreachable("the assertion passed"),
    (error) => error,
  );

test("a maker instead of an evaluator is an error with the correct call", async () => {
  for (const assertion of [
    expect({ a: "b", c: "d" }).toPassEvaluator(noPII as never),
    expect("b").not.toPassEvaluator(noPII as never),
  ])
    expect(await failure(assertion)).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("write noPII()"),
    });
});

test("inside another matcher, where its promise would count as passed, it is an error", () => {
  const { toPassEvaluator, not } = expect as any;
  for (const matcher of [toPassEvaluator, not.toPassEvaluator])
    for (const assert of [
      () => expect({ a: 1 }).toEqual({ a: matcher(exactMatch, { referenceOutputs: 1 }) }),
      () => expect([1]).not.toContainEqual(matcher(exactMatch, { referenceOutputs: 2 })),
    ])
      expect(assert).toThrow("toPassEvaluator is asynchronous, so it cannot be used inside another matcher");
});

test("true passes, and false does not", async () => {
  await expect({ a: 1, b: 2 }).toPassEvaluator(exactMatch, { referenceOutputs: { b: 2, a: 1 } });
  await expect({ a: 1 }).not.toPassEvaluator(exactMatch, { referenceOutputs: { a: 2 } });

  const { message } = await failure(
    expect({ a: 1 }).toPassEvaluator(exactMatch, { referenceOutputs: { a: 2 } }),
  );
  expect(message).toBe(
    "expect(outputs).toPassEvaluator(evaluator)\n\nexact_match: the score is false, it should be true\n" +
      '  outputs.a is 1 instead of 2\n\noutputs: {"a":1}\nreferenceOutputs: {"a":2}',
  );
  const long = await failure(expect("x".repeat(300)).toPassEvaluator(exactMatch, { referenceOutputs: 2 }));
  expect(long.message).toMatch(/\noutputs: "x{199}…\nreferenceOutputs: 2$/);
  const alias = await failure(expect(1).toPassEvaluator(exactMatch, { reference_outputs: 2 }));
  expect(alias.message).toMatch(/\noutputs: 1\nreferenceOutputs: 2$/);
  const not = await failure(expect(1).not.toPassEvaluator(exactMatch, { referenceOutputs: 1 }));
  expect(not.message).toContain(".not.toPassEvaluator");
  expect(not.message).toContain("exact_match: the score is true, it should be false");
});

describe("messages of a conversation", () => {
  const policy = createToolPolicy({
    before: [["authenticate", "refund"]],
    args: { refund: { type: "object", properties: { amount: { type: "number", maximum: 10 } } } },
  });
  const called = (name: string, args: object) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ id: name, type: "function", function: { name, arguments: JSON.stringify(args) } }],
  });
  const asked = { role: "user", content: "I want my money back.\nNow!" };
  const refund = called("refund", { amount: 500 });

  test("are lines, and each broken rule is one", async () => {
    const { message } = await failure(expect([asked, refund]).toPassEvaluator(policy));
    expect(message).toBe(`expect(outputs).toPassEvaluator(evaluator)

tool_policy: the score is false, it should be true
  outputs[1].tool_calls[0]: refund is called before a call of authenticate has succeeded.
  outputs[1].tool_calls[0]: refund is called with wrong arguments: "amount" is 500, but has to be at most 10.

outputs: 2 messages
  [0] user: I want my money back. Now!
  [1] assistant -> refund({"amount":500})`);
  });

  test("are those around the call that fails, if there are many", async () => {
    const search = (q: number) => called("search", { q, apiKey: "secret" });
    const messages = [asked, ...[1, 2, 3, 4, 5].map(search), refund, ...[6, 7, 8, 9].map(search)];
    const { message } = await failure(
      expect({ messages, state: { paid: true } }).toPassEvaluator(policy, { referenceOutputs: messages }),
    );
    expect(message.split("\n\n")[2]).toBe(`outputs: 11 messages and {"state":{"paid":true}}
  …
  [4] assistant -> search({"apiKey":"***","q":4})
  [5] assistant -> search({"apiKey":"***","q":5})
  [6] assistant -> refund({"amount":500})
  [7] assistant -> search({"apiKey":"***","q":6})
  [8] assistant -> search({"apiKey":"***","q":7})
  …
referenceOutputs: 11 messages
  …
  [1] assistant -> search({"apiKey":"***","q":1})
  [2] assistant -> search({"apiKey":"***","q":2})
  [3] assistant -> search({"apiKey":"***","q":3})
  [4] assistant -> search({"apiKey":"***","q":4})
  [5] assistant -> search({"apiKey":"***","q":5})
  [6] assistant -> refund({"amount":500})
  [7] assistant -> search({"apiKey":"***","q":6})
  [8] assistant -> search({"apiKey":"***","q":7})
  [9] assistant -> search({"apiKey":"***","q":8})
  [10] assistant -> search({"apiKey":"***","q":9})`);
  });
});

describe("a message with many calls", () => {
  const policy = createToolPolicy({ deny: ["drop", "erase"] });
  const search = (q: number) => ({ name: "search", args: { q } });
  const of = (calls: object[], content = "Let me see.") => [
    { role: "assistant", content, tool_calls: calls },
  ];
  const shown = async (outputs: object) => {
    const { message } = await failure(expect(outputs).toPassEvaluator(policy));
    return message.split("\n\n")[2];
  };

  test("shows the calls that fail, and the number of all", async () => {
    const calls: object[] = Array.from({ length: 300 }, (_, q) => search(q));
    calls[250] = { name: "erase", args: { disk: 1 } };
    calls[123] = { name: "drop", args: { table: "users" } };
    expect(await shown(of(calls))).toBe(`outputs: 1 message
  [0] assistant: Let me see. -> 300 calls
    tool_calls[123] -> drop({"table":"users"})
    tool_calls[250] -> erase({"disk":1})`);
  });

  test("shows all of them if they fit, or as many as fit if none is named", async () => {
    const fitting = [search(1), { name: "drop", args: {} }];
    expect(await shown(of(fitting))).toBe(`outputs: 1 message
  [0] assistant: Let me see. -> search({"q":1}) -> drop({})`);
    const calls = Array.from({ length: 300 }, (_, q) => search(q));
    const { message } = await failure(expect(of(calls)).toPassEvaluator(async () => false));
    expect(message).toContain('[0] assistant: Let me see. -> search({"q":0}) -> search({"q":1}) -> ');
    expect(message.split("\n").at(-1)).toMatch(/^.{100,150}…$/u);
  });
});

test("the parts of a message are shown as text, and files as their kind", async () => {
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(500)}` } };
  const messages = [
    { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "A chart." },
        { type: "text", text: "I measure it." },
        { type: "tool_use", id: "1", name: "measure", input: { chart: 1 } },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "1",
          content: [
            { type: "text", text: "12 cm" },
            { type: "image", source: { data: "AAAA" } },
          ],
        },
        { type: "input_audio", input_audio: { data: "AAAA" } },
        { type: "chart", points: [1] },
      ],
    },
    { role: "tool", content: [{ x: 1 }, { x: 2 }] },
  ];
  const { message } = await failure(expect(messages).toPassEvaluator(async () => false));
  expect(message.split("\n\n")[2]).toBe(`outputs: 4 messages
  [0] user: What is this? [image]
  [1] assistant: A chart. I measure it. -> measure({"chart":1})
  [2] tool: 12 cm [image] [audio] {"type":"chart","points":[1]}
  [3] tool: [ { "x": 1 }, { "x": 2 } ]`);
});

test("what a terminal would act upon is escaped in the message", async () => {
  const rude = async () => ({ key: "polite", score: false, comment: "\u001b]0;title\u0007\nrude" });
  const { message } = await failure(expect("\u001b[2J").toPassEvaluator(rude));
  expect(message).toBe(
    "expect(outputs).toPassEvaluator(evaluator)\n\npolite: the score is false, it should be true\n" +
      '  \\u001b]0;title\\u0007\n  rude\n\noutputs: "\\u001b[2J"',
  );
});

test("a number passes from passAt on, which is 1 where it is not given", async () => {
  const options = { referenceOutputs: "sitting" }; // similarity 1 - 3/7 = 0.571…
  await expect("kitten").toPassEvaluator(levenshteinDistance, { ...options, passAt: 0.57 });
  await expect("kitten").not.toPassEvaluator(levenshteinDistance, { ...options, passAt: 0.58 });
  await expect("sitting").toPassEvaluator(levenshteinDistance, options);
  const score = "levenshtein_distance: the score is 0.5714285714285714, it should be";
  const { message } = await failure(expect("kitten").toPassEvaluator(levenshteinDistance, options));
  expect(message).toContain(`${score} at least 1. Set passAt for another mark\n`);
  const not = await failure(
    expect("kitten").not.toPassEvaluator(levenshteinDistance, { ...options, passAt: 0.5 }),
  );
  expect(not.message).toContain(`${score} less than 0.5\n`);
});

test("a judge with an outputSchema has the key of the judge", async () => {
  const judge = createLLMAsJudge({
    prompt: "{outputs}",
    judge: () => ({ score: 7, reasoning: "Fair." }),
    outputSchema: {
      type: "object",
      properties: { score: { type: "number", maximum: 10 }, reasoning: { type: "string" } },
    },
    feedbackKey: "quality",
  });
  await expect("a").toPassEvaluator(judge as TestEvaluator, { key: "quality", passAt: 7 });
  const { message } = await failure(expect("a").toPassEvaluator(judge as TestEvaluator));
  expect(message).toContain(
    "quality: the score is 7, it should be at least 10. Set passAt for another mark\n  Fair.",
  );
});

test("the evaluator gets everything but the options of the matcher", async () => {
  const calls: unknown[] = [];
  const evaluator = (params: unknown) => {
    calls.push(params);
    return { key: "any", score: 0.5 };
  };
  const params = { inputs: "q", referenceOutputs: "r", context: "c" };
  await expect("a").toPassEvaluator(evaluator, { ...params, passAt: 0.5, key: "any" });
  // An application is mostly a promise, whether it was awaited or not.
  await expect(Promise.resolve("b")).toPassEvaluator(evaluator, { passAt: 0 });
  expect(calls).toEqual([{ ...params, outputs: "a" }, { outputs: "b" }]);
});

test("threshold is no option of the matcher, but a parameter of some scorers", async () => {
  const options = { referenceOutputs: "sitting", threshold: 0.57 };
  expect(await failure(expect("kitten").toPassEvaluator(levenshteinDistance, options))).toMatchObject({
    code: "invalid_config",
    message: 'toPassEvaluator has no option "threshold"; did you mean passAt?',
  });
  const scorer = ({ threshold }: { threshold: number }) => ({ name: "moderation", score: threshold < 1 });
  await expect("a").toPassEvaluator(scorer, { threshold: 0.5 });
});

test("parameters with the names of other libraries are an error, unless they are passed", async () => {
  const matches = ({ output, expected }: any) => ({ key: "match", score: output === expected });
  for (const assertion of [expect("a").toPassEvaluator(matches), expect("a").not.toPassEvaluator(matches)])
    expect(await failure(assertion)).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("An evaluator has no parameter output"),
    });
  await expect("a").toPassEvaluator(matches, { output: 1, expected: 1 });
});

test("an own function may return a score without a key, as in evaluate()", async () => {
  const isShort = ({ outputs }: { outputs: string }) => outputs.length < 3;
  await expect("ab").toPassEvaluator(isShort);
  await expect("abc").not.toPassEvaluator(isShort);
  await expect("ab").toPassEvaluator(({ outputs }: { outputs: string }) => outputs.length / 4, {
    passAt: 0.5,
  });
  await expect("ab").toPassEvaluator(() => ({
    results: [
      { key: "a", score: 1 },
      { key: "b", score: true },
    ],
  }));
  const { pass, message } = await evaluatorMatchers.toPassEvaluator("abc", isShort);
  expect([pass, message()]).toEqual([
    false,
    expect.stringContaining("isShort: the score is false, it should be true"),
  ]);
});

test("a failure has the comment, and the beginning of long outputs", async () => {
  const judge = createLLMAsJudge({
    prompt: "{outputs}",
    feedbackKey: "tone",
    continuous: true,
    judge: () => ({ score: 0.25, reasoning: "It is rude.\nVery." }),
  });
  const { message } = await failure(expect("x".repeat(5_000)).toPassEvaluator(judge, { passAt: 0.5 }));
  expect(message).toContain("tone: the score is 0.25, it should be at least 0.5\n  It is rude.\n  Very.\n");
  expect(message).toContain('outputs: "xxx');
  expect(message.length).toBeLessThan(500);
});

test("of several results all have to pass, or the one with the key", async () => {
  const evaluator = createJsonMatchEvaluator();
  const outputs = { name: "Ada", born: 1815 };
  const options = { referenceOutputs: { name: "Ada", born: 1816 } };
  await expect(outputs).toPassEvaluator(evaluator, { referenceOutputs: outputs });
  await expect(outputs).not.toPassEvaluator(evaluator, options);
  await expect(outputs).toPassEvaluator(evaluator, { ...options, key: "json_match:name" });
  const { message } = await failure(expect(outputs).toPassEvaluator(evaluator, options));
  expect(message).toContain("json_match:born: the score is 0, it should be at least 1");
  expect(message).not.toContain("json_match:name");
  const unknown = expect(outputs).toPassEvaluator(evaluator, { ...options, key: "json_match:nme" });
  await expect(unknown).rejects.toMatchObject({
    code: "invalid_input",
    message:
      'No result has the key "json_match:nme". The keys of this evaluator are json_match:born, json_match:name.',
  });
});

test("trajectories are outputs, too", async () => {
  const trajectory = (city: string) => [
    { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: { city } }] },
  ];
  const evaluator = createTrajectoryMatchEvaluator();
  await expect(trajectory("Oslo")).toPassEvaluator(evaluator, { referenceOutputs: trajectory("Oslo") });
  const { message } = await failure(
    expect(trajectory("Oslo")).toPassEvaluator(evaluator, { referenceOutputs: trajectory("Rome") }),
  );
  expect(message).toContain("Rome");
});

test("recipes are evaluators, too", async () => {
  const evaluator = new CheckCriteriaEvaluator({
    criteria: ["The answer is kind.", "The answer is short."],
    model: ({ messages }) => ({
      reasoning: "I looked for it.",
      probability: JSON.stringify(messages).includes("kind") ? 1 : 0.5,
    }),
  });
  const messages = [
    { role: "user", content: "How warm is it?" },
    { role: "assistant", content: "4 °C." },
  ];
  await expect(messages).toPassEvaluator(evaluator, { passAt: 75 });
  const { message } = await failure(expect(messages).toPassEvaluator(evaluator));
  expect(message).toContain(
    "check_criteria: the score is 75, it should be at least 100. Set passAt for another mark\n  ",
  );
  expect(message).toContain("The answer is short.");
});

test("evaluators with evaluate(messages, tools) score up to 100", async () => {
  const output = {
    evalName: "brief",
    applicable: true,
    score: 80,
    feedback: "It goes on and on.",
    metadata: {},
  };
  const calls: unknown[] = [];
  const evaluator = {
    async evaluate(...args: unknown[]) {
      calls.push(args);
      return output;
    },
  };
  const messages = [{ role: "assistant", content: "Well, …" }];
  const tools = [{ type: "function", name: "search" }];
  await expect(messages).toPassEvaluator(evaluator, { tools, passAt: 80 });
  const { message } = await failure(expect(messages).toPassEvaluator(evaluator));
  expect(message).toContain(
    "brief: the score is 80, it should be at least 100. Set passAt for another mark\n  It goes on and on.",
  );
  expect(calls).toEqual([
    [messages, tools],
    [messages, []],
  ]);
});

test.each([false, true])("a failure is never a pass (.not: %s)", async (isNot) => {
  const assertion = (outputs: unknown, evaluator: TestEvaluator) => {
    const expected = expect(outputs);
    return (isNot ? expected.not : expected).toPassEvaluator(evaluator);
  };
  const boom = new TypeError("boom");
  const throws = () => {
    throw boom;
  };
  expect(await failure(assertion("a", throws))).toBe(boom);
  expect(await failure(assertion("a", { evaluate: async () => Promise.reject(boom) }))).toBe(boom);
  expect(await failure(assertion(Promise.reject(boom), exactMatch))).toBe(boom);
  expect(
    await failure(assertion("a", () => ({ evalName: "e", applicable: false, score: 0, error: boom }))),
  ).toBe(boom);
  for (const [returned, message] of [
    [
      { key: "k", applicable: false, score: 0, comment: "No tool was there." },
      "k is not applicable\n  No tool was there.",
    ],
    [{ key: "k", error: { name: "Error", message: "no network" } }, "k failed: no network"],
    [{ key: "k", score: null }, "k is not applicable"],
    [{ key: "k", score: Number.NaN }, "returned the score NaN; a result needs a score"],
    [Number.NaN, "returned NaN; a result needs a score"],
    [{ key: "k", score: "1" }, "a result needs a score"],
    [{ verdict: true }, '{"verdict":true}; a result needs a score'],
    [undefined, "undefined; a result needs a score"],
    [[], "no results"],
  ] as const) {
    const error = await failure(assertion("a", async () => returned));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(message);
  }
  // Errors of this package's own evaluators arrive unchanged.
  const missing = await failure(assertion("a", exactMatch));
  expect(missing).toMatchObject({ name: "OpenEvalsError", code: "invalid_input" });
  expect(missing.message).toContain("exactMatch needs referenceOutputs");
});

test("rejects invalid options", async () => {
  expect(await failure(expect("a").toPassEvaluator("exact_match" as never))).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining('it got "exact_match"'),
  });
  expect(await failure(expect("a").toPassEvaluator(exactMatch, { passAt: "0.5" as never }))).toMatchObject({
    code: "invalid_config",
    message: 'passAt is "0.5"; it has to be a finite number.',
  });
  expect(await failure(expect("a").toPassEvaluator(exactMatch, { passat: 0.5 }))).toMatchObject({
    code: "invalid_config",
    message: 'toPassEvaluator has no option "passat"; did you mean passAt?',
  });
  expect(await failure(expect("a").toPassEvaluator(exactMatch, { referenceOutput: "a" }))).toMatchObject({
    code: "invalid_config",
    message: 'toPassEvaluator has no option "referenceOutput"; did you mean referenceOutputs?',
  });
});

test("the matchers can be added by hand", async () => {
  const state = expect.getState();
  const { pass, message } = await evaluatorMatchers.toPassEvaluator.call(state, 1, exactMatch, {
    referenceOutputs: 2,
  });
  expect(pass).toBe(false);
  expect(message()).toContain("exact_match");
});
