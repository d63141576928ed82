/** What a judge reads: a template with variables, or the messages of a prompt function or a prompt template. */

import { jsonOf } from "../../core/engine/crossing.js";
import { callbackFailed, invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { toText } from "../../core/input/json.js";
import { referenceOf } from "../../core/input/params.js";
import { onUse } from "../../core/platform/on-use.js";
import type { ChatCompletionMessage, LangChainMessage } from "../../core/types.js";
import { withOpenAIMessages } from "../../models/conversation/langchain.js";

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

/** A prompt template that says what the answer is, such as a structured prompt of LangChain's hub. */
export interface StructuredPromptTemplate extends PromptTemplate {
  /** The schema of the answer. */
  schema: object;
}

/** A prompt in any form. */
export type Prompt = string | PromptFunction | PromptTemplate;

/** What an evaluator is called with, with names for what has one. */
type PromptParams = Record<string, unknown> & {
  referenceOutputs?: unknown;
  reference_outputs?: unknown;
  attachments?: unknown;
};

/** A prompt that has been read. */
export interface PromptReader {
  /** The template that the engine fills in, if it does. */
  template: string | undefined;
  /** The schema of answers, which structured prompts bring along. */
  schema: object | undefined;
  /** The JSON text of what the engine is asked: variables, or messages. */
  read(params: PromptParams): string | Promise<string>;
}

/** Reads a prompt; throws if it is none. */
export function readPrompt(prompt: Prompt): PromptReader {
  if (typeof prompt === "string") {
    return { template: prompt, schema: undefined, read: readerFor(prompt) };
  }
  if (typeof prompt === "function") {
    const read = async (params: PromptParams) => {
      const given = forFunction(params);
      return made("function", () => prompt(given));
    };
    return { template: undefined, schema: undefined, read };
  }
  if (typeof prompt === "object" && prompt !== null && typeof prompt.invoke === "function") {
    // LangChain's templates know what they are filled in with.
    const { schema, inputVariables: names } = prompt as { schema?: object; inputVariables?: string[] };
    const read = async ({ attachments, ...params }: PromptParams) => {
      if (attachments !== undefined) {
        throw new OpenEvalsError(
          "invalid_input",
          "attachments need a prompt that is a string or a function; put them into the messages of the template.",
        );
      }
      return made("template", () =>
        prompt.invoke(readVariables(params, (name) => names?.includes(name) ?? true)),
      );
    };
    return { template: undefined, schema: schema ?? undefined, read };
  }
  throw invalidConfig(
    `prompt has to be a string with {variables}, a function, or a template with invoke(), not ${typeof prompt}`,
  );
}

/** What reads the variables of a template. */
function readerFor(template: string): (params: PromptParams) => string | Promise<string> {
  const isUsed = (name: string) => template.includes(`{${name}`);
  const withAttachments = async ({ attachments, ...params }: PromptParams) => {
    const { readAttachments } = await onUse(
      "The reader of attachments",
      () => import("../../models/conversation/content-parts.js"),
    );
    return jsonOf({ ...readVariables(params, isUsed), attachments: readAttachments(attachments) });
  };
  return (params) =>
    params?.attachments === undefined ? jsonOf(readVariables(params, isUsed)) : withAttachments(params);
}

/** Both spellings of the reference: functions written for `openevals` read the second. */
function forFunction(params: PromptParams) {
  const reference = referenceOf(params);
  return { ...params, referenceOutputs: reference, reference_outputs: reference };
}

async function made(kind: string, make: () => unknown): Promise<string> {
  let messages: unknown;
  try {
    messages = await make();
  } catch (error) {
    throw callbackFailed(`The prompt ${kind}`, error);
  }
  // Most prompts are texts, so this is loaded with the first that is not.
  const { readPromptMessages } = await onUse(
    "The reading of messages",
    () => import("../../models/conversation/prompt-messages.js"),
  );
  return jsonOf(await readPromptMessages(messages));
}

/**
 * The variables, each of them as text. What is `undefined` counts as not passed. Those that are not used are only named,
 * for messages: LangSmith's `evaluate` passes the fields of the run as well, which hold much that is no data.
 */
function readVariables(params: PromptParams, isUsed: (name: string) => boolean): Record<string, unknown> {
  if (typeof params !== "object" || params === null) {
    throw new OpenEvalsError(
      "invalid_input",
      `A judge was called with ${params === null ? "null" : typeof params}. Call it with { inputs, outputs, … }.`,
    );
  }
  referenceOf(params);
  const variables: Record<string, unknown> = {};
  for (const key of Object.keys(params)) {
    const value = params[key];
    const name = key === "referenceOutputs" ? "reference_outputs" : key;
    if (value === undefined) continue;
    if (!isUsed(name)) variables[name] = "";
    else variables[name] = typeof value === "string" ? value : toText(withOpenAIMessages(value), key);
  }
  return variables;
}
