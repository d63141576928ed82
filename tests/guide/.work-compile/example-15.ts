import { exactMatch } from "openevals-wasm";
import { confusionMatrix, evaluate, f1Score, passHatK } from "openevals-wasm/evaluation";

const { summaryResults } = await evaluate(async ({ text }) => ({ class: text.includes("!") ? "Toxic" : "Not toxic" }), {
  data: [{ inputs: { text: "Go away!" }, outputs: { class: "Toxic" } }],
  evaluators: [exactMatch],
  numRepetitions: 3,
  summaryEvaluators: [f1Score({ positive: "Toxic" }), confusionMatrix(), passHatK({ key: "exact_match", k: 3 })],
});

export {};
