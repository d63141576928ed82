const __report = globalThis.__report;
import { exactMatch } from "openevals-wasm";
import { confusionMatrix, evaluate, f1Score, passHatK } from "openevals-wasm/evaluation";

const classify = async ({ text }: { text: string }) => ({ class: text.includes("!") ? "Toxic" : "Not toxic" });
const { summaryResults } = await evaluate(classify, {
  data: [
    { inputs: { text: "Go away!" }, outputs: { class: "Toxic" } },
    { inputs: { text: "Thank you!" }, outputs: { class: "Not toxic" } },
    { inputs: { text: "Of course." }, outputs: { class: "Not toxic" } },
  ],
  evaluators: [exactMatch],
  numRepetitions: 3,
  summaryEvaluators: [f1Score({ positive: "Toxic" }), confusionMatrix(), passHatK({ key: "exact_match", k: 3 })],
});
__report(0, summaryResults);
// [
//   { key: "f1_score", score: 0.666…, interval, metadata },
//   { key: "confusion_matrix", value: { labels: ["Not toxic", "Toxic"], matrix: [[3, 3], [0, 3]] }, metadata },
//   { key: "exact_match:pass^3", score: 0.666…, interval, metadata },
// ]

export {};
