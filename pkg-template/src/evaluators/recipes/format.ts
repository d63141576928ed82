/** Renders conversations as the text that recipes take. */

import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { aFlag, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { Conversation } from "./conversation.js";
import type { RecipeMessage } from "./types.js";

/** The parts that {@link formatFullHistory} leaves out; none by default. */
export interface FormatConversationOptions {
  /** Leaves out messages with the role `system`; those of a `developer` stay. */
  removeSystemMessages?: boolean | undefined;
  /** Ends with the last user message, if there is one. */
  onlyUptoLastUser?: boolean | undefined;
  /** Leaves out the last assistant message with text, and everything after it. */
  removeLastAssistant?: boolean | undefined;
}

/**
 * Renders messages as text, as recipes show a conversation to the model, and as their `run` takes it.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a value that is not a message.
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
 * Renders a part of a conversation as text, as `evaluate` passes it to `run`:
 *
 * - `conversationHistoryFull` is the whole conversation; for `ToolUsageEvaluator`, up to the last user message;
 * - `conversationHistoryBeginningTurn` is `{ onlyUptoLastUser: true }`, to whose lines `startLine` and `endLine` of a
 *   preference refer; for `GuidanceEvaluator`, also `{ removeSystemMessages: true }`;
 * - `conversationHistory` of `CheckCriteriaEvaluator` is `{ removeSystemMessages: true, removeLastAssistant: true }`.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a value that is not a message, `invalid_config` for unknown
 * options.
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
  options: FormatConversationOptions = {},
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

const OPTIONS: OptionChecks<FormatConversationOptions> = {
  removeSystemMessages: aFlag,
  onlyUptoLastUser: aFlag,
  removeLastAssistant: aFlag,
};
