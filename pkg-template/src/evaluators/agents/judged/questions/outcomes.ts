import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../../item-verdicts/prompt.js";

/** Asks whether a run has reached outcomes, and which messages show it. */
export const OUTCOMES: IndexedPrompt = {
  name: "outcomes",
  item: "outcome",
  source: "message",
  instructions: `You check what an agent has achieved. You get the record of a run: messages, tool calls and their results. For each outcome, decide whether it is true when the record ends.

1: The record shows that all of it is true: a tool reports that it is done, or the user is given what was asked for.

0: At least one part of it is not true, or nothing in the record shows it.

Borderline cases:
- What the agent only plans, promises or offers has not happened.
- If the agent says that something is done, but a tool result contradicts it or the tool that does it was never called, it has not happened.
- A failed call counts as not made, unless a later one succeeds.
- What was done and later undone is not true.
- If the agent asks the user for something and the record ends there, what depends on it is not true.
- Ignore how the agent got there, and its tone.

Name the messages that show it by their indices, and none for 0.`,
  prompt: `<record>
{contexts}
</record>

<outcomes>
{items}
</outcomes>

Is each outcome true when the record ends?`,
  answer: {
    reason: REASON_FIELD,
    messages: {
      type: "array",
      items: { type: "integer" },
      description: "The indices of the messages that show it; empty for 0.",
    },
    verdict: VERDICT_FIELD,
  },
};
