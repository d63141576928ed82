/** Conversations as the texts that recipes are run with. */

import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { aFlag, type Checks, checkOptions } from "../../core/input/checks.js";
import { Conversation } from "./conversation.js";
import type { RecipeMessage } from "./types.js";

/** What {@link formatFullHistory} leaves out: nothing by default. */
export interface FormatOptions {
  /** Leaves out the messages of the role `system`; those of a `developer` stay. */
  removeSystemMessages?: boolean | undefined;
  /** Ends with the last message of the user, if there is one. */
  onlyUptoLastUser?: boolean | undefined;
  /** Leaves out the last message of the assistant that has text, and what follows it. */
  removeLastAssistant?: boolean | undefined;
}

/**
 * Messages as a text: as the recipes show a conversation to the model, and as the `run` of each takes it.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for what is no message.
 *
 * @example
 * ```ts
 * import { formatConversation } from "openevals-wasm/recipes";
 *
 * const text = await formatConversation([
 *   { role: "user", content: "How warm is it in Oslo?" },
 *   { role: "assistant", content: "4 °C." },
 * ]);
 * console.log(text);
 * // [1] user
 * // | How warm is it in Oslo?
 * //
 * // [2] assistant
 * // | 4 °C.
 * ```
 */
export function formatConversation(messages: readonly RecipeMessage[]): Promise<string> {
  return formatFullHistory(messages);
}

/**
 * A part of a conversation as a text, as `evaluate` makes it for `run`:
 *
 * - `conversationHistoryFull` is all of it, but up to the last message of the user for `ToolUsageEvaluator`;
 * - `conversationHistoryBeginningTurn` is `{ onlyUptoLastUser: true }`, the lines of which `startLine` and `endLine` of a
 *   preference count, and for `GuidanceEvaluator` also `{ removeSystemMessages: true }`;
 * - `conversationHistory` of `CheckCriteriaEvaluator` is `{ removeSystemMessages: true, removeLastAssistant: true }`.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for what is no message, `invalid_config` for options that do not exist.
 *
 * @example
 * ```ts
 * import { formatFullHistory, PreferenceAdherenceEvaluator, type RecipeMessage } from "openevals-wasm/recipes";
 *
 * const messages: RecipeMessage[] = [
 *   { role: "user", content: "What is Python? No emojis, please." },
 *   { role: "assistant", content: "A programming language." },
 * ];
 * const beginning = await formatFullHistory(messages, { onlyUptoLastUser: true });
 * const { extractedUserPreferences } = await new PreferenceAdherenceEvaluator().run({
 *   conversationHistoryBeginningTurn: beginning,
 *   conversationHistoryFull: await formatFullHistory(messages),
 * });
 * const lines = beginning.split("\n");
 * for (const { startLine, endLine } of extractedUserPreferences) console.log(lines.slice(startLine, endLine + 1));
 * ```
 */
export async function formatFullHistory(
  messages: readonly RecipeMessage[],
  options: FormatOptions = {},
): Promise<string> {
  const read = checkOptions("formatFullHistory", options, OPTIONS);
  return typedWork("formatFullHistory", async () => {
    const engine = await scoresEngine.load();
    const conversation = new Conversation(messages);
    const { length } = conversation.messages;
    return conversation.history(engine, {
      without: read.removeSystemMessages ? ["system"] : [],
      until: Math.min(
        read.onlyUptoLastUser ? conversation.untilLastUser : length,
        read.removeLastAssistant ? conversation.untilLastAssistant : length,
      ),
    });
  });
}

const OPTIONS: Checks<FormatOptions> = {
  removeSystemMessages: aFlag,
  onlyUptoLastUser: aFlag,
  removeLastAssistant: aFlag,
};
