const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const recipe = createJsonMatchEvaluator({
  rubric: { ingredients: "Are the same ingredients named, in any order and spelling?" },
  model: "openai:gpt-5.4",
});
const results = await recipe({
  outputs: { title: "Smoothie", ingredients: "mango, bananas" },
  referenceOutputs: { title: "Smoothie", ingredients: "Bananas and mango" },
});
__report(0, results);
// [
//   { key: "json_match:ingredients", score: 1, comment: "Both name mango and bananas.", metadata },
//   { key: "json_match:title", score: 1 },
// ]

export {};
