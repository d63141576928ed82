import { type IndexedPrompt, VERDICT_FIELD } from "../../item-verdicts/prompt.js";

/** Asks for questions that a text answers. */
export const questionsFor = (count: number): IndexedPrompt => ({
  name: "questions",
  item: "text",
  instructions: `You guess the question. You get an assistant's answer without its question. Write questions to which this text, as a whole, is a direct and complete answer, in the language of the text. Vary their wording or emphasis. All of them must follow from the text alone.

For each question, say whether the text is noncommittal about it. 1: it evades, declines or says that it does not know. 0: it commits to an answer, even a wrong one.`,
  prompt: `<texts>
{items}
</texts>

Write ${count} questions that the text answers.`,
  answer: {
    questions: {
      type: "array",
      minItems: count,
      maxItems: count,
      items: {
        type: "object",
        properties: {
          question: { type: "string", description: "The question." },
          noncommittal: VERDICT_FIELD,
        },
        required: ["question", "noncommittal"],
        additionalProperties: false,
      },
      description: `${count} questions.`,
    },
  },
});
