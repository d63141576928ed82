/** The suite, several opinions on a row, and experiments with their cache and estimates. */
import { evaluate } from "openevals-wasm/evaluation";
import { calibrate, createJury } from "openevals-wasm/judges";
import {
  answerCorrectness,
  answerRelevancy,
  contextEntityRecall,
  contextPrecision,
  contextRecall,
  eachTurn,
  factualCorrectness,
  faithfulness,
  noiseSensitivity,
  ragSuite,
} from "openevals-wasm/rag";
import { afterEach, describe, expect, it, vi } from "vitest";
import { APIS } from "../evaluation/batch-apis.js";
import { BatchServer } from "../providers/servers/batches.js";
import { type RagScript, scripted } from "./judge.ts";

const ROW = {
  inputs: "When?",
  outputs: "At nine.",
  context: ["nine", "no"],
  referenceOutputs: "Nine it is.",
};
const FULL: RagScript = {
  claims: { "At nine.": ["opens at nine"], "Nine it is.": ["opens at nine"] },
  support: { "opens at nine": ["nine", "At nine.", "Nine it is."] },
  useful: ["nine"],
  relevant: { nine: ["nine"] },
  entities: { "Nine it is.": ["nine"], nine: ["nine"], no: [] },
  questions: [
    ["a", 0],
    ["b", 0],
    ["c", 0],
  ],
};

describe("ragSuite", () => {
  it("extracts each list of claims once for all metrics", async () => {
    const { judge, asked } = scripted(FULL);
    const results = await ragSuite({ judge, embeddings: () => [1, 2] })(ROW);
    expect(results.map(({ key, score }) => [key, score])).toEqual([
      ["faithfulness", 1],
      ["context_precision", 1],
      ["context_recall", 1],
      ["context_entity_recall", 1],
      ["context_relevance", 0.5],
      ["factual_correctness", 1],
      ["answer_relevancy", expect.closeTo(1, 12)],
    ]);
    expect(asked.filter(({ about }) => about === "claims")).toHaveLength(2);
    expect(results.reduce((sum, { metadata }) => sum + metadata.attempts, 0)).toBe(asked.length);
  });

  it("can be replaced by its metrics with a cache: they share the claims, and each fails alone", async () => {
    const { judge, asked } = scripted(FULL);
    const { context, ...row } = ROW;
    const options = {
      judge: (request: Parameters<typeof judge>[0]) => {
        const answer = judge(request);
        if (asked.at(-1)?.about === "entities") throw new Error("down");
        return answer;
      },
      cacheKey: "scripted",
    };
    const { aggregates } = await evaluate(undefined, {
      data: [{ ...row, metadata: { context } }],
      evaluators: [
        faithfulness(options),
        contextRecall(options),
        contextEntityRecall(options),
        factualCorrectness(options),
      ],
      judges: { cache: new Map() },
    });
    const failed = Object.entries(aggregates).map(([key, { mean, errors }]) => [key, mean, errors]);
    expect(failed).toEqual([
      ["faithfulness", 1, 0],
      ["context_recall", 1, 0],
      ["context_entity_recall", null, 1],
      ["factual_correctness", 1, 0],
    ]);
    expect(asked.filter(({ about }) => about === "claims")).toHaveLength(2);
  });

  it("is one result without usage for a budget, if its judge reports none", async () => {
    const { judge } = scripted(FULL);
    const { context, ...row } = ROW;
    const options = { evaluators: [ragSuite({ judge })], budget: { maxTokens: 1_000_000 } };
    const found = await evaluate(undefined, { data: [{ ...row, metadata: { context } }], ...options });
    expect(found.aggregates["faithfulness"]?.mean).toBe(1);
    expect(found.budget?.withoutUsage).toBe(1);
  });

  it("a metric that lacks a part is not applicable", async () => {
    const { judge } = scripted(FULL);
    const { referenceOutputs: _, ...row } = ROW;
    const results = await ragSuite({ judge })(row);
    expect(
      results.flatMap(({ key, applicable, comment }) => (applicable === false ? [[key, comment]] : [])),
    ).toEqual([
      ["context_recall", "Not applicable: there is no referenceOutputs."],
      ["context_entity_recall", "Not applicable: there is no referenceOutputs."],
      ["factual_correctness", "Not applicable: there is no referenceOutputs."],
    ]);
  });
});

describe("the contexts of a row", () => {
  it("are those of its metadata, if nothing else has them", async () => {
    const { context, ...row } = ROW;
    const run = async (metadata: Record<string, unknown>, given?: object) => {
      const { judge } = scripted(FULL);
      const evaluators = [ragSuite({ judge }), faithfulness({ judge, feedbackKey: "alone" })];
      const data = [{ ...row, metadata }];
      return evaluate(undefined, { data, evaluators, ...(given && { mapInputs: () => given }) });
    };
    const found = await run({ context });
    expect(found.aggregates["faithfulness"]?.mean).toBe(1);
    expect(found.aggregates["alone"]?.mean).toBe(1);
    const mapped = await run({ context: ["no"] }, { context });
    expect(mapped.aggregates["alone"]?.mean).toBe(1);
    const { rows } = await run({});
    expect(rows[0]?.errors.map(({ error }) => error.message)).toEqual([
      expect.stringMatching(
        /^ragSuite needs context\..* rows have metadata\.context, or mapInputs returns context/,
      ),
      expect.stringMatching(/^faithfulness needs context/),
    ]);
  });
});

describe("several opinions", () => {
  it("samples are averaged", async () => {
    let call = 0;
    const judge = () => ({ answers: [{ index: 0, reason: "r", verdict: Number(call++ > 0) }] });
    const { score, metadata } = await contextPrecision({ judge, samples: 4 })({
      outputs: "a",
      context: ["c"],
    });
    expect(score).toBe(0.75);
    expect(metadata).toMatchObject({ attempts: 4, votes: expect.any(Array), contexts: [{ verdict: 1 }] });
    expect(metadata.votes?.map(({ score }) => score).sort()).toEqual([0, 1, 1, 1]);
  });

  it("samples that mostly find nothing to score have no score", async () => {
    let call = 0;
    const judge = () => ({ answers: [{ index: 0, claims: call++ ? [] : ["c"] }] });
    const result = await faithfulness({ judge, samples: 3 })({ outputs: "a", context: [] });
    expect(result).toMatchObject({ score: null, applicable: false });
  });

  it("a jury of metrics votes", async () => {
    const strict = scripted({ ...FULL, support: { "opens at nine": [] } });
    const judges = [scripted(FULL), scripted(FULL), strict].map(({ judge }) => faithfulness({ judge }));
    const { score, metadata } = await createJury({ judges, vote: "mean" })(ROW);
    expect(score).toBeCloseTo(2 / 3, 12);
    expect(metadata.votes).toHaveLength(3);
  });
});

it("verdicts on labelled claims are calibrated", async () => {
  const support: Record<string, string[]> = {};
  const data = Array.from({ length: 40 }, (_, index) => {
    const outputs = `claim ${index}`;
    const human = index % 2 === 0;
    // The judge is wrong about every fifth claim.
    support[outputs] = human === (index % 5 !== 0) ? ["c"] : [];
    return { outputs, human };
  });
  const { judge } = scripted({ support });
  const report = await calibrate(faithfulness({ judge }), {
    data,
    label: "human",
    threshold: 1,
    mapInputs: ({ outputs }) => ({ claims: [outputs], context: ["c"] }),
  });
  expect(report).toMatchObject({ key: "faithfulness", count: 40, accuracy: { value: 0.8 } });
});

const data = [ROW, { ...ROW, inputs: "When, please?" }].map(({ context, ...row }) => ({
  ...row,
  metadata: { context },
}));
const mapInputs = ({ example }: any) => ({ context: example.metadata.context });

describe("an experiment", () => {
  it("caches the questions of all steps and samples", async () => {
    const { judge, asked } = scripted(FULL);
    const cache = new Map<string, string>();
    const run = () =>
      evaluate(undefined, {
        data,
        mapInputs,
        progress: false,
        evaluators: [faithfulness({ judge, cacheKey: "scripted", samples: 2 })],
        judges: { cache },
      });
    const scoresOf = async () =>
      (await run()).rows.map(({ evaluationResults }) => evaluationResults.map(({ score }) => score));
    const first = await scoresOf();
    expect(first).toEqual([[1], [1]]);
    // Two samples of two rows for the claims, and two for the verdicts, whose question is that of both rows.
    expect(asked).toHaveLength(6);
    expect(cache.size).toBe(6);
    expect(await scoresOf()).toEqual(first);
    expect(asked).toHaveLength(6);
  });

  it("is estimated from some of its rows", async () => {
    const { judge, asked } = scripted(FULL);
    const evaluators = [faithfulness({ judge })];
    const options = { data: [...data, ...data], mapInputs, evaluators, progress: false };
    const found = await evaluate(undefined, { ...options, estimate: { rows: 2 } });
    expect(found).toMatchObject({ rows: 4, measured: 2 });
    expect(asked).toHaveLength(4);
  });
});

describe("an estimate without a model", () => {
  const unasked = () => {
    throw new Error("An estimate asks no model.");
  };
  // 13 sentences, taken to make 26 claims: three questions about their support.
  const long = Array.from({ length: 13 }, (_, index) => `The shop number ${index} opens at nine.`).join(" ");
  const row = { inputs: "When?", outputs: long, metadata: { context: Array(14).fill("At nine.") } };
  const estimate = (evaluators: any[], more: object = {}) =>
    evaluate(undefined, {
      data: [{ ...row, referenceOutputs: "Nine." }],
      mapInputs: ({ example, outputs }: any) => ({ outputs, context: example.metadata.context }),
      evaluators,
      estimate: true,
      ...more,
    });

  it.each<[string, (judge: any) => any, number]>([
    ["faithfulness", (judge) => faithfulness({ judge }), 1 + 3],
    ["samples", (judge) => faithfulness({ judge, samples: 3 }), 3 * 4],
    ["contextPrecision", (judge) => contextPrecision({ judge }), 2],
    ["contextRecall", (judge) => contextRecall({ judge }), 1 + 1],
    ["contextEntityRecall", (judge) => contextEntityRecall({ judge }), 1 + 2],
    ["answerRelevancy", (judge) => answerRelevancy({ judge, embeddings: unasked }), 1],
    ["factualCorrectness", (judge) => factualCorrectness({ judge }), 2 + 3 + 1],
    ["answerCorrectness", (judge) => answerCorrectness({ judge, embeddings: unasked }), 2 + 3 + 1],
    ["noiseSensitivity", (judge) => noiseSensitivity({ judge }), 2 + 3 + 14 * 3],
    // Claims of both sides, 2 × 3 and 2 × 1 questions about them, entities, and 3 × 2 about contexts.
    ["ragSuite", (judge) => ragSuite({ judge, embeddings: unasked }), 2 + 6 + 2 + 1 + 6 + 1],
  ])("counts the questions of %s", async (_, make, questions) => {
    expect(await estimate([make(unasked)])).toMatchObject({
      questions: { low: questions, high: questions },
      unknown: [],
      assumptions: expect.arrayContaining([expect.stringContaining("two supported claims")]),
    });
  });

  it("reads turns, counts as many tokens as are asked, and does not know a thorough extraction", async () => {
    const messages = [
      { role: "user", content: "When?" },
      { role: "assistant", content: "At nine." },
    ];
    const turns = [...messages, ...messages];
    const data = [{ ...row, outputs: turns }];
    expect(await estimate([eachTurn(faithfulness({ judge: unasked }))], { data })).toMatchObject({
      questions: { high: 2 * 2 },
      unknown: [],
    });
    const { judge, asked } = scripted({
      claims: { "Nine.": ["The shop opens at nine.", "It does."] },
      support: { "The shop opens at nine.": [], "It does.": [] },
    });
    const short = { data: [{ ...row, outputs: "Nine." }] };
    const { inputTokens } = (await estimate([faithfulness({ judge })], short)) as any;
    expect(asked).toHaveLength(0);
    await faithfulness({ judge })({ outputs: "Nine.", context: row.metadata.context });
    // Prompts alone; the estimate also counts instructions and schemas.
    expect(inputTokens.high).toBeGreaterThan(asked.reduce((sum, { prompt }) => sum + prompt.length, 0) / 4);
    const evaluators = [
      faithfulness({ judge: unasked, extraction: "thorough" }),
      ragSuite({ judge: unasked, extraction: "thorough" }),
    ];
    expect(await estimate(evaluators)).toMatchObject({ unknown: ["faithfulness", "rag"] });
  });
});

describe("batches", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("have the questions of all rows and metrics, a batch for each step", async () => {
    const { judge } = scripted(FULL);
    const { face, model, env, says, submits } = APIS.openai;
    const answer = (body: any) => {
      const { schema } = body.response_format.json_schema;
      return says(JSON.stringify(judge({ messages: body.messages, schema })), body);
    };
    const server = await BatchServer.start(face, { answer });
    for (const [name, value] of Object.entries(env(server.url))) vi.stubEnv(name, value);
    try {
      const run = (judges: object) =>
        evaluate(undefined, {
          data,
          mapInputs,
          evaluators: [faithfulness({ model }), contextPrecision({ model })],
          judges,
          progress: false,
        });
      const scoresOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
        rows.map(({ evaluationResults }) => evaluationResults.map(({ key, score }) => [key, score]));
      const batched = await run({ mode: "batch", batch: { pollMs: 5 } });
      expect(scoresOf(batched)).toEqual(
        Array(2).fill([
          ["faithfulness", 1],
          ["context_precision", 1],
        ]),
      );
      expect(server.count(submits)).toBe(2);
      expect(scoresOf(await run({}))).toEqual(scoresOf(batched));
    } finally {
      await server.down();
    }
  });
});
