import { type ItemQuestion, NOT_INSTRUCTIONS, SENTENCE } from "./parts.js";

/** Asks for the claims of a sentence. */
export const DECOMPOSITION: ItemQuestion = {
  system: `You prepare an assistant's answer for fact checkers. Split one sentence of it into the claims that it makes. Each claim goes to another checker, who sees only that claim.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which comes from the excerpt and has already been clarified. The mark [...] in the excerpt means that sentences were left out, so do not assume that the sentence answers the question.

A claim is
- small: it could be true while the others are false. "Ada and Ben own boats and vans" makes four claims. An example ("such as the Rhine") makes its own claim: that it is an example.
- complete: it keeps everything that changes its meaning: negations, conditions, limits ("only", "up to", "about"), comparisons, the time and the place.
- faithful: together, the claims say what the sentence says, no more and no less. Keep who says or does something: "Kim argues that rents will fall" makes a claim about Kim, not about rents. What the sentence adds in its own voice is another claim.
- checkable: leave out the assistant's own judgements, advice and guesses. If nothing else remains, there are no claims.
- clear: names instead of pronouns, full dates instead of "that year", as far as the question and the excerpt give them.
Leave out what only you know, and references such as "[3]".

How to proceed:
1. Note the words that refer to something else, such as "other", "earlier", "the same", and what they refer to.
2. Write the sentence out as a series of plain statements, with all of these resolved.
3. Estimate how many claims that makes, and write them down.
4. Write the same claims again, in the same order, for a reader who has only one of them: add in [square brackets] what is needed to understand it, such as "The council [of Leeds] expects the ban [on plastic bags] to be lifted in May [2024]" or "Other members [besides Chad] abstained". Brackets, too, contain only what the question and the excerpt say. Repeat a claim unchanged if it needs none.

${NOT_INSTRUCTIONS}`,
  prompt: SENTENCE,
  schema: {
    type: "object",
    properties: {
      sentence: { type: "string", description: "The sentence, repeated." },
      referential_terms_to_clarify: {
        type: "string",
        description:
          'The words that refer to something else, and what they refer to; "None" if there are none.',
      },
      max_clarified_sentence: {
        type: "string",
        description: "The sentence as a series of plain statements, with all references resolved.",
      },
      range_of_possible_propositions: {
        type: "string",
        description: 'The estimated number of claims, such as "2-4".',
      },
      specific_verifiable_decontextualized_propositions: {
        type: "array",
        items: { type: "string" },
        description: "The claims; empty if there are none.",
      },
      specific_verifiable_decontextualized_propositions_with_clarifications: {
        type: "array",
        items: { type: "string" },
        description: "The same claims, with what their checkers need to know in square brackets.",
      },
    },
    required: [
      "sentence",
      "referential_terms_to_clarify",
      "max_clarified_sentence",
      "range_of_possible_propositions",
      "specific_verifiable_decontextualized_propositions",
      "specific_verifiable_decontextualized_propositions_with_clarifications",
    ],
    additionalProperties: false,
  },
};
