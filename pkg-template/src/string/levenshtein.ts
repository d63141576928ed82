import type { Engine } from "../engine/engine.js";
import { loadEngine, loadedEngine } from "../engine/load.js";
import { toText } from "../input/json.js";
import { readArguments, readRows } from "../input/params.js";
import { tracedEvaluator } from "../tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../types.js";

const KEY = "levenshtein_distance";
const TASK = "levenshteinDistance";

/**
 * Scores how similar two texts are: 1 minus the Levenshtein distance over the length of the longer text, counted in
 * UTF-16 code units. What is not a string is compared as its JSON text.
 *
 * @returns `{ key: "levenshtein_distance", score }` with `score` from 0 (nothing in common) to 1 (equal).
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, or holds what JSON cannot.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 *
 * const result = await levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });
 * console.log(result); // { key: "levenshtein_distance", score: 0.5714285714285714 }
 * ```
 */
export const levenshteinDistance: Evaluator = /* @__PURE__ */ tracedEvaluator(
  KEY,
  async (...args: unknown[]): Promise<EvaluatorResult> => {
    const params = readArguments("levenshteinDistance", args);
    const outputs = toText(params.outputs, "outputs");
    const referenceOutputs = toText(params.referenceOutputs, "referenceOutputs");
    if (outputs === referenceOutputs) return { key: KEY, score: 1 };
    const engine = loadedEngine() ?? (await loadEngine());
    // Lone surrogates do not survive the way of a string into the engine; it says so, and gets the code units.
    const size = outputs.length + referenceOutputs.length;
    const score =
      engine.run(TASK, size, (bindings) => bindings.levenshtein(outputs, referenceOutputs)) ??
      similarities(engine, [outputs, referenceOutputs])[0];
    return { key: KEY, score: score as number };
  },
  async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
    const texts = readRows("levenshteinDistance", rows).flatMap(({ outputs, referenceOutputs }, index) => [
      toText(outputs, `rows[${index}].outputs`),
      toText(referenceOutputs, `rows[${index}].referenceOutputs`),
    ]);
    const scores = similarities(await loadEngine(), texts);
    return Array.from(scores, (score) => ({ key: KEY, score }));
  },
);

/** The similarity of each two consecutive texts. */
function similarities(engine: Engine, texts: readonly string[]): Float64Array {
  const joined = texts.join("");
  const units = new Uint16Array(joined.length);
  for (let index = 0; index < units.length; index++) units[index] = joined.charCodeAt(index);
  const lengths = Uint32Array.from(texts, (text) => text.length);
  return engine.run(TASK, units.length, (bindings) => bindings.levenshteinBatch(units, lengths));
}
