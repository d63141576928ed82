/** Judges that are functions: their requests, and the use of their answers. */
import { createLLMAsJudge, initChatModel, type JudgeRequest, OpenEvalsError } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

const yes = async () => ({ score: true, reasoning: "Fine." });
type Options = Parameters<typeof createLLMAsJudge>[0];

/** The request of a judge with this prompt. */
async function asked(options: Partial<Options>, params: Record<string, unknown>): Promise<JudgeRequest> {
  const requests: JudgeRequest[] = [];
  const judge = (request: JudgeRequest) => {
    requests.push(request);
    return { score: "choices" in options || options.continuous ? 1 : true };
  };
  await createLLMAsJudge({ prompt: "{inputs}", ...options, judge } as Options)(params);
  return requests[0] as JudgeRequest;
}

describe("the prompt", () => {
  const filledIn = async (prompt: string, params: Record<string, unknown>) =>
    (await asked({ prompt }, params)).messages;

  it("has strings as they are, and other values as JSON", async () => {
    const params = {
      inputs: "a {outputs} }}",
      outputs: { b: [1, null] },
      n: 0,
      no: false,
      nil: null,
      date: new Date(0),
    };
    expect(await filledIn("{inputs}|{outputs}|{n}|{no}|{nil}|{date}", params)).toEqual([
      { role: "user", content: 'a {outputs} }}|{"b":[1,null]}|0|false|null|"1970-01-01T00:00:00.000Z"' },
    ]);
  });

  it("has the reference under either name", async () => {
    for (const params of [{ referenceOutputs: "r" }, { reference_outputs: "r" }]) {
      expect((await filledIn("{reference_outputs}", params))[0]?.content).toBe("r");
    }
  });

  it("keeps every character, lone surrogates included", async () => {
    const text = 'e\u0301 \u{1f600} \ud83d \udc00 \u{10ffff} \0 " \\ \n';
    expect((await filledIn("<{inputs}>", { inputs: text }))[0]?.content).toBe(`<${text}>`);
  });

  it("of 100,000 characters, with a text of a million", async () => {
    const content = (await filledIn(`${"x".repeat(100_000)}{inputs}`, { inputs: "é".repeat(1_000_000) }))[0]
      ?.content;
    expect(content).toBe("x".repeat(100_000) + "é".repeat(1_000_000));
  });

  it("with names like __proto__ has only the variables that were passed", async () => {
    expect((await filledIn("{constructor}", { constructor: "c" }))[0]?.content).toBe("c");
    for (const name of ["constructor", "toString", "__proto__"]) {
      expect((await errorOf(filledIn(`{${name}}`, { inputs: "" }))).code).toBe("missing_variable");
    }
  });

  it("names missing variables; undefined is missing", async () => {
    const error = await errorOf(
      filledIn("{inputs} {context}", { inputs: "", outputs: "", context: undefined }),
    );
    expect(error.code).toBe("missing_variable");
    expect(error.message).toContain("{context}");
    expect(error.message).toContain("(passed: inputs, outputs)");
    expect(error.message).toContain("evaluator({ outputs, context: … })");
  });

  it.each([
    ["{", 'line 1, column 1: "{" is never closed'],
    ["a\n\u{1f600} }", 'line 2, column 3: "}" closes nothing'],
    ["{inputs}}", 'line 1, column 9: "}" closes nothing'],
  ])("with a brace too many is refused before anybody is asked: %j", async (prompt, words) => {
    let calls = 0;
    const judge = () => {
      calls++;
      return yes();
    };
    const error = await errorOf(createLLMAsJudge({ prompt, judge })({ inputs: "" }));
    expect([error.code, calls]).toEqual(["invalid_config", 0]);
    expect(error.message).toContain(`The prompt has a brace without a partner at ${words}.`);
  });

  it.each([
    ["a BigInt", { inputs: { a: [1n] } }, "inputs.a[0] is a BigInt"],
    ["a function", { inputs: "", context: () => 1 }, "context is a function"],
    ["nothing", undefined, "was called with undefined"],
  ])("cannot hold %s", async (_, params, words) => {
    const error = await errorOf(
      createLLMAsJudge({ prompt: "{inputs} {context}", judge: yes })(params as never),
    );
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(words);
  });

  it("does not read unused data", async () => {
    const circular: unknown[] = [];
    circular.push(circular);
    const params = { inputs: "q", run: { client: () => {}, circular }, id: 1n };
    expect((await filledIn("{inputs}", params))[0]?.content).toBe("q");
  });
});

describe("the schema", () => {
  it.each([
    [{}, { type: "boolean" }, ["reasoning", "score"]],
    [{ continuous: true }, { type: "number" }, ["reasoning", "score"]],
    [{ choices: [0, 0.5, 1] }, { type: "number", enum: [0, 0.5, 1] }, ["reasoning", "score"]],
    [{ useReasoning: false }, { type: "boolean" }, ["score"]],
  ])("for %j", async (options, score, required) => {
    const { schema } = await asked(options, { inputs: "" });
    expect(schema).toMatchObject({
      type: "object",
      properties: { score },
      required,
      additionalProperties: false,
    });
  });

  it("of the caller is passed on in its order, and its value is returned", async () => {
    const outputSchema = { type: "object", properties: { z: { type: "number" }, a: {} }, required: ["z"] };
    const requests: JudgeRequest[] = [];
    const judge = createLLMAsJudge({
      prompt: "",
      outputSchema: { name: "mine", schema: outputSchema },
      judge: (request) => {
        requests.push(request);
        return { z: 1.5, a: { b: [] } };
      },
    });
    expect(await judge({})).toEqual({ z: 1.5, a: { b: [] } });
    expect(JSON.stringify(requests[0]?.schema)).toBe(JSON.stringify(outputSchema));
  });

  it("passes at the highest score that it allows", () => {
    const scaleOf = (score: object, passAt?: number) =>
      createLLMAsJudge({
        prompt: "{outputs}",
        judge: () => ({}),
        outputSchema: { type: "object", properties: { score } },
        ...(passAt && { passAt }),
      }).scale;
    const stars = { type: "integer", minimum: 1, maximum: 5 };
    expect(scaleOf(stars)).toMatchObject({ min: 1, max: 5, passAt: 5, direction: "higher" });
    expect(scaleOf(stars, 4)).toMatchObject({ passAt: 4 });
    expect(() => scaleOf(stars, 6)).toThrow("passAt is 6, but the scores are from 1 to 5");
    expect(scaleOf({ type: "number" })).toEqual({ direction: "higher" });
  });
});

describe("the answer", () => {
  const answering = (answer: unknown, options: Partial<Options> = {}) =>
    createLLMAsJudge({ prompt: "", model: "stub", judge: () => answer as object, ...options } as Options)({});

  it("may be an object or a text, synchronous or not", async () => {
    const expected = {
      key: "score",
      score: true,
      comment: "Ok \ud83d",
      metadata: { model: "stub", attempts: 1, latencyMs: expect.any(Number), promptHash: expect.any(String) },
    };
    const object = { score: true, reasoning: "Ok \ud83d" };
    expect(await answering(object)).toEqual(expected);
    expect(await answering(Promise.resolve(object))).toEqual(expected);
    expect(await answering(`\`\`\`json\n${JSON.stringify(object)}\n\`\`\``)).toEqual(expected);
  });

  describe("that is ambiguous", () => {
    const verdict = '{"reasoning": "Fine.", "score": true}';
    const reading = async (...answers: string[]) => {
      let asked = 0;
      const judge = () => answers[asked++] ?? "";
      const result = await createLLMAsJudge({ prompt: "{outputs}", judge })({ outputs: "x" });
      return { ...result, asked };
    };

    it.each([
      `${verdict} wait, on reflection {"score": fal`,
      `${verdict} wait, on reflection {"score": `,
      `${verdict} wait, on reflection {"sco`,
      `${verdict} wait, on reflection {`,
      `${verdict} wait, on reflection {"reasoning": "It is not`,
      `\`\`\`json\n${verdict}\n\`\`\`\n\nOr rather:\n\n\`\`\`json\n{"score": fal\n\`\`\``,
      `${verdict} No: {"score": "unclear"}`,
      'For example {"score": true}… My verdict: score = false.',
      `For example ${verdict}. **Score:** false`,
      `The score is false. For example: ${verdict}`,
      `${verdict}\n\nMy verdict: **false**`,
      `${verdict} "score": false`,
      `Here is my verdict: ${verdict}`,
      `Here is my verdict:\n\n\`\`\`json\n${verdict}\n\`\`\`\n\nI hope {this} helps!`,
      `${verdict}\n\nScore: true`,
      `The score is true, since the answer is {"a": 1}. ${verdict}`,
      `The score: what counts is the answer. ${verdict}`,
      `${verdict} The score is based on the reference.`,
      `A score of 0 would be for wrong answers. ${verdict}`,
    ])("is asked for again: %s", async (answer) => {
      expect(await reading(answer, '{"score": false}')).toMatchObject({
        score: false,
        asked: 2,
        metadata: { attempts: 2 },
      });
      const error = await errorOf(reading(answer, answer));
      expect(error).toMatchObject({ code: "invalid_judge_output", raw: answer, attempts: 2 });
    });
  });

  it("keeps the number as written", async () => {
    for (const score of [0, 1e-7, 0.1, 0.8571428571428571, 0.30000000000000004, 1]) {
      expect((await answering({ score }, { continuous: true })).score).toBe(score);
    }
  });

  it.each([
    [undefined, "it is empty"],
    [{}, '"score" is missing'],
    [{ score: 2 }, '"score" is 2, but has to be true or false'],
    [{ score: Number.NaN }, '"score" is null'],
    ["yes", "there is no JSON in it"],
  ])("%j is asked for again, and then an error", async (answer, words) => {
    const error = await errorOf(answering(answer));
    expect(error).toMatchObject({ code: "invalid_judge_output", attempts: 2 });
    expect(error.message).toContain(words);
    expect(error.raw).toBe(typeof answer === "object" ? JSON.stringify(answer) : (answer ?? ""));
  });

  it.each([
    [
      "throws",
      () => {
        throw new RangeError("boom");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("boom"))],
  ])("of a function that %s is callback_failed, with the cause", async (_, judge) => {
    const error = await errorOf(createLLMAsJudge({ prompt: "", judge })({}));
    expect(error).toMatchObject({
      code: "callback_failed",
      message: "The call to the model failed: boom",
      attempts: 1,
    });
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  it("keeps the causes of concurrent calls apart", async () => {
    const judge = createLLMAsJudge({
      prompt: "{n}",
      judge: async ({ messages }) => {
        throw new Error(messages[0]?.content);
      },
    });
    const errors = await Promise.all([1, 2, 3].map((n) => errorOf(judge({ n }))));
    expect(errors.map(({ cause }) => (cause as Error).message)).toEqual(["1", "2", "3"]);
  });
});

describe("batch", () => {
  const judge = createLLMAsJudge({
    prompt: "{n}",
    continuous: true,
    judge: async ({ messages }) => ({ score: Number(messages[0]?.content) }),
  });

  it("returns the result of a single call for each row, in order", async () => {
    const results = await judge.batch([{ n: 0.5 }, { n: 0 }, { n: 1 }]);
    expect(results.map(({ score }) => score)).toEqual([0.5, 0, 1]);
    expect(await judge.batch([])).toEqual([]);
  });

  it("takes 1,000 rows", async () => {
    const results = await judge.batch(Array.from({ length: 1_000 }, (_, index) => ({ n: index / 1_000 })));
    expect(results[137]?.score).toBe(0.137);
  });

  it("names the row that failed", async () => {
    const error = await errorOf(judge.batch([{ n: 1 }, {}]));
    expect(error.code).toBe("missing_variable");
    expect(error.message).toMatch(/^rows\[1\]: The prompt has the variable \{n\}/);
    expect((await errorOf(judge.batch({} as never))).code).toBe("invalid_input");
  });
});

describe("invalid options are errors when a judge is made", () => {
  it.each([
    [{ judge: undefined }, "A judge needs a model"],
    [{ judge: undefined, model: "mystery:m" }, "does not name a model"],
    [{ judge: { chat: { completions: { create: yes } } } }, 'needs a model, such as model: "gpt-5.4"'],
    [{ judge: { doGenerate: yes, specificationVersion: "v1" } }, "v2 to v4 are supported"],
    [{ judge: {} }, "judge has to be a function"],
    [{ judge: "gpt-5.4" }, "judge has to be a function"],
    [{ prompt: undefined }, "prompt has to be a string"],
    [{ prompt: {} }, "prompt has to be a string"],
    [{ prompt: () => [], system: "Be strict." }, "system needs a prompt that is a string"],
    [{ prompt: { invoke: yes, schema: {} }, outputSchema: {} }, "The prompt has a schema"],
    [{ continuous: true, choices: [0, 1] }, "exclude each other"],
    [{ continuous: "yes" }, "continuous"],
    [{ choices: [] }, "choices is []; it has to be a list of at least one number"],
    [{ choices: ["good"] }, "choices"],
    [{ choices: [Number.NaN] }, "choices"],
    [{ useReasoning: 1 }, "useReasoning"],
    [{ feedbackKey: 1 }, "feedbackKey"],
    [{ system: 1 }, "system"],
    [{ fewShotExamples: {} }, "fewShotExamples"],
    [
      { fewShotExamples: [{ input: "a", outputs: "b", score: 1 }] },
      'fewShotExamples[0] has no option "input"; did you mean inputs?',
    ],
    [{ outputSchema: "object" }, "outputSchema"],
    [{ outputSchema: { parse: yes } }, "provides no JSON schema"],
    [{ outputSchema: {}, continuous: true }, "leave out continuous, choices and samples"],
    [{ feedback_key: "x" }, 'no option "feedback_key"'],
  ])("%j", (options, words) => {
    const make = () => createLLMAsJudge({ prompt: "{outputs}", judge: yes, ...options } as Options);
    expect(make).toThrow(OpenEvalsError);
    expect(make).toThrow(words);
  });
});

describe("the error for an object as an option", () => {
  const secrets = ["sk-SECRET123", "Bearer abc", "hunter2"];
  const given = {
    provider: "openai",
    apiKey: secrets[0],
    headers: { Authorization: secrets[1], "x-api-key": secrets[0], authToken: secrets[1] },
    auth: { user: "me", pass: secrets[2] },
    db_password: secrets[2],
    CLIENT_SECRET: secrets[0],
    "Set-Cookie": secrets[2],
    accessKey: secrets[0],
    sessionId: secrets[2],
    maxTokens: 7,
    key: "k",
  };
  const masked =
    '{"provider":"openai","apiKey":"***","headers":{"Authorization":"***","x-api-key":"***","authToken":"***"},' +
    '"auth":"***","db_password":"***","CLIENT_SECRET":"***",' +
    '"Set-Cookie":"***","accessKey":"***","sessionId":"***","maxTokens":7,"key":"k"}';
  const data = [{ inputs: "a" }];

  it.each<[string, () => unknown]>([
    ["model", () => createLLMAsJudge({ prompt: "", model: given as never })],
    ["system", () => createLLMAsJudge({ prompt: "", judge: yes, system: given as never })],
    ["evaluators[0]", () => evaluate(yes, { data, evaluators: [given as never] })],
    ["The target", () => evaluate(given as never, { data, evaluators: [] })],
  ])("masks secrets: %s", async (option, make) => {
    const { message } = await errorOf((async () => make())());
    expect(message.startsWith(`${option} is ${masked}`.slice(0, 200))).toBe(true);
    for (const secret of secrets) expect(message).not.toContain(secret);
  });

  it("says where to pass a client", async () => {
    const client: Record<string, unknown> = { apiKey: secrets[0] };
    client.chat = { client };
    const make = async () => createLLMAsJudge({ prompt: "", model: client as never });
    expect(await errorOf(make())).toMatchObject({
      code: "invalid_config",
      message:
        'model is object; it has to be a string such as "openai:gpt-5.4". Pass functions and clients as judge, with ' +
        "the name of the model as model.",
    });
  });
});

it("a model of initChatModel can be shared by judges", async () => {
  const completion = { choices: [{ message: { content: '{"score": true}' } }] };
  const judge = initChatModel("gpt-5.4", { apiKey: "sk", fetch: async () => Response.json(completion) });
  const judges = ["a", "b"].map((feedbackKey) => createLLMAsJudge({ prompt: "", feedbackKey, judge }));
  expect((await Promise.all(judges.map((ask) => ask({})))).map(({ key }) => key)).toEqual(["a", "b"]);
});

it.each([
  ['{"score": true, "score": false, "reasoning": ""}'],
  ['{"score": true, "reasoning": ""}\n{"final score": false}'],
  ['{"score": true, "final_score": false, "reasoning": ""}'],
])("an answer with two verdicts is asked again, and then an error: %s", async (answer) => {
  let asked = 0;
  const judge = () => {
    asked++;
    return asked === 1 ? answer : '{"score": false, "reasoning": "Once."}';
  };
  const once = createLLMAsJudge({ prompt: "{outputs}", judge });
  expect(await once({ outputs: "a" })).toMatchObject({ score: false, metadata: { attempts: 2 } });
  const always = createLLMAsJudge({ prompt: "{outputs}", judge: () => answer });
  await expect(always({ outputs: "a" })).rejects.toMatchObject({ code: "invalid_judge_output" });
});
