import { writeAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import type { Cache } from "./types.js";

/** The caches by path, so that experiments with the same directory share their questions. */
const caches = new Map<string, Cache>();

const NO_FILES = "directoryCache needs a file system. Pass a Map or a key-value store instead";

/**
 * A cache in a directory, with a file for each answer: readable JSON that can be committed.
 *
 * @param path The directory. It is created with the first answer.
 * @throws {@link OpenEvalsError} `invalid_config` in runtimes without a file system.
 *
 * @example Answers are recorded in development, and replayed where there is no key.
 * ```ts
 * import { createLLMAsJudge, CONCISENESS_PROMPT } from "openevals-wasm";
 * import { directoryCache, evaluate } from "openevals-wasm/evaluation";
 *
 * export const run = (isCI: boolean) =>
 *   evaluate(async (question: string) => `You asked: ${question}`, {
 *     data: [{ inputs: "What is the capital of Kenya?" }],
 *     evaluators: [createLLMAsJudge({ prompt: CONCISENESS_PROMPT, model: "openai:gpt-5.4" })],
 *     judges: { cache: directoryCache("evals/cache"), cacheMode: isCI ? "replay" : "auto" },
 *   });
 * ```
 */
export function directoryCache(path: string): Cache {
  const { readFile } = builtin("node:fs/promises", NO_FILES);
  const cache: Cache = caches.get(path) ?? {
    async get(key) {
      try {
        return await readFile(`${path}/${key}.json`, "utf8");
      } catch (error) {
        if ((error as { code?: string }).code === "ENOENT") return undefined;
        throw error;
      }
    },
    set: (key, value) => writeAtomically(`${path}/${key}.json`, value, NO_FILES),
  };
  caches.set(path, cache);
  return cache;
}
