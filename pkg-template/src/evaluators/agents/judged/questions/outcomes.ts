import { type IndexedPrompt, REASON, VERDICT } from "../../../indexed/prompt.js";

/** Asks whether a run has reached outcomes, and which messages show it. */
export const OUTCOMES: IndexedPrompt = {
  name: "outcomes",
  item: "outcome",
  source: "message",
  instructions: `You check what an agent has achieved. You get the record of a run: messages, tool calls and their results. For each outcome, decide whether it holds when the record ends.

1: The record shows that all of it holds: a tool reports that it is done, or the user is given what was asked for.

0: At least one part of it does not hold, or nothing in the record shows it.

Borderline cases:
- What the agent only plans, promises or offers has not happened.
- If the agent says that something is done, and a tool result contradicts it or the tool that does it was never called, it has not happened.
- A failed call counts as not made, unless a later one succeeds.
- What was done and undone again does not hold.
- If the agent asks the user for something and the record ends there, what depends on it does not hold.
- How the agent got there does not count, and neither does its tone.

Name the messages that show it by their indices, and none for 0.`,
  prompt: `<record>
{contexts}
</record>

<outcomes>
{items}
</outcomes>

Does each outcome hold when the record ends?`,
  answer: {
    reason: REASON,
    messages: {
      type: "array",
      items: { type: "integer" },
      description: "The indices of the messages that show it; empty for 0.",
    },
    verdict: VERDICT,
  },
};
