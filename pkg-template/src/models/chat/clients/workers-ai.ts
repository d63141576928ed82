/** Cloudflare's binding `env.AI` as a judge. */

import { reasonOf } from "../../../core/errors.js";
import type { Signal } from "../../../core/platform/globals.js";
import type { Completion } from "../../../openevals.types.js";
import type { PromptMessage } from "../../../openevals-judges.types.js";
import { textOf } from "../../conversation/text.js";
import {
  type AnswerForm,
  attemptsBefore,
  completionOf,
  firstChoice,
  withRetries,
  withSchema,
} from "./client-answers.js";

/** The part of the binding used here. */
export interface WorkersAI {
  run(...args: any[]): Promise<any>;
}

/** An error of the binding, such as `5007: No such model`, with the status that the HTTP API has for it. */
class WorkersAIAPIError extends Error {
  override readonly name = "WorkersAIAPIError";
  readonly status: number | undefined;
  readonly isRetryable: boolean;

  constructor(thrown: unknown) {
    super(reasonOf(thrown), { cause: thrown });
    const [, code] = /\b(\d{4}):/.exec(this.message) ?? [];
    this.status = code ? STATUSES[code] : undefined;
    // The daily allocation is used up until the next day.
    this.isRetryable = [408, 429].includes(this.status as number) && code !== "3036";
  }
}

/** The HTTP statuses of the codes, according to Cloudflare's page of errors and its provider for the AI SDK. */
const STATUSES: Record<string, number> = {
  3003: 400,
  3006: 413,
  3007: 408,
  3008: 408,
  3023: 403,
  3036: 429,
  3039: 400,
  3040: 429,
  3041: 403,
  3042: 404,
  5004: 400,
  5005: 405,
  5007: 400,
  5016: 403,
  5018: 403,
  5019: 405,
};

/** The models of each binding that rejected a schema. */
const withoutSchemas = new WeakMap<WorkersAI, Set<string>>();

/** Asks a model through the binding, which takes no signal: an aborted experiment only ends its retries. */
export async function askWorkersAI(
  binding: WorkersAI,
  model: string,
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  _logprobs: boolean,
  signal: Signal | undefined,
): Promise<Completion> {
  const rejecting = withoutSchemas.get(binding) ?? new Set();
  withoutSchemas.set(binding, rejecting);
  const ask = (form: AnswerForm | undefined, prompt: object[]) =>
    withRetries(signal, () => run(binding, model, { messages: prompt, ...(form && formOf(model, form)) }));
  if (!form) return read(model, await ask(undefined, messages));
  const inPrompt = () => ask(undefined, withSchema(messages, form.schema));
  if (rejecting.has(model)) return read(model, await inPrompt());
  try {
    return read(model, await ask(form, messages));
  } catch (error) {
    const { message } = error as Error;
    if (/couldn't be met/i.test(message)) return completionOf({ text: "", unreadable: message });
    if (!/json[ _-]?(schema|mode)|response_format|guided/i.test(message)) throw error;
    rejecting.add(model);
    const { answer, attempts } = await inPrompt();
    return read(model, { answer, attempts: attempts + (attemptsBefore(error) ?? 1) });
  }
}

async function run(binding: WorkersAI, model: string, inputs: object): Promise<any> {
  try {
    return await binding.run(model, inputs);
  } catch (error) {
    throw new WorkersAIAPIError(error);
  }
}

/** Cloudflare's own models take the schema; those behind its gateway take the form of OpenAI. */
const formOf = (model: string, form: AnswerForm) => ({
  response_format: {
    type: "json_schema",
    json_schema: /^@(cf|hf)\//.test(model) ? { title: form.name, ...form.schema } : form,
  },
});

/** An answer is `{ response }`, with a text or the structured output, or a chat completion as of OpenAI. */
function read(asked: string, { answer, attempts }: { answer: any; attempts: number }): Completion {
  // Answers of Cloudflare's own models have no name.
  const { response, choices, usage, model = asked } = Object(answer);
  const { message, error, finish_reason: finish } = Object(firstChoice(choices));
  if ((choices ? message : response) == null) {
    throw new WorkersAIAPIError(new Error("It answered with something other than a completion"));
  }
  return completionOf({
    text: choices
      ? textOf(message.content)
      : typeof response === "string"
        ? response
        : JSON.stringify(response),
    refusal: message?.refusal,
    reason: finish,
    unreadable: error ? "the API reported an error with it" : undefined,
    model,
    inputTokens: usage?.prompt_tokens,
    outputTokens: usage?.completion_tokens,
    reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens,
    cachedInputTokens: usage?.prompt_tokens_details?.cached_tokens,
    attempts,
  });
}
