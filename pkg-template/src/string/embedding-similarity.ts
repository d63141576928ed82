import { EmbeddingsModel, initEmbeddings } from "../chat/embeddings.js";
import { loadEngine } from "../engine/load.js";
import { callbackFailed, OpenEvalsError } from "../errors.js";
import { anything, type Checks, checkOptions, oneOf } from "../input/checks.js";
import { toText } from "../input/json.js";
import { type Comparison, readArguments } from "../input/params.js";
import { readRows } from "../input/rows.js";
import { tracedEvaluator } from "../tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../types.js";

const KEY = "embedding_similarity";

/** Turns a text into a vector: LangChain's `Embeddings`, anything else with `embedQuery`, or a function. */
export type Embeddings =
  | { embedQuery(text: string): Promise<ArrayLike<number>> | ArrayLike<number> }
  | ((text: string) => Promise<ArrayLike<number>> | ArrayLike<number>);

/** The options of {@link createEmbeddingSimilarityEvaluator}. */
export interface EmbeddingSimilarityOptions {
  /**
   * What turns a text into a vector: the name of a model, such as `openai:text-embedding-3-small`, what
   * {@link initEmbeddings} returns, or anything else with `embedQuery`, or a function. Of the first two, both texts, or
   * those of a whole batch, are asked for together; the others are called once for each text.
   */
  embeddings: string | Embeddings;
  /** `cosine` (the default), the cosine of the angle between the vectors, or `dot_product`. */
  algorithm?: "cosine" | "dot_product";
}

const OPTIONS: Checks<EmbeddingSimilarityOptions> = {
  embeddings: anything,
  algorithm: oneOf(["cosine", "dot_product"]),
};

/**
 * Makes an evaluator that scores how close the embeddings of two texts are. What is not a string is embedded as its
 * JSON text.
 *
 * @returns An evaluator whose result is `{ key: "embedding_similarity", score }`, with `score` rounded to two
 * decimals: from -1 to 1 for `cosine`, unbounded for `dot_product`.
 * @throws {@link OpenEvalsError} `invalid_config` for an unknown algorithm or embeddings that cannot be called. The
 * evaluator throws `invalid_input` for missing texts and vectors that cannot be compared, and `callback_failed` with
 * the `cause` when the embeddings throw.
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
  const { embeddings, algorithm = "cosine" } = checkOptions(maker, options, OPTIONS);
  const embed = embedder(typeof embeddings === "string" ? initEmbeddings(embeddings) : embeddings);

  const score = async (comparisons: readonly Comparison[], place: (index: number) => string) => {
    const pairs = comparisons.map(({ outputs, referenceOutputs }, index) => [
      toText(outputs, `${place(index)}outputs`),
      toText(referenceOutputs, `${place(index)}referenceOutputs`),
    ]);
    const vectors = await embed(pairs.flat());
    const engine = await loadEngine();
    return pairs.map((_, index): EvaluatorResult => {
      const [vector, reference] = [vectors[2 * index], vectors[2 * index + 1]] as [
        Float64Array,
        Float64Array,
      ];
      const score = engine.run("embedding similarity", vector.length, (bindings) => {
        return bindings.embeddingSimilarity(algorithm, vector, reference);
      });
      return { key: KEY, score };
    });
  };

  return tracedEvaluator(
    KEY,
    async (...args: unknown[]) => {
      const [result] = await score([readArguments("The embedding similarity evaluator", args)], () => "");
      return result as EvaluatorResult;
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> =>
      score(readRows("the embedding similarity evaluator", rows), (index) => `rows[${index}].`),
  );
}

/** What turns texts into vectors, in their order. */
function embedder(embeddings: Embeddings): (texts: string[]) => Promise<Float64Array[]> {
  if (embeddings instanceof EmbeddingsModel) {
    return async (texts) => {
      const different = [...new Set(texts)];
      const vectors = await embeddings.embedDocuments(different);
      const known = new Map(different.map((text, index) => [text, Float64Array.from(vectors[index] ?? [])]));
      return texts.map((text) => known.get(text) as Float64Array);
    };
  }
  let call: (text: string) => Promise<ArrayLike<number>> | ArrayLike<number>;
  if (typeof embeddings === "function") call = embeddings;
  else if (typeof embeddings?.embedQuery === "function") call = (text) => embeddings.embedQuery(text);
  else {
    throw new OpenEvalsError(
      "invalid_config",
      'embeddings has to be the name of a model, such as "openai:text-embedding-3-small", a function ' +
        "(text) => vector, or an object with embedQuery(text), such as LangChain's.",
    );
  }
  return async (texts) => {
    const vectors: Float64Array[] = [];
    // One after the other, as the reference package does it: some embedding models allow no concurrent requests.
    for (const text of texts) vectors.push(await asVector(call, text));
    return vectors;
  };
}

async function asVector(
  call: (text: string) => Promise<ArrayLike<number>> | ArrayLike<number>,
  text: string,
): Promise<Float64Array> {
  let vector: ArrayLike<number>;
  try {
    vector = await call(text);
  } catch (error) {
    throw callbackFailed("The embeddings", error);
  }
  if (typeof vector !== "object" || vector === null || typeof vector.length !== "number") {
    throw new OpenEvalsError(
      "invalid_input",
      `The embeddings returned ${typeof vector} instead of a list of numbers.`,
    );
  }
  return Float64Array.from(vector);
}
