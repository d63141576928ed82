import { type Engine, loadEngine, loadedEngine } from "../engine.js";
import { OpenEvalsError, throwing } from "../errors.js";
import { toText } from "../input/json.js";
import { readArguments, readRows } from "../input/params.js";
import { tracedEvaluator } from "../tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../types.js";

const KEY = "levenshtein_distance";

/** How long a text may be, in UTF-16 code units; those of a batch together twice that. */
const MAX_UNITS = 100_000_000;

/**
 * Scores how similar two texts are: 1 minus the Levenshtein distance over the length of the longer text, counted in
 * UTF-16 code units. What is not a string is compared as its JSON text.
 *
 * @returns `{ key: "levenshtein_distance", score }` with `score` from 0 (nothing in common) to 1 (equal).
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, holds what JSON cannot, or is longer than
 * 100,000,000 code units.
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
    checkSize(outputs.length, MAX_UNITS, "outputs is");
    checkSize(referenceOutputs.length, MAX_UNITS, "referenceOutputs is");
    const engine = loadedEngine() ?? (await loadEngine());
    // Lone surrogates do not survive the way of a string into the engine; it says so, and gets the code units.
    const score =
      engine.levenshtein(outputs, referenceOutputs) ?? similarities(engine, [outputs, referenceOutputs])[0];
    return { key: KEY, score: score as number };
  },
  async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
    let units = 0;
    const read = (value: unknown, path: string) => {
      const text = toText(value, path);
      units += text.length;
      checkSize(text.length, MAX_UNITS, `${path} is`);
      checkSize(units, 2 * MAX_UNITS, `Up to ${path}, the texts of the batch are`);
      return text;
    };
    const texts = readRows("levenshteinDistance", rows).flatMap(({ outputs, referenceOutputs }, index) => [
      read(outputs, `rows[${index}].outputs`),
      read(referenceOutputs, `rows[${index}].referenceOutputs`),
    ]);
    const scores = similarities(await loadEngine(), texts);
    return Array.from(scores, (score) => ({ key: KEY, score }));
  },
);

function checkSize(units: number, limit: number, what: string): void {
  if (units <= limit) return;
  const [size, most] = [units, limit].map((count) => count.toLocaleString("en"));
  throw new OpenEvalsError(
    "invalid_input",
    `${what} ${size} UTF-16 code units long, and the engine takes at most ${most}: compare parts of it.`,
  );
}

/** The similarity of each two consecutive texts. */
function similarities(engine: Engine, texts: readonly string[]): Float64Array {
  const joined = texts.join("");
  const units = new Uint16Array(joined.length);
  for (let index = 0; index < units.length; index++) units[index] = joined.charCodeAt(index);
  const lengths = Uint32Array.from(texts, (text) => text.length);
  return throwing(() => engine.levenshteinBatch(units, lengths));
}
