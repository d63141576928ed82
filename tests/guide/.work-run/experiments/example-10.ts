const __report = globalThis.__report;
import { aggregateOf } from "openevals-wasm/evaluation";

__report(0, await aggregateOf({ scores: [true, true, false, true], errors: 1, notApplicable: 0 }, { level: 0.95, seed: 0 }));
// { mean: 0.75, count: 4, errors: 1, notApplicable: 0, interval: { low: 0.30…, high: 0.95…, level: 0.95 }, distribution }

export {};
