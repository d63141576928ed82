import type { Engine } from "../../core/engine/engine.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { OpenEvalsError } from "../../core/errors.js";
import { type Checks, check, checkOptions } from "../../core/input/checks.js";
import { toText } from "../../core/input/json.js";
import { readArguments } from "../../core/input/params.js";
import { readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/scale.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../../core/types.js";
import * as bindings from "../../openevals.js";

const KEY = "levenshtein_distance";
const TASK = "levenshteinDistance";

/** The options of {@link createLevenshteinEvaluator}. */
export interface LevenshteinOptions extends PassOptions {
  /**
   * How many cells the table of a distance may have: the length of one text times that of the other, in UTF-16 code
   * units, without what both begin and end with. 100,000,000,000 by default, which takes about two seconds.
   */
  maxCells?: number | undefined;
}

const OPTIONS: Checks<LevenshteinOptions> = {
  maxCells: check("a number from 0", (cells) => typeof cells === "number" && cells >= 0),
  ...PASS_OPTIONS,
};

const MAX_CELLS = 1e11;

/** How long a text may be, in UTF-16 code units; those of a batch together twice that. */
const MAX_UNITS = 100_000_000;

/**
 * Makes an evaluator like {@link levenshteinDistance} with a limit of its own. A comparison cannot be interrupted, so
 * texts that are too long for it are refused.
 *
 * @returns An evaluator with the result `{ key: "levenshtein_distance", score }`.
 * @throws {@link OpenEvalsError} `invalid_config` for a limit that is no number from 0. The evaluator throws what
 * {@link levenshteinDistance} does.
 *
 * @example
 * ```ts
 * import { createLevenshteinEvaluator } from "openevals-wasm";
 *
 * const quick = createLevenshteinEvaluator({ maxCells: 1e9 });
 * const { score } = await quick({ outputs: "kitten", referenceOutputs: "sitting" });
 * console.log(score); // 0.5714285714285714
 * ```
 */
export function createLevenshteinEvaluator(options: LevenshteinOptions = {}): Evaluator {
  const { maxCells = MAX_CELLS, ...marks } = checkOptions("createLevenshteinEvaluator", options, OPTIONS);
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
      // Lone surrogates do not survive the way of a string into the engine; it says so, and gets the code units.
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
  return Object.assign(evaluator, { scale: withPassMark(SHARE, marks) });
}

/**
 * Scores how similar two texts are: 1 minus the Levenshtein distance over the length of the longer text, counted in
 * UTF-16 code units. What is not a string is compared as its JSON text.
 *
 * @returns `{ key: "levenshtein_distance", score }` with `score` from 0 (nothing in common) to 1 (equal).
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, holds what JSON cannot, is longer than
 * 100,000,000 code units, or differs in so much that comparing would take long: see {@link createLevenshteinEvaluator}.
 *
 * @example
 * ```ts
 * import { levenshteinDistance } from "openevals-wasm";
 *
 * const result = await levenshteinDistance({ outputs: "kitten", referenceOutputs: "sitting" });
 * console.log(result); // { key: "levenshtein_distance", score: 0.5714285714285714 }
 * ```
 */
export const levenshteinDistance: Evaluator = /* @__PURE__ */ createLevenshteinEvaluator();

function checkSize(units: number, limit: number, what: string): void {
  if (units <= limit) return;
  const [size, most] = [units, limit].map((count) => count.toLocaleString("en"));
  throw new OpenEvalsError(
    "invalid_input",
    `${what} ${size} UTF-16 code units long, and the engine takes at most ${most}: compare parts of it.`,
  );
}

/** The similarity of each two consecutive texts. */
function similarities(engine: Engine, texts: readonly string[], maxCells: number): Float64Array {
  const joined = texts.join("");
  const units = new Uint16Array(joined.length);
  for (let index = 0; index < units.length; index++) units[index] = joined.charCodeAt(index);
  const lengths = Uint32Array.from(texts, (text) => text.length);
  return engine.run(TASK, units.length, () => bindings.levenshteinBatch(units, lengths, maxCells));
}
