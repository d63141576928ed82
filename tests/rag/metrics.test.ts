/** Scores worked out by hand, with the claims and verdicts behind them. */
import {
  answerCorrectness,
  answerRelevancy,
  citationAccuracy,
  contextEntityRecall,
  contextPrecision,
  contextRecall,
  contextRelevance,
  factualCorrectness,
  faithfulness,
  noiseSensitivity,
} from "openevals-wasm/rag";
import { describe, expect, it, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { scripted } from "./judge.ts";

const OPENS = "The shop opens at 9 a.m.";
const PARKING = "Parking costs 2 euros.";
const BICYCLES = "We sell bicycles.";

const inputs = "When does the shop open?";
const outputs = "It opens at nine. Parking is free!";
const referenceOutputs = "It opens at nine and closes at six.";

const script = {
  claims: {
    "It opens at nine.": ["The shop opens at nine."],
    "Parking is free!": ["Parking is free."],
    [referenceOutputs]: ["The shop opens at nine.", "The shop closes at six."],
    "Hello!": [],
  },
  support: {
    "The shop opens at nine.": [OPENS, referenceOutputs, outputs],
    "Parking is free.": [],
    "The shop closes at six.": [referenceOutputs],
  },
};

describe("faithfulness", () => {
  it("is the share of claims that a context supports", async () => {
    const { judge, asked } = scripted(script);
    const result = await faithfulness({ judge })({ inputs, outputs, context: [BICYCLES, OPENS, PARKING] });
    expect(result).toEqual({
      key: "faithfulness",
      score: 0.5,
      comment: '1 of 2 claims is supported by the context. Not supported: "Parking is free.".',
      metadata: {
        attempts: 2,
        latencyMs: expect.any(Number),
        claims: [
          {
            claim: "The shop opens at nine.",
            start: 0,
            end: 17,
            verdict: 1,
            reason: "About The shop opens at nine.",
            contexts: [1],
          },
          {
            claim: "Parking is free.",
            start: 18,
            end: 34,
            verdict: 0,
            reason: "About Parking is free.",
            contexts: [],
          },
        ],
      },
    });
    expect(asked.map(({ about }) => about)).toEqual(["claims", "support"]);
    expect(asked[1]?.contexts).toEqual([BICYCLES, OPENS, PARKING]);
  });

  it("is not applicable without claims, and asks nothing about an empty answer", async () => {
    const { judge, asked } = scripted(script);
    const faithful = faithfulness({ judge });
    const none = { score: null, applicable: false, comment: "Not applicable: the answer makes no claims." };
    expect(await faithful({ outputs: "Hello!", context: [OPENS] })).toMatchObject(none);
    expect(asked).toHaveLength(1);
    expect(await faithful({ outputs: " \n", context: [OPENS] })).toMatchObject(none);
    expect(asked).toHaveLength(1);
  });

  it("is 0 without contexts, since nothing supports the claims", async () => {
    const { judge, asked } = scripted(script);
    const { score, comment, metadata } = await faithfulness({ judge })({ outputs, context: [] });
    expect(score).toBe(0);
    expect(comment).toBe(
      'There is no context. 0 of 2 claims are supported. Not supported: "The shop opens at nine.", "Parking is free.".',
    );
    expect((await faithfulness({ judge })({ outputs, context: " " })).comment).toBe(comment);
    asked.length = 1;
    expect(metadata.claims?.map(({ reason }) => reason)).toEqual(Array(2).fill("There is no context."));
    expect(asked).toHaveLength(1);
  });

  it("judges claims that are known", async () => {
    const { judge, asked } = scripted(script);
    const claims = ["Parking is free."];
    const { score, metadata } = await faithfulness({ judge })({ outputs, context: [OPENS], claims });
    expect([score, metadata.claims?.[0]?.claim]).toEqual([0, "Parking is free."]);
    expect(asked.map(({ about }) => about)).toEqual(["support"]);
  });
});

describe("context precision", () => {
  const context = [BICYCLES, OPENS, PARKING];

  it("is the average precision over the ranks", async () => {
    const { judge, asked } = scripted({ useful: [OPENS, PARKING] });
    const { score, metadata } = await contextPrecision({ judge })({ inputs, context, referenceOutputs });
    // Ranks 2 and 3 are useful: (1/2 + 2/3) / 2.
    expect(score).toBe((1 / 2 + 2 / 3) / 2);
    expect(metadata.contexts?.map(({ verdict }) => verdict)).toEqual([0, 1, 1]);
    expect(metadata.usefulFor).toBe("reference");
    expect(asked[0]?.prompt).toContain(`<answer>\n${referenceOutputs}\n</answer>`);
  });

  it("has the id of each context that has one", async () => {
    const { judge } = scripted({ useful: [OPENS] });
    const mixed = [{ content: BICYCLES, id: 7 }, OPENS];
    const { metadata } = await contextPrecision({ judge })({ inputs, context: mixed, referenceOutputs });
    expect(metadata.contexts?.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["7", 0],
      [undefined, 1],
    ]);
    expect(metadata.contexts?.[1]).not.toHaveProperty("id");
  });

  it("is 1 for three useful contexts, without an epsilon", async () => {
    const { judge } = scripted({ useful: context });
    expect((await contextPrecision({ judge })({ inputs, context, outputs })).score).toBe(1);
  });

  it("judges by the outputs if there is no reference, or if told", async () => {
    const { judge, asked } = scripted({ useful: [] });
    const row = { inputs, context, outputs, referenceOutputs };
    await contextPrecision({ judge })({ inputs, context, outputs });
    await contextPrecision({ judge, usefulFor: "outputs" })(row);
    for (const { prompt } of asked) expect(prompt).toContain(`<answer>\n${outputs}\n</answer>`);
  });

  it("is 0 if no context is useful, and not applicable without contexts", async () => {
    const { judge } = scripted({ useful: [] });
    expect((await contextPrecision({ judge })({ inputs, context, outputs })).score).toBe(0);
    const result = await contextPrecision({ judge })({ inputs, context: [], outputs });
    expect(result).toMatchObject({ score: null, applicable: false });
  });
});

it("context recall is the share of the reference's claims that the contexts support", async () => {
  const { judge } = scripted(script);
  const recall = contextRecall({ judge });
  const { score, metadata } = await recall({ context: [BICYCLES, OPENS], referenceOutputs });
  expect(score).toBe(0.5);
  expect(metadata.referenceClaims?.map(({ contexts }) => contexts)).toEqual([[1], []]);
  expect((await recall({ context: [], referenceOutputs })).score).toBe(0);
  expect(await recall({ context: [OPENS], referenceOutputs: "Hello!" })).toMatchObject({ applicable: false });
});

describe("context entity recall", () => {
  const reference = "Zoë met the Beatles in Paris.";
  const context = ["THE BEATLES in Lyon", "zoe and A Paris"];
  const entities = {
    [reference]: ["Zoë", "the Beatles", "Paris", "paris", " "],
    [context[0] as string]: ["BEATLES", "Lyon"],
    [context[1] as string]: ["zoe", "London"],
  };

  it("ignores case, accents and articles", async () => {
    const { judge } = scripted({ entities });
    const { score, metadata, comment } = await contextEntityRecall({ judge })({
      context,
      referenceOutputs: reference,
    });
    expect(score).toBe(2 / 3);
    expect(metadata.entities).toEqual([
      { entity: "Zoë", contexts: [1] },
      { entity: "the Beatles", contexts: [0] },
      { entity: "paris", contexts: [] },
    ]);
    expect(comment).toBe('The contexts name 2 of 3 entities of the reference. Missing: "paris".');
  });

  it("compares texts if it has to be exact", async () => {
    const { judge } = scripted({ entities });
    const exact = contextEntityRecall({ judge, exact: true });
    // "Zoë", "the Beatles", "Paris" and "paris" are four entities.
    expect((await exact({ context, referenceOutputs: reference })).score).toBe(0);
  });

  it("is not applicable without entities", async () => {
    const { judge } = scripted({ entities: { "It is so.": [], ...entities } });
    const result = await contextEntityRecall({ judge })({ context, referenceOutputs: "It is so." });
    expect(result).toMatchObject({ score: null, applicable: false });
  });
});

it("context relevance is the share of relevant contexts, with their sentences", async () => {
  const text = "Hello. The shop opens at 9 a.m.";
  const { judge } = scripted({ relevant: { [text]: [OPENS, "It is open."] } });
  const { score, metadata } = await contextRelevance({ judge })({ inputs, context: [BICYCLES, text] });
  expect(score).toBe(0.5);
  expect(metadata.contexts?.map(({ sentences }) => sentences)).toEqual([
    [],
    [{ text: OPENS, start: 7, end: 31 }, { text: "It is open." }],
  ]);
});

describe("answer relevancy", () => {
  // Vectors in a plane: the same direction, 60 degrees apart, and the opposite.
  const vectors: Record<string, number[]> = {
    [inputs]: [1, 0],
    same: [3, 0],
    near: [1, Math.sqrt(3)],
    opposite: [-1, 0],
  };
  const embeddings = (text: string) => vectors[text] as number[];

  it("is the mean cosine similarity of the generated questions", async () => {
    const { judge } = scripted({
      questions: [
        ["same", 0],
        ["near", 1],
      ],
    });
    const relevancy = answerRelevancy({ judge, embeddings, questions: 2 });
    const { score, metadata } = await relevancy({ inputs, outputs });
    expect(score).toBeCloseTo(0.75, 12);
    expect(metadata).toMatchObject({ questions: ["same", "near"], noncommittal: false });
  });

  it("is 0 for an answer that evades, and for the opposite", async () => {
    const evasive = scripted({ questions: [["same", 1]] });
    const options = { embeddings, questions: 1 };
    const result = await answerRelevancy({ judge: evasive.judge, ...options })({ inputs, outputs });
    expect(result).toMatchObject({ score: 0, metadata: { noncommittal: true } });
    const { judge } = scripted({ questions: [["opposite", 0]] });
    expect((await answerRelevancy({ judge, ...options })({ inputs, outputs })).score).toBe(0);
  });
});

test("empty vectors are no similarity", async () => {
  const { judge } = scripted({ questions: [["same", 0]] });
  const relevancy = answerRelevancy({ judge, embeddings: () => [], questions: 1 });
  expect(await errorOf(relevancy({ inputs: "a", outputs: "b" }))).toMatchObject({
    code: "invalid_input",
    message: "The vector of text 0 is empty. Embeddings have to be lists of finite numbers.",
  });
});

describe("factual correctness", () => {
  it("takes precision from the answer's claims and recall from the reference's", async () => {
    const { judge } = scripted({
      ...script,
      support: { ...script.support, "Parking is free.": [referenceOutputs] },
    });
    const { score, metadata } = await factualCorrectness({ judge })({ outputs, referenceOutputs });
    // Precision 1, recall 1/2.
    expect(metadata).toMatchObject({ precision: 1, recall: 0.5 });
    // Neither side is a retrieved context.
    expect(metadata.referenceClaims?.map(({ verdict, contexts }) => [verdict, contexts])).toEqual([
      [1, []],
      [0, []],
    ]);
    expect(score).toBe(2 / 3);
    const weighted = await factualCorrectness({ judge, beta: 2 })({ outputs, referenceOutputs });
    expect(weighted.score).toBeCloseTo((5 * 0.5) / (4 * 1 + 0.5), 12);
  });

  it("asks only about the side that the mode needs", async () => {
    for (const [mode, score, asks] of [
      ["precision", 0.5, 3],
      ["recall", 0.5, 3],
    ] as const) {
      const { judge, asked } = scripted(script);
      const result = await factualCorrectness({ judge, mode })({ outputs, referenceOutputs });
      expect([result.score, asked.length]).toEqual([score, asks]);
    }
  });

  it("is 0 if one side makes no claims, and not applicable if neither does", async () => {
    const { judge } = scripted(script);
    const correct = factualCorrectness({ judge });
    expect((await correct({ outputs: "Hello!", referenceOutputs })).score).toBe(0);
    expect((await correct({ outputs, referenceOutputs: "Hello!" })).score).toBe(0);
    const neither = await correct({ outputs: "Hello!", referenceOutputs: "Hello!" });
    expect(neither).toMatchObject({ score: null, applicable: false });
    const precision = factualCorrectness({ judge, mode: "precision" });
    expect(await precision({ outputs: "Hello!", referenceOutputs })).toMatchObject({ applicable: false });
  });
});

it("answer correctness weighs factual correctness and similarity", async () => {
  const { judge } = scripted(script);
  const embeddings = (text: string) => (text === outputs ? [1, 0] : [3, 4]);
  // Precision 1/2 and recall 1/2, and a cosine of 0.6.
  const row = { outputs, referenceOutputs };
  const result = await answerCorrectness({ judge, embeddings })(row);
  expect(result.score).toBeCloseTo(0.75 * 0.5 + 0.25 * 0.6, 12);
  expect(result.metadata).toMatchObject({ correctness: 0.5, similarity: expect.closeTo(0.6, 12) });
  const even = await answerCorrectness({ judge, embeddings, weights: [1, 1] })(row);
  expect(even.score).toBeCloseTo(0.55, 12);
});

it("noise sensitivity counts wrong claims by the contexts that support them", async () => {
  const context = ["relevant", "irrelevant"];
  const claims = { Reference: ["r"], "Four claims.": ["right", "misled", "distracted", "invented"] };
  const support = {
    r: ["relevant"],
    right: ["Reference", "relevant"],
    misled: ["relevant", "irrelevant"],
    distracted: ["irrelevant"],
    invented: [],
  };
  const row = { outputs: "Four claims.", context, referenceOutputs: "Reference" };
  for (const noise of ["relevant", "irrelevant"] as const) {
    const { judge, asked } = scripted({ claims, support });
    const { score, metadata } = await noiseSensitivity({ judge, noise })(row);
    expect(score).toBe(1 / 4);
    expect(metadata.relevantContexts).toEqual([0]);
    expect(metadata.claims?.map(({ verdict, contexts }) => [verdict, contexts])).toEqual([
      [1, [0]],
      [0, [0, 1]],
      [0, [1]],
      [0, []],
    ]);
    // Two extractions, the reference, and two contexts.
    expect(asked).toHaveLength(5);
  }
  const { judge } = scripted({ claims: { ...claims, "None.": [] }, support });
  expect(await noiseSensitivity({ judge })({ ...row, referenceOutputs: "None." })).toMatchObject({
    applicable: false,
    comment: "Not applicable: the reference makes no claims.",
  });
});

describe("citation accuracy", () => {
  const context = [OPENS, { id: "parking", content: PARKING }];
  const claims = {
    "It opens at nine [1].": ["opens"],
    "Parking costs two euros [parking, 1].": ["parking"],
    "It is large [2].": ["large"],
    "It is old [7].": ["old"],
    "It is new [sic].": ["new"],
    "Hello there.": [],
    "It opens early (faq).": ["early"],
  };
  const support = { opens: [OPENS], parking: [PARKING], large: [], early: [OPENS] };

  it("is the share of cited claims that the cited contexts support", async () => {
    const { judge, asked } = scripted({ claims, support });
    const outputs =
      "It opens at nine [1]. Parking costs two euros [parking, 1]. It is large [2]. It is old [7]. It is new [sic]. Hello there.";
    const { score, metadata } = await citationAccuracy({ judge })({ outputs, context });
    expect(score).toBe(2 / 4);
    expect(
      metadata.claims?.map(({ claim, cited, contexts, unknown }) => [claim, cited, contexts, unknown]),
    ).toEqual([
      ["opens", [0], [0], []],
      ["parking", [0, 1], [1], []],
      ["large", [1], [], []],
      ["old", [], [], ["7"]],
    ]);
    expect(metadata.uncited).toEqual(["new"]);
    expect(metadata.citedShare).toBe(4 / 5);
    const contexts = asked.filter(({ about }) => about === "support").map(({ contexts }) => contexts.length);
    expect(contexts).toEqual([1, 2, 1]);
  });

  it("reads citations with a function, and is not applicable without any", async () => {
    const { judge } = scripted({ claims, support });
    const citations = (sentence: string) => sentence.match(/(?<=\()\w+(?=\))/g) ?? [];
    const row = { outputs: "It opens early (faq).", context: [{ id: "faq", content: OPENS }] };
    expect((await citationAccuracy({ judge, citations })(row)).score).toBe(1);
    expect(await citationAccuracy({ judge })(row)).toMatchObject({ score: null, applicable: false });
  });
});
