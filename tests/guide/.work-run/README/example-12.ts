const __report = globalThis.__report;
import { ClaimVerificationEvaluator } from "openevals-wasm/recipes";

const verifier = new ClaimVerificationEvaluator({ model: "openai:gpt-5.4", maxConcurrency: 4 });
const results = verifier.run({
  text: "Paris is the capital of France. It has 12 million residents.",
  userQuestion: "Tell me about Paris",
  sourceContext: [{ sourceId: "1", title: "Wikipedia", content: "Paris is the capital of France with 2.1 million residents." }],
});
for await (const result of results) { // each claim as soon as it is verified; leaving the loop ends the questions
  if ("claim" in result) console.log(result.claim, result.verifiedProbability, result.citations);
  else __report(0, result.closedDomainSupported, "% are supported"); // the metrics, at last
}

export {};
