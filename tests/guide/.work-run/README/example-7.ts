const __report = globalThis.__report;
import { createEmbeddingSimilarityEvaluator } from "openevals-wasm";

const similar = createEmbeddingSimilarityEvaluator({ embeddings: "openai:text-embedding-3-small" });
await similar({ outputs: "The weather is nice.", referenceOutputs: "It is a fine day." });

export {};
