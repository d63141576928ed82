const __report = globalThis.__report;
import { passAtK, passRate, percentile } from "openevals-wasm/evaluation";

const rows = {
  evaluationResults: [0.4, 0.7, 0.9, 0.8].map((score) => [{ key: "helpfulness", score }]),
  examples: [{ id: "a" }, { id: "a" }, { id: "b" }, { id: "b" }],
  errors: 0,
};
__report(0, await passRate({ key: "helpfulness", atLeast: 0.7, level: 0.9, seed: 1 })(rows));
// { key: "helpfulness:pass_rate", score: 0.75, interval, metadata }
__report(1, await percentile({ key: "helpfulness", percent: 90, feedbackKey: "p90" })(rows)); // { key: "p90", score: 0.87, … }
__report(2, await passAtK({ key: "helpfulness", k: 2, atLeast: 0.7 })(rows)); // { key: "helpfulness:pass@2", score: 1, … }

export {};
