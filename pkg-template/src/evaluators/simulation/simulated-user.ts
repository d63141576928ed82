import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel, OpenEvalsError, typedWork } from "../../core/errors.js";
import { anything, aString, type Checks, checkOptions, checkValue } from "../../core/input/checks.js";
import type { Message } from "../../core/types.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import { contentReader } from "../../models/conversation/prompt-messages.js";
import type { PromptMessage } from "../../openevals-judges.types.js";
import { engineFor, openJudge } from "../judge/model.js";
import { checkResponses, newId, readMessages, readResponse } from "./messages.js";
import type { SimulatedMessage } from "./types.js";

/** The options of {@link createLLMSimulatedUser}. */
export interface LLMSimulatedUserOptions {
  /** The system message: who the user is, and what the user wants. */
  system: string;
  /** The model that plays the user, as for {@link initChatModel}: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /**
   * What plays the user, in the place of `model`: the result of {@link initChatModel}; a chat model of LangChain; a
   * language model of the Vercel AI SDK; with the name of its model in `model`, a client of the package `openai` or the
   * binding `env.AI` of a Cloudflare Worker; or a function that is called with `{ messages }` and returns a text, or a message.
   */
  client?: JudgeModel | undefined;
  /** What the user says in the first turns, one response for each; after that the model is asked. */
  fixedResponses?: readonly (string | Message)[] | undefined;
}

const OPTIONS: Checks<LLMSimulatedUserOptions> = {
  system: anything,
  model: anything,
  client: anything,
  fixedResponses: anything,
};

/** A user made by {@link createLLMSimulatedUser}. */
export type LLMSimulatedUser = (params: {
  /** The messages so far. */
  trajectory: readonly Message[];
  /** How many turns have passed. */
  turnCounter: number;
}) => Promise<SimulatedMessage>;

/**
 * Makes a user for {@link runMultiturnSimulation} that a language model plays.
 *
 * The model sees what a user sees: the messages with the role `user` and those of the assistant without tool calls, and
 * of these the text, pictures, recordings and documents. The roles are exchanged, so that it speaks as the assistant.
 * Before there is any message, it is asked for one that opens the conversation.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for a fixed response that
 * is no message. The user throws `refused` when the model declines, `invalid_judge_output` when it answers without any
 * text, `callback_failed` when the function throws, and what requests fail with: `provider_error`, `rate_limited`,
 * `timeout`, `aborted`.
 *
 * @example
 * ```ts
 * import { createLLMSimulatedUser, runMultiturnSimulation } from "openevals-wasm";
 *
 * const user = createLLMSimulatedUser({
 *   system: "You are a customer whose bike is broken, and you want your money back.",
 *   fixedResponses: ["My bike is broken!"],
 *   client: async ({ messages }) => `You said: ${messages.at(-1)?.content} But I want my money back.`,
 * });
 * const { trajectory } = await runMultiturnSimulation({
 *   app: () => ({ role: "assistant", content: "We can repair it." }),
 *   user,
 *   maxTurns: 2,
 * });
 * console.log(trajectory[2]?.content); // You said: We can repair it. But I want my money back.
 * ```
 */
export function createLLMSimulatedUser(options: LLMSimulatedUserOptions): LLMSimulatedUser {
  const { system, model, client, fixedResponses } = checkOptions("createLLMSimulatedUser", options, OPTIONS);
  checkValue("system", system ?? null, aString);
  checkResponses("fixedResponses", fixedResponses);
  // Clients of the package openai do not know their model.
  if (client == null ? model == null : model != null && !("chat" in Object(client))) {
    throw new OpenEvalsError(
      "invalid_config",
      "A simulated user needs either a model or a client; both only for an OpenAI client.",
    );
  }
  const judge = openJudge({ judge: client, model, cacheKey: undefined }, "client");

  const say: LLMSimulatedUser = async ({ trajectory, turnCounter }) => {
    const fixed = fixedResponses?.[turnCounter];
    if (fixed !== undefined) return readResponse(fixed, `fixedResponses[${turnCounter}]`);
    const conversation = jsonOf(await readConversation(trajectory));
    const engine = await engineFor(judge);
    try {
      const said = await engine.wait("a simulated user", conversation.length, (own) => {
        return own(judge.open()).playUser(jsonOf(system), conversation);
      });
      return { role: "user", content: parsed(said), id: newId() };
    } catch (error) {
      throw fromModel(error);
    }
  };
  return (asked) => typedWork("a simulated user", () => say(asked));
}

/** What the user sees of the messages, as the engine reads it. */
async function readConversation(trajectory: readonly Message[]): Promise<PromptMessage[]> {
  const readContent = await contentReader();
  return readMessages(trajectory, "trajectory").flatMap(({ role, content, tool_calls }, index) => {
    if (role !== "user" && (role !== "assistant" || tool_calls?.length)) return [];
    const seen = readContent(content, `trajectory[${index}].content`, SEEN);
    return seen.length ? { role, content: seen } : [];
  });
}

/** Models put their thoughts and the calls of tools beside these, each under a name of its own. */
const SEEN = /^(text|image(_url)?|(input_)?audio|file|document)$/;
