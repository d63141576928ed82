const __report = globalThis.__report;
import { createTrajectoryMatchEvaluator } from "openevals-wasm";

const calls = (...names: string[]) => [
  { role: "assistant" as const, content: "", tool_calls: names.map((name) => ({ name, args: {} })) },
];
const graded = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered", scoring: "f1" });
const result = await graded({ outputs: calls("search", "book"), referenceOutputs: calls("search", "book", "confirm") });
__report(0, result);
// {
//   key: "trajectory_unordered_match",
//   score: 0.8,
//   metadata: {
//     precision: 1,
//     recall: 0.666…,
//     unmatchedOutputs: [],
//     unmatchedReferenceOutputs: [{ message: 0, name: "confirm", args: {} }],
//   },
// }

export {};
