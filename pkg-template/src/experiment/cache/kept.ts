/** An answer as it is kept: caches outlive versions of the package, and of what crosses to its engine. */

import type { Completion, Finish } from "../../openevals.types.js";

interface Kept {
  text: string;
  attempts: number;
  model?: string | undefined;
  refusal?: string | undefined;
  unreadable?: string | undefined;
  truncated?: true | undefined;
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
}

export function toKept({ text, finish, model, usage, attempts }: Completion): Kept {
  return {
    text,
    attempts,
    model,
    ...usage,
    ...(finish === "truncated" && { truncated: true }),
    ...(typeof finish === "object" &&
      ("refused" in finish ? { refusal: finish.refused } : { unreadable: finish.unreadable })),
  };
}

export function fromKept({ text, attempts, model, inputTokens, outputTokens, ...end }: Kept): Completion {
  return {
    text,
    finish: finishOf(end),
    ...(model != null && { model }),
    ...(inputTokens != null && outputTokens != null && { usage: { inputTokens, outputTokens } }),
    attempts,
  };
}

function finishOf({ refusal, unreadable, truncated }: Omit<Kept, "text" | "attempts">): Finish {
  if (refusal != null) return { refused: refusal };
  if (unreadable != null) return { unreadable };
  return truncated ? "truncated" : "complete";
}
