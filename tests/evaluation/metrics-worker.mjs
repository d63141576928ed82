/** The module of a worker: real evaluators, and some that fail in every way. */
import { createLLMAsJudge, exactMatch, levenshteinDistance, OpenEvalsError } from "openevals-wasm";
import { serveEvaluators } from "openevals-wasm/evaluation";

serveEvaluators({
  exactMatch,
  levenshteinDistance,
  review: createLLMAsJudge({
    prompt: "Review {outputs}",
    judge: () => ({ grade: 2 }),
    model: "reviewer",
    feedbackKey: "review",
    outputSchema: { type: "object", properties: { grade: { type: "number" } }, required: ["grade"] },
  }),
  sometimesDies({ inputs }) {
    if (inputs?.deadly) process.exit(3);
    return { key: "alive", score: true };
  },
  readsOthers: ({ output, expected }) => ({ key: "match", score: output === expected }),
  throwsOurs() {
    throw new OpenEvalsError("invalid_input", "Nothing to score.", { status: 418 });
  },
  throwsOthers() {
    throw new RangeError("too far");
  },
  sometimesHangs({ inputs }) {
    while (inputs?.endless);
    return { key: "quick", score: 1 };
  },
});
