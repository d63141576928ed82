const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";

const result = await exactMatch({ outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 } });
__report(0, result); // { key: "exact_match", score: true }

export {};
