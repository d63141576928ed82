import { scoresEngine } from "../core/engine/scores.js";
import { firstDifference } from "../core/input/difference.js";
import { toJsonPair } from "../core/input/json.js";
import { readArguments } from "../core/input/params.js";
import { readRows, rowsToJson } from "../core/input/rows.js";
import { same } from "../core/input/same.js";
import { tracedEvaluator } from "../core/tracing/hook.js";
import type { Evaluator, EvaluatorResult } from "../core/types.js";
import * as bindings from "../openevals.js";

const KEY = "exact_match";

/**
 * Scores whether the outputs are equal to the reference.
 *
 * Equality is that of JSON values: the order of keys never matters, the order of lists does, `undefined` counts as
 * `null`, as `NaN` does, and a `Date` is its ISO text.
 *
 * @returns `{ key: "exact_match", score }` with `score` `true` or `false`; in that case `comment` names the first
 * difference: `outputs.items[2].price is 3 instead of 4`.
 * @throws {@link OpenEvalsError} `invalid_input` when either side is missing, or holds what JSON cannot: a cycle, a
 * `BigInt`, a function, a getter that throws. The message says where. Also for more than 200 MB of JSON.
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
    const { outputs, referenceOutputs } = readArguments("exactMatch", args);
    const known = same(outputs, referenceOutputs);
    if (known !== undefined) return known ? equal() : different(outputs, referenceOutputs);
    const { json, second } = toJsonPair(outputs, referenceOutputs);
    // Equal values are equally long, whatever the order of their keys, so most answers need no engine.
    if (json.length !== 2 * second) {
      json.release();
      return different(outputs, referenceOutputs);
    }
    const engine = scoresEngine.loaded ?? (await scoresEngine.load());
    const score = engine.run(KEY, json.length, () => bindings.exactMatch(json.take(), second));
    return score ? equal() : different(outputs, referenceOutputs);
  },
  async (rows: readonly unknown[]): Promise<EvaluatorResult[]> => {
    const pairs = readRows("exactMatch", rows);
    const known = pairs.map(({ outputs, referenceOutputs }) => same(outputs, referenceOutputs));
    const json = rowsToJson(pairs, (index) => known[index] === undefined);
    const engine = await scoresEngine.load();
    const scores = engine.run(KEY, json.length, () => bindings.exactMatchBatch(json.take()));
    let crossed = 0;
    const verdicts = known.map((score) => score ?? scores[crossed++] === 1);
    return pairs.map(({ outputs, referenceOutputs }, index) =>
      verdicts[index] ? equal() : different(outputs, referenceOutputs),
    );
  },
);

const equal = (): EvaluatorResult => ({ key: KEY, score: true });

function different(outputs: unknown, referenceOutputs: unknown): EvaluatorResult {
  const comment = firstDifference(outputs, referenceOutputs);
  return comment ? { key: KEY, score: false, comment } : { key: KEY, score: false };
}
