const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";
import { type DataRow, evaluate } from "openevals-wasm/evaluation";

const answer = async ({ question }: { question: string }) => ({ answer: question.includes("Oslo") ? "4 °C" : "20 °C" });
const fromFile = await evaluate(answer, { data: "questions.jsonl", evaluators: [exactMatch] });
const fromTable = await evaluate(answer, { data: "questions.csv", evaluators: [exactMatch] });
__report(0, fromFile.rows.length, fromTable.aggregates.exact_match?.mean); // 2 0.5

async function* fromDatabase(): AsyncGenerator<DataRow> {
  yield {
    id: "1",
    inputs: { question: "How warm is it in Oslo?" },
    outputs: { answer: "4 °C" }, // the reference, since there is a target
    metadata: { source: "support" },
    attachments: { map: "https://example.com/oslo.png" }, // the target gets them as config.attachments
  };
}
await evaluate(answer, { data: fromDatabase(), evaluators: [exactMatch] });

export {};
