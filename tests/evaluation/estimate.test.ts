/** estimate(): the expected usage of an experiment. */
import { createLLMAsJudge, exactMatch, type LLMAsJudgeOptions } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { type EstimateOptions, evaluate } from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { contextRecall, faithfulness } from "openevals-wasm/rag";
import { describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

const prices = { "gpt-5.4": { input: 1, output: 10 } };
/** 300 characters of the last one are the answer. */
const data = Array.from({ length: 30 }, (_, index) => ({
  inputs: index,
  outputs: "x".repeat(10 * (index + 1)),
}));
const estimate = (how: EstimateOptions["estimate"], options: Partial<EstimateOptions> = {}) =>
  evaluate(undefined, {
    ...{ data, progress: false, ...options, estimate: how },
    budget: { prices, ...options.budget },
  });
const judgeOf = (options: Partial<LLMAsJudgeOptions> = {}) =>
  createLLMAsJudge({
    ...{ prompt: "Is {outputs} right?", model: "openai:gpt-5.4", feedbackKey: "right" },
    ...options,
  });

it("options of unknown type make an experiment", async () => {
  const options: any = { data: [{ outputs: "a", referenceOutputs: "a" }], evaluators: [exactMatch] };
  const { rows } = await evaluate(undefined, options);
  expect(rows.length).toBe(1);
});

describe("an estimate from questions", () => {
  it("sends no request, and measures those that would be sent", async () => {
    const answer = vi.fn(() => ({ score: true }));
    const own = vi.fn(() => 1);
    const { assumptions, ...found } = await estimate(true, {
      evaluators: [
        judgeOf(),
        judgeOf({ feedbackKey: "other", judge: answer, model: "mystery", samples: 3 }),
        own,
      ],
      numRepetitions: 2,
      output: { sink: () => expect.unreachable() },
    });
    expect([answer.mock.calls.length, own.mock.calls.length]).toEqual([0, 0]);
    expect(found).toMatchObject({ rows: 60, measured: 60, questions: { low: 240, high: 240 } });
    expect([found.unknown, found.unpriced]).toEqual([["Mock"], ["mystery"]]);
    // Each request has the answer, 165 characters on average, and the text around it.
    expect(found.inputTokens.low).toBeGreaterThan((240 * 165) / 5);
    expect(found.inputTokens.high).toBeGreaterThan((240 * 165) / 3);
    expect(found.inputTokens.high).toBeLessThan((240 * 165) / 3 + 240 * 300);
    // The shortest answer is {"reasoning":"","score":true}: 29 characters, about five for a token.
    expect(found.outputTokens).toEqual({ low: 1200, high: 120_000 });
    // The requests of the model with a price: a fourth of all.
    expect(found.cost?.low).toBeCloseTo((found.inputTokens.low / 4 + 3000) / 1e6, 4);
    expect(assumptions).toContain(
      "A token is three to five characters of ASCII, or two thirds of a character to three characters of other scripts.",
    );
    expect(assumptions.join()).not.toContain("target");
  });

  it.each<[string, Partial<LLMAsJudgeOptions>, low: number, high: number]>([
    // {"score":true} to {"score":false}, with five to two characters for a token
    ["true or false", {}, 2, 8],
    // {"score":1} to {"score":10}
    ["choices", { choices: [1, 5, 10] }, 2, 6],
    // {"score":"","tags":[]} to any text
    [
      "a schema with text",
      {
        outputSchema: {
          type: "object",
          properties: { score: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
          required: ["score", "tags"],
          additionalProperties: false,
        },
      },
      4,
      500,
    ],
    // {"score":7} to {"score":7,"flags":[false,false]}
    [
      "a schema without text",
      {
        outputSchema: {
          type: "object",
          properties: {
            score: { const: 7 },
            flags: { type: "array", items: { type: "boolean" }, maxItems: 2 },
          },
          required: ["score"],
          additionalProperties: false,
        },
      },
      2,
      17,
    ],
  ])("knows the tokens of an answer that is %s", async (_, options, low, high) => {
    const { outputTokens } = await estimate(true, {
      evaluators: [judgeOf({ useReasoning: false, ...options })],
    });
    expect(outputTokens).toEqual({ low: 30 * low, high: 30 * high });
  });

  it("uses the reference as the answers of a target, which is not run", async () => {
    const target = vi.fn(() => "y");
    const of = (outputs: string) =>
      evaluate(target, { data: [{ inputs: 1, outputs }], evaluators: [judgeOf()], estimate: true });
    const [short, long] = [await of(""), await of("z".repeat(500))];
    expect(target).not.toHaveBeenCalled();
    expect(long.inputTokens.low - short.inputTokens.low).toBe(100);
    expect(long.assumptions).toContain(
      "The target is not run: its answers are assumed to be as long as the reference outputs.",
    );
    expect([long.cost, long.spent]).toEqual([undefined, undefined]);
  });

  it("samples rows, and only those of its shard", async () => {
    const many = Array.from({ length: 5000 }, () => data[0]!);
    const found = await estimate(true, { data: many, evaluators: [judgeOf()] });
    expect(found).toMatchObject({ rows: 5000, measured: 1000, questions: { low: 5000 } });
    expect(found.assumptions).toContain("Of 5,000 rows, 1,000 represent all.");
    const part = await estimate(true, { evaluators: [judgeOf()], shard: { index: 1, count: 3 } });
    expect(part.rows).toBe(10);
  });

  it("reports unknown evaluators, and prompts with missing variables", async () => {
    const jury = createJury({ judges: [judgeOf(), judgeOf()], feedbackKey: "jury" });
    const { unknown, questions, assumptions } = await estimate(true, {
      evaluators: [jury, exactMatch, judgeOf({ prompt: "{missing} {outputs}" })],
    });
    expect([unknown, questions]).toEqual([["jury", "exact_match", "right"], { low: 0, high: 0 }]);
    expect(assumptions.filter((text) => text.includes("asks nothing here"))).toEqual([
      expect.stringMatching(/^right asks nothing here: .*missing.*\.$/),
    ]);
  });

  it("names judges that need fields of the target's answers", async () => {
    const model = "openai:gpt-5.4";
    const { unknown, questions, assumptions } = await evaluate(
      () => ({ answer: "At nine.", context: ["The shop opens at nine."] }),
      {
        data: [{ inputs: "When does the shop open?", outputs: "At nine." }],
        evaluators: [faithfulness({ model }), contextRecall({ model }), judgeOf(), exactMatch],
        estimate: true,
      },
    );
    expect([unknown, questions]).toEqual([
      ["exact_match", "faithfulness", "context_recall"],
      { low: 1, high: 1 },
    ]);
    expect(assumptions).toContain(
      "Without the answers of the target, these ask nothing: faithfulness, context_recall. An estimate that runs some rows includes them.",
    );
  });
});

describe("an estimate from rows", () => {
  const target = (inputs: number) => inputs;
  /** Uses 100 to 2,000 tokens. */
  const judge = ({ outputs }: { outputs: number }) => ({
    key: "judged",
    score: true,
    metadata: { model: "gpt-5.4", usage: { inputTokens: 100 * outputs, outputTokens: 10 } },
  });
  const rows = Array.from({ length: 200 }, (_, index) => ({ inputs: (index % 20) + 1 }));

  it("runs a sample, whose range includes the total usage", async () => {
    const asked = vi.fn(target);
    const whole = await evaluate(target, {
      data: rows,
      evaluators: [judge],
      budget: { prices },
      progress: false,
    });
    const of = (seed: number, size = 20) =>
      evaluate(asked, {
        data: rows,
        evaluators: [judge],
        budget: { prices },
        seed,
        progress: false,
        estimate: { rows: size },
      });
    const found = await of(1);
    expect(asked).toHaveBeenCalledTimes(20);
    expect(found).toMatchObject({ rows: 200, measured: 20, questions: { low: 200, high: 200 }, unknown: [] });
    expect(found.outputTokens).toEqual({ low: 2000, high: 2000 });
    expect(found.spent?.usage?.outputTokens).toBe(200);
    expect(found.spent?.cost?.total).toBeGreaterThan(0);
    expect(await of(1)).toEqual(found);
    let within = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { cost = { low: 0, high: 0 } } = await of(seed);
      if (cost.low <= whole.cost!.total && whole.cost!.total <= cost.high) within++;
    }
    // The expected number is 38 of 40.
    expect(within).toBeGreaterThanOrEqual(34);
    const all = await of(1, 500);
    expect([all.measured, all.inputTokens.low, all.inputTokens.high]).toEqual([200, 210_000, 210_000]);
    expect(all.assumptions).toContain("All rows were run.");
  });

  it("counts the requests of parts", async () => {
    const silent = () => ({ key: "own", score: true });
    const evaluators = [allOf([judge, judge, silent]), createJury({ judges: [judge, judge, judge] })];
    const options = { data: rows, evaluators, progress: false } as const;
    const { questions } = await evaluate(target, { ...options, estimate: { rows: 20 } });
    expect(questions).toEqual({ low: 1000, high: 1000 });
  });

  /**
   * The share of a hundred samples whose range includes the total, and the number of ranges without width.
   */
  const coverage = async (tokens: (index: number) => number, size: number) => {
    const data = Array.from({ length: 200 }, (_, index) => ({ inputs: tokens(index) }));
    const total = data.reduce((sum, { inputs }) => sum + 100 * inputs, 0);
    let [within, narrow] = [0, 0];
    for (let seed = 0; seed < 100; seed++) {
      const found = await evaluate(target, {
        ...{ data, evaluators: [judge], seed, progress: false, estimate: { rows: size } },
      });
      const { low, high } = found.inputTokens;
      if (low <= total && total <= high) within++;
      if (low === high) narrow++;
    }
    return { within, narrow };
  };

  it("report no range below ten rows, and a reliable one from there on", async () => {
    const halves = (index: number) => (index % 2 ? 1 : 100);
    const few = await coverage(halves, 2);
    // The total is missed if both are small.
    expect([few.narrow, few.within >= 65]).toEqual([0, true]);
    expect((await coverage(halves, 5)).within).toBeGreaterThanOrEqual(93);
    expect((await coverage(halves, 20)).within).toBeGreaterThanOrEqual(90);
    const rare = (index: number) => (index % 20 ? 1 : 100);
    // As the guide says: a sample may miss such rows.
    expect((await coverage(rare, 50)).within).toBeGreaterThanOrEqual(85);
  });

  it("describe their unknowns", async () => {
    const of = async (size: number, options: Partial<EstimateOptions> = {}) => {
      const how = { data: rows, evaluators: [judge], progress: false, estimate: { rows: size } };
      return evaluate(target, { ...how, ...options });
    };
    const few = await of(2);
    expect(few.assumptions.join()).toContain("2 rows of 200 are too few for a reliable range");
    expect(few.inputTokens.low).toBe(few.spent?.usage?.inputTokens);
    const enough = await of(20);
    expect(enough.assumptions.join()).toMatch(/up to 15% of all rows may differ from the sample/);
    const cut = await of(50, { budget: { maxTokens: 5 } });
    expect(cut.measured).toBe(1);
    expect(cut.assumptions.join()).toMatch(
      /1 row of 200 is too few .*Only 1 of the 50 requested rows were run, so they are not a random sample/,
    );
    expect(cut.inputTokens.low).toBeLessThan(cut.inputTokens.high);
  });

  it("have a range of request lengths for small samples", async () => {
    const answers = vi.fn(() => ({ score: true }));
    const silent = judgeOf({ judge: answers });
    const found = await estimate({ rows: 2 }, { evaluators: [silent] });
    const byLength = await estimate(true, { evaluators: [silent] });
    expect(answers).toHaveBeenCalledTimes(2);
    expect(found.inputTokens.high).toBeGreaterThan(byLength.inputTokens.high / 10);
    expect(found.outputTokens.high).toBe(byLength.outputTokens.high);
  });

  it("cache their answers, so that they are not paid twice", async () => {
    const server = await startOpenAI("sk-test");
    for (let n = 0; n < 4; n++) server.script.push(completion('{"reasoning": "Well.", "score": true}'));
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    vi.stubEnv("OPENAI_API_KEY", "sk-test");
    try {
      const options = {
        evaluators: [judgeOf()],
        judges: { cache: new Map<string, string>() },
        data: data.slice(0, 4),
      };
      const found = await estimate({ rows: 2 }, options);
      expect(found).toMatchObject({ questions: { low: 2, high: 4 }, inputTokens: { low: 240 } });
      expect(found.inputTokens.high).toBeGreaterThanOrEqual(480);
      await evaluate(undefined, { ...options, progress: false });
      expect(server.requests).toHaveLength(4);
    } finally {
      vi.unstubAllEnvs();
      await server.close();
    }
  });

  it.each([[1], [2.5], ["3"], [undefined]])("cannot be %s", async (rows) => {
    const error = await errorOf(estimate({ rows } as { rows: number }));
    expect([error.code, error.message]).toEqual([
      "invalid_config",
      expect.stringContaining("estimate has to be true"),
    ]);
  });

  it("is an error if every row fails, and leaves out failed rows", async () => {
    const failing = (most: number) => (params: { outputs: number }) => {
      if (params.outputs <= most) throw new Error("ouch");
      return judge(params);
    };
    const of = (most: number) =>
      evaluate(target, { data: rows, evaluators: [failing(most)], progress: false, estimate: { rows: 50 } });
    const error = await errorOf(of(20));
    expect([error.code, error.message]).toEqual(["invalid_input", expect.stringMatching(/The first: ouch/)]);
    const some = await of(10);
    expect(some.outputTokens).toEqual({ low: 2000, high: 2000 });
    expect(some.assumptions.join()).toMatch(/\d+ of them had a failure and are left out\./);
  });

  it("is an error without rows, and with invalid options", async () => {
    for (const how of [true, { rows: 2 }] as const)
      expect((await errorOf(estimate(how, { data: [] }))).code).toBe("invalid_input");
    expect((await errorOf(estimate(true, { budget: { maxCost: -1 } }))).code).toBe("invalid_config");
    const signal = AbortSignal.abort(new Error("enough"));
    expect(await errorOf(estimate({ rows: 2 }, { signal }))).toMatchObject({
      code: "aborted",
      message: "The estimate was stopped by its signal: enough",
    });
  });
});
