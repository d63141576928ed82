/** The common part of all clients of other packages: asks them, and reads their answers. */

import { judgesEngine } from "../../../core/engine/judges.js";
import { show } from "../../../core/input/checks.js";
import { isObject } from "../../../core/input/objects.js";
import type { Signal } from "../../../core/platform/globals.js";
import { pauseFor } from "../../../core/platform/pause.js";
import { USAGE_KINDS } from "../../../core/records/usage.js";
import type { AnswerToken, Completion, Finish, OutputSchema, Usage } from "../../../openevals.types.js";
import * as bindings from "../../../openevals-judges.js";
import type { PromptMessage } from "../../../openevals-judges.types.js";
import { MAX_RETRIES, TIMEOUTS_MS } from "../providers/endpoint.js";

/** The required form of an answer, in OpenAI's format. */
export interface AnswerForm extends Omit<OutputSchema, "schema"> {
  schema: Record<string, unknown>;
}

/**
 * Asks a model for an answer in this form, or for free text; with token probabilities if requested and supported. The signal is that
 * of the experiment.
 */
export type AskClient = (
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  logprobs: boolean,
  signal: Signal | undefined,
) => Promise<Completion>;

/** An answer of a client, with the fields that the client reports. */
interface ClientAnswer {
  text: unknown;
  refusal?: unknown;
  /** The reason for the end of the answer, which the engine reads as for its own requests. */
  reason?: unknown;
  /** The reason why the answer cannot be used, if the client has tried to read it. */
  unreadable?: string | undefined;
  model?: unknown;
  inputTokens?: unknown;
  outputTokens?: unknown;
  reasoningTokens?: unknown;
  cachedInputTokens?: unknown;
  cacheWriteTokens?: unknown;
  attempts?: number;
  logprobs?: AnswerToken[] | undefined;
  /** The probability that the model assigns to its answer. */
  confidence?: unknown;
}

export function completionOf(answer: ClientAnswer): Completion {
  const { text, model, reason, attempts = 1, logprobs, confidence, ...rest } = answer;
  const usage = usageOf(rest);
  return {
    text: typeof text === "string" ? text : "",
    finish: finishOf(rest),
    ...(typeof reason === "string" && { reason }),
    ...(typeof model === "string" && { model }),
    ...(usage && { usage }),
    attempts,
    ...(logprobs && { logprobs }),
    ...(typeof confidence === "number" && { confidence }),
  };
}

function usageOf(rest: Omit<ClientAnswer, "text">): Usage | undefined {
  let unreadable: string | undefined;
  const count = (kind: (typeof USAGE_KINDS)[number]): number | undefined => {
    const tokens = rest[kind];
    // Clients report a missing count also as NaN.
    if (tokens == null || Number.isNaN(tokens)) return undefined;
    if (Number.isSafeInteger(tokens) && Number(tokens) >= 0) return tokens as number;
    unreadable ??= `${kind}: ${show(tokens)}`;
    return 0;
  };
  const [inputTokens, outputTokens, ...more] = USAGE_KINDS.map(count);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const details = more.map((tokens, index) => [USAGE_KINDS[index + 2], tokens] as const);
  return {
    inputTokens,
    outputTokens,
    ...Object.fromEntries(details.filter(([, tokens]) => tokens)),
    ...(unreadable !== undefined && { unreadable }),
  };
}

function finishOf({ refusal, unreadable }: Omit<ClientAnswer, "text">): Finish {
  if (typeof refusal === "string") return { refused: refusal };
  return unreadable === undefined ? "complete" : { unreadable };
}

/**
 * For models without structured output: the schema is at the end of the user's last message, because some APIs require
 * alternating roles.
 */
export function withSchema(messages: { role: unknown; content: unknown }[], schema: object) {
  const request = `Answer only with JSON that matches this JSON schema:\n${JSON.stringify(schema)}`;
  const last = messages.map(({ role }) => role).lastIndexOf("user");
  if (last < 0) return [...messages, { role: "user", content: request }];
  const asked = [...messages];
  const { role, content } = asked[last] as { role: unknown; content: unknown };
  asked[last] = {
    role,
    content: Array.isArray(content)
      ? [...content, { type: "text", text: request }]
      : `${content}\n\n${request}`,
  };
  return asked;
}

/** The numbers of attempts that errors ended. */
const failedAfter = new WeakMap<object, number>();

/** How often a model was called before this error, if it was called by {@link withRetries}. */
export const attemptsBefore = (error: unknown): number | undefined => failedAfter.get(Object(error));

/**
 * Calls a model of a client without retries: one of the AI SDK, whose retries are in its functions around the model, or
 * Cloudflare's binding. The error says whether another attempt may succeed; the pauses are as for the engine's requests.
 */
export async function withRetries<T>(
  signal: Signal | undefined,
  call: () => PromiseLike<T>,
): Promise<{ answer: T; attempts: number }> {
  const started = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return { answer: await call(), attempts };
    } catch (error) {
      if (isObject(error)) failedAfter.set(error, attempts);
      const { isRetryable, responseHeaders } = Object(error);
      if (!isRetryable || attempts > MAX_RETRIES || signal?.aborted) throw error;
      const pause = await pauseAfter(attempts, responseHeaders);
      if (performance.now() + pause >= started + TIMEOUTS_MS.chat) throw error;
      await pauseFor(pause, signal);
      if (signal?.aborted) throw error;
    }
  }
}

/** The pause before a retry, counted from 1, in milliseconds: as the headers of the response say, or else growing. */
export async function pauseAfter(retry: number, headers: unknown): Promise<number> {
  const { "retry-after-ms": ms, "retry-after": after } = Object(headers);
  return judgesEngine.run("a retry", 0, () =>
    bindings.pauseAfter(retry, ms && String(ms), after && String(after)),
  );
}

/** The choice with `index` 0, at any position, or else the first one. */
export const firstChoice = (choices: any): any =>
  (Array.isArray(choices) ? choices.find((choice) => choice?.index === 0) : undefined) ?? choices?.[0];
