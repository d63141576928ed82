import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../item-verdicts/prompt.js";

/** Asks whether contexts support claims. */
export const SUPPORT: IndexedPrompt = {
  name: "support",
  item: "claim",
  instructions: `You check claims against texts. Rely on the contexts alone.

1: The contexts support the claim. A careful reader who knows nothing else would accept each part of it: the contexts say so, or it follows from them by paraphrase, translation, simple arithmetic or fair rounding. Several contexts together may support a claim.

0: They do not. At least one part of the claim is missing, contradicted, only hinted at, or stronger, more certain, more exact or more general than in the contexts.

Borderline cases:
- Names, numbers, dates, negations, conditions and limits of a claim have to match.
- If one context supports a claim and another contradicts it, follow the one that is clearly newer or more specific; otherwise 0.
- Ignore your own knowledge, and whether a claim is true in the world.

Name the contexts that are needed to support the claim by their indices, and none for 0.`,
  prompt: `<contexts>
{contexts}
</contexts>

<claims>
{items}
</claims>

Do the contexts support each claim?`,
  answer: {
    reason: REASON_FIELD,
    contexts: {
      type: "array",
      items: { type: "integer" },
      description: "The indices of the contexts that support the claim; empty for 0.",
    },
    verdict: VERDICT_FIELD,
  },
};
