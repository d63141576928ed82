const __report = globalThis.__report;
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { evaluate, formatExperiment, terminalOptions, writeReport } from "openevals-wasm/evaluation";

const experiment = await evaluate(undefined, {
  data: "answers.jsonl", // { id, inputs, outputs, referenceOutputs } on each line
  evaluators: [exactMatch, levenshteinDistance],
});
console.log(formatExperiment(experiment, terminalOptions(process.stdout, process.env)));
await writeReport(experiment, "report.html", { lowerIsBetter: ["toxicity"] });

export {};
