/** The limits of all models: those with the same address, name and key share theirs. */

import { fnv1a } from "../../../core/input/hash.js";
import { mixed } from "../../../core/input/mixed.js";
import { type Requests, unlimited } from "../limited.js";
import { type RateOptions, RequestLimits } from "./limits.js";

/** The number of models that are remembered. Models in use keep their limits. */
const MAX_MODELS = 1_000;

const all = new Map<string, RequestLimits>();

/** Set on first use: Workers have no random numbers at start-up. */
let seeds: Uint32Array | undefined;

/** Numbers for functions and objects that provide keys. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** The values that identify the limits of a model. */
interface LimitedModel {
  url: string;
  model: string;
  /** Includes the key, unless a function provides it. */
  headers: readonly (readonly [string, string])[];
}

/** The options of a model that concern its limits. */
interface RequestLimitOptions extends RateOptions {
  apiKey?: unknown;
  credentials?: unknown;
  maxTokens?: number | undefined;
  params?: Record<string, unknown> | undefined;
}

/** The requests of a model, within the limits that it shares with equal models. */
export function requestsWithin(asked: LimitedModel, options: RequestLimitOptions): Requests {
  const limits = limitsOf(asked, options);
  limits.narrow(options);
  const maxOutput = longestAnswer(options);
  return {
    tryAcquire: (length) => limits.tryAcquire(length, maxOutput),
    acquire: (length, deadline) => limits.acquire(length, maxOutput, deadline),
    send: (fetch, url, init) => limits.send(() => unlimited.send(fetch, url, init)),
    used: (length, input, output) => limits.used(length, input, output),
  };
}

function limitsOf(
  { url, model, headers }: LimitedModel,
  { apiKey, credentials }: RequestLimitOptions,
): RequestLimits {
  const name = digest(JSON.stringify([url, model, headers, numberOf(apiKey), numberOf(credentials)]));
  let limits = all.get(name);
  if (!limits) {
    for (const [oldest] of all) {
      if (all.size < MAX_MODELS) break;
      all.delete(oldest);
    }
    limits = new RequestLimits();
    all.set(name, limits);
  }
  return limits;
}

/** The longest answer in tokens, if the options limit it. */
function longestAnswer({ maxTokens, params = {} }: RequestLimitOptions): number | undefined {
  const limit = maxTokens ?? params.max_tokens ?? params.max_completion_tokens ?? params.max_output_tokens;
  return typeof limit === "number" ? limit : undefined;
}

function numberOf(source: unknown): number | undefined {
  if ((typeof source !== "object" && typeof source !== "function") || source === null) return undefined;
  const number = numbers.get(source) ?? ++lastNumber;
  numbers.set(source, number);
  return number;
}

/** 64 bits with a random seed, so that keys cannot be guessed from them. Models with equal digests would share limits. */
function digest(text: string): string {
  seeds ??= crypto.getRandomValues(new Uint32Array(2));
  return Array.from(seeds, (seed) => mixed(fnv1a(text, seed))).join(".");
}
