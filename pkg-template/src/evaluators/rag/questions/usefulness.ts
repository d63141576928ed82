import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../item-verdicts/prompt.js";

/** Asks whether contexts helped to arrive at an answer. */
export const USEFULNESS: IndexedPrompt = {
  name: "usefulness",
  item: "context",
  instructions: `You judge the results of a search. For each context, decide whether it was useful for arriving at the answer to the question.

1: It contains at least one fact that the answer states or needs.
0: It does not. Being about the same subject is not enough, and neither is a fact that answers the question differently.

A context is useful even if another one contains the same fact. Take the answer as given: ignore whether it is right.`,
  prompt: `<question optional>
{question}
</question>

<answer>
{answer}
</answer>

<contexts>
{items}
</contexts>

Was each context useful for the answer?`,
  answer: { reason: REASON_FIELD, verdict: VERDICT_FIELD },
};
