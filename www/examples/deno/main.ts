/** Is the new translation system better than the old one, or was it luck? */
import { compareExperiments, evaluate, formatComparison, formatExperiment } from "openevals-wasm/evaluation";
import { chrf, corpusBleu, corpusChrf } from "openevals-wasm/text";
import translations from "./translations.json" with { type: "json" };

const [before, after] = await Promise.all([measure("old"), measure("new")]);
const comparisons = await compareExperiments(before, after);
console.log(formatExperiment(before));
console.log(formatExperiment(after));
console.log(formatComparison(before, after, comparisons));

/** What a system has translated is there already, so nothing is run. */
function measure(system: "old" | "new") {
  return evaluate(undefined, {
    experimentPrefix: system,
    data: translations.map((row) => ({
      id: row.source,
      inputs: row.source,
      outputs: row[system],
      referenceOutputs: row.reference,
    })),
    evaluators: [chrf],
    summaryEvaluators: [corpusBleu(), corpusChrf()],
  });
}
