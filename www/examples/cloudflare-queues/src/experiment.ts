import { createLLMAsJudge, initChatModel } from "openevals-wasm";

/** How many answers a shard has: each asks a judge, and a Worker may make so many requests and no more. */
export const ROWS = 200;

/** Another one after a change of evaluators: the same rows are another experiment then. */
export const VERSION = 1;

/** One part of an experiment, as it goes through the queue: where its rows are follows from its id. */
export interface ShardMessage {
  id: string;
  index: number;
  count: number;
}

/** As much of R2 and of queues as is used; `wrangler types` writes all of it. */
export interface Env {
  SHARDS: { sendBatch(messages: { body: ShardMessage }[]): Promise<unknown> };
  PARTS: Bucket;
  OPENAI_API_KEY: string;
  /** Another server that speaks as OpenAI does. */
  OPENAI_BASE_URL?: string;
}

interface Bucket {
  put(key: string, value: string, options?: object): Promise<unknown>;
  get(key: string): Promise<{ body: ReadableStream<Uint8Array>; text(): Promise<string> } | null>;
  head(key: string): Promise<{ customMetadata?: Record<string, string> } | null>;
  delete(key: string): Promise<void>;
  list(options: { prefix: string; cursor?: string | undefined }): Promise<{
    objects: { key: string }[];
    truncated: boolean;
    cursor?: string;
  }>;
}

const CORRECT_PROMPT = `A customer asked a shop: {inputs}
The shop answered: {outputs}
What is true is: {reference_outputs}
Does the answer tell the customer what is true, and nothing that is not?`;

export const evaluators = (env: Env) => [
  createLLMAsJudge({
    prompt: CORRECT_PROMPT,
    feedbackKey: "correct",
    judge: initChatModel("openai:gpt-5.4-mini", { apiKey: env.OPENAI_API_KEY, baseURL: env.OPENAI_BASE_URL }),
  }),
  ({ outputs }: { outputs: string }) => ({ key: "short", score: outputs.length < 80 }),
];

/** Where things are in the bucket. */
export const rowsOf = (id: string) => `${id}/rows.jsonl`;
export const partsOf = (id: string) => `${id}/parts/`;
export const lostOf = (id: string) => `${id}/lost/`;

/** All keys that begin so. */
export async function keysOf(prefix: string, { PARTS }: Env): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await PARTS.list({ prefix, cursor });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) return keys;
    cursor = page.cursor;
  }
}
