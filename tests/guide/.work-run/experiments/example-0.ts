const __report = globalThis.__report;
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const capital = async ({ country }: { country: string }) => (country === "France" ? "Paris" : "I do not know");
const experiment = await evaluate(capital, {
  data: [
    { inputs: { country: "France" }, referenceOutputs: "Paris" },
    { inputs: { country: "Kenya" }, referenceOutputs: "Nairobi" },
  ],
  evaluators: [exactMatch, levenshteinDistance],
  maxConcurrency: 8,
});
const { exact_match } = experiment.aggregates;
__report(0, exact_match);
// { mean: 0.5, count: 2, errors: 0, notApplicable: 0, interval: { low: 0.09…, high: 0.90…, level: 0.95 }, distribution }

export {};
