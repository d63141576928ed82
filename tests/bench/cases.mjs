/** The cases: what goes in, and how much faster than the reference we want to be (DESIGN: budgets). */
import { jsonList, jsonRecord, largeObject, nearlyEqualTexts, shuffled, trajectory } from "./inputs.mjs";
import { raceCalls } from "./measure.mjs";
import { distance, ours, reference } from "./packages.mjs";

const SMALL = { outputs: { a: 1, b: "two", c: [3] }, referenceOutputs: { c: [3], b: "two", a: 1 } };
const DIFFERENT = { outputs: { a: 1, b: "two", c: [3] }, referenceOutputs: { c: [4], b: "two", a: 1 } };

export const cases = [
  pair("exactMatch, 3 keys in another order", 10, (library) => library.exactMatch, SMALL),
  pair("exactMatch, 3 keys, one differs", 10, (library) => library.exactMatch, DIFFERENT),
  pair("exactMatch, 1,000 keys", undefined, (library) => library.exactMatch, {
    outputs: largeObject(1_000),
    referenceOutputs: Object.fromEntries(Object.entries(largeObject(1_000)).reverse()),
  }),
  batch("exactMatch.batch, 1,000 rows", (library) => library.exactMatch, SMALL),

  ...levenshtein(10, { aim: 10 }),
  ...levenshtein(100, {}),
  ...levenshtein(500, { rivalAim: 4 }),
  ...levenshtein(1_000, { aim: 200, rivalAim: 4 }),
  ...levenshtein(5_000, { rivalAim: 4 }),
  batch(
    "levenshteinDistance.batch, 1,000 rows of 100",
    (library) => library.levenshteinDistance,
    nearlyEqualTexts(100),
  ),

  pair("JSON match, 10 keys", 8, (library) => library.createJsonMatchEvaluator({ aggregator: "average" }), {
    outputs: jsonRecord(0),
    referenceOutputs: { ...jsonRecord(0), status: "changed" },
  }),
  pair("JSON match, 10 keys, a result for each", 8, (library) => library.createJsonMatchEvaluator({}), {
    outputs: jsonRecord(0),
    referenceOutputs: { ...jsonRecord(0), status: "changed" },
  }),
  pair(
    "JSON match, list of 500 shuffled",
    20,
    (library) => library.createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" }),
    {
      outputs: jsonList(500),
      referenceOutputs: shuffled(jsonList(500)).map((row, i) =>
        i % 100 === 0 ? { ...row, status: "changed" } : row,
      ),
    },
  ),
  batch(
    "JSON match batch, 1,000 rows of 10 keys",
    (library) => library.createJsonMatchEvaluator({ aggregator: "average" }),
    {
      outputs: jsonRecord(0),
      referenceOutputs: { ...jsonRecord(0), status: "changed" },
    },
  ),

  ...[5, 500].flatMap((calls) => [
    pair(
      `trajectory, ${calls} calls, strict, the same texts`,
      10,
      (library) => library.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict" }),
      { outputs: trajectory(calls), referenceOutputs: trajectory(calls) },
    ),
    pair(
      `trajectory, ${calls} calls, strict, keys in another order`,
      10,
      (library) => library.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict" }),
      {
        outputs: trajectory(calls),
        referenceOutputs: trajectory(calls, { respelled: true }),
      },
    ),
    pair(
      `trajectory, ${calls} calls, unordered, keys in another order`,
      calls === 500 ? 30 : 10,
      (library) => library.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" }),
      {
        outputs: trajectory(calls),
        referenceOutputs: shuffled(trajectory(calls, { respelled: true })),
      },
    ),
  ]),
  batch(
    "trajectory batch, 1,000 rows of 5 calls, strict",
    (library) => library.createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict" }),
    {
      outputs: trajectory(5),
      referenceOutputs: trajectory(5, { respelled: true }),
    },
  ),

  judge("judge call's own CPU, callback", 10, () => async () => ({ score: true, reasoning: "Same." })),
  // No aim: the reference's stub makes no HTTP answer, which is most of what this one spends.
  judge("judge call's own CPU, fetch provider", undefined, () =>
    ours.initChatModel("openai:stub", { apiKey: "none", fetch: async () => Response.json(COMPLETION) }),
  ),
];

/** The same call to both libraries. */
function pair(name, aim, evaluator, input) {
  return {
    name,
    aim,
    measure: () => {
      const [mine, theirs] = [evaluator(ours), evaluator(reference)];
      return raceCalls({ ours: () => mine(input), reference: () => theirs(input) });
    },
  };
}

/** A thousand rows at once, beside a thousand calls of the reference; times are for all of them. */
function batch(name, evaluator, input) {
  const rows = Array.from({ length: 1_000 }, () => input);
  return {
    name,
    measure: () => {
      const [mine, theirs] = [evaluator(ours), evaluator(reference)];
      const oneByOne = async () => {
        const results = [];
        for (const row of rows) results.push(await theirs(row));
        return results.flat();
      };
      return raceCalls({ ours: async () => (await mine.batch(rows)).flat(), reference: oneByOne });
    },
  };
}

/** Beside the reference, and beside the fastest distance function on npm. */
function levenshtein(length, { aim, rivalAim }) {
  const { outputs, referenceOutputs } = nearlyEqualTexts(length);
  const name = `levenshteinDistance, ${length.toLocaleString("en-US")} characters`;
  const mine = () => ours.levenshteinDistance({ outputs, referenceOutputs });
  const rival = () => distance(outputs, referenceOutputs);
  return [
    pair(name, aim, (library) => library.levenshteinDistance, { outputs, referenceOutputs }),
    {
      name: `${name} (reference: fastest-levenshtein)`,
      aim: rivalAim,
      measure: () => raceCalls({ ours: mine, reference: rival }, { sameAnswer: false }),
    },
  ];
}

const PROMPT = `Compare the answer with the reference.
<question>{inputs}</question>
<answer>{outputs}</answer>
<reference>{reference_outputs}</reference>`;
const COMPLETION = {
  id: "stub",
  object: "chat.completion",
  model: "stub",
  choices: [
    {
      index: 0,
      finish_reason: "stop",
      message: { role: "assistant", content: '{"reasoning":"Same.","score":true}' },
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};

/** A model that answers at once, so that what remains is the work of the library itself. */
function judge(name, aim, model) {
  const input = {
    inputs: { question: "What is the capital of France?" },
    outputs: { answer: "Paris, on the Seine." },
    referenceOutputs: { answer: "Paris" },
  };
  return {
    name,
    aim,
    measure: () => {
      const mine = ours.createLLMAsJudge({ prompt: PROMPT, judge: model() });
      const client = { chat: { completions: { create: async () => COMPLETION } } };
      const theirs = reference.createLLMAsJudge({ prompt: PROMPT, judge: client, model: "stub" });
      return raceCalls({ ours: () => mine(input), reference: () => theirs(input) });
    },
  };
}
