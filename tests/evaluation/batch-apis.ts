/** The three providers with batches, for the tests. */
import { message } from "../providers/servers/anthropic.js";
import type { Face } from "../providers/servers/batches.js";
import { anthropicBatches } from "../providers/servers/batches-anthropic.js";
import { googleBatches } from "../providers/servers/batches-google.js";
import { openaiBatches } from "../providers/servers/batches-openai.js";
import { content } from "../providers/servers/google.js";
import type { Json, Step } from "../providers/servers/loopback.js";
import { completion } from "../providers/servers/openai.js";

export const KEY = "sk-secret-of-the-test";

export interface Api {
  face: Face;
  model: string;
  /** The options for the address of a server. */
  env(url: string): Record<string, string>;
  /** The last message of a request. */
  asked(body: Json): string;
  /** An answer with this text. */
  says(text: string, body: Json): Step;
  /** Matches the request that submits a batch. */
  submits: RegExp;
}

export const APIS: Record<"openai" | "anthropic" | "google", Api> = {
  openai: {
    face: openaiBatches(KEY),
    model: "openai:gpt-5.4",
    env: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY }),
    asked: (body) => body.messages.at(-1).content,
    says: (text) => completion(text),
    submits: /^POST \/v1\/batches$/,
  },
  anthropic: {
    face: anthropicBatches(KEY),
    model: "anthropic:claude-sonnet-4-5",
    env: (url) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }),
    asked: (body) => body.messages.at(-1).content,
    says: (text, body) => (message(text) as (request: Json) => Step)({ body }),
    submits: /^POST \/v1\/messages\/batches$/,
  },
  google: {
    face: googleBatches(KEY),
    model: "google-genai:gemini-3.8-flash",
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GOOGLE_API_KEY: KEY }),
    asked: (body) => body.contents.at(-1).parts[0].text,
    says: (text) => content(text),
    submits: /^POST .*:batchGenerateContent$/,
  },
};
