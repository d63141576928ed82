import { type Engine, loadEngine, loadedEngine } from "./engine.js";
import { throwing } from "./errors.js";
import { toJson } from "./json.js";
import { knownOptions, listOfStrings, oneOf } from "./options.js";
import { readArguments, readRows, rowsToJson } from "./params.js";
import type { Evaluator, EvaluatorParams, EvaluatorResult } from "./types.js";

/** The options of {@link createJsonMatchEvaluator}. */
export interface JsonMatchEvaluatorOptions {
  /**
   * How the scores of the keys of an element are combined: `average`, their mean; `all`, 1 if every key is equal and
   * else 0. Without it, every key has a result of its own.
   */
  aggregator?: "average" | "all" | undefined;
  /** The same for the elements of a list; `all` is the default. */
  listAggregator?: "average" | "all";
  /** Keys that are not compared. */
  excludeKeys?: string[];
  /**
   * Which elements of two lists are compared: `same_elements` (the default) pairs them as well as possible, and what
   * is left over on either side scores 0; `subset` lets reference elements be left over, `superset` outputs;
   * `ordered` pairs them by position.
   */
  listMatchMode?: "same_elements" | "subset" | "superset" | "ordered";
}

const OPTIONS = ["aggregator", "listAggregator", "excludeKeys", "listMatchMode"];

/** An evaluator of structured outputs. */
export interface JsonMatchEvaluator extends Pick<Evaluator<EvaluatorResult[]>, "batch"> {
  /** Both sides are optional in the type, as in the reference package, but have to be there. */
  (params: Partial<EvaluatorParams>): Promise<EvaluatorResult[]>;
  (outputs: unknown, referenceOutputs: unknown): Promise<EvaluatorResult[]>;
}

/**
 * Makes an evaluator of structured outputs: two objects, or two lists of objects, are compared key by key. A key
 * scores 1 where both sides have it with equal values, else 0.
 *
 * Elements of lists are paired so that as many values as possible are equal and, among such pairings, as few as
 * possible differ. (Exact up to a million pairs of differing elements, such as 1,000 on each side; beyond that each
 * element takes the best partner that is left.)
 *
 * @returns An evaluator whose results have `score` from 0 to 1 and the key `json_match:average` or `json_match:all`,
 * or without an aggregator `json_match:<key>` for each key that stands on either side, in the order of the keys.
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not exist. The evaluator throws `invalid_input`
 * when either side is missing, is not an object or a list of objects, or holds what JSON cannot.
 *
 * @example
 * ```ts
 * import { createJsonMatchEvaluator } from "openevals-wasm";
 *
 * const evaluator = createJsonMatchEvaluator({ aggregator: "average", excludeKeys: ["id"] });
 * const results = await evaluator({
 *   outputs: { id: 7, name: "Ada", born: 1815 },
 *   referenceOutputs: { id: 8, name: "Ada", born: 1816 },
 * });
 * console.log(results); // [{ key: "json_match:average", score: 0.5 }]
 * ```
 */
export function createJsonMatchEvaluator(options: JsonMatchEvaluatorOptions = {}): JsonMatchEvaluator {
  const { aggregator, listAggregator = "all", excludeKeys = [], listMatchMode = "same_elements" } = options;
  knownOptions("createJsonMatchEvaluator", options, OPTIONS);
  if (aggregator !== undefined) oneOf("aggregator", aggregator, ["average", "all"]);
  oneOf("listAggregator", listAggregator, ["average", "all"]);
  oneOf("listMatchMode", listMatchMode, ["same_elements", "subset", "superset", "ordered"]);
  listOfStrings("excludeKeys", excludeKeys);
  const config = JSON.stringify({ aggregator, listAggregator, excludeKeys, listMatchMode });

  let matcher: InstanceType<Engine["JsonMatch"]> | undefined;
  const matcherOf = (engine: Engine) => (matcher ??= throwing(() => new engine.JsonMatch(config)));

  return Object.assign(
    async (...args: unknown[]) => {
      const params = readArguments("The JSON match evaluator", args);
      const outputs = toJson(params.outputs, "outputs");
      const referenceOutputs = toJson(params.referenceOutputs, "referenceOutputs");
      const matcher = matcherOf(loadedEngine() ?? (await loadEngine()));
      if (aggregator) {
        const score = throwing(() => matcher.aggregate(outputs, referenceOutputs));
        return [{ key: `json_match:${aggregator}`, score }];
      }
      const [scores, keys] = throwing(() => matcher.score(outputs, referenceOutputs)) as Scores;
      return readScores(JSON.parse(keys), scores, 0);
    },
    {
      async batch(rows: readonly unknown[]) {
        const json = rowsToJson(readRows("the JSON match evaluator", rows));
        const matcher = matcherOf(await loadEngine());
        const [scores, keys] = throwing(() => matcher.scoreBatch(json)) as Scores;
        let offset = 0;
        return (JSON.parse(keys) as string[][]).map((row) => {
          const results = readScores(row, scores, offset);
          offset += row.length;
          return results;
        });
      },
    },
  );
}

/** Scores as they come from the engine: the keys are JSON text. */
type Scores = [scores: Float64Array, keys: string];

const readScores = (keys: string[], scores: Float64Array, offset: number): EvaluatorResult[] =>
  keys.map((key, index) => ({ key, score: scores[offset + index] as number }));
