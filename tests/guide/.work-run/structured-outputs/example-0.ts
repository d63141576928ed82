const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const fields = createJsonMatchEvaluator();
const results = await fields({
  outputs: { name: "Ada Lovelace", born: 1815, city: "London" },
  referenceOutputs: { name: "Ada Lovelace", born: 1816, city: "London" },
});
__report(0, results);
// [
//   { key: "json_match:born", score: 0 },
//   { key: "json_match:city", score: 1 },
//   { key: "json_match:name", score: 1 },
// ]

export {};
