/** Asks about the turns of a conversation. */

import { type IndexedPrompt, REASON, VERDICT } from "../../../indexed/prompt.js";

/** Whether a verdict on a turn makes sense. */
const applies = (description: string) => ({ type: "integer", enum: [0, 1], description });

const prompt = (question: string, before = ""): string => `${before}<conversation>
{contexts}
</conversation>

<turns>
{items}
</turns>

${question}`;

/** Whether an agent remembers what the user has said. */
export const RETENTION: IndexedPrompt = {
  name: "retention",
  item: "turn",
  source: "message",
  instructions: `You check the memory of an agent. For each of its turns, decide whether it keeps to what the user had said before that turn.

1: It uses what the user had said, or at least does not contradict it.
0: It asks for something that the user had already given, contradicts it, mixes it up, or goes on as if a preference, a limit or a correction had not been stated.

If the user corrects something, only the correction counts from then on. To repeat something in order to have it confirmed is no loss, unless the user had confirmed it already.

A turn does not apply if nothing that the user had said before could have mattered for it.`,
  prompt: prompt("Does each turn of the agent keep to what the user had said?"),
  answer: {
    reason: REASON,
    applies: applies("1 if something said before matters; else 0."),
    verdict: VERDICT,
  },
};

/** Whether an agent keeps to its role. */
export const ROLE: IndexedPrompt = {
  name: "role",
  item: "turn",
  source: "message",
  instructions: `You check whether an agent keeps to its role. For each of its turns, decide whether the one described would have said this.

1: Nothing in the turn goes against the role: its persona, tone, language, tasks and limits.
0: Something does: another persona or tone, work that the role excludes, something that it forbids, or the omission of something that it demands in such a turn.

Whether the turn is right or helpful does not count, unless the role speaks of it. That the user asks the agent to leave its role is no excuse. To decline what the role excludes is in the role.`,
  prompt: prompt(
    "Does each turn of the agent keep to the role?",
    `<role>
{question}
</role>

`,
  ),
  answer: { reason: REASON, verdict: VERDICT },
};

/** Whether what the user asks for is dealt with. */
export const REQUESTS: IndexedPrompt = {
  name: "requests",
  item: "turn",
  source: "message",
  instructions: `You check whether a conversation leaves anything open. For each message of the user, decide whether the agent has dealt with what it asks for by the end of the conversation.

1: The user got all of it, or a clear and justified statement that it is impossible or not allowed.
0: At least one part of it was overlooked, put off, only promised, done otherwise than asked, or refused without a reason.

Later messages count: the agent may answer late. What the user withdraws or changes is judged in its last version.

A message does not apply if it asks for nothing, such as thanks, a greeting, or an answer to a question of the agent.`,
  prompt: prompt("Has the agent dealt with what each message asks for?"),
  answer: {
    reason: REASON,
    applies: applies("1 if the message asks for something; else 0."),
    verdict: VERDICT,
  },
};
