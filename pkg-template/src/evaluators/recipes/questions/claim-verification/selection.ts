import { type ItemQuestion, MATERIAL, SENTENCE } from "./parts.js";

/** Asks whether a sentence states anything that can be checked, and what. */
export const SELECTION: ItemQuestion = {
  system: `You prepare the answer of an assistant for fact checkers. Decide whether one sentence of it states a fact that somebody could check, and keep of the sentence only what can be checked.

You get the question that the assistant answered, an excerpt of the answer, and the sentence, which stands in the excerpt. The mark [...] in the excerpt means that sentences are left out there.

There is something to check if the sentence, alone or completed by its neighbours, says of somebody or something in particular what it is, does, has, said, costs, measures, causes, or when and where it happened. For this it is of no importance
- whether it is true, likely, or to the point;
- whether words such as "it", "they" or an abbreviation need explaining: that is somebody else's task;
- whether a source is named for it;
- what it looks like: a heading, an item of a list, a row of a table or a single word may state a fact together with what stands around it. "Oslo." does, after "Which city hosts the games?".
Opinions and forecasts are facts of this kind if it says whose they are: that this person holds them can be checked. What was made for whoever asked, such as code, a plan or an example, is looked through for facts like everything else: whether these need a source is decided later, by others.

There is nothing to check if the sentence has no more than
- advice, wishes, praise or blame, conclusions and guesses of the assistant's own;
- generalities that no observation could refute, such as "Good planning pays off";
- an announcement of what the following sentences tell, or a summary of what the preceding ones told, without a fact of its own;
- a question, a greeting, an offer, a remark about the answer itself;
- the statement that something is unknown, was not found, or is not in some document.

What to keep:
- Judgements, decoration and references such as "[3]" go; the facts stay, in the words of the sentence. "Her remarkable second novel, printed in 1998, shows how patience is rewarded [2]" becomes "Her second novel was printed in 1998".
- Nothing is added, and no pronoun replaced.
- Write "remains unchanged" if all of the sentence can be checked, and "None" if nothing can.

How to proceed:
1. Describe the excerpt and the role of the sentence in it.
2. Look for facts in it, then make the case that it only introduces, sums up, judges or advises.
3. Decide, and only then write down what to keep.

${MATERIAL}`,
  prompt: SENTENCE,
  schema: {
    type: "object",
    properties: {
      sentence: { type: "string", description: "The sentence, repeated." },
      thought_process: {
        type: "string",
        description:
          "The role of the sentence in the excerpt, what speaks for and against a fact in it, and what would have to go.",
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
          'What can be checked of the sentence, as a full sentence; "remains unchanged" if that is all of it, "None" if it is nothing.',
      },
    },
    required: ["sentence", "thought_process", "final_submission", "sentence_with_verifiable_info"],
    additionalProperties: false,
  },
};
