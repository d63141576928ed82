/** The assertions of promptfoo that cannot be imported, with the reason and what to do instead. */
export const REFUSED: Readonly<Record<string, string>> = {
  python: "runs Python. Write it as a function in evaluators",
  ruby: "runs Ruby. Write it as a function in evaluators",
  webhook: "calls an address. Write it as a function in evaluators",
  cost: "needs the cost of the provider. Use cost() of openevals-wasm/checks with prices",
  "context-faithfulness": "is scored differently here. Use faithfulness() of openevals-wasm/rag",
  "context-recall": "is scored differently here. Use contextRecall() of openevals-wasm/rag",
  "context-relevance": "is scored differently here. Use contextRelevance() of openevals-wasm/rag",
  "answer-relevance": "is scored differently here. Use answerRelevancy() of openevals-wasm/rag",
  "g-eval": "is scored differently here. Use createGEval() of openevals-wasm/judges",
  "select-best": "compares answers. Use createPairwiseJudge() of openevals-wasm/judges",
  "max-score": "compares answers. Use a matrix, whose table marks the best",
};
