import { initChatModel } from "openevals-wasm";

/** A model that never answers, and the signals of its requests. */
export function neverAnswers() {
  const asked: AbortSignal[] = [];
  const fetch = (_: unknown, { signal }: { signal: AbortSignal }) => {
    asked.push(signal);
    return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const model = initChatModel("openai:gpt-5.4", { apiKey: "sk-x", fetch: fetch as never, maxRetries: 2 });
  return { model, asked };
}
