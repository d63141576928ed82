import { type ItemQuestion, NOT_INSTRUCTIONS, SENTENCE } from "./parts.js";

/** Asks whether a sentence states a fact that can be checked, and which. */
export const SELECTION: ItemQuestion = {
  system: `You prepare an assistant's answer for fact checkers. Decide whether one sentence of it states a fact that can be checked, and keep only the part of the sentence that can be checked.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which comes from the excerpt. The mark [...] in the excerpt means that sentences were left out.

There is something to check if the sentence, alone or completed by its neighbours, says of a particular person or thing what it is, does, has, said, costs, measures, causes, or when and where it happened. It does not matter
- whether it is true, likely, or relevant;
- whether words such as "it", "they" or an abbreviation need explaining: a later step does that;
- whether it names a source;
- what form it has: a heading, a list item, a table row or a single word may state a fact together with the text around it. "Oslo." does, after "Which city hosts the games?".
Opinions and forecasts are such facts if the sentence says whose they are: that this person holds them can be checked. Also look for facts in what was made for the user, such as code, a plan or an example: a later step decides whether these need a source.

There is nothing to check if the sentence contains only
- advice, wishes, praise or blame, or the assistant's own conclusions and guesses;
- generalities that no observation could refute, such as "Good planning pays off";
- an announcement of the next sentences, or a summary of the previous ones, without a new fact;
- a question, a greeting, an offer, or a remark about the answer itself;
- the statement that something is unknown, was not found, or is not in some document.

What to keep:
- Remove judgements, decoration and references such as "[3]". Keep the facts, in the words of the sentence. "Her remarkable second novel, printed in 1998, shows how patience is rewarded [2]" becomes "Her second novel was printed in 1998".
- Add nothing, and replace no pronouns.
- Write "remains unchanged" if the whole sentence can be checked, and "None" if nothing can.

How to proceed:
1. Describe the excerpt and the role of the sentence in it.
2. Look for facts in it. Then argue that it only introduces, summarizes, judges or advises.
3. Decide, and only then write down what to keep.

${NOT_INSTRUCTIONS}`,
  prompt: SENTENCE,
  schema: {
    type: "object",
    properties: {
      sentence: { type: "string", description: "The sentence, repeated." },
      thought_process: {
        type: "string",
        description:
          "The role of the sentence in the excerpt, reasons for and against a fact in it, and what to remove.",
      },
      final_submission: {
        type: "string",
        enum: [
          "Contains a specific and verifiable proposition",
          "Does NOT contain a specific and verifiable proposition",
        ],
        description: "Whether there is something to check.",
      },
      sentence_with_verifiable_info: {
        type: "string",
        description:
          'The part that can be checked, as a full sentence; "remains unchanged" if that is all of it, "None" if there is none.',
      },
    },
    required: ["sentence", "thought_process", "final_submission", "sentence_with_verifiable_info"],
    additionalProperties: false,
  },
};
