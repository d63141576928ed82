// `npm start`: builds the package if necessary, and evaluates the datasets in tests/data with it. Failing
// rows are expected findings, so they do not fail the command.

import { build } from "./build.mjs";
import { path } from "./run.mjs";
import { findJudge } from "./start/judge.mjs";
import { plan } from "./start/plan.mjs";

await build();
const openevals = await import(path("pkg/dist/index.js"));
const experiments = await import(path("pkg/dist/evaluation.js"));
const rag = await import(path("pkg/dist/rag.js"));
const { evaluate, formatExperiment, terminalOptions, writeReport } = experiments;

const judge = await findJudge(openevals);
const work = plan(openevals, experiments, rag);
if (!judge.missing) work[0].evaluators.push(judge.evaluate);

const look = { ...terminalOptions(process.stdout, process.env), maxFailing: 4 };
const reports = [];
for (const { dataset, evaluators, summaryEvaluators, mapInputs } of work) {
  const name = dataset.replace("/", "-");
  const experiment = await evaluate(undefined, {
    data: path(`tests/data/${dataset}.jsonl`),
    evaluators,
    summaryEvaluators,
    mapInputs,
    maxConcurrency: 4,
    experimentPrefix: name,
    metadata: { version: openevals.__version__, ...(judge.model && { judge: judge.model }) },
  });
  console.log(formatExperiment(experiment, look));
  const report = `target/reports/${name}.html`;
  await writeReport(experiment, path(report));
  reports.push(report);
}
console.log(judge.missing ?? `Judge: ${judge.model}, asked about each question (key "correctness").`);
console.log(`Reports with all rows: ${reports.join(", ")}`);
