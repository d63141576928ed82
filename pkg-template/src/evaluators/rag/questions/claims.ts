import type { IndexedPrompt } from "../../item-verdicts/prompt.js";

/** Asks for the claims of all sentences of a text. */
export const CLAIMS: IndexedPrompt = {
  name: "claims",
  item: "sentence",
  instructions: `You split a text into the claims that it makes. Each claim goes to a fact checker, who sees only that claim.

A claim is
- one fact: it could be true while the others are false;
- complete: names instead of pronouns, with the place, the time, and every condition, negation and limit ("only", "up to", "about") that changes its meaning;
- faithful: no more and no less than the text says, in the language of the text, without your own knowledge.

These are not claims: questions, greetings, offers, advice, the author's opinions, and statements that something is not known. A sentence without claims has an empty list. Do not repeat a claim of an earlier sentence. Leave out reference marks such as [2].`,
  prompt: `<question optional>
{question}
</question>

<text>
{answer}
</text>

<sentences>
{items}
</sentences>

Which claims does each sentence make?`,
  answer: {
    claims: { type: "array", items: { type: "string" }, description: "The claims of the sentence." },
  },
};
