const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";
import { compareExperiments, evaluate, formatComparison } from "openevals-wasm/evaluation";

const numbers = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, inputs: i, referenceOutputs: i * 2 }));
const before = await evaluate((n: number) => (n < 3 ? n * 2 : n), { data: numbers, evaluators: [exactMatch] });
const after = await evaluate((n: number) => n * 2, { data: numbers, evaluators: [exactMatch] });

const comparisons = await compareExperiments(before, after, { correction: "holm", seed: 0, level: 0.95 });
const { difference, adjustedPValue, test, unpaired } = comparisons.exact_match!;
__report(0, difference, adjustedPValue, test); // 0.75 0.0039… mcnemar
console.log(formatComparison(before, after, comparisons, { columns: 100, color: false, lowerIsBetter: ["toxicity"] }));

export {};
