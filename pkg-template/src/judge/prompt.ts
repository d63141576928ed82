/** What a judge reads: a template with variables, or the messages of a prompt function or a prompt template. */

import { readPromptMessages, withOpenAIMessages } from "../chat/openai-messages.js";
import { callbackFailed, OpenEvalsError } from "../errors.js";
import { toText } from "../input/json.js";
import type { ChatCompletionMessage, LangChainMessage } from "../types.js";

/** Makes the messages that a judge reads. */
export type PromptFunction = (
  // `any`, so that a function can name the types of its own data.
  params: any,
) =>
  | readonly (ChatCompletionMessage | LangChainMessage)[]
  | Promise<readonly (ChatCompletionMessage | LangChainMessage)[]>;

/** A prompt template of LangChain, or anything else with `invoke()` that gives `{ messages }`. */
export interface PromptTemplate {
  invoke(variables: any, ...options: any[]): Promise<any>;
}

/** A prompt in any form. */
export type Prompt = string | PromptFunction | PromptTemplate;

/** What an evaluator is called with, with names for what has one. */
type Params = Record<string, unknown> & { attachments?: unknown };

/** A prompt that has been read. */
export interface PromptReader {
  /** The template that the engine fills in, if it does. */
  template: string | undefined;
  /** The schema of answers, which structured prompts bring along. */
  schema: object | undefined;
  /** The JSON text of what the engine is asked: variables, or messages. */
  read(params: Params): string | Promise<string>;
}

/** Reads a prompt; throws if it is none. */
export function readPrompt(prompt: Prompt): PromptReader {
  if (typeof prompt === "string") {
    checkBraces(prompt);
    return { template: prompt, schema: undefined, read: readForTemplate };
  }
  if (typeof prompt === "function") {
    const read = async (params: Params) => made("function", () => prompt(forFunction(params)));
    return { template: undefined, schema: undefined, read };
  }
  if (typeof prompt === "object" && prompt !== null && typeof prompt.invoke === "function") {
    const read = async ({ attachments, ...params }: Params) => {
      if (attachments !== undefined) {
        throw new OpenEvalsError(
          "invalid_input",
          "attachments need a prompt that is a string or a function; put them into the messages of the template.",
        );
      }
      return made("template", () => prompt.invoke(readVariables(params)));
    };
    return { template: undefined, schema: (prompt as { schema?: object }).schema ?? undefined, read };
  }
  throw invalid(
    `prompt has to be a string with {variables}, a function, or a template with invoke(), not ${typeof prompt}`,
  );
}

/** The variables of a template. */
function readForTemplate(params: Params): string | Promise<string> {
  return params?.attachments === undefined ? JSON.stringify(readVariables(params)) : withAttachments(params);
}

async function withAttachments({ attachments, ...params }: Params): Promise<string> {
  const { readAttachments } = await import("../chat/content-parts.js");
  return JSON.stringify({
    ...readVariables(params),
    attachments: readAttachments(attachments, OpenEvalsError),
  });
}

/** Both spellings of the reference: functions written for `openevals` read the second. */
const forFunction = ({ referenceOutputs, reference_outputs = referenceOutputs, ...params }: Params) => ({
  ...params,
  referenceOutputs: reference_outputs,
  reference_outputs,
});

async function made(kind: string, make: () => unknown): Promise<string> {
  let messages: unknown;
  try {
    messages = await make();
  } catch (error) {
    throw callbackFailed(`The prompt ${kind}`, error);
  }
  return JSON.stringify(await readPromptMessages(messages));
}

/** The variables, each of them as text. What is `undefined` counts as not passed. */
function readVariables(params: Params): Record<string, unknown> {
  if (typeof params !== "object" || params === null) {
    throw new OpenEvalsError(
      "invalid_input",
      `A judge was called with ${params === null ? "null" : typeof params}. Call it with { inputs, outputs, … }.`,
    );
  }
  const variables: Record<string, unknown> = {};
  for (const name of Object.keys(params)) {
    const value = params[name];
    if (value === undefined) continue;
    if (typeof value === "string") variables[rename(name)] = value;
    else variables[rename(name)] = toText(withOpenAIMessages(value), name);
  }
  return variables;
}

const rename = (name: string): string => (name === "referenceOutputs" ? "reference_outputs" : name);

/** The same test that the engine makes, which is not loaded yet when a judge is made. */
function checkBraces(prompt: string): void {
  for (const { 0: braces, index } of prompt.matchAll(/\{\{|\}\}|\{[^}]*\}|[{}]/g)) {
    if (braces.length > 1) continue;
    const lines = prompt.slice(0, index).split("\n");
    const problem = braces === "{" ? '"{" is never closed' : '"}" closes nothing';
    throw invalid(
      `The prompt has a brace without a partner at line ${lines.length}, column ${[...(lines.at(-1) ?? "")].length + 1}: ` +
        `${problem}. Write {{ or }} for a brace that stands for itself`,
    );
  }
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
