const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const recipe = createJsonMatchEvaluator({
  rubric: { ingredients: "Are the same ingredients named, in any order and spelling?" },
  model: "openai:gpt-5.4",
});
__report(0, await recipe({
  outputs: { title: "Smoothie", ingredients: "mango, bananas" },
  referenceOutputs: { title: "Smoothie", ingredients: "Bananas and mango" },
})); // [{ key: "json_match:ingredients", score: 1, comment: "…" }, { key: "json_match:title", score: 1 }]

export {};
