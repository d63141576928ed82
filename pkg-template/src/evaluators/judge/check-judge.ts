/** Checks of a judge that need none of the code that asks it. */

import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import { openerOf } from "../../models/chat/opener.js";

/** The error for a value that is not a judge. */
export const notAJudge = (option: string): OpenEvalsError =>
  invalidConfig(
    `${option} has to be a function, the result of initChatModel, an OpenAI client, a model of LangChain or the AI SDK, or the ` +
      "binding env.AI of a Worker",
  );

/** Rejects values that are not judges, and a temperature for functions and clients, which set their own. */
export function checkJudge(judge: unknown, temperature: number | undefined, option: string): void {
  if (Object(judge) !== judge) throw notAJudge(option);
  if (temperature === undefined || openerOf(judge)) return;
  throw invalidConfig(
    `temperature applies only to \`model\`, or to a judge made with initChatModel(). Set it where ${option} is made instead`,
  );
}
