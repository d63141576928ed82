/** The stored form of an answer. It is stable, because caches outlive versions of the package and its engine. */

import { problemOfUsage } from "../../../core/records/usage.js";
import type { AnswerToken, Completion, Finish } from "../../../openevals.types.js";

interface StoredCompletion {
  text: string;
  attempts: number;
  model?: string | undefined;
  refusal?: string | undefined;
  unreadable?: string | undefined;
  truncated?: true | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  reasoningTokens?: number | undefined;
  cachedInputTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  logprobs?: AnswerToken[] | undefined;
  confidence?: number | undefined;
}

export function toKept({ finish, usage, reason: _, ...plain }: Completion): StoredCompletion {
  return {
    ...plain,
    // Tokens of stored answers are paid, so counts that cannot be read do no harm.
    ...(usage?.unreadable === undefined && usage),
    ...(finish === "truncated" && { truncated: true }),
    ...(typeof finish === "object" &&
      ("refused" in finish ? { refusal: finish.refused } : { unreadable: finish.unreadable })),
  };
}

/** Whether a value is such an answer, as far as its text and its counts show. */
export function isKept(value: unknown): value is StoredCompletion {
  const { text, ...rest } = Object(value) as Partial<StoredCompletion>;
  const { inputTokens, outputTokens } = rest;
  const usage = { ...rest, inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 };
  return typeof text === "string" && !problemOfUsage(usage);
}

export function fromKept({
  text,
  attempts,
  model,
  logprobs,
  confidence,
  ...rest
}: StoredCompletion): Completion {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, cacheWriteTokens } = rest;
  const usage = inputTokens != null &&
    outputTokens != null && {
      inputTokens,
      outputTokens,
      ...(reasoningTokens != null && { reasoningTokens }),
      ...(cachedInputTokens != null && { cachedInputTokens }),
      ...(cacheWriteTokens != null && { cacheWriteTokens }),
    };
  return {
    text,
    finish: finishOf(rest),
    ...(model != null && { model }),
    ...(usage && { usage }),
    attempts,
    ...(logprobs != null && { logprobs }),
    ...(confidence != null && { confidence }),
  };
}

function finishOf({ refusal, unreadable, truncated }: Omit<StoredCompletion, "text" | "attempts">): Finish {
  if (refusal != null) return { refused: refusal };
  if (unreadable != null) return { unreadable };
  return truncated ? "truncated" : "complete";
}
