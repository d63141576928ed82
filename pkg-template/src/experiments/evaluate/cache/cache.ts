/** Caches the answers of judges, and the vectors of embeddings. */

import { jsonOf, parsed } from "../../../core/engine/crossing.js";
import { fromModel, invalidConfig, OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { sha256 } from "../../../core/input/sha256.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import { addUsage } from "../../../core/records/usage.js";
import type { Embed, Embedded } from "../../../models/chat/embed.js";
import type { JudgeSource, ModelMiddleware, PackageCopy } from "../../../models/chat/judge-model.js";
import { checkVersion, middlewareScopes } from "../../../models/chat/model-middleware.js";
import type { EngineModel } from "../../../models/chat/opener.js";
import { currentSignal, scopeOfCall } from "../../../models/chat/signals/experiment-signal.js";
import type { Completion, JsonOf, Usage } from "../../../openevals.types.js";
import type { Ask, PromptMessage, Used } from "../../../openevals-judges.types.js";
import { embeddingsIdentityOf, type Identity, identityOf, shownIdentity } from "./identity.js";
import { fromKept, isKept, toKept } from "./kept.js";
import { type Obtained, OpenQuestions } from "./open-questions.js";
import { type AnswerKind, Store } from "./store.js";
import type { Cache, CacheMode } from "./types.js";
import { recordedUsage, VectorCache, type VectorEntry } from "./vectors.js";

/** The parts of a question that its key covers. */
interface CacheQuestion {
  model: Identity;
  messages: PromptMessage[];
  schema: unknown;
  /** The mode of structured output, if it is not the default one. */
  form: { name: string; strict: boolean } | undefined;
  /** Whether it requests log probabilities. */
  logprobs: true | undefined;
  repetition: number;
  /** The number of times that this call of the evaluator asked it before. A repeated question needs another answer. */
  before: number;
}

const JUDGE_ANSWER: AnswerKind<CacheQuestion, Parameters<typeof fromKept>[0]> = {
  name: "a judge answer",
  textOf: ({ messages }) => messages.at(-1)?.content,
  isAnswer: isKept,
};

/** The default mode of structured output. */
const DEFAULT_FORM = { name: "score", strict: true };

/** An answered question. */
interface CacheEntry extends Obtained {
  key: string;
  question: CacheQuestion;
}

/**
 * The cache of one experiment.
 *
 * @internal
 */
export class JudgeCache {
  /** The vectors of embeddings. */
  readonly vectors: VectorCache;
  readonly #store: Store;
  readonly #mode: CacheMode;
  /** The questions of all experiments with this cache. */
  readonly #questions: OpenQuestions;
  /** Pending answers, so that the same question is not asked twice at the same time. */
  readonly #pending = new Map<string, Promise<Obtained>>();

  constructor(cache: Cache, mode: CacheMode) {
    this.#store = new Store(cache, mode);
    this.#questions = OpenQuestions.of(cache, mode);
    this.#mode = mode;
    this.vectors = new VectorCache(this.#store, mode);
  }

  /**
   * Calls an evaluator, whose judges ask the cache first. Results that cost nothing are marked.
   *
   * @param outer The middleware between the cache and the models.
   */
  async evaluate(
    repetition: number,
    evaluator: () => Promise<EvaluationResult[]>,
    outer?: ModelMiddleware,
  ): Promise<EvaluationResult[]> {
    const call = new CachedCall(this, repetition, outer);
    let results: EvaluationResult[];
    try {
      results = await middlewareScopes().run(call, evaluator);
      await call.keepVectors();
    } finally {
      await call.keep();
    }
    if (!call.isFree) return results;
    return results.map((result) => ({ ...result, metadata: { ...result.metadata, cached: true } }));
  }

  /** The answer to a question, and whether it comes from `ask`. */
  async answer(
    question: CacheQuestion,
    ask: () => Promise<Completion>,
    outer: ModelMiddleware | undefined,
    signal: AbortSignal | undefined,
  ): Promise<CacheEntry> {
    const key = await sha256(JSON.stringify(question), "A cache");
    const other = this.#pending.get(key);
    const pending =
      other ?? this.#first(key, question, ask, outer, signal).finally(() => this.#pending.delete(key));
    if (!other) this.#pending.set(key, pending);
    const { answer, isFresh } = await (other && outer ? outer.wait(pending) : pending);
    return { key, question, answer, isFresh: isFresh && !other };
  }

  /** Asks a judge without an identity. Its answers are not kept. */
  async askUnknown(asked: JudgeSource, ask: () => Promise<Completion>): Promise<Completion> {
    if (this.#mode !== "replay") return ask();
    const judge = typeof asked.judge === "function" ? "a function" : "a model without a name and an address";
    throw invalidConfig(
      `The judge is ${judge}, whose answers are not cached, so there is nothing to replay. Name it with cacheKey, ` +
        'and record it with cacheMode "auto" or "record"',
    );
  }

  /** Answers this question, until it is kept. */
  use({ key, answer }: CacheEntry): void {
    this.#questions.used.set(key, answer);
  }

  /** Drops an answer that was not used. */
  discard({ key }: CacheEntry): void {
    this.#questions.used.delete(key);
  }

  async keep({ key, question, answer }: CacheEntry): Promise<void> {
    const entry = { ...question, answer: toKept(answer) };
    await this.#store.set(key, () => `${JSON.stringify(entry, null, 2)}\n`);
    this.#questions.used.delete(key);
  }

  /** The answer to a question that this experiment is not asking yet. Another one may be. */
  #first(
    key: string,
    question: CacheQuestion,
    ask: () => Promise<Completion>,
    outer: ModelMiddleware | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Obtained> {
    const wait = (work: Promise<unknown>) => outer?.wait(work) ?? work;
    return this.#questions.ask(key, () => this.#obtain(key, question, ask), wait, signal);
  }

  async #obtain(key: string, question: CacheQuestion, ask: () => Promise<Completion>): Promise<Obtained> {
    const found = this.#questions.used.get(key) ?? (await this.#find(key, question));
    // Earlier versions also kept unusable answers. Their errors can be replayed.
    if (found && (this.#mode === "replay" || found.finish === "complete"))
      return { answer: found, isFresh: false };
    if (this.#mode === "replay") throw missing(question);
    return { answer: await ask(), isFresh: true };
  }

  async #find(key: string, question: CacheQuestion): Promise<Completion | undefined> {
    const found = await this.#store.find(key, question, JUDGE_ANSWER);
    return found && fromKept(found);
  }
}

/** A call of an evaluator, whose judges ask the cache first. */
class CachedCall implements ModelMiddleware {
  readonly #cache: JudgeCache;
  readonly #repetition: number;
  /** The middleware between the cache and the models. */
  readonly #outer: ModelMiddleware | undefined;
  /** The number of times that each question was asked in this call. */
  readonly #asked = new Map<string, number>();
  /** The answers to keep, by the model that a judge asked. */
  readonly #kept = new Map<EngineModel, CacheEntry[]>();
  readonly #vectors: VectorEntry[] = [];
  /** The numbers of answers and vectors from the cache and from a model. */
  readonly #answers = { cached: 0, fresh: 0 };

  constructor(cache: JudgeCache, repetition: number, outer: ModelMiddleware | undefined) {
    this.#cache = cache;
    this.#repetition = repetition;
    this.#outer = outer;
  }

  /** Whether all answers came from the cache. */
  get isFree(): boolean {
    return this.#answers.cached > 0 && this.#answers.fresh === 0;
  }

  open(openOwn: () => EngineModel, asked: JudgeSource, copy: PackageCopy): EngineModel {
    checkVersion(copy);
    const openModel = () => this.#outer?.open(openOwn, asked, copy) ?? openOwn();
    /** By their messages, with which the engine identifies them. */
    const entries = new Map<string, CacheEntry[]>();
    const kept: CacheEntry[] = [];
    let identity: Promise<Identity | undefined> | undefined;
    const inScope = scopeOfCall();
    const signal = currentSignal() as AbortSignal | undefined;

    const ask: Ask = async (messages, schema, logprobs) => {
      // The engine calls this later, perhaps in the scope of another call.
      const askNow = () =>
        inScope(() =>
          middlewareScopes().resume(this, () => complete(copy, openModel, messages, schema, logprobs)),
        );
      identity ??= identityOf(asked);
      const model = await identity;
      if (!model) {
        this.#answers.fresh++;
        return jsonOf(await this.#cache.askUnknown(asked, askNow));
      }
      const question = this.#question(model, asked.isShared, messages, schema, logprobs);
      const entry = await this.#cache.answer(question, askNow, this.#outer, signal);
      entries.set(messages, [...(entries.get(messages) ?? []), entry]);
      this.#answers[entry.isFresh ? "fresh" : "cached"]++;
      // No request was sent for a cached answer.
      return jsonOf(entry.isFresh ? entry.answer : { ...entry.answer, attempts: 0 });
    };
    const used: Used = (question, asked) => {
      const first = entries.get(question)?.shift();
      const last = question === asked ? first : entries.get(asked)?.shift();
      if (!first || !last || !(first.isFresh || last.isFresh)) return;
      const entry = first === last ? first : { ...first, answer: afterAll(first.answer, last.answer) };
      kept.push(entry);
      this.#cache.use(entry);
    };
    const model = copy.models.fromClient(ask, used);
    this.#kept.set(model, kept);
    return model;
  }

  async embed(embeddings: unknown, texts: readonly string[], embed: Embed): Promise<Embedded> {
    const model = embeddingsIdentityOf(embeddings);
    if (!model) return embed(texts);
    const { entries, used } = await this.#cache.vectors.entriesOf(model, texts, embed);
    this.#vectors.push(...entries);
    const cached = entries.filter(({ isFresh }) => !isFresh);
    this.#answers.cached += cached.length;
    this.#answers.fresh += entries.length - cached.length;
    return {
      vectors: entries.map(({ answer }) => answer.vector),
      used: cached.length ? [...used, recordedUsage(model, cached)] : used,
    };
  }

  wait<T>(coming: Promise<T>): Promise<T> {
    return this.#outer?.wait(coming) ?? coming;
  }

  discard(model: EngineModel): void {
    for (const entry of this.#kept.get(model) ?? []) this.#cache.discard(entry);
    this.#kept.delete(model);
  }

  /** Keeps the vectors, which led to a result. */
  async keepVectors(): Promise<void> {
    await Promise.all(this.#vectors.map((entry) => this.#cache.vectors.keep(entry)));
  }

  /** Keeps the answers that were used. */
  async keep(): Promise<void> {
    const entries = [...this.#kept.values()].flat();
    await Promise.all(entries.map((entry) => this.#cache.keep(entry)));
  }

  #question(
    model: Identity,
    isShared: boolean | undefined,
    ...[messages, schema, logprobs]: Parameters<Ask>
  ): CacheQuestion {
    const { schema: text, ...form } = schema ? parsed(schema) : { schema: undefined, ...DEFAULT_FORM };
    const isDefault = form.name === DEFAULT_FORM.name && form.strict === DEFAULT_FORM.strict;
    const asked = {
      model,
      messages: parsed(messages),
      schema: text && JSON.parse(text),
      form: isDefault ? undefined : form,
      logprobs: logprobs || undefined,
    };
    const identity = JSON.stringify(asked);
    const before = this.#asked.get(identity) ?? 0;
    this.#asked.set(identity, before + 1);
    // Asks a question that all rows share in the first repetition that needs it.
    return { ...asked, repetition: isShared ? 0 : this.#repetition, before };
  }
}

/** The answer to a repeated question, with the usage of both requests. */
function afterAll(first: Completion, last: Completion): Completion {
  const [a, b] = [first.usage, last.usage];
  const usage = a && b ? sum(a, b) : (a ?? b);
  return { ...last, ...(usage && { usage }), attempts: first.attempts + last.attempts };
}

function sum(a: Usage, b: Usage): Usage {
  const usage = { ...a };
  addUsage(usage, b);
  return usage;
}

async function complete(
  copy: PackageCopy,
  openModel: () => EngineModel,
  ...[messages, schema, logprobs]: Parameters<Ask>
): Promise<Completion> {
  try {
    const engine = await copy.engine.load();
    const answer: JsonOf<Completion> = await engine.wait("a judge", messages.length, (own) =>
      own(openModel()).complete(messages, schema, logprobs),
    );
    return parsed(answer);
  } catch (error) {
    throw fromModel(error);
  }
}

function missing({ model, messages, repetition, before }: CacheQuestion): OpenEvalsError {
  const last = messages.at(-1)?.content;
  const again = before ? ` (request ${before + 1})` : "";
  return new OpenEvalsError(
    "cache_miss",
    `The cache has no answer of ${shownIdentity(model)} in repetition ${repetition}${again} to ` +
      `${show(last)}. Record it with cacheMode "auto" or "record" (on the command line: --cache-mode auto).`,
  );
}
