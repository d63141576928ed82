import { createJsonMatchEvaluator, createTrajectoryMatchEvaluator, levenshteinDistance } from "openevals-wasm";

await levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });
// { key: "levenshtein_distance", score: 0.571… }: a similarity, 1 for equal texts

const extraction = createJsonMatchEvaluator({ aggregator: "average", excludeKeys: ["id"] });
await extraction({
  outputs: { id: 7, name: "Ada", born: 1815 },
  referenceOutputs: { id: 8, name: "Ada", born: 1816 },
});
// [{ key: "json_match:average", score: 0.5 }]

const trajectory = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" });
const weatherIn = (city: string) => ({ name: "get_weather", args: { city } });
await trajectory({
  outputs: [{ role: "assistant", content: "", tool_calls: [weatherIn("Oslo")] }],
  referenceOutputs: [{ role: "assistant", content: "", tool_calls: [weatherIn("Rome")] }],
});
// { key: "trajectory_unordered_match", score: false, comment: "referenceOutputs[0].tool_calls[0]: … \"city\" is \"Oslo\" …" }

export {};
