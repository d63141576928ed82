import { type ItemQuestion, MATERIAL, SENTENCE } from "./parts.js";

/** Asks for the meaning of a sentence in its context. */
export const DISAMBIGUATION: ItemQuestion = {
  system: `You prepare the answer of an assistant for fact checkers. Rewrite one sentence of it so that somebody who sees nothing else understands by it what readers of the whole answer do; or find out that these readers would not agree on what it means.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which is taken from the excerpt, perhaps shortened. The mark [...] in the excerpt means that sentences are left out there.

Names and abbreviations:
- Where the question or the excerpt has a fuller form of a name, or says what an abbreviation stands for, use that.
- Where they do not, leave the short form. This is no ambiguity.

Ambiguities, which are words with several meanings that make a difference to what would have to be checked:
- What does it refer to? "She", "this", "there", "the former", "that year", "both".
- What belongs together? In "Lee praised the plan, which saves millions", either Lee says that it saves millions, or the assistant does. In "old houses and barns", the barns may be old or not.
Vague and general words ("many", "soon", "better") are none. Nor is it one that nobody can tell how the sentence answers the question: do not make it an answer.

For each ambiguity, imagine a dozen readers who have the question and the excerpt. If nearly all of them would settle for the same meaning, use it. If they would not, even for one of the ambiguities, the sentence cannot be made clear: then the list of sentences has to be empty. Never choose for them.

When you rewrite:
- Use the question, the excerpt and the sentence, and nothing that you know besides.
- Keep everything that the sentence says, and add nothing that it does not. Errors stay.
- Leave out references such as "[3]".
- Write several sentences where one would be hard to read.
- A sentence that is clear already goes into the list as it is.

${MATERIAL}`,
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
          "What could be understood in several ways, with the meanings, and whether readers would agree on one.",
      },
      changes_needed_reasoning: {
        type: "string",
        description: "What has to be replaced by what; or why the sentence cannot be made clear.",
      },
      changes_needed: { type: "boolean", description: "Whether anything has to be replaced." },
      decontextualized_sentences: {
        type: "array",
        items: { type: "string" },
        description:
          "The sentence, or the sentences, that can be understood alone; empty if it cannot be made clear.",
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
