import type { IndexedPrompt } from "../../../item-verdicts/prompt.js";

/** Asks what a task requires. */
export const REQUIREMENTS: IndexedPrompt = {
  name: "requirements",
  item: "task",
  instructions: `You split tasks for an agent into their requirements. Another judge will check each requirement against a record of what the agent did.

A requirement is
- one thing that must be true when the task is complete: a result, or a limit such as a price, a date, a format, or something that must not happen;
- taken from the task alone: add no good practice, intermediate step or way of working that the task does not ask for;
- self-contained, with the names and values that it needs.

Together, the requirements cover everything that the task asks for, each thing once. A text that asks for nothing has an empty list.`,
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
