// `npm run gold -- --model openai:gpt-5.4`: asks a model about the labelled claims in tests/data/rag, and prints
// how often its verdicts agree with the labels.

import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { path } from "./run.mjs";
import { labelJudge, rows, withClaims } from "./start/claims.mjs";

const USAGE = "Usage: npm run gold -- --model openai:gpt-5.4, or --labels for the labels in place of a model";

const { values } = parseArgs({ options: { model: { type: "string" }, labels: { type: "boolean" } } });
if (!values.model === !values.labels) throw new Error(USAGE);

await build();
const { evaluate } = await import(path("pkg/dist/evaluation.js"));
const { calibrate, formatCalibration } = await import(path("pkg/dist/judges.js"));
const { faithfulness } = await import(path("pkg/dist/rag.js"));

const data = rows();
const asked = values.model ? { model: values.model } : { judge: labelJudge() };
const experiment = await evaluate(undefined, {
  data,
  evaluators: [faithfulness(asked)],
  mapInputs: withClaims,
  maxConcurrency: 4,
});

const claims = experiment.rows.flatMap(({ example, evaluationResults: [result] }) =>
  example.metadata.claims.map(({ supported }, index) => ({
    id: `${example.id}-${index}`,
    metadata: { row: example.id },
    outputs: result.metadata?.claims?.[index]?.verdict,
    supported,
  })),
);
const report = await calibrate(({ outputs }) => ({ key: "faithfulness", score: outputs === 1 }), {
  data: claims.filter(({ outputs }) => outputs !== undefined),
  label: "supported",
  clusterBy: "row",
});
console.log(formatCalibration(report));
console.log(
  `${claims.length} claims of ${data.length} rows, which are the clusters. The rows and their labels are our own.`,
);
