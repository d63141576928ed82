/** An application whose recursion overflows the stack while it calls evaluators. Prints later failures. */
import { setImmediate } from "node:timers/promises";
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryMatchEvaluator,
  exactMatch,
  levenshteinDistance,
} from "openevals-wasm";

const calling = (city) => [
  { role: "assistant", content: "", tool_calls: [{ name: "get_weather", args: { city } }] },
];
const jsonMatch = createJsonMatchEvaluator({ aggregator: "average" });
const trajectory = createTrajectoryMatchEvaluator({
  toolArgsMatchOverrides: { get_weather: (output, reference) => output.city === reference.city },
});
const judge = createLLMAsJudge({
  prompt: "Is {outputs} right?",
  judge: async () => ({ score: true, reasoning: "Yes." }),
});
const evaluators = [
  [
    () => exactMatch({ a: 1, b: [2] }, { b: [3], a: 1 }),
    '{"key":"exact_match","score":false,"comment":"outputs.b[0] is 2 instead of 3"}',
  ],
  [
    () => levenshteinDistance("kitten", "sitting"),
    '{"key":"levenshtein_distance","score":0.5714285714285714}',
  ],
  [
    () => jsonMatch({ a: 1, b: 2 }, { b: 2, a: 2 }),
    '[{"key":"json_match:average","score":0.5,"comment":"outputs.a is 1 instead of 2"}]',
  ],
  [
    () => trajectory({ outputs: calling("Rome"), referenceOutputs: calling("Rome") }),
    '{"key":"trajectory_strict_match","score":true}',
  ],
  [async () => (await judge({ outputs: "Paris" })).score, "true"],
];

const problems = [];
for (const [call, right] of evaluators) {
  await call();
  for (let round = 0; round < 60; round++) {
    const pad = (depth) => (depth ? pad(depth - 1) : recurse());
    const recurse = () => {
      call().catch(() => {});
      recurse();
    };
    try {
      // The stack ends at another point each time.
      pad(round % 60);
    } catch (error) {
      if (!(error instanceof RangeError)) problems.push(String(error));
    }
    await setImmediate();
    const result = await call().then(JSON.stringify, String);
    if (result !== right) problems.push(`${call}: ${result}`);
  }
}
console.log(JSON.stringify(problems.slice(0, 10)));
