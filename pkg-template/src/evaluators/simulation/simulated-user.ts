import { jsonOf, parsed } from "../../core/engine/crossing.js";
import { fromModel, invalidConfig, typedWork } from "../../core/errors.js";
import { anything, aString, checkOptions, checkValue, type OptionChecks } from "../../core/input/checks.js";
import type { Message } from "../../core/types.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import { contentReader } from "../../models/conversation/prompt-messages.js";
import type { PromptMessage } from "../../openevals-judges.types.js";
import { engineFor, openJudge } from "../judge/model.js";
import { checkResponses, newId, readMessages, readResponse } from "./messages.js";
import type { SimulatedMessage } from "./types.js";

/** The options of {@link createLLMSimulatedUser}. */
export interface LLMSimulatedUserOptions {
  /** The system message: who the user is and what they want. */
  system: string;
  /** The model that plays the user, named as for {@link initChatModel}: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /**
   * The client that plays the user, instead of `model`: the result of {@link initChatModel}, a LangChain chat model, a
   * language model of the Vercel AI SDK, or a function that gets `{ messages }` and returns a string or a message. A
   * client of the package `openai`, or the binding `env.AI` of a Cloudflare Worker, also needs the name of its model in
   * `model`.
   */
  client?: JudgeModel | undefined;
  /** The user's messages in the first turns, one for each; later turns ask the model. */
  fixedResponses?: readonly (string | Message)[] | undefined;
}

const OPTIONS: OptionChecks<LLMSimulatedUserOptions> = {
  system: anything,
  model: anything,
  client: anything,
  fixedResponses: anything,
};

/** A user made by {@link createLLMSimulatedUser}. */
export type LLMSimulatedUser = (params: {
  /** The messages so far. */
  trajectory: readonly Message[];
  /** The number of completed turns. */
  turnCounter: number;
}) => Promise<SimulatedMessage>;

/**
 * Makes a simulated user for {@link runMultiturnSimulation}, played by a language model.
 *
 * The model sees what a user would see: user messages, and assistant messages without tool calls; of their content,
 * text, images, audio and documents. Roles are swapped, so that the model answers as the assistant. In an empty
 * conversation, it is asked to write the first message.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for a fixed response
 * that is not a message. The user throws `refused` if the model declines, `invalid_judge_output` if it answers without
 * text, `callback_failed` if the function throws, and `provider_error`, `rate_limited`, `timeout` or `aborted` if a
 * request fails.
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
  if (model != null && typeof model !== "string")
    throw invalidConfig(
      'model has to be a string such as "openai:gpt-5.4". Pass functions and clients as client',
    );
  // A client of the package openai does not know its model.
  if (client == null ? model == null : model != null && !("chat" in Object(client))) {
    throw invalidConfig("A simulated user needs a model or a client; pass both only for an OpenAI client");
  }
  const judge = openJudge({ judge: client, model, cacheKey: undefined }, "client");

  const say: LLMSimulatedUser = async ({ trajectory, turnCounter }) => {
    const fixed = fixedResponses?.[turnCounter];
    if (fixed !== undefined) return readResponse(fixed, `fixedResponses[${turnCounter}]`);
    const conversation = jsonOf(await readConversation(trajectory));
    const engine = await engineFor(judge);
    try {
      const text = await engine.wait("a simulated user", conversation.length, (own) => {
        return own(judge.open()).playUser(jsonOf(system), conversation);
      });
      return { role: "user", content: parsed(text), id: newId() };
    } catch (error) {
      throw fromModel(error);
    }
  };
  return (params) => typedWork("a simulated user", () => say(params));
}

/** The part of the messages that the user sees, for the engine. */
async function readConversation(trajectory: readonly Message[]): Promise<PromptMessage[]> {
  const readContent = await contentReader();
  return readMessages(trajectory, "trajectory").flatMap(({ role, content }, index) => {
    if (role !== "user" && role !== "assistant") return [];
    const seen = readContent(content, `trajectory[${index}].content`, SEEN);
    return seen.length ? { role, content: seen } : [];
  });
}

/** The content parts that a user sees; models add parts of other types for reasoning and tool calls. */
const SEEN = /^(text|image(_url)?|(input_)?audio|file|document)$/;
