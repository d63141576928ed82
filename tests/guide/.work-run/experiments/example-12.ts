const __report = globalThis.__report;
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { evaluate, formatExperiment, renderReport, terminalOptions, writeReport } from "openevals-wasm/evaluation";

const experiment = await evaluate(undefined, {
  data: "answers.jsonl",
  evaluators: [exactMatch, levenshteinDistance],
  experimentPrefix: "answers",
});
__report(0, formatExperiment(experiment, { columns: 80, color: false, maxFailing: 1, lowerIsBetter: ["toxicity"] }));
// answers-…  4 rows · … ms
//
// Key                    Mean    95% interval              n
// ──────────────────────────────────────────────────────────
// exact_match           50.0%  15.0% to 85.0%  █████░░░░░  4
// levenshtein_distance  …
//
// 2 of 4 rows fail
//
// ✗ 3  What is the capital of Norway?
//   ✗ exact_match   ✗ levenshtein_distance …
//     exact_match  outputs is "Bergen" instead of "Oslo"
// …

await writeReport(experiment, "report.html", { compareWith: experiment, lowerIsBetter: ["toxicity"] });
const html = await renderReport(experiment); // where there are no files
__report(1, terminalOptions(process.stdout, process.env)); // { columns, color }: for formatExperiment

export {};
