import type { IndexedPrompt } from "../../../indexed/prompt.js";

/** Asks what a task requires. */
export const REQUIREMENTS: IndexedPrompt = {
  name: "requirements",
  item: "task",
  instructions: `You split tasks for an agent into what they require. Another judge will check each requirement against a record of what the agent did.

A requirement is
- one thing that must be true when the task is complete: a result, or a limit such as a price, a date, a format, or something that must not happen;
- taken from the task alone: you add no good practice, no intermediate step, and no way of working that the task does not ask for;
- complete in itself, with the names and values that it needs.

Together, the requirements say all that the task asks for, and each thing once. A text that asks for nothing has an empty list.`,
  prompt: `<tasks>
{items}
</tasks>

What does each task require?`,
  answer: {
    requirements: {
      type: "array",
      items: { type: "string" },
      description: "The requirements of the task.",
    },
  },
};
