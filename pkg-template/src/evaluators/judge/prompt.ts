/** Reads prompts: a template with variables, or the messages of a prompt function or a prompt template. */

import { jsonOf } from "../../core/engine/crossing.js";
import { callbackFailed, invalidConfig, invalidInput } from "../../core/errors.js";
import { kindOf, referenceOf } from "../../core/input/params.js";
import { toText } from "../../core/input/text.js";
import { onUse } from "../../core/platform/on-use.js";
import type { ChatCompletionMessage, LangChainMessage } from "../../core/types.js";
import { hasLangChainMessages } from "../../models/conversation/forms.js";

/** A function that makes the messages of the prompt. */
export type PromptFunction = (
  // `any`, so that a function can name the types of its own data.
  params: any,
) =>
  | readonly (ChatCompletionMessage | LangChainMessage)[]
  | Promise<readonly (ChatCompletionMessage | LangChainMessage)[]>;

/** A prompt template of LangChain, or any object whose `invoke()` returns `{ messages }`. */
export interface PromptTemplate {
  invoke(variables: any, ...options: any[]): Promise<any>;
}

/** A prompt template with the schema of the answer, such as a structured prompt of LangChain's hub. */
export interface StructuredPromptTemplate extends PromptTemplate {
  /** The schema of the answer. */
  schema: object;
}

/** A prompt in any form. */
export type Prompt = string | PromptFunction | PromptTemplate;

/** The parameters of an evaluator. */
type PromptParams = Record<string, unknown> & {
  referenceOutputs?: unknown;
  reference_outputs?: unknown;
  attachments?: unknown;
};

/** A prompt that has been checked. */
export interface PromptReader {
  /** The template, if the engine fills it in. */
  template: string | undefined;
  /** The schema of the answer, if the prompt is a structured one. */
  schema: object | undefined;
  /** Makes the JSON text of a question: variables for the template, or messages. */
  read(params: PromptParams): string | Promise<string>;
}

/** Reads a prompt; throws if it is not one. */
export function readPrompt(prompt: Prompt): PromptReader {
  if (typeof prompt === "string") {
    return { template: prompt, schema: undefined, read: readerFor(prompt) };
  }
  if (typeof prompt === "function") {
    const read = async (params: PromptParams) => {
      const withReference = forFunction(params);
      return questionFrom("function", () => prompt(withReference));
    };
    return { template: undefined, schema: undefined, read };
  }
  // Prompts that TypeScript has not checked may be anything.
  if (typeof prompt?.invoke === "function") {
    // LangChain's templates list their variables.
    const { schema, inputVariables: names } = prompt as { schema?: object; inputVariables?: string[] };
    const read = async ({ attachments, ...params }: PromptParams) => {
      if (attachments !== undefined) {
        throw invalidInput(
          "attachments need a prompt that is a string or a function; put them into the messages",
        );
      }
      const variables = await readVariables(params, (name) => names?.includes(name) ?? true);
      return questionFrom("template", () => prompt.invoke(variables));
    };
    return { template: undefined, schema, read };
  }
  throw invalidConfig(
    `prompt has to be a string with {variables}, a function, or a template with invoke(), not ${typeof prompt}`,
  );
}

/** Makes the reader of a template's variables. */
function readerFor(template: string): (params: PromptParams) => string | Promise<string> {
  const isUsed = (name: string) => template.includes(`{${name}`);
  // Without single braces, the judge may see nothing of the call.
  const isSuspicious = /\{\{|^[^{]*$/.test(template);
  const checked = async (reading: Variables | Promise<Variables>, hasAttachments: boolean) => {
    const variables = await reading;
    if (isSuspicious) {
      const { checkSeen } = await onUse("The prompt reader", () => import("./unseen.js"));
      checkSeen(template, variables, hasAttachments);
    }
    return variables;
  };
  const withAttachments = async ({ attachments, ...params }: PromptParams) => {
    const { readAttachments } = await onUse(
      "The attachment reader",
      () => import("../../models/conversation/content-parts.js"),
    );
    const variables = await checked(readVariables(params, isUsed), true);
    return jsonOf({ ...variables, attachments: readAttachments(attachments) });
  };
  return (params) => {
    if (params?.attachments !== undefined) return withAttachments(params);
    const variables = readVariables(params, isUsed);
    return isSuspicious || variables instanceof Promise
      ? checked(variables, false).then(jsonOf)
      : jsonOf(variables);
  };
}

/** Adds both spellings of the reference, since functions written for `openevals` read the second. */
function forFunction(params: PromptParams) {
  const reference = referenceOf(params);
  return { ...params, referenceOutputs: reference, reference_outputs: reference };
}

async function questionFrom(kind: string, make: () => unknown): Promise<string> {
  let messages: unknown;
  // Without `callUserFunction`, a judge is a hundred bytes smaller.
  try {
    messages = await make();
  } catch (error) {
    throw callbackFailed(`The prompt ${kind}`, error);
  }
  // Loaded on use: most prompts are strings.
  const { readPromptMessages } = await onUse(
    "The message reader",
    () => import("../../models/conversation/prompt-messages.js"),
  );
  return jsonOf(await readPromptMessages(messages));
}

/**
 * Converts the variables to text; `undefined` counts as not passed. Unused variables keep only their names, which error
 * messages list: LangSmith's `evaluate` also passes the fields of the run, whose values are large and may not be JSON.
 */
function readVariables(
  params: PromptParams,
  isUsed: (name: string) => boolean,
): Variables | Promise<Variables> {
  if (typeof params !== "object" || params === null) {
    throw invalidInput(`A judge was called with ${kindOf(params)}. Call it with { inputs, outputs, … }`);
  }
  referenceOf(params);
  const read = (converted: (value: unknown) => unknown) => {
    const variables: Variables = {};
    for (const key of Object.keys(params)) {
      const value = params[key];
      const name = nameOf(key);
      if (value === undefined) continue;
      if (!isUsed(name)) variables[name] = "";
      else variables[name] = typeof value === "string" ? value : toText(converted(value), key);
    }
    return variables;
  };
  const isMessages = (key: string) => isUsed(nameOf(key)) && hasLangChainMessages(params[key]);
  if (!Object.keys(params).some(isMessages)) return read((value) => value);
  return onUse("The message reader", () => import("../../models/conversation/langchain.js")).then(
    ({ withOpenAIMessages }) => read(withOpenAIMessages),
  );
}

/** The name of a parameter in prompts. */
const nameOf = (key: string): string => (key === "referenceOutputs" ? "reference_outputs" : key);

type Variables = Record<string, unknown>;
