import type { Engine } from "../../core/engine/engine.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { invalidInput } from "../../core/errors.js";
import { whole } from "../../core/input/counts.js";
import { readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { toText } from "../../core/input/text.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult, ScoreScale } from "../../core/types.js";
import * as bindings from "../../openevals.js";

const KEY = "levenshtein_distance";
const TASK = "levenshteinDistance";

/** The largest allowed table of a comparison by default, in cells. */
export const MAX_CELLS = 1e11;

/** The longest text, in UTF-16 code units; a batch may have twice that in total. */
const MAX_UNITS = 100_000_000;

/**
 * Makes the evaluator from checked options.
 *
 * @internal
 */
export function levenshteinEvaluator(maxCells: number, scale: ScoreScale): Evaluator {
  const evaluator = tracedEvaluator(
    KEY,
    async (...args: unknown[]): Promise<EvaluatorResult> => {
      const params = readArguments(TASK, args);
      const outputs = toText(params.outputs, "outputs");
      const referenceOutputs = toText(params.referenceOutputs, "referenceOutputs");
      if (outputs === referenceOutputs) return { key: KEY, score: 1 };
      checkSize(outputs.length, MAX_UNITS, "outputs is");
      checkSize(referenceOutputs.length, MAX_UNITS, "referenceOutputs is");
      const engine = scoresEngine.loaded ?? (await scoresEngine.load());
      const size = outputs.length + referenceOutputs.length;
      // A string with lone surrogates would change on its way into the engine. It then returns nothing, and gets code units.
      const score =
        engine.run(TASK, size, () => bindings.levenshtein(outputs, referenceOutputs, maxCells)) ??
        similarities(engine, [outputs, referenceOutputs], maxCells)[0];
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
      const texts = readRows(TASK, rows).flatMap(({ outputs, referenceOutputs }, index) => [
        read(outputs, `rows[${index}].outputs`),
        read(referenceOutputs, `rows[${index}].referenceOutputs`),
      ]);
      const scores = similarities(await scoresEngine.load(), texts, maxCells);
      return Array.from(scores, (score) => ({ key: KEY, score }));
    },
  );
  return Object.assign(evaluator, { scale });
}

/**
 * Scores how similar two texts are: 1 minus their Levenshtein distance divided by the length of the longer text, in
 * UTF-16 code units. Values that are not strings are compared as JSON text.
 *
 * @returns `{ key: "levenshtein_distance", score }` with `score` from 0 (nothing in common) to 1 (equal).
 * @throws {@link OpenEvalsError} `invalid_input` if either side is missing, contains a value that JSON cannot
 * represent, is longer than 100,000,000 code units, or would take too long to compare: see
 * {@link createLevenshteinEvaluator}.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 *
 * const result = await levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });
 * console.log(result); // { key: "levenshtein_distance", score: 0.5714285714285714 }
 * ```
 */
export const levenshteinDistance: Evaluator = /* @__PURE__ */ levenshteinEvaluator(MAX_CELLS, SHARE);

function checkSize(units: number, limit: number, what: string): void {
  if (units <= limit) return;
  throw invalidInput(
    `${what} ${whole(units)} UTF-16 code units long, and the engine takes at most ${whole(limit)}: compare parts of it`,
  );
}

/** The similarity of each pair of consecutive texts. */
function similarities(engine: Engine, texts: readonly string[], maxCells: number): Float64Array {
  const joined = texts.join("");
  const units = new Uint16Array(joined.length);
  for (let index = 0; index < units.length; index++) units[index] = joined.charCodeAt(index);
  const lengths = Uint32Array.from(texts, (text) => text.length);
  return engine.run(TASK, units.length, () => bindings.levenshteinBatch(units, lengths, maxCells));
}
