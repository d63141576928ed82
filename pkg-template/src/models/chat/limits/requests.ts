/** The limits of models, which all that ask the same model of the same account share. */

import { type Requests, unlimited } from "../limited.js";
import { type RateOptions, RequestLimits } from "./limits.js";

/** More models are not known at a time; of the oldest, those go on with theirs who have them. */
const MOST_MODELS = 1_000;

const all = new Map<string, RequestLimits>();

/** Different in each process, so that what stands for a key tells nothing of it. Workers have no chance at start-up. */
let seed: Uint32Array | undefined;

/** Functions that give keys, by numbers. */
const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/** What the limits of a model depend on. */
interface LimitedModel {
  url: string;
  model: string;
  /** With the key, as far as it is known. */
  headers: readonly (readonly [string, string])[];
}

/** What options say of them. */
interface RequestLimitOptions extends RateOptions {
  /** What gives keys, or holds them. */
  apiKey?: unknown;
  credentials?: unknown;
  maxTokens?: number | undefined;
  params?: Record<string, unknown> | undefined;
}

/** The requests of a model, within limits that it shares with all that are the same. */
export function requestsWithin(asked: LimitedModel, options: RequestLimitOptions): Requests {
  const limits = limitsOf(asked, options);
  limits.narrow(options);
  const maxOutput = longestAnswer(options);
  return {
    letsGo: (length) => limits.letsGo(length, maxOutput),
    turn: (length, alarm) => limits.turn(length, maxOutput, alarm),
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
      if (all.size < MOST_MODELS) break;
      all.delete(oldest);
    }
    limits = new RequestLimits();
    all.set(name, limits);
  }
  return limits;
}

/** How many tokens an answer may have, where somebody says so. */
function longestAnswer({ maxTokens, params = {} }: RequestLimitOptions): number | undefined {
  const said = maxTokens ?? params.max_tokens ?? params.max_completion_tokens ?? params.max_output_tokens;
  return typeof said === "number" ? said : undefined;
}

function numberOf(giver: unknown): number | undefined {
  if ((typeof giver !== "object" && typeof giver !== "function") || giver === null) return undefined;
  const number = numbers.get(giver) ?? ++lastNumber;
  numbers.set(giver, number);
  return number;
}

/** 64 bits that nobody finds a key from; where two were the same, their models would only share limits. */
function digest(text: string): string {
  seed ??= crypto.getRandomValues(new Uint32Array(2));
  let [high = 0, low = 0] = seed;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    high ^= high >>> 13;
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    low ^= low >>> 16;
  }
  return `${high >>> 0}.${low >>> 0}`;
}
