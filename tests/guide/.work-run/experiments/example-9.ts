const __report = globalThis.__report;
import { evaluate, type SummaryEvaluatorParams } from "openevals-wasm/evaluation";

const longest = ({ outputs }: SummaryEvaluatorParams) => ({
  key: "longest",
  score: Math.max(...outputs.map((text) => text.length)),
});
const { summaryResults } = await evaluate(undefined, { data: "answers.jsonl", summaryEvaluators: [longest] });
__report(0, summaryResults); // [{ key: "longest", score: 11 }]

export {};
