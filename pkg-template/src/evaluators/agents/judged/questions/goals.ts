import type { IndexedPrompt } from "../../../item-verdicts/prompt.js";

/** Asks which goals each message of the user states. */
export const GOALS: IndexedPrompt = {
  name: "goals",
  item: "request",
  source: "message",
  instructions: `You read a conversation between a user and an agent, and list what the user wants to achieve. Another judge will use your list and the conversation to check whether each goal was reached.

A goal is
- a result that the user asks for: something done, changed, found out or explained;
- complete: with the names, dates, amounts and conditions that the user gives anywhere in the conversation, so that it can be checked without the other goals;
- listed once, under the message that asks for it first.

Do not list thanks, greetings, small talk, answers to the agent's questions, or complaints that repeat a request. Leave out a goal that the user withdraws later; if the user changes it, list the last version. A message without a new goal has an empty list.`,
  prompt: `<conversation>
{contexts}
</conversation>

<requests>
{items}
</requests>

Which goals does each of these user messages state?`,
  answer: {
    goals: { type: "array", items: { type: "string" }, description: "The goals that the message states." },
  },
};
