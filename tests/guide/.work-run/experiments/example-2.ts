const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";

const experiment = evaluate(undefined, { data: "answers.jsonl", evaluators: [exactMatch] });
for await (const { example, evaluationResults, errors } of experiment) {
  __report(0, example.id, evaluationResults[0]?.score, errors.length);
  // 1 true 0
  // 2 true 0
  // 3 false 0
  // 4 false 0
}
const { aggregates } = await experiment;
__report(1, aggregates.exact_match?.mean); // 0.5

export {};
