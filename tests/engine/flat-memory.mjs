/**
 * Makes, uses and drops evaluators of a kind, or uses one, this many times without yielding to the event
 * loop. Prints the growth of the heap and of the engine's memory, from the first tenth to the end, in bytes.
 */
import {
  createEmbeddingSimilarityEvaluator,
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createLLMSimulatedUser,
  createTrajectoryMatchEvaluator,
  exactMatch,
  initChatModel,
  initEmbeddings,
  levenshteinDistance,
} from "openevals-wasm";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { memoryInUse } from "./memories.mjs";

const params = { outputs: { name: "Ada", born: 1815 }, referenceOutputs: { born: 1816, name: "Ada" } };
const messages = (city) => [
  { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: { city } }] },
];
const trajectories = { outputs: messages("Rome"), referenceOutputs: messages("Oslo") };
const verdict = { score: true, reasoning: "Yes." };
const completion = {
  choices: [{ finish_reason: "stop", message: { role: "assistant", content: JSON.stringify(verdict) } }],
};
const fetch = async () => ({ status: 200, headers: new Map(), text: async () => JSON.stringify(completion) });
const vectors = { data: [{ index: 0, embedding: [1, 2] }] };
const fetchVectors = async () => ({
  status: 200,
  headers: new Map(),
  text: async () => JSON.stringify(vectors),
});
const { signal } = new AbortController();
const model = (i) => initChatModel(`openai:model-${i}`, { apiKey: "no-key-at-all", fetch, signal });
const judge = createLLMAsJudge({ prompt: "Is {outputs} right?", judge: () => verdict });

const kinds = {
  "exactMatch used": () => exactMatch(params),
  "levenshteinDistance used": () => levenshteinDistance("kitten", "sitting"),
  "a judge used": () => judge(params),
  "JSON match": (i) => createJsonMatchEvaluator({ excludeKeys: [`${i}`] })(params),
  "JSON match with a judge": (i) =>
    createJsonMatchEvaluator({
      rubric: { born: `About ${i}?` },
      judge: () => ({ born: verdict }),
      aggregator: "all",
    })(params),
  trajectory: (i) =>
    createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { [i]: "ignore" } })(trajectories),
  "trajectory with a matcher": (i) =>
    createTrajectoryMatchEvaluator({ toolArgsMatchOverrides: { get_weather: async () => i % 2 === 0 } })(
      trajectories,
    ),
  embeddings: (i) => createEmbeddingSimilarityEvaluator({ embeddings: () => [i, 1] })("a", "b"),
  "an embeddings model": (i) =>
    initEmbeddings(`openai:model-${i}`, { apiKey: "no-key-at-all", fetch: fetchVectors }).embedQuery("a"),
  "a judge with a function": (i) =>
    createLLMAsJudge({ prompt: `Is {outputs} ${i}?`, judge: () => verdict })(params),
  "a judge with a model": (i) => createLLMAsJudge({ prompt: `Is {outputs} ${i}?`, judge: model(i) })(params),
  "a simulated user": (i) =>
    createLLMSimulatedUser({ system: `${i}`, client: () => "Hello?" })({ trajectory: [], turnCounter: 0 }),
  "a recipe": (i) =>
    new CheckCriteriaEvaluator({
      criteria: [`It is ${i}`],
      model: () => ({ reasoning: "Yes.", probability: 1 }),
    }).run({ conversationHistory: "", finalResponse: "Hello there." }),
};

const [kind, times] = [process.argv[2], Number(process.argv[3])];
if (!kind) console.log(JSON.stringify(Object.keys(kinds)));
else {
  const used = () => {
    // Code that is no longer used goes after several collections. It would hide a leak.
    for (let i = 0; i < 10; i++) globalThis.gc();
    return [process.memoryUsage().heapUsed, memoryInUse()];
  };
  const repeat = async (from, to) => {
    for (let i = from; i < to; i++) await kinds[kind](i);
  };
  await repeat(0, times / 10);
  const before = used();
  await repeat(times / 10, times);
  const after = used();
  console.log(JSON.stringify({ heap: after[0] - before[0], engine: after[1] - before[1] }));
}
