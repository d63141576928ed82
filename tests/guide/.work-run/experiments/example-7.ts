const __report = globalThis.__report;
import { accuracy, fBeta, precision, recall } from "openevals-wasm/evaluation";

const rows = {
  outputs: [{ class: "spam", sure: 0.9 }, { class: "spam", sure: 0.6 }, { class: "ham", sure: 0.7 }],
  referenceOutputs: [{ label: "spam" }, { label: "ham" }, { label: "spam" }],
  runs: [{}, {}, { error: "timeout" }], // a run with an error is left out, and counted
  examples: [{ id: "a" }, { id: "b" }, { id: "c" }], // what is a repetition of what
  errors: 0, // how many were left out before
};
const label = { output: "class", reference: ({ label }: { label: string }) => label };

__report(0, await accuracy({ ...label, feedbackKey: "right" })(rows));
// { key: "right", score: 0.5, interval, metadata: { count: 2, errors: 1, … } }
__report(1, await precision({ ...label, positive: "spam" })(rows)); // { key: "precision", score: 0.5, … }
__report(2, await recall({ ...label, average: "macro" })(rows)); // { key: "recall", score: 0.5, … }
__report(3, await fBeta({ ...label, beta: 2, positive: "spam" })(rows)); // { key: "f2_score", score: 0.833…, … }

export {};
