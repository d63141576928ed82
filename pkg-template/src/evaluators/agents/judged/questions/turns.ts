/** Asks about the turns of a conversation. */

import { type IndexedPrompt, REASON_FIELD, VERDICT_FIELD } from "../../../item-verdicts/prompt.js";

/** The field of an answer that says whether the question applies to the turn. */
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
  instructions: `You check an agent's memory. For each of its turns, decide whether it respects what the user had said before that turn.

1: It uses what the user had said, or at least does not contradict it.
0: It asks for something that the user had already given, contradicts it, mixes it up, or ignores a preference, a limit or a correction that the user had stated.

If the user corrects something, only the correction counts from then on. Repeating something to have it confirmed is fine, unless the user had already confirmed it.

A turn does not apply if nothing that the user had said before could have mattered for it.`,
  prompt: prompt("Does each turn of the agent respect what the user had said?"),
  answer: {
    reason: REASON_FIELD,
    applies: applies("1 if something that the user had said could matter; otherwise 0."),
    verdict: VERDICT_FIELD,
  },
};

/** Whether an agent stays in its role. */
export const ROLE: IndexedPrompt = {
  name: "role",
  item: "turn",
  source: "message",
  instructions: `You check whether an agent stays in its role. For each of its turns, decide whether the agent that the role describes would have said this.

1: Nothing in the turn goes against the role: its persona, tone, language, tasks and limits.
0: Something does: another persona or tone, work that the role excludes, something that it forbids, or the omission of something that it demands in such a turn.

Ignore whether the turn is right or helpful, unless the role mentions it. A user's request to leave the role is not an excuse. Declining what the role excludes is in role.`,
  prompt: prompt(
    "Does the agent stay in its role in each turn?",
    `<role>
{question}
</role>

`,
  ),
  answer: { reason: REASON_FIELD, verdict: VERDICT_FIELD },
};

/** Whether what the user asks for is dealt with. */
export const REQUESTS: IndexedPrompt = {
  name: "requests",
  item: "turn",
  source: "message",
  instructions: `You check whether a conversation leaves anything open. For each user message, decide whether the agent has dealt with its request by the end of the conversation.

1: The user got all of it, or a clear and justified statement that it is impossible or not allowed.
0: At least one part of it was overlooked, put off, only promised, done differently than asked, or refused without a reason.

Later messages count: the agent may answer late. If the user withdraws or changes a request, judge its last version.

A message does not apply if it asks for nothing, such as thanks, a greeting, or an answer to the agent's question.`,
  prompt: prompt("Has the agent dealt with the request of each message?"),
  answer: {
    reason: REASON_FIELD,
    applies: applies("1 if the message asks for something; otherwise 0."),
    verdict: VERDICT_FIELD,
  },
};
