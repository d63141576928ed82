const __report = globalThis.__report;
import { createJsonMatchEvaluator } from "openevals-wasm";

const outputs = { id: 7, name: "Ada", born: 1815 };
const referenceOutputs = { id: 8, name: "Ada", born: 1816 };

const average = createJsonMatchEvaluator({ aggregator: "average", excludeKeys: ["id"] });
__report(0, await average({ outputs, referenceOutputs })); // [{ key: "json_match:average", score: 0.5 }]

const all = createJsonMatchEvaluator({ aggregator: "all", excludeKeys: ["id"] });
__report(1, await all({ outputs, referenceOutputs })); // [{ key: "json_match:all", score: 0 }]

export {};
