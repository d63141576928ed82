/** Caches the vectors of embeddings. An entry has the vector of one text, which all rows and repetitions share. */

import { OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { sha256 } from "../../../core/input/sha256.js";
import type { Embed, EmbeddingUsage } from "../../../models/chat/embed.js";
import { type Identity, shownIdentity } from "./identity.js";
import type { AnswerKind, Store } from "./store.js";
import type { CacheMode } from "./types.js";

interface VectorQuestion {
  model: Identity;
  text: string;
}

/** A vector, and the share of its text in the tokens of the request, if these are known. */
interface KeptVector {
  vector: ArrayLike<number>;
  inputTokens?: number | undefined;
}

/** A text with its vector. */
export interface VectorEntry {
  key: string;
  question: VectorQuestion;
  answer: KeptVector;
  /** Whether it was requested for this call. */
  isFresh: boolean;
}

/** The vectors of texts that were requested together, by their key, and what the request used. */
interface Requested {
  entries: Map<string, VectorEntry>;
  used: readonly EmbeddingUsage[];
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

const VECTOR: AnswerKind<VectorQuestion, KeptVector> = {
  name: "the vector of a text",
  textOf: ({ text }) => text,
  isAnswer(value): value is KeptVector {
    const { vector, inputTokens } = Object(value) as Partial<KeptVector>;
    const isVector = Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
    return isVector && (inputTokens === undefined || isCount(inputTokens));
  },
};

/** The vectors of one experiment. */
export class VectorCache {
  readonly #store: Store;
  readonly #mode: CacheMode;
  /** Vectors that are not written yet. */
  readonly #unwritten = new Map<string, KeptVector>();
  /** Pending requests by the keys of their texts, so that the same text is not requested twice at the same time. */
  readonly #pending = new Map<string, Promise<Requested>>();

  constructor(store: Store, mode: CacheMode) {
    this.#store = store;
    this.#mode = mode;
  }

  /** The vectors of texts, in their order. Missing texts are requested together. */
  async entriesOf(
    model: Identity,
    texts: readonly string[],
    embed: Embed,
  ): Promise<{ entries: VectorEntry[]; used: readonly EmbeddingUsage[] }> {
    const asked = await Promise.all(
      texts.map(async (text) => {
        const question = { model, text };
        return { question, key: await sha256(JSON.stringify(question), "A cache") };
      }),
    );
    const others = asked.map(({ key }) => this.#pending.get(key));
    const ownTexts = asked.filter((_, index) => !others[index]);
    const requesting = this.#obtain(ownTexts, embed).finally(() => {
      for (const { key } of ownTexts) this.#pending.delete(key);
    });
    for (const { key } of ownTexts) this.#pending.set(key, requesting);
    const own = await requesting;
    let { used } = own;
    const entries: VectorEntry[] = [];
    for (const [index, { key, question }] of asked.entries()) {
      // Another text may have failed the request of another row.
      const other = await others[index]?.catch(() => undefined);
      const found = own.entries.get(key) ?? other?.entries.get(key);
      if (found) entries.push(other ? { ...found, isFresh: false } : found);
      else {
        const again = await this.entriesOf(model, [question.text], embed);
        entries.push(...again.entries);
        used = [...used, ...again.used];
      }
    }
    return { entries, used };
  }

  /** Stores a vector, unless it is from the store, or another call has stored it. */
  async keep({ key, question, answer }: VectorEntry): Promise<void> {
    if (!this.#unwritten.has(key)) return;
    await this.#store.set(key, () => {
      const kept = { ...answer, vector: Array.from(answer.vector) };
      if (!VECTOR.isAnswer(kept)) throw new Error("a vector is not a list of finite numbers");
      // In one line, because a vector has thousands of numbers.
      return `${JSON.stringify({ ...question, answer: kept })}\n`;
    });
    this.#unwritten.delete(key);
  }

  async #obtain(asked: readonly Pick<VectorEntry, "key" | "question">[], embed: Embed): Promise<Requested> {
    const entries = new Map<string, VectorEntry>();
    const found = await Promise.all(asked.map(({ key, question }) => this.#find(key, question)));
    for (const [index, answer] of found.entries()) {
      const { key, question } = asked[index] as (typeof asked)[0];
      if (answer) entries.set(key, { key, question, answer, isFresh: false });
    }
    const missing = asked.filter(({ key }) => !entries.has(key));
    if (!missing[0]) return { entries, used: [] };
    if (this.#mode === "replay") throw missingVector(missing[0].question);
    const texts = missing.map(({ question }) => question.text);
    const { vectors, used } = await embed(texts);
    const tokens = tokensOfEach(texts, used);
    for (const [index, { key, question }] of missing.entries()) {
      const answer = { vector: vectors[index] as ArrayLike<number>, inputTokens: tokens?.[index] };
      this.#unwritten.set(key, answer);
      entries.set(key, { key, question, answer, isFresh: true });
    }
    return { entries, used };
  }

  async #find(key: string, question: VectorQuestion): Promise<KeptVector | undefined> {
    return this.#unwritten.get(key) ?? (await this.#store.find(key, question, VECTOR));
  }
}

/** What vectors from the cache used when they were recorded. */
export function recordedUsage(model: Identity, entries: readonly VectorEntry[]): EmbeddingUsage {
  const tokens = entries.flatMap(({ answer }) => answer.inputTokens ?? []);
  const inputTokens = tokens.reduce((sum, count) => sum + count, 0);
  const usage = tokens.length > 0 && { usage: { inputTokens, outputTokens: 0 } };
  return { model: String(model.name), ...usage, attempts: 0, cached: true };
}

/** The tokens of requests, distributed by the lengths of its texts: whole numbers with the same sum. */
function tokensOfEach(texts: readonly string[], used: readonly EmbeddingUsage[]): number[] | undefined {
  if (!used.length || used.some(({ usage }) => !usage || usage.unreadable !== undefined)) return undefined;
  const tokens = used.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0);
  const all = texts.reduce((sum, { length }) => sum + length, 0);
  let [length, given] = [0, 0];
  return texts.map((text) => {
    length += text.length;
    const upTo = length === all ? tokens : Math.round((tokens * length) / all);
    const own = upTo - given;
    given = upTo;
    return own;
  });
}

function missingVector({ model, text }: VectorQuestion): OpenEvalsError {
  return new OpenEvalsError(
    "cache_miss",
    `The cache has no vector of ${shownIdentity(model)} for ${show(text)}. Record it with cacheMode "auto" or ` +
      '"record" (on the command line: --cache-mode auto).',
  );
}
