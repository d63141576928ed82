import { scoresEngine } from "../core/engine/scores.js";
import { rowsToJson, toJsonPair } from "../core/input/json/json.js";
import { readArguments } from "../core/input/params.js";
import { readRows } from "../core/input/rows.js";
import { same } from "../core/input/same.js";
import { VERDICT } from "../core/scales.js";
import { tracedEvaluator } from "../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../core/types.js";
import * as bindings from "../openevals.js";

const KEY = "exact_match";

/**
 * Scores whether the outputs equal the reference outputs.
 *
 * Values are compared as JSON: the order of keys does not matter, the order of lists does. `undefined` and `NaN` count
 * as `null`, and a `Date` is its ISO string.
 *
 * @returns `{ key: "exact_match", score }`, where `score` is `true` or `false`. For `false`, `comment` names the first
 * difference: `outputs.items[2].price is 3 instead of 4`.
 * @throws {@link OpenEvalsError} `invalid_input` if either side is missing, is larger than 200 MB as JSON, or contains
 * a value that JSON cannot represent: a cycle, a `BigInt`, a function, a getter that throws. The message names the
 * path.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 *
 * const result = await exactMatch({ outputs: { a: 1, b: 2 }, referenceOutputs: { b: 2, a: 1 } });
 * console.log(result); // { key: "exact_match", score: true }
 * ```
 */
export const exactMatch: Evaluator = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ tracedEvaluator(
    KEY,
    async (...args: unknown[]): Promise<EvaluatorResult> => {
      const { outputs, referenceOutputs } = readArguments("exactMatch", args);
      const isSame = same(outputs, referenceOutputs);
      if (isSame !== undefined) return isSame ? equal() : different(outputs, referenceOutputs);
      const { json, second } = toJsonPair(outputs, referenceOutputs);
      // Equal values have JSON of equal length, whatever the order of their keys, so most comparisons need no engine.
      if (json.length !== 2 * second) {
        json.release();
        return different(outputs, referenceOutputs);
      }
      const score = await scoresEngine.run(KEY, json.length, () => bindings.exactMatch(json.take(), second));
      return score ? equal() : different(outputs, referenceOutputs);
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
      const pairs = readRows("exactMatch", rows);
      const quickVerdicts = pairs.map(({ outputs, referenceOutputs }) => same(outputs, referenceOutputs));
      const json = rowsToJson(pairs, (index) => quickVerdicts[index] === undefined);
      const scores = await scoresEngine.run(KEY, json.length, () => bindings.exactMatchBatch(json.take()));
      let crossed = 0;
      const verdicts = quickVerdicts.map((score) => score ?? scores[crossed++] === 1);
      const results: EvaluatorResult[] = [];
      for (const [index, { outputs, referenceOutputs }] of pairs.entries())
        results.push(verdicts[index] ? equal() : await different(outputs, referenceOutputs));
      return results;
    },
  ),
  { scale: VERDICT },
);

const equal = (): EvaluatorResult => ({ key: KEY, score: true });

type Explain = typeof import("../core/input/difference.js");

let explain: Explain | undefined;

/** Loads the code that names a difference with the first one. If loading fails, the result has only a score. */
async function different(outputs: unknown, referenceOutputs: unknown): Promise<EvaluatorResult> {
  explain ??= await import("../core/input/difference.js").catch(() => undefined);
  const comment = explain?.firstDifference(outputs, referenceOutputs);
  return comment ? { key: KEY, score: false, comment } : { key: KEY, score: false };
}
