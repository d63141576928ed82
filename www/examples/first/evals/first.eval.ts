import { exactMatch } from "openevals-wasm";
import { defineExperiment } from "openevals-wasm/evaluation";

export default defineExperiment({
  // The questions, and the answers you expect: a row per line.
  data: "evals/first.jsonl",
  // Your application. This one sorts messages; call your model or agent here.
  target: async (message) => {
    if (/parcel|deliver/i.test(message)) return { topic: "delivery" };
    return { topic: /money|refund/i.test(message) ? "refund" : "billing" };
  },
  evaluators: [exactMatch],
  // The run fails if less than this share is right.
  failUnder: { exact_match: 0.8 },
});
