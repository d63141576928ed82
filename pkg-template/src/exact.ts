import { loadEngine, loadedEngine } from "./engine/load.js";
import { toJson } from "./input/json.js";
import { readArguments, readRows, rowsToJson } from "./input/params.js";
import { tracedEvaluator } from "./tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "./types.js";

const KEY = "exact_match";

/**
 * Scores whether the outputs are equal to the reference.
 *
 * Equality is that of JSON values: the order of keys never matters, the order of lists does, `undefined` counts as
 * `null`, as `NaN` does, and a `Date` is its ISO text.
 *
 * @returns `{ key: "exact_match", score }` with `score` `true` or `false`.
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, or holds what JSON cannot: a cycle, a
 * `BigInt`, a function. The message says where.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 *
 * const result = await exactMatch({ outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 } });
 * console.log(result); // { key: "exact_match", score: true }
 * ```
 */
export const exactMatch: Evaluator = /* @__PURE__ */ tracedEvaluator(
  KEY,
  async (...args: unknown[]): Promise<EvaluatorResult> => {
    const params = readArguments("exactMatch", args);
    const outputs = toJson(params.outputs, "outputs");
    const referenceOutputs = toJson(params.referenceOutputs, "referenceOutputs");
    // Equal values have texts of equal length, whatever the order of their keys, so most answers need no engine.
    if (outputs === referenceOutputs) return { key: KEY, score: true };
    if (outputs.length !== referenceOutputs.length) return { key: KEY, score: false };
    const engine = loadedEngine() ?? (await loadEngine());
    const size = outputs.length + referenceOutputs.length;
    return {
      key: KEY,
      score: engine.run("exactMatch", size, (bindings) => bindings.exactMatch(outputs, referenceOutputs)),
    };
  },
  async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
    const json = rowsToJson(readRows("exactMatch", rows));
    const engine = await loadEngine();
    const scores = engine.run("exactMatch.batch", json.length, (bindings) => bindings.exactMatchBatch(json));
    return Array.from(scores, (score) => ({ key: KEY, score: score === 1 }));
  },
);
