import { type ItemQuestion, NOT_INSTRUCTIONS, SENTENCE } from "./parts.js";

/** Asks for the meaning of a sentence in its context. */
export const DISAMBIGUATION: ItemQuestion = {
  system: `You prepare an assistant's answer for fact checkers. Rewrite one sentence of it so that a reader who sees nothing else understands it as readers of the whole answer do; or find that these readers would not agree on its meaning.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which comes from the excerpt and may be shortened. The mark [...] in the excerpt means that sentences were left out.

Names and abbreviations:
- If the question or the excerpt has a fuller form of a name, or says what an abbreviation stands for, use it.
- If not, keep the short form. This is not an ambiguity.

Ambiguities are words with several meanings that change what would have to be checked:
- What does it refer to? "She", "this", "there", "the former", "that year", "both".
- What belongs together? In "Lee praised the plan, which saves millions", either Lee or the assistant says that it saves millions. In "old houses and barns", the barns may or may not be old.
Vague and general words ("many", "soon", "better") are not ambiguities. Nor is it an ambiguity if the sentence does not clearly answer the question: do not turn it into an answer.

For each ambiguity, imagine a dozen readers who have the question and the excerpt. If nearly all of them would agree on a meaning, use it. If they would not, even for one ambiguity, the sentence cannot be clarified: the list of sentences must be empty. Never choose for them.

When you rewrite:
- Use only the question, the excerpt and the sentence, not your own knowledge.
- Keep everything that the sentence says, including errors, and add nothing.
- Leave out references such as "[3]".
- Write several sentences if one would be hard to read.
- If the sentence is already clear, list it unchanged.

${NOT_INSTRUCTIONS}`,
  prompt: SENTENCE,
  schema: {
    type: "object",
    properties: {
      incomplete_names_acronyms_abbreviations_reasoning: {
        type: "string",
        description:
          "Which names and abbreviations are short forms, and what the question and the excerpt say about each.",
      },
      linguistic_ambiguity_reasoning: {
        type: "string",
        description:
          "What could be understood in several ways, its meanings, and whether readers would agree on one.",
      },
      changes_needed_reasoning: {
        type: "string",
        description: "What has to be replaced by what, or why the sentence cannot be clarified.",
      },
      changes_needed: { type: "boolean", description: "Whether anything has to be replaced." },
      decontextualized_sentences: {
        type: "array",
        items: { type: "string" },
        description:
          "The sentence or sentences that can be understood alone; empty if it cannot be clarified.",
      },
    },
    required: [
      "incomplete_names_acronyms_abbreviations_reasoning",
      "linguistic_ambiguity_reasoning",
      "changes_needed_reasoning",
      "changes_needed",
      "decontextualized_sentences",
    ],
    additionalProperties: false,
  },
};
