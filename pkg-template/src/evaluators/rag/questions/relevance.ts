import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../item-verdicts/prompt.js";

/** Asks whether contexts help to answer a question, and with which sentences. */
export const RELEVANCE: IndexedPrompt = {
  name: "relevance",
  item: "context",
  instructions: `You judge the results of a search. For each context, decide whether it helps to answer the question.

1: It contains information that belongs in a good answer, or rules an answer out, even if that is only a part.
0: It contains none: it only shares words or the subject with the question.

Copy the sentences that help exactly as they are in the context, one string each; none for 0. Ignore your own knowledge, and whether the context is right.`,
  prompt: `<question>
{question}
</question>

<contexts>
{items}
</contexts>

Does each context help to answer the question?`,
  answer: {
    reason: REASON_FIELD,
    sentences: {
      type: "array",
      items: { type: "string" },
      description: "The sentences that help to answer the question, copied exactly; empty for 0.",
    },
    verdict: VERDICT_FIELD,
  },
};
