/**
 * One huge input in a new process. Prints its result, the result of a small call afterwards, and the engine's
 * memory.
 */
import { setImmediate } from "node:timers/promises";
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  exactMatch,
  initChatModel,
  levenshteinDistance,
} from "openevals-wasm";
import { memoryInUse } from "./memories.mjs";

function different(list) {
  const referenceOutputs = list.slice();
  referenceOutputs[list.length - 1] = [0, "y"];
  return { outputs: list, referenceOutputs };
}
const pairs = (length) => different(Array.from({ length }, (_, index) => [index % 7, "x"]));
const zeros = (length) => different(new Array(length).fill(0));
const numbers = (length) => different(Array.from({ length }, (_, index) => index));
const bomb = () => `[${"0,".repeat(50_000_000)}0]`;
const asked = { prompt: "Is {outputs} right?" };

const inputs = {
  "800,000 pairs": () => exactMatch(pairs(800_000)),
  "20 million zeros": () => exactMatch(zeros(20_000_000)),
  "50 million numbers": () => exactMatch(numbers(50_000_000)),
  "500 million é": () => exactMatch("é".repeat(5e8), `${"é".repeat(5e8 - 1)}e`),
  "x and 500 million 漢": () => levenshteinDistance("x", "漢".repeat(5e8)),
  "200,000 rows": async () => {
    const row = (index) => ({
      outputs: { id: index, tags: [index] },
      referenceOutputs: { tags: [index], id: 0 },
    });
    const scores = await exactMatch.batch(Array.from({ length: 200_000 }, (_, index) => row(index)));
    return scores.filter(({ score }) => score).length;
  },
  "a list of a million objects": () => {
    const list = Array.from({ length: 1_000_000 }, (_, id) => ({ id, on: id % 2 }));
    return createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" })({
      outputs: list,
      referenceOutputs: list.toReversed?.() ?? [...list].reverse(),
    });
  },
  "a judge that answers with 100 MB": () => createLLMAsJudge({ ...asked, judge: bomb })({ outputs: "Paris" }),
  "a provider that answers with 100 MB": () => {
    const fetch = async () => new Response(bomb());
    const judge = initChatModel("openai:stub", { apiKey: "no-key-at-all", fetch });
    return createLLMAsJudge({ ...asked, judge })({ outputs: "Paris" });
  },
  "small calls beside a huge one": async () => {
    const small = Array.from({ length: 20 }, (_, index) => exactMatch({ a: index }, { a: 0 }));
    const results = await Promise.all([exactMatch(pairs(800_000)), ...small]);
    return results.filter(({ score }) => score).length;
  },
  "many huge calls at once": async () => {
    const calls = Array.from({ length: 4 }, () => exactMatch(pairs(400_000)));
    return (await Promise.all(calls)).map(({ score }) => score);
  },
};

const result = async (call) => {
  try {
    return await call();
  } catch ({ name, code, message }) {
    return { name, code, message };
  }
};

const [input] = process.argv.slice(2);
if (!input) console.log(JSON.stringify(Object.keys(inputs)));
else {
  const huge = await result(inputs[input]);
  const small = await result(() => exactMatch({ a: 1, b: 2 }, { b: 2, a: 2 }));
  // The garbage collector takes several rounds.
  for (let round = 0; round < 20; round++) {
    await setImmediate();
    globalThis.gc();
  }
  console.log(JSON.stringify({ huge, small, memory: memoryInUse() }));
}
