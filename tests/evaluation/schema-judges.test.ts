/** Judges with an outputSchema in experiments: their answers are unchanged, and their tokens count. */
import { createLLMAsJudge } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { type EvaluateOptions, evaluate, formatExperiment } from "openevals-wasm/evaluation";
import { createJury } from "openevals-wasm/judges";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

let server: Loopback;
beforeEach(async () => {
  server = await startOpenAI("sk-test");
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const VERDICT = z.object({ reasoning: z.string(), score: z.boolean() });
const judgeOf = (outputSchema: z.ZodType, feedbackKey = "review") =>
  createLLMAsJudge({ prompt: "Review {outputs}", model: "openai:gpt-5.4", feedbackKey, outputSchema });
/** Each answer takes 120 and 30 tokens. */
const answers = (times: number, answer: object = { reasoning: "Curt.", score: false }) => {
  for (let n = 0; n < times; n++) server.script.push(completion(JSON.stringify(answer)));
};
const data = Array.from({ length: 10 }, (_, index) => ({ inputs: index, outputs: `No. ${index}` }));
const run = (evaluators: EvaluateOptions["evaluators"], options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, { data, evaluators, progress: false, ...options });

describe("a budget", () => {
  const verdict = () => judgeOf(VERDICT);

  it.each([
    ["an evaluator", verdict],
    ["part of another", () => allOf([verdict(), ({ outputs }: { outputs: string }) => outputs !== ""])],
    ["a member of a jury", () => createJury({ judges: [verdict()] })],
    [
      "called by a function that returns its answer",
      () => {
        const review = verdict();
        return ({ outputs }: { outputs: string }) => review({ outputs });
      },
    ],
    [
      "called by a function that returns its answer as a value",
      () => {
        const review = verdict();
        return async ({ outputs }: { outputs: string }) => {
          const answer = await review({ outputs });
          return ["kind", "polite"].map((key) => ({ key, score: false, value: answer }));
        };
      },
    ],
    [
      "one whose schema transforms answers",
      () => judgeOf(VERDICT.transform(({ score }) => ({ score: score ? 1 : 0 }))),
    ],
  ])("stops the run when the judge is %s", async (_, evaluator) => {
    answers(10);
    const experiment = await run([evaluator()], {
      budget: { maxTokens: 300, prices: { "gpt-5.4": { input: 1, output: 10 } } },
    });
    expect(experiment.rows).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
    expect(experiment.budget).toEqual({ maxTokens: 300, tokens: 300, usedUp: "maxTokens" });
    expect(experiment.usage).toEqual({ inputTokens: 240, outputTokens: 60 });
    // 240 tokens at 1 and 60 at 10 millionths.
    expect(experiment.cost?.total).toBeCloseTo(0.00084, 12);
    const [aggregate] = Object.values(experiment.aggregates);
    expect(aggregate?.usage).toEqual({ inputTokens: 240, outputTokens: 60 });
  });

  it("counts no cached answers", async () => {
    const cache = new Map<string, string>();
    answers(10);
    const review = verdict();
    await run([review], { judges: { cache } });
    const { budget, usage, rows } = await run([review], {
      judges: { cache, cacheMode: "replay" },
      budget: { maxTokens: 1 },
    });
    expect([rows.length, budget, usage]).toEqual([
      10,
      { maxTokens: 1, tokens: 0 },
      { inputTokens: 1200, outputTokens: 300 },
    ]);
    expect(rows[0]?.evaluationResults[0]?.metadata).toMatchObject({ cached: true, model: "gpt-5.4" });
  });

  it("counts answers of a model that reports no tokens as such", async () => {
    const judge = createLLMAsJudge({
      prompt: "Review {outputs}",
      judge: () => ({ score: 2 }),
      outputSchema: z.object({ score: z.number() }),
    });
    const { budget } = await run([judge], { budget: { maxTokens: 1 } });
    expect(budget).toEqual({ maxTokens: 1, tokens: 0, withoutUsage: 10 });
  });
});

describe("the result of a row", () => {
  const metadata = {
    model: "gpt-5.4",
    usage: { inputTokens: 120, outputTokens: 30 },
    latencyMs: expect.any(Number),
    attempts: 1,
    promptHash: expect.any(String),
  };
  it.each([
    [{ reasoning: "Curt.", score: false }, VERDICT, { score: false, comment: "Curt." }],
    [
      { comment: "Curt.", score: 2 },
      z.object({ comment: z.string(), score: z.number() }),
      { score: 2, comment: "Curt." },
    ],
    [{ score: 3, why: "Curt." }, z.object({ score: z.number(), why: z.string() }), { score: 3 }],
    [{ key: "tone", score: 3 }, z.object({ key: z.string(), score: z.number() }), { key: "tone", score: 3 }],
    [
      { score: 0, applicable: false },
      z.object({ score: z.number(), applicable: z.boolean() }),
      { score: null, applicable: false },
    ],
    [{ tone: "cold", metadata: "none" }, z.object({ tone: z.string(), metadata: z.string() }), {}],
    [{ name: "Ann", error: "typo" }, z.object({ name: z.string(), error: z.string() }), {}],
    [{ results: ["a", "b"] }, z.object({ results: z.array(z.string()) }), {}],
    [{ results: [] }, z.object({ results: z.array(z.string()) }), {}],
  ])("has the fields of the answer %j", async (answer, schema, fields) => {
    answers(1, answer);
    const { rows } = await run([judgeOf(schema)], { data: data.slice(0, 1) });
    expect(rows[0]?.evaluationResults).toEqual([{ key: "review", ...fields, value: answer, metadata }]);
  });

  it("is one of several if the schema asks for them", async () => {
    const results = [
      { key: "tone", score: 1 },
      { key: "length", score: 0 },
    ];
    const schema = z.object({ results: z.array(z.object({ key: z.string(), score: z.number() })) });
    answers(1, { results });
    const { rows, usage } = await run([judgeOf(schema)], { data: data.slice(0, 1) });
    expect(rows[0]?.evaluationResults).toEqual([{ ...results[0], metadata }, results[1]]);
    expect(usage).toEqual(metadata.usage);
  });

  it("is shown as a value if it has no score", async () => {
    answers(1, { tone: "cold" });
    const experiment = await run([judgeOf(z.object({ tone: z.string() }), "tone")], {
      data: data.slice(0, 1),
    });
    expect(experiment.aggregates.tone).toMatchObject({ count: 0, notApplicable: 0, values: 1 });
    const shown = formatExperiment(experiment, { columns: 100 });
    expect(shown).toContain("Values");
    expect(shown).not.toContain("N/A");
  });
});

it("the judge itself returns the answer and nothing else", async () => {
  answers(1);
  const answer = await judgeOf(VERDICT)({ outputs: "No." });
  expect(Reflect.ownKeys(answer as object)).toEqual(["reasoning", "score"]);
});
