import { expect } from "vitest";

const BORN = "outputs.born is 1815 instead of 1816";

/** The required result of probe.mjs on every runtime, worked out by hand. */
export const expected = {
  exact: [
    { key: "exact_match", score: true }, // key order does not matter
    { key: "exact_match", score: false, comment: "outputs[0] is 2 instead of 3" }, // array order does
  ],
  // lawn -> flaw: one insertion and one deletion over four characters.
  levenshtein: { key: "levenshtein_distance", score: 0.5 },
  jsonMatch: [
    { key: "json_match:born", score: 0, comment: BORN },
    { key: "json_match:name", score: 1 },
  ],
  jsonMatchAverage: [{ key: "json_match:average", score: 0.5, comment: BORN }],
  customMatcher: { key: "trajectory_unordered_match", score: true },
  mismatch: { key: "trajectory_superset", score: false, namesTheCall: true },
  graph: { key: "graph_trajectory_strict_match", score: true },
  // (1, 0) and (0.6, 0.8) both have length 1, so the cosine is their dot product.
  embedding: { key: "embedding_similarity", score: 0.6 },
  judge: { key: "score", score: true, comment: "Does 4 answer 2 + 2?" },
  client: { score: true, comment: "Does 4 answer 2 + 2?", model: "gpt-5.4" },
  error: { isOpenEvalsError: true, code: "missing_variable", namesTheVariable: true },
  batch: [
    { key: "exact_match", score: true },
    { key: "exact_match", score: false, comment: expect.stringMatching(/^outputs.* instead of /) },
  ],
};

/** The required result of probe.mjs for subpaths. */
export const expectedOfSubpaths = {
  code: { key: "execution_succeeded", score: false, metadata: { code_extraction_failed: true } },
  prompts: true,
  recipe: {
    applicable: true,
    score: 50,
    feedback: expect.stringContaining("<criterion>The response is short</criterion>"),
    criteriaEvaluations: [{ criterion: "The response is short", reasoning: "Two words.", probability: 0.5 }],
  },
  // 42 eighths in 12 rows. The interval is random, but has to be the same everywhere.
  experiment: {
    mean: 42 / 8 / 12,
    count: 12,
    interval: { low: 0.24766827523158277, high: 0.6475890262028302, level: 0.95 },
  },
  text: {
    key: "rougeL",
    score: expect.closeTo(4 / 7, 12),
    metadata: { signature: "nrefs:2|type:rougeL|stem:no|tok:rouge-score", precision: 2 / 3, recall: 0.5 },
  },
  retrieval: {
    key: "bpref",
    score: 0.75,
    comment: "Relevant: a at rank 1, b at rank 4; judged not relevant: n at rank 3.",
    metadata: {
      signature: "k:all|rel:>0|dup:error|scores:double",
      retrieved: 4,
      relevant: 2,
      hits: 2,
      judged: 3,
      nonrelevant: 2,
    },
  },
  guard: {
    open: ["Grüße 🦉", true],
    secret: ["Grüße, […]", false, [{ key: "open", comment: "it is secret" }]],
    text: { ok: false, answer: "", failures: [{ key: "open", comment: "scored false" }] },
  },
  // Of 20 even rows, a judge that goes by four finds 10; nothing else is wrong. Intervals and the split are the same everywhere.
  judges: {
    report: {
      accuracy: {
        value: 0.75,
        interval: { low: 0.5980603857923199, high: 0.8581288136090368, level: 0.95 },
      },
      sensitivity: {
        value: 0.5,
        interval: { low: 0.2992980081982126, high: 0.7007019918017874, level: 0.95 },
      },
      kappa: { value: 0.5, interval: { low: 0.226265574411725, high: 0.700541091575809, level: 0.95 } },
      alpha: {
        value: 0.4733333333333333,
        interval: { low: 0.15016041260955593, high: 0.7051195810751199, level: 0.95 },
      },
      spearman: {
        value: 0.5773502691896258, // the root of a third
        interval: { low: 0.34076690871757354, high: 0.745166737113554, level: 0.95 },
      },
      verdicts: { truePositives: 10, falseNegatives: 10, falsePositives: 0, trueNegatives: 20 },
    },
    rate: { value: 0.5, interval: { low: 0.20782481498546834, high: 0.7917000583184938, level: 0.95 } },
    better: {
      prompt: "{outputs}: all even ones",
      heldOut: 30,
      ids: ["1", "2", "6", "7", "9", "10", "11", "12"],
      after: 1,
      pValue: 0.03125,
    },
  },
  otel: {
    messages: [{ role: "user", content: "Hi" }],
    sent: 10,
    traceId: "5b8efff798038103d269b633813fc60c",
    drifts: [{ direction: "down", count: 4 }],
  },
};
