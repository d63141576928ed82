/** Similarity of texts by their embeddings. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { readable } from "../../core/input/checks.js";
import { initEmbeddings } from "../../models/chat/embeddings.js";
import { currentMiddleware } from "../../models/chat/model-middleware.js";
import * as bindings from "../../openevals-judges.js";
import { type Embeddings, embedder } from "../string/embedding-similarity.js";
import type { Steps } from "./steps.js";

/** The mean cosine similarity of a text and others, from 0 to 1. */
export type Similarity = (steps: Steps, text: string, others: readonly string[]) => Promise<number>;

/** Makes a {@link Similarity}. */
export function similarityBy(maker: string, embeddings: string | Embeddings | undefined): Similarity {
  if (embeddings === undefined) {
    throw invalidConfig(`${maker} needs embeddings, such as "openai:text-embedding-3-small"`);
  }
  const embed = readable(maker, () =>
    embedder(typeof embeddings === "string" ? initEmbeddings(embeddings) : embeddings),
  );
  return async (steps, text, others) => {
    // An estimate asks no model.
    if (currentMiddleware()?.expect) return 0;
    const vectors = await embed([text, ...others].map((text, index) => ({ path: `text ${index}`, text })));
    const { length = 0 } = vectors[0] ?? {};
    if (vectors.some((vector) => vector.length !== length)) {
      throw invalidInput("The embeddings have vectors of different lengths; use one model for all of them");
    }
    const all = new Float64Array(length * vectors.length);
    for (const [index, vector] of vectors.entries()) all.set(vector, index * length);
    return steps.compute(() => bindings.meanSimilarity(all, others.length));
  };
}
