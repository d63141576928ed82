const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const found = createJsonMatchEvaluator({ aggregator: "average", listMatchMode: "superset" });
__report(0, await found({
  outputs: [{ name: "Ink" }, { name: "Pen" }, { name: "Paper" }],
  referenceOutputs: [{ name: "Pen" }],
})); // [{ key: "json_match:average", score: 1 }]

export {};
