// `npm start`: brings the package up to date, and evaluates the datasets in tests/data with it.
// Failing rows are what an evaluation is there to find, so they do not make the command fail.

import { build } from "./build.mjs";
import { path } from "./run.mjs";
import { findJudge } from "./start/judge.mjs";
import { plan } from "./start/plan.mjs";

await build();
const openevals = await import(path("pkg/dist/index.js"));
const experiments = await import(path("pkg/dist/evaluation.js"));
const { evaluate, formatExperiment, terminalOptions, writeReport } = experiments;

const judge = await findJudge(openevals);
const work = plan(openevals, experiments);
if (!judge.missing) work[0].evaluators.push(judge.evaluate);

const look = { ...terminalOptions(process.stdout, process.env), maxFailing: 4 };
const reports = [];
for (const { dataset, evaluators, summaryEvaluators } of work) {
  const experiment = await evaluate(undefined, {
    data: path(`tests/data/${dataset}.jsonl`),
    evaluators,
    summaryEvaluators,
    maxConcurrency: 4,
    experimentPrefix: dataset,
    metadata: { version: openevals.__version__, ...(judge.model && { judge: judge.model }) },
  });
  console.log(formatExperiment(experiment, look));
  const report = `target/reports/${dataset}.html`;
  await writeReport(experiment, path(report));
  reports.push(report);
}
console.log(judge.missing ?? `Judge: ${judge.model}, asked about each question (key "correctness").`);
console.log(`All rows, to look at in a browser: ${reports.join(", ")}`);
