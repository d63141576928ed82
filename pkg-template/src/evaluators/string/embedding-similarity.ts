import { scoresEngine } from "../../core/engine/scores.js";
import {
  callbackFailed,
  inPlace,
  invalidConfig,
  invalidInput,
  isOurs,
  type OpenEvalsError,
  unreadable,
} from "../../core/errors.js";
import { anything, checkOptions, type OptionChecks, oneOf, readable } from "../../core/input/checks.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { toText } from "../../core/input/text.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { msSince } from "../../core/platform/elapsed.js";
import { CORRELATION, EMBEDDING_DOT_PRODUCT } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../../core/types.js";
import { type Embed, type EmbeddingUsage, embedOf } from "../../models/chat/embed.js";
import { initEmbeddings } from "../../models/chat/embeddings.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import * as bindings from "../../openevals.js";

const KEY = "embedding_similarity";

/**
 * Converts a text to a vector: LangChain's `Embeddings`, any object with `embedQuery`, or a function. The cache of an experiment
 * keeps the vectors of objects with the name of their `model`.
 */
export type Embeddings =
  | { model?: unknown; embedQuery(text: string): Promise<ArrayLike<number>> | ArrayLike<number> }
  | ((text: string) => Promise<ArrayLike<number>> | ArrayLike<number>);

/** The options of {@link createEmbeddingSimilarityEvaluator}. */
export interface EmbeddingSimilarityOptions extends PassOptions {
  /**
   * The embedding model: its name, such as `openai:text-embedding-3-small`, the result of {@link initEmbeddings}, any
   * object with `embedQuery`, or a function. The first two get all texts of a row, or of a batch, in one request; the
   * others are called once for each text.
   */
  embeddings: string | Embeddings;
  /** `cosine` similarity (the default), or `dot_product`. */
  algorithm?: "cosine" | "dot_product";
}

const OPTIONS: OptionChecks<EmbeddingSimilarityOptions> = {
  embeddings: anything,
  algorithm: oneOf(["cosine", "dot_product"]),
  ...PASS_OPTIONS,
};

/**
 * Makes an evaluator that scores the similarity of two texts by their embeddings. Values that are not strings are
 * embedded as JSON text.
 *
 * @returns An evaluator whose result is `{ key: "embedding_similarity", score }`, with `score` rounded to two decimals:
 * from -1 to 1 for `cosine`, unbounded for `dot_product`. With a model by name or of {@link initEmbeddings}, `metadata` has the
 * `model`, `usage`, `attempts` and `latencyMs`; in a batch, that of the first result, for all rows.
 * @throws {@link OpenEvalsError} `invalid_config` for an unknown algorithm or embeddings that cannot be called. The
 * evaluator throws `invalid_input` for a missing text, for a vector with anything but finite numbers (the message names
 * the place), and for vectors that cannot be compared; `callback_failed`, with the `cause`, if the embeddings throw.
 *
 * @example
 * ```ts
 * import { createEmbeddingSimilarityEvaluator } from "openevals-wasm";
 *
 * const countVowels = (text: string) => [..."aeiou"].map((vowel) => text.split(vowel).length - 1);
 * const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: countVowels });
 * const result = await evaluator({ outputs: "banana", referenceOutputs: "papaya" });
 * console.log(result); // { key: "embedding_similarity", score: 1 }
 * ```
 */
export function createEmbeddingSimilarityEvaluator(options: EmbeddingSimilarityOptions): Evaluator {
  const maker = "createEmbeddingSimilarityEvaluator";
  const { embeddings, algorithm = "cosine", ...marks } = checkOptions(maker, options, OPTIONS);
  const embedder = readable(maker, () => new Embedder(embeddings));

  const score = async (comparisons: readonly ComparedValues[], place: (index: number) => string) => {
    const texts = comparisons.flatMap(({ outputs, referenceOutputs }, index) => {
      const at = (name: string, value: unknown) => {
        const path = place(index) + name;
        return { path, text: toText(value, path) };
      };
      return [at("outputs", outputs), at("referenceOutputs", referenceOutputs)];
    });
    const started = performance.now();
    const { vectors, used } = await embedder.embed(texts);
    const metadata = used.length ? { ...metadataOf(used), latencyMs: msSince(started) } : undefined;
    const engine = await scoresEngine.load();
    return comparisons.map((_, index): EvaluatorResult => {
      const [vector, reference] = [vectors[2 * index], vectors[2 * index + 1]] as [
        Float64Array,
        Float64Array,
      ];
      try {
        const score = engine.run("embedding similarity", vector.length, () => {
          return bindings.embeddingSimilarity(algorithm, vector, reference);
        });
        // The rows of a batch share their requests, so these count once.
        return { key: KEY, score, ...(metadata && index === 0 && { metadata }) };
      } catch (error) {
        const row = place(index).slice(0, -1);
        throw row && isOurs(error) ? inPlace(row, error) : error;
      }
    });
  };

  const scale = withPassMark(algorithm === "cosine" ? CORRELATION : EMBEDDING_DOT_PRODUCT, marks);
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]) => {
      const [result] = await score([readArguments("The embedding similarity evaluator", args)], () => "");
      return result as EvaluatorResult;
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> =>
      score(readRows("the embedding similarity evaluator", rows), (index) => `rows[${index}].`),
  );
  return Object.assign(evaluator, { scale, ...(embedder.model !== undefined && { model: embedder.model }) });
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** The metadata of a result whose requests used this. Vectors from a cache are a part with its own mark. */
function metadataOf(used: readonly EmbeddingUsage[]): Record<string, unknown> {
  const [first] = used;
  if (used.length === 1) return { ...first };
  const tokens = used.flatMap(({ usage }) => usage?.inputTokens ?? []);
  return {
    model: first?.model,
    ...(tokens.length && { usage: { inputTokens: sumOf(tokens), outputTokens: 0 } }),
    attempts: sumOf(used.map(({ attempts }) => attempts)),
    parts: used.map((metadata) => ({ metadata })),
  };
}

/** A text, and its name in errors. */
interface Text {
  path: string;
  text: string;
}

/**
 * Converts texts to vectors.
 *
 * @internal
 */
export class Embedder {
  /** The name of a model of this package. */
  readonly model: string | undefined;
  readonly #embeddings: Embeddings;
  readonly #embed: Embed;

  constructor(given: string | Embeddings) {
    const embeddings = typeof given === "string" ? initEmbeddings(given) : given;
    const embed = embedOf(embeddings);
    this.model = embed && (embeddings as { model?: string }).model;
    this.#embeddings = embeddings;
    this.#embed = embed ?? oneByOne(embeddings);
  }

  /** The vectors of texts, in their order, and what was used. A model of this package embeds the same text once. */
  async embed(texts: readonly Text[]): Promise<{ vectors: Float64Array[]; used: readonly EmbeddingUsage[] }> {
    const all = texts.map(({ text }) => text);
    const asked = this.model === undefined ? all : [...new Set(all)];
    const found = currentMiddleware()?.embed?.(this.#embeddings, asked, this.#embed);
    const { vectors, used } = await (found ?? this.#embed(asked));
    const places = new Map(asked.map((text, index) => [text, index]));
    const placeOf = (text: string, index: number) => (asked === all ? index : Number(places.get(text)));
    return {
      vectors: texts.map(({ path, text }, index) => asVector(vectors[placeOf(text, index)], path)),
      used,
    };
  }
}

/** Embeds texts with a function, or with embeddings of another package. */
function oneByOne(embeddings: Embeddings): Embed {
  let call: (text: string) => Promise<ArrayLike<number>> | ArrayLike<number>;
  if (typeof embeddings === "function") call = embeddings;
  else if (typeof embeddings?.embedQuery === "function") call = (text) => embeddings.embedQuery(text);
  else {
    throw invalidConfig(
      'embeddings has to be the name of a model, such as "openai:text-embedding-3-small", a function ' +
        "(text) => vector, or an object with embedQuery(text), such as LangChain's",
    );
  }
  return async (texts) => {
    const vectors: unknown[] = [];
    // Sequential, as in the reference package: some embedding models allow no concurrent requests.
    for (const text of texts) {
      try {
        vectors.push(await call(text));
      } catch (error) {
        throw callbackFailed("The embeddings", error);
      }
    }
    return { vectors, used: [] };
  };
}

/** Checks and copies a vector. `Float64Array.from` alone would convert anything to numbers. */
function asVector(vector: unknown, path: string): Float64Array {
  try {
    const { length } = Object(vector);
    if (typeof vector !== "object" || typeof length !== "number")
      throw invalidVector(`${path} is ${kindOf(vector)} instead of a list of numbers`);
    if (length === 0) throw invalidVector(`${path} is empty`);
    const numbers: number[] = [];
    for (let index = 0; index < length; index++) {
      const number = (vector as ArrayLike<unknown>)[index];
      if (!Number.isFinite(number)) throw invalidVector(`${path} holds ${kindOf(number)} at [${index}]`);
      numbers.push(number as number);
    }
    return Float64Array.from(numbers);
  } catch (error) {
    throw isOurs(error) ? error : unreadable(`The vector of ${path}`, error);
  }
}

const invalidVector = (problem: string): OpenEvalsError =>
  invalidInput(`The vector of ${problem}. Embeddings have to be lists of finite numbers`);

function kindOf(value: unknown): string {
  if (value == null || typeof value === "number") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
