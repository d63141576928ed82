import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../../item-verdicts/prompt.js";

/** Asks whether each tool call was needed. */
export const NECESSITY: IndexedPrompt = {
  name: "necessity",
  item: "call",
  source: "message",
  instructions: `You look for an agent's wasted work. You get the record of a run, and its tool calls. For each call, decide whether the task needed it.

1: Without the call, something that the user asked for would have been missing, unverified or wrong, given what the agent knew at that time. A reasonable search counts even if it finds nothing.

0: The agent already had the result, or could see that the call would not help: a repetition with the same arguments when nothing has changed, a question that an earlier result answers, a call whose result the task does not need, arguments that had just been refused, or a call that only undoes the agent's own mistake.

Of several calls with the same effect, the first one is needed. What the user asks for twice is needed twice.`,
  prompt: `<record>
{contexts}
</record>

<calls>
{items}
</calls>

Did the task need each call?`,
  answer: { reason: REASON_FIELD, verdict: VERDICT_FIELD },
};
