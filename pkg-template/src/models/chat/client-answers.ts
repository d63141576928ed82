/** What is asked through clients of other packages, and told of the answers: the same for all of them. */

import { judgesEngine } from "../../core/engine/judges.js";
import type { AnswerToken, Completion, Finish, OutputSchema, Usage } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { PromptMessage } from "../../openevals-judges.types.js";
import { TIMEOUTS_MS } from "./endpoint.js";

/** The form that an answer has to have, as OpenAI takes it. */
export interface AnswerForm extends Omit<OutputSchema, "schema"> {
  schema: Record<string, unknown>;
}

/** Asks a model; for free text, where there is no form. It says how likely its tokens were, if it is to and can. */
export type AskClient = (
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  logprobs: boolean,
) => Promise<Completion>;

/** What a client tells of an answer, as far as it does. */
interface ClientAnswer {
  text: unknown;
  refusal?: unknown;
  isTruncated?: boolean;
  /** Why the answer cannot be used, where the client has tried to read it. */
  unreadable?: string | undefined;
  model?: unknown;
  inputTokens?: unknown;
  outputTokens?: unknown;
  reasoningTokens?: unknown;
  cachedInputTokens?: unknown;
  attempts?: number;
  logprobs?: AnswerToken[] | undefined;
}

export function completionOf({ text, model, attempts = 1, logprobs, ...told }: ClientAnswer): Completion {
  const usage = usageOf(told);
  return {
    text: typeof text === "string" ? text : "",
    finish: finishOf(told),
    ...(typeof model === "string" && { model }),
    ...(usage && { usage }),
    attempts,
    ...(logprobs && { logprobs }),
  };
}

function usageOf(told: Omit<ClientAnswer, "text">): Usage | undefined {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = told;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  return {
    inputTokens,
    outputTokens,
    ...(isCount(reasoningTokens) && reasoningTokens && { reasoningTokens }),
    ...(isCount(cachedInputTokens) && cachedInputTokens && { cachedInputTokens }),
  };
}

const isCount = (tokens: unknown): tokens is number =>
  Number.isSafeInteger(tokens) && (tokens as number) >= 0;

function finishOf({ refusal, unreadable, isTruncated }: Omit<ClientAnswer, "text">): Finish {
  if (typeof refusal === "string") return { refused: refusal };
  if (unreadable !== undefined) return { unreadable };
  return isTruncated ? "truncated" : "complete";
}

/** For models without structured output. */
export function withSchema(messages: { role: unknown; content: unknown }[], schema: object) {
  const content = `Answer with nothing but JSON that fits this schema:\n${JSON.stringify(schema)}`;
  return [...messages, { role: "user", content }];
}

/**
 * Calls a model of the AI SDK, which leaves trying again to its functions around the model, or of Cloudflare's binding,
 * which leaves it to everybody; the other clients do it themselves. The error says whether another attempt may fare
 * better, the engine how long to wait before, and how often: as for models of its own.
 */
export async function withRetries<T>(call: () => PromiseLike<T>): Promise<{ answer: T; attempts: number }> {
  const started = performance.now();
  for (let attempts = 1; ; attempts++) {
    try {
      return { answer: await call(), attempts };
    } catch (error) {
      const { isRetryable, responseHeaders } = Object(error);
      const pause = isRetryable ? await pauseAfter(attempts, started, responseHeaders) : undefined;
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function pauseAfter(attempts: number, started: number, headers: unknown): Promise<number | undefined> {
  const left = TIMEOUTS_MS.chat - (performance.now() - started);
  const { "retry-after-ms": ms, "retry-after": after } = Object(headers);
  const engine = await judgesEngine.load();
  return engine.run("a judge", 0, () =>
    bindings.pauseAfter(attempts, left, ms && String(ms), after && String(after)),
  );
}

/** The one with `index` 0, wherever it stands, or else the one in front. */
export const firstChoice = (choices: any): any =>
  (Array.isArray(choices) ? choices.find((choice) => choice?.index === 0) : undefined) ?? choices?.[0];
