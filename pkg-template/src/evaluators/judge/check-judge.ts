/** What can be said of a judge without loading what asks it. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { openerOf } from "../../models/chat/opener.js";

/** The error of a judge that is none. */
export const noJudge = (option: string): OpenEvalsError =>
  invalidConfig(
    `${option} has to be a function, the result of initChatModel, an OpenAI client, a LangChain chat model, a ` +
      "language model of the AI SDK, or the binding env.AI of a Worker",
  );

/** Refuses what is no judge at all, and a temperature for functions and clients, which know themselves how they ask. */
export function checkJudge(judge: unknown, temperature: number | undefined, option: string): void {
  if (typeof judge !== "function" && (typeof judge !== "object" || judge === null)) throw noJudge(option);
  if (temperature === undefined || openerOf(judge)) return;
  throw invalidConfig(
    `temperature reaches a model by its name and one of initChatModel, and ${option} is neither: set it where that is made`,
  );
}
