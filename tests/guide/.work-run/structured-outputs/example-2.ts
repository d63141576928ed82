const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const items = createJsonMatchEvaluator({ aggregator: "average", listAggregator: "average" });
__report(0, await items({
  outputs: [{ name: "Pen", price: 2 }, { name: "Ink", price: 9 }],
  referenceOutputs: [{ name: "Ink", price: 8 }, { name: "Pen", price: 2 }],
})); // [{ key: "json_match:average", score: 0.75 }]

export {};
