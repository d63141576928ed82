const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const own = createJsonMatchEvaluator({
  aggregator: "average",
  rubric: { city: "Is it the same city?" },
  judge: ({ schema }) => Object.fromEntries(Object.keys(schema.properties as object).map((key) => [key, true])),
  cacheKey: "city-1",
  useReasoning: false,
});
__report(0, await own({ outputs: { city: "Köln" }, referenceOutputs: { city: "Cologne" } }));
// [{ key: "json_match:average", score: 1, metadata }]

export {};
