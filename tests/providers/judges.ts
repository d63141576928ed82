/** What the tests of this folder share: the providers under test, and a judge that asks one of them. */
import { inspect } from "node:util";
import { createLLMAsJudge, initChatModel, OpenEvalsError } from "openevals-wasm";
import { expect } from "vitest";
import type { Loopback, Step } from "./servers/loopback.js";
import * as ollama from "./servers/ollama.js";
import * as openai from "./servers/openai.js";

/** The key of the tests. It must not appear in any error. */
export const KEY = "sk-test-4f1c0ffee";

export interface Provider {
  name: string;
  model: string;
  start(): Promise<Loopback>;
  /** The options that point `initChatModel` at the server. */
  options(server: Loopback): { baseURL: string; apiKey?: string };
  /** A complete answer with this text. */
  says(text: string): Step;
  /** An answer that stopped because it became too long. */
  isCutOff(text: string): Step;
  failure(status: number, message: string): Step & { status: number; body: string };
}

export const PROVIDERS: Provider[] = [
  {
    name: "OpenAI",
    model: "openai:gpt-5.4",
    start: () => openai.startOpenAI(KEY),
    options: (server) => ({ baseURL: `${server.url}/v1`, apiKey: KEY }),
    says: (text) => openai.completion(text),
    isCutOff: (text) => openai.completion(text, { finish_reason: "length" }),
    failure: openai.failure,
  },
  {
    name: "Ollama",
    model: "ollama:llama3.3",
    start: () => ollama.startOllama(),
    options: (server) => ({ baseURL: server.url }),
    says: (text) => ollama.answer(text),
    isCutOff: (text) => ollama.answer(text, { done_reason: "length" }),
    failure: ollama.failure,
  },
];

export const YES = '{"reasoning": "Both name Astana.", "score": true}';

export const PROMPT = "Is it right?\nQuestion: {inputs}\nAnswer: {outputs}\nReference: {reference_outputs}";
export const ROW = {
  inputs: "What is the capital of Kazakhstan?",
  outputs: "Astana",
  referenceOutputs: "Astana",
};

type ModelOptions = Parameters<typeof initChatModel>[1];
type JudgeOptions = Partial<Parameters<typeof createLLMAsJudge>[0]>;

/** Asks a judge about ROW, through the public API alone. */
export function ask(
  provider: Provider,
  server: Loopback,
  judge: JudgeOptions = {},
  model: ModelOptions = {},
) {
  const chat = initChatModel(provider.model, { ...provider.options(server), ...model });
  return createLLMAsJudge({ prompt: PROMPT, judge: chat, ...judge })(ROW);
}

/** The OpenEvalsError that a promise ends in. It tells neither the key nor the header that carries it. */
export async function errorOf(promise: Promise<unknown>): Promise<OpenEvalsError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error(`Expected an error, got ${inspect(outcome.value)}`);
  const { error } = outcome;
  expect(error).toBeInstanceOf(OpenEvalsError);
  const everything = inspect(error, { depth: 20, showHidden: true });
  expect(everything).not.toContain(KEY);
  return error as OpenEvalsError;
}

/** A response header that asks for no pause before the next attempt, so that the tests need not wait. */
export const AT_ONCE = { "retry-after": "0" };
