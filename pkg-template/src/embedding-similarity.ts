import { loadEngine } from "./engine.js";
import { OpenEvalsError, throwing } from "./errors.js";
import { toText } from "./json.js";
import { oneOf } from "./options.js";
import { type Comparison, readArguments, readRows } from "./params.js";
import type { Evaluator, EvaluatorResult } from "./types.js";

const KEY = "embedding_similarity";

/** Turns a text into a vector: LangChain's `Embeddings`, anything else with `embedQuery`, or a function. */
export type Embeddings =
  | { embedQuery(text: string): Promise<ArrayLike<number>> | ArrayLike<number> }
  | ((text: string) => Promise<ArrayLike<number>> | ArrayLike<number>);

/** The options of {@link createEmbeddingSimilarityEvaluator}. */
export interface EmbeddingSimilarityOptions {
  /** What turns a text into a vector. It is called once for each text. */
  embeddings: Embeddings;
  /** `cosine` (the default), the cosine of the angle between the vectors, or `dot_product`. */
  algorithm?: "cosine" | "dot_product";
}

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
  const { embeddings, algorithm = "cosine" } = options ?? {};
  oneOf("algorithm", algorithm, ["cosine", "dot_product"]);
  const embed = embedder(embeddings);

  const score = async (comparison: Comparison, path: string): Promise<EvaluatorResult> => {
    const outputs = toText(comparison.outputs, `${path}outputs`);
    const referenceOutputs = toText(comparison.referenceOutputs, `${path}referenceOutputs`);
    // One after the other, as the reference package does it: some embedding models allow no concurrent requests.
    const vector = await embed(outputs);
    const referenceVector = await embed(referenceOutputs);
    const engine = await loadEngine();
    return {
      key: KEY,
      score: throwing(() => engine.embeddingSimilarity(algorithm, vector, referenceVector)),
    };
  };

  return Object.assign(
    async (...args: unknown[]) => score(readArguments("The embedding similarity evaluator", args), ""),
    {
      async batch(rows: readonly unknown[]): Promise<EvaluatorResult[]> {
        const comparisons = readRows("the embedding similarity evaluator", rows);
        const results: EvaluatorResult[] = [];
        for (const [index, comparison] of comparisons.entries()) {
          results.push(await score(comparison, `rows[${index}].`));
        }
        return results;
      },
    },
  );
}

function embedder(embeddings: Embeddings): (text: string) => Promise<Float64Array> {
  let call: (text: string) => Promise<ArrayLike<number>> | ArrayLike<number>;
  if (typeof embeddings === "function") call = embeddings;
  else if (typeof embeddings?.embedQuery === "function") call = (text) => embeddings.embedQuery(text);
  else {
    throw new OpenEvalsError(
      "invalid_config",
      "embeddings has to be a function (text) => vector, or an object with embedQuery(text), such as LangChain's.",
    );
  }
  return async (text) => {
    let vector: ArrayLike<number>;
    try {
      vector = await call(text);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new OpenEvalsError("callback_failed", `The embeddings failed: ${message}`, { cause });
    }
    if (typeof vector !== "object" || vector === null || typeof vector.length !== "number") {
      throw new OpenEvalsError(
        "invalid_input",
        `The embeddings returned ${typeof vector} instead of a list of numbers.`,
      );
    }
    return Float64Array.from(vector);
  };
}
