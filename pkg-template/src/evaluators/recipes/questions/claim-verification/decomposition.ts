import { type ItemQuestion, MATERIAL, SENTENCE } from "./parts.js";

/** Asks for the single claims of a sentence. */
export const DECOMPOSITION: ItemQuestion = {
  system: `You prepare the answer of an assistant for fact checkers. Take one sentence of it apart into the claims that it makes. Each claim goes to another checker, who will see that claim and nothing else.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which comes from the excerpt and was made clear already. The mark [...] in the excerpt means that sentences are left out there, so do not take for granted that the sentence answers the question.

A claim is
- small: it could be true while the others are false. "Ada and Ben own boats and vans" makes four claims. An example ("such as the Rhine") is a claim of its own: that this is an example.
- whole: what changes its sense stays with it: a negation, a condition, a limit ("only", "up to", "about"), a comparison, the time and the place.
- faithful: the claims together say what the sentence says, no more and no less. Who says or does something remains part of it: "Kim argues that rents will fall" claims something about Kim, and nothing about rents. What the sentence adds in its own name is another claim.
- checkable: judgements, advice and guesses of the assistant's own are left out. Where nothing else remains, there are no claims.
- clear: names instead of pronouns, full dates instead of "that year", as far as the question and the excerpt tell.
What you know besides must not get in, nor references such as "[3]".

How to proceed:
1. Note the words that point to others, such as "other", "earlier", "the same", and what they point to.
2. Write the sentence out as a chain of plain statements, with all of these resolved.
3. Estimate how many claims that makes, and write them down.
4. Write the same claims again, in the same order, for somebody who has only one of them: add in [square brackets] what is needed to understand it, such as "The council [of Leeds] expects the ban [on plastic bags] to be lifted in May [2024]" or "Other members [besides Chad] abstained". In brackets, too, nothing stands that the question and the excerpt do not tell. A claim that needs none stays as it is.

${MATERIAL}`,
  prompt: SENTENCE,
  schema: {
    type: "object",
    properties: {
      sentence: { type: "string", description: "The sentence, repeated." },
      referential_terms_to_clarify: {
        type: "string",
        description: 'The words that point to something else, and what that is; "None" if there are none.',
      },
      max_clarified_sentence: {
        type: "string",
        description: "The sentence as a chain of plain statements in which nothing is left open.",
      },
      range_of_possible_propositions: {
        type: "string",
        description: 'How many claims that may be, such as "2-4".',
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
