/** Similarity of texts by their embeddings. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import * as bindings from "../../openevals-judges.js";
import { Embedder, type Embeddings } from "../string/embedding-similarity.js";
import type { Steps } from "./steps.js";

/** The mean cosine similarity of a text and others, from 0 to 1. */
export interface Similarity {
  (steps: Steps, text: string, others: readonly string[]): Promise<number>;
  /** The name of the embeddings model, if it is one of this package. */
  embeddings: string | undefined;
}

/** An evaluator with the name of its embeddings model, which experiments look up in the prices. */
export const withEmbeddings = <Evaluator extends object>(
  evaluator: Evaluator,
  { embeddings }: Pick<Similarity, "embeddings">,
): Evaluator => (embeddings === undefined ? evaluator : Object.assign(evaluator, { embeddings }));

/** Makes a {@link Similarity}. */
export function similarityBy(maker: string, embeddings: string | Embeddings | undefined): Similarity {
  if (embeddings === undefined) {
    throw invalidConfig(`${maker} needs embeddings, such as "openai:text-embedding-3-small"`);
  }
  const embedder = readable(maker, () => new Embedder(embeddings));
  const similarity = async (steps: Steps, text: string, others: readonly string[]) => {
    const texts = [text, ...others].map((text, index) => ({ path: `text ${index}`, text }));
    const { vectors, used } = await embedder.embed(texts);
    steps.noteEmbeddings(used);
    const { length = 0 } = vectors[0] ?? {};
    if (vectors.some((vector) => vector.length !== length)) {
      throw invalidInput("The embeddings have vectors of different lengths; use one model for all of them");
    }
    const all = new Float64Array(length * vectors.length);
    for (const [index, vector] of vectors.entries()) all.set(vector, index * length);
    return steps.compute(() => bindings.meanSimilarity(all, others.length));
  };
  return Object.assign(similarity, { embeddings: embedder.model });
}
