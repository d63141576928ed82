import { type IndexedPrompt, REASON, VERDICT } from "../../indexed/prompt.js";

/** Asks whether contexts serve to answer a question, and with which sentences. */
export const RELEVANCE: IndexedPrompt = {
  name: "relevance",
  item: "context",
  instructions: `You judge what a search has found. For each context, decide whether it serves to answer the question.

1: It has information that belongs in a good answer, or rules an answer out, even if it is only a part.
0: It has none: it shares only words or the subject with the question.

Copy the sentences that serve the question exactly as they are in the context, one string each; none for 0. What you know does not count, nor whether the context is right.`,
  prompt: `<question>
{question}
</question>

<contexts>
{items}
</contexts>

Does each context serve to answer the question?`,
  answer: {
    reason: REASON,
    sentences: {
      type: "array",
      items: { type: "string" },
      description: "The sentences that serve the question, copied exactly; empty for 0.",
    },
    verdict: VERDICT,
  },
};
