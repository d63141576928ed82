/** The answers of judges, kept, so that nobody is asked twice, or at all. */

import { type ChatModel, type EngineModel, openerOf } from "../../chat/chat.js";
import type { Bindings } from "../../engine/engine.js";
import { loadEngine } from "../../engine/load.js";
import { callbackFailed, fromModel, OpenEvalsError } from "../../errors.js";
import { show } from "../../input/checks.js";
import { interceptWith, type JudgeModel } from "../../judge/model.js";
import { type Scopes, scopes } from "../../judge/scopes.js";
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

/** One call of an evaluator. */
interface Scope {
  cache: JudgeCache;
  repetition: number;
  /** How often each question was asked in this call. */
  asked: Map<string, number>;
  /** How many answers came from the cache, and how many from a model. */
  answers: { cached: number; fresh: number };
}

/** A question, as the key covers it. */
interface Question {
  model: unknown;
  messages: unknown;
  schema: unknown;
  repetition: number;
  /** How often it was asked before in the same call of an evaluator: whoever asks again wants another answer. */
  before: number;
}

/** An answer, and whether a model was asked for it just now. */
interface Obtained {
  text: string;
  isFresh: boolean;
}

let open: Scopes<Scope> | undefined;

/** A cache in use by one experiment. */
export class JudgeCache {
  readonly #cache: Cache;
  readonly #mode: CacheMode;
  readonly #scopes: Scopes<Scope>;
  /** Answers that are waited for: the same question is not asked twice at the same time. */
  readonly #pending = new Map<string, Promise<Obtained>>();

  constructor(cache: Cache, mode: CacheMode) {
    this.#cache = cache;
    this.#mode = mode;
    if (!open) {
      open = scopes();
      interceptWith(intercept);
    }
    this.#scopes = open;
  }

  /** Calls an evaluator; the judges in it ask the cache first. Results that cost nothing say so. */
  async evaluate(
    repetition: number,
    evaluator: () => Promise<EvaluationResult[]>,
  ): Promise<EvaluationResult[]> {
    const scope = { cache: this, repetition, asked: new Map(), answers: { cached: 0, fresh: 0 } };
    const results = await this.#scopes.run(scope, evaluator);
    if (!scope.answers.cached || scope.answers.fresh) return results;
    return results.map((result) => ({ ...result, metadata: { ...result.metadata, cached: true } }));
  }

  /** The answer to a question, as the engine reads it. */
  async answer(scope: Scope, question: Question, ask: () => Promise<string>): Promise<string> {
    const key = await digest(JSON.stringify(question));
    const other = this.#pending.get(key);
    const pending = other ?? this.#obtain(key, question, () => this.#scopes.resume(scope, ask));
    if (!other) this.#pending.set(key, pending);
    const { text, isFresh } = await pending.finally(() => this.#pending.delete(key));
    if (isFresh && !other) {
      scope.answers.fresh++;
      return text;
    }
    scope.answers.cached++;
    // No request was sent for it.
    return JSON.stringify({ ...JSON.parse(text), attempts: 0 });
  }

  async #obtain(key: string, question: Question, ask: () => Promise<string>): Promise<Obtained> {
    const found = this.#mode === "record" ? undefined : await this.#find(key);
    if (found !== undefined) return { text: found, isFresh: false };
    if (this.#mode === "replay") throw missing(question);
    const text = await ask();
    await this.#keep(key, question, text);
    return { text, isFresh: true };
  }

  async #find(key: string): Promise<string | undefined> {
    let found: unknown;
    try {
      found = await this.#cache.get(key);
    } catch (error) {
      throw callbackFailed("cache.get", error);
    }
    if (found === undefined || found === null) return undefined;
    try {
      const { answer } = JSON.parse(found as string);
      if (typeof answer.text === "string") return JSON.stringify(answer);
    } catch {
      // Nothing that was kept here: said below.
    }
    throw new OpenEvalsError(
      "invalid_input",
      `The cache has under ${key} what is no answer: ${show(found)}. Delete it.`,
    );
  }

  async #keep(key: string, question: Question, answer: string): Promise<void> {
    try {
      await this.#cache.set(key, `${JSON.stringify({ ...question, answer: JSON.parse(answer) }, null, 2)}\n`);
    } catch (error) {
      throw callbackFailed("cache.set", error);
    }
  }
}

/** Within the call of an evaluator, a model that asks the cache first. */
function intercept(
  bindings: Bindings,
  openModel: (bindings: Bindings) => EngineModel,
  judge: JudgeModel | undefined,
  model: string | undefined,
): EngineModel | undefined {
  const scope = open?.current();
  return (
    scope &&
    bindings.ChatModel.fromCallback(async (messages: string, formText: string | undefined) => {
      const form = formText === undefined ? undefined : JSON.parse(formText);
      const request = {
        model: identityOf(judge, model),
        messages: JSON.parse(messages),
        schema: form?.schema,
      };
      const text = JSON.stringify(request);
      const before = scope.asked.get(text) ?? 0;
      scope.asked.set(text, before + 1);
      const question = { ...request, repetition: scope.repetition, before };
      return scope.cache.answer(scope, question, async () => {
        try {
          // The schema as a text, since the order of its properties counts.
          const asked = { ...form, schema: form && JSON.stringify(form.schema), messages: request.messages };
          const text = JSON.stringify(asked);
          const engine = await loadEngine();
          return await engine.wait("a judge", text.length, (bindings, own) =>
            own(openModel(bindings)).ask(text),
          );
        } catch (error) {
          throw fromModel(error);
        }
      });
    })
  );
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
  const last = (messages as { content: unknown }[]).at(-1)?.content;
  const again = before ? `, asked for the ${before + 1}. time` : "";
  return new OpenEvalsError(
    "cache_miss",
    `The cache has no answer of ${(model as { name?: unknown }).name} in repetition ${repetition}${again} to ` +
      `${show(last)}. Record it with cacheMode "auto" or "record".`,
  );
}
