import { type IndexedPrompt, REASON, VERDICT } from "../../../indexed/prompt.js";

/** Asks whether each tool call was needed. */
export const NECESSITY: IndexedPrompt = {
  name: "necessity",
  item: "call",
  source: "message",
  instructions: `You look for wasted work of an agent. You get the record of a run, and its tool calls. For each call, decide whether the task needed it.

1: Without the call, something that the user asked for would have been missing, unverified or wrong, judged by what the agent knew at that time. A reasonable search counts even if it finds nothing.

0: The agent already had the result, or it could see that the call would not help: a repetition with the same arguments where nothing has changed, a question that an earlier result answers, a call whose result the task has no use for, arguments that had just been refused, or a call that only undoes a mistake of the agent.

Of several calls with the same effect, the first one is needed. What the user asks for twice is needed twice.`,
  prompt: `<record>
{contexts}
</record>

<calls>
{items}
</calls>

Did the task need each call?`,
  answer: { reason: REASON, verdict: VERDICT },
};
