/** The experiment of the README's pictures: rules that sort messages, before and after a change. */

import { createJsonMatchEvaluator, exactMatch } from "openevals-wasm";
import { defineExperiment } from "openevals-wasm/evaluation";

const BEFORE = {
  topics: [
    ["delivery", /parcel|deliver|order/i],
    ["refund", /money|refund/i],
    ["account", /account|password/i],
  ],
  urgent: /!|days|weeks/,
};
const AFTER = {
  topics: [
    ["refund", /money|refund|return|back/i],
    ["account", /account|password|log ?in|locked|e-mail/i],
    ["delivery", /parcel|deliver|order|ship|courier/i],
  ],
  urgent: /!|days|weeks|twice|locked|cannot/,
};

const { topics, urgent } = process.env.RULES === "before" ? BEFORE : AFTER;

export default defineExperiment({
  data: "evals/tickets.jsonl",
  target: async (message) => ({
    topic: topics.find(([, pattern]) => pattern.test(message))?.[0] ?? "billing",
    urgent: urgent.test(message),
  }),
  evaluators: [exactMatch, createJsonMatchEvaluator()],
});
