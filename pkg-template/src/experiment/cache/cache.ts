/** The answers of judges, kept, so that nobody is asked twice, or at all. */

import { type ChatModel, type EngineModel, openerOf } from "../../chat/chat.js";
import { jsonOf, parsed } from "../../engine/crossing.js";
import type { Bindings } from "../../engine/engine.js";
import { loadEngine } from "../../engine/load.js";
import { callbackFailed, fromModel, OpenEvalsError } from "../../errors.js";
import { show } from "../../input/checks.js";
import { intermediaries } from "../../judge/intermediary.js";
import type { Intermediary, JudgeModel } from "../../judge/types.js";
import type { Ask, Completion, Finish, JsonOf, PromptMessage } from "../../openevals.types.js";
import type { EvaluationResult } from "../types.js";

/** What keeps answers: a `Map`, a key-value store, {@link directoryCache}. Keys are 64 hexadecimal digits. */
export interface Cache {
  /** What was set; `undefined` or `null` if nothing was. */
  get(key: string): unknown;
  /** Keeps a text. What it returns is waited for. */
  set(key: string, value: string): unknown;
}

/**
 * - `auto`: what the cache does not have is asked for, and kept;
 * - `record`: everything is asked for, and kept;
 * - `replay`: nothing is asked for; what the cache does not have is an error.
 */
export type CacheMode = "auto" | "record" | "replay";

/** A question, as the key covers it. */
interface Question {
  model: unknown;
  messages: PromptMessage[];
  schema: unknown;
  repetition: number;
  /** How often it was asked before in the same call of an evaluator: whoever asks again wants another answer. */
  before: number;
}

/** An answer, and whether a model was asked for it just now. */
interface Obtained {
  answer: Completion;
  isFresh: boolean;
}

/** A cache in use by one experiment. */
export class JudgeCache {
  readonly #cache: Cache;
  readonly #mode: CacheMode;
  /** Answers that are waited for: the same question is not asked twice at the same time. */
  readonly #pending = new Map<string, Promise<Obtained>>();

  constructor(cache: Cache, mode: CacheMode) {
    this.#cache = cache;
    this.#mode = mode;
  }

  /** Calls an evaluator; the judges in it ask the cache first. Results that cost nothing say so. */
  async evaluate(
    repetition: number,
    evaluator: () => Promise<EvaluationResult[]>,
  ): Promise<EvaluationResult[]> {
    const call = new CachedCall(this, repetition);
    const results = await intermediaries().run(call, evaluator);
    if (!call.isFree) return results;
    return results.map((result) => ({ ...result, metadata: { ...result.metadata, cached: true } }));
  }

  /** The answer to a question, and whether it was `ask` that gave it. */
  async answer(question: Question, ask: () => Promise<Completion>): Promise<Obtained> {
    const key = await digest(JSON.stringify(question));
    const other = this.#pending.get(key);
    const pending = other ?? this.#obtain(key, question, ask);
    if (!other) this.#pending.set(key, pending);
    const { answer, isFresh } = await pending.finally(() => this.#pending.delete(key));
    return { answer, isFresh: isFresh && !other };
  }

  async #obtain(key: string, question: Question, ask: () => Promise<Completion>): Promise<Obtained> {
    const found = this.#mode === "record" ? undefined : await this.#find(key);
    if (found !== undefined) return { answer: found, isFresh: false };
    if (this.#mode === "replay") throw missing(question);
    const answer = await ask();
    await this.#keep(key, question, answer);
    return { answer, isFresh: true };
  }

  async #find(key: string): Promise<Completion | undefined> {
    let found: unknown;
    try {
      found = await this.#cache.get(key);
    } catch (error) {
      throw callbackFailed("cache.get", error);
    }
    if (found === undefined || found === null) return undefined;
    try {
      const { answer } = JSON.parse(found as string);
      if (typeof answer.text === "string") return fromKept(answer);
    } catch {
      // Nothing that was kept here: said below.
    }
    throw new OpenEvalsError(
      "invalid_input",
      `The cache has under ${key} what is no answer: ${show(found)}. Delete it.`,
    );
  }

  async #keep(key: string, question: Question, answer: Completion): Promise<void> {
    try {
      await this.#cache.set(key, `${JSON.stringify({ ...question, answer: toKept(answer) }, null, 2)}\n`);
    } catch (error) {
      throw callbackFailed("cache.set", error);
    }
  }
}

/** One call of an evaluator, whose judges ask the cache first. */
class CachedCall implements Intermediary {
  readonly #cache: JudgeCache;
  readonly #repetition: number;
  /** How often each question was asked in this call. */
  readonly #asked = new Map<string, number>();
  /** How many answers came from the cache, and how many from a model. */
  readonly #answers = { cached: 0, fresh: 0 };

  constructor(cache: JudgeCache, repetition: number) {
    this.#cache = cache;
    this.#repetition = repetition;
  }

  /** Whether all answers came from the cache. */
  get isFree(): boolean {
    return this.#answers.cached > 0 && this.#answers.fresh === 0;
  }

  open(
    bindings: Bindings,
    openModel: (bindings: Bindings) => EngineModel,
    judge: JudgeModel | undefined,
    model: string | undefined,
  ): EngineModel {
    const ask: Ask = async (messages, schema) => {
      const asked = {
        model: identityOf(judge, model),
        messages: parsed(messages),
        schema: schema && JSON.parse(parsed(schema).schema),
      };
      const text = JSON.stringify(asked);
      const before = this.#asked.get(text) ?? 0;
      this.#asked.set(text, before + 1);
      const question = { ...asked, repetition: this.#repetition, before };
      const { answer, isFresh } = await this.#cache.answer(question, () =>
        // The engine calls this one back, so what it belongs to has to be said again.
        intermediaries().resume(this, () => complete(openModel, messages, schema)),
      );
      this.#answers[isFresh ? "fresh" : "cached"]++;
      // No request was sent for what is not fresh.
      return jsonOf(isFresh ? answer : { ...answer, attempts: 0 });
    };
    return bindings.ChatModel.fromClient(ask);
  }
}

async function complete(
  openModel: (bindings: Bindings) => EngineModel,
  ...[messages, schema]: Parameters<Ask>
): Promise<Completion> {
  try {
    const engine = await loadEngine();
    const answer: JsonOf<Completion> = await engine.wait("a judge", messages.length, (bindings, own) =>
      own(openModel(bindings)).complete(messages, schema),
    );
    return parsed(answer);
  } catch (error) {
    throw fromModel(error);
  }
}

/** An answer as it is kept: caches outlive versions of the package, and of what crosses to its engine. */
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

function toKept({ text, finish, model, usage, attempts }: Completion): Kept {
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

function fromKept({ text, attempts, model, inputTokens, outputTokens, ...end }: Kept): Completion {
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

/** What answers, as the key covers it. A function is known by its `model`, or else by its name. */
function identityOf(judge: JudgeModel | undefined, model: string | undefined): unknown {
  if (judge === undefined) return { name: model };
  if (typeof judge === "function") return { name: model ?? judge.name };
  if (openerOf(judge)) return { name: (judge as ChatModel).model, ...(judge as ChatModel).settings };
  const {
    provider,
    modelId,
    model: own,
    modelName,
    temperature,
  } = judge as object as Record<string, unknown>;
  return { name: model ?? modelId ?? own ?? modelName ?? judge.constructor.name, provider, temperature };
}

async function digest(text: string): Promise<string> {
  const { subtle } = crypto;
  if (!subtle) {
    throw new OpenEvalsError(
      "invalid_config",
      "A cache needs a page that came over HTTPS: there is no hash elsewhere.",
    );
  }
  const hash = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function missing({ model, messages, repetition, before }: Question): OpenEvalsError {
  const last = messages.at(-1)?.content;
  const again = before ? `, asked for the ${before + 1}. time` : "";
  return new OpenEvalsError(
    "cache_miss",
    `The cache has no answer of ${(model as { name?: unknown }).name} in repetition ${repetition}${again} to ` +
      `${show(last)}. Record it with cacheMode "auto" or "record".`,
  );
}
