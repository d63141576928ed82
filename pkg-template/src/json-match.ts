import { loadEngine, loadedEngine } from "./engine/load.js";
import { allRows, fromEngine, isOurs, OpenEvalsError, reworded } from "./errors.js";
import { toJsonPair } from "./input/json.js";
import { given, knownOptions, listOfStrings, oneOf } from "./input/options.js";
import { type Comparison, readArguments, readRows, rowsToJson } from "./input/params.js";
import type { JudgeMetadata } from "./judge/judge.js";
import { msSince, openJudge } from "./judge/model.js";
import type { JudgeModel } from "./judge/types.js";
import { tracedEvaluator } from "./tracing/hook.js";
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
  /**
   * The keys whose values a judge compares, instead of their being equal, each with its criteria. What stands on one
   * side only scores 0 unseen. These keys have no say in which elements of lists are compared.
   */
  rubric?: Record<string, string> | undefined;
  /** What judges the keys of the rubric, as for `createLLMAsJudge`. */
  judge?: JudgeModel | undefined;
  /** The model that judges, as for `initChatModel`: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /** Whether the judge explains its scores, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
}

const OPTIONS = [
  ..."aggregator listAggregator excludeKeys listMatchMode rubric judge model useReasoning".split(" "),
];

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
 * element takes the best partner that is left. Lists are refused whose differing elements share values more than
 * 300 million times, counting each element of one with each of the other: such as 17,000 on each side, if all share one.)
 *
 * With a `rubric`, a judge compares the values of its keys: in one question with an aggregator, otherwise in one for
 * each key, all asked at the same time. It finds each value under its key and, in lists, the number of the element:
 * `price_2`.
 *
 * @returns An evaluator whose results have `score` from 0 to 1 and the key `json_match:average` or `json_match:all`,
 * or without an aggregator `json_match:<key>` for each key that stands on either side, in the order of the keys. A
 * result that a judge had a part in has its reasoning as `comment` (a line for each value, if there are several), and
 * `metadata` as that of a judge, whose `latencyMs` is that of the evaluation.
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not exist, or contradict each other. The evaluator
 * throws `invalid_input` when either side is missing, is not an object or a list of objects, or holds what JSON cannot,
 * and where lists are too long to be paired; and what a judge throws, with the keys in question. A failure is never a score.
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
 *
 * @example With a judge
 * ```ts
 * import { createJsonMatchEvaluator } from "openevals-wasm";
 *
 * const evaluator = createJsonMatchEvaluator({
 *   rubric: { fruits: "Are all fruits of the expected value mentioned, in whatever order?" },
 *   model: "ollama:llama3.3",
 * });
 * export const results = () =>
 *   evaluator({
 *     outputs: { fruits: "Mango, bananas", count: 2 },
 *     referenceOutputs: { fruits: "Bananas, mango", count: 2 },
 *   });
 * ```
 */
export function createJsonMatchEvaluator(options: JsonMatchEvaluatorOptions = {}): JsonMatchEvaluator {
  knownOptions("createJsonMatchEvaluator", options, OPTIONS);
  const { aggregator, listAggregator = "all", excludeKeys = [], listMatchMode = "same_elements" } = options;
  const { rubric = {}, judge, model, useReasoning = true } = options;
  if (aggregator !== undefined) oneOf("aggregator", aggregator, ["average", "all"]);
  oneOf("listAggregator", listAggregator, ["average", "all"]);
  oneOf("listMatchMode", listMatchMode, ["same_elements", "subset", "superset", "ordered"]);
  listOfStrings("excludeKeys", excludeKeys);
  given("rubric", rubric, "an object with criteria for each key, as text", (criteria) => {
    return isObject(criteria) && Object.values(criteria).every((text) => typeof text === "string");
  });
  given("model", model, "a string", (name) => typeof name === "string");
  given("useReasoning", useReasoning, "true or false", (flag) => typeof flag === "boolean");
  const criteria = Object.entries(rubric);
  const isJudged = criteria.length > 0;
  if (isJudged !== (judge !== undefined || model !== undefined)) {
    throw new OpenEvalsError(
      "invalid_config",
      isJudged
        ? 'A rubric needs a judge: give judge, or a model such as "openai:gpt-5.4".'
        : "judge and model are for the keys of a rubric, and there is none.",
    );
  }
  const modes = { aggregator, listAggregator, excludeKeys, listMatchMode };
  const config = JSON.stringify({ ...modes, rubric: criteria, useReasoning });

  if (isJudged) {
    const { open, label } = openJudge(judge, model);
    const evaluate = async ({ outputs, referenceOutputs }: Comparison) => {
      const { json, second } = toJsonPair(outputs, referenceOutputs);
      const engine = loadedEngine() ?? (await loadEngine());
      const started = performance.now();
      const judged = engine.wait(TASK, json.length, (bindings, own) => {
        return engine.keep("JsonMatch", config).judge(own(open(bindings)), json.take(), second);
      });
      return readJudged(judged, started, label);
    };
    return tracedEvaluator(
      RUN,
      async (...args: unknown[]) => evaluate(readArguments("The JSON match evaluator", args)),
      async (rows: readonly unknown[]) => allRows(readRows("the JSON match evaluator", rows), evaluate),
    );
  }

  return tracedEvaluator(
    RUN,
    async (...args: unknown[]) => {
      const { outputs, referenceOutputs } = readArguments("The JSON match evaluator", args);
      const { json, second } = toJsonPair(outputs, referenceOutputs);
      const engine = loadedEngine() ?? (await loadEngine());
      const matcher = () => engine.keep("JsonMatch", config);
      if (aggregator) {
        const score = engine.run(TASK, json.length, () => matcher().aggregate(json.take(), second));
        return [{ key: `json_match:${aggregator}`, score }];
      }
      const [scores, keys] = engine.run(TASK, json.length, () => {
        return matcher().score(json.take(), second);
      }) as Scores;
      return readScores(JSON.parse(keys), scores, 0);
    },
    async (rows: readonly unknown[]) => {
      const json = rowsToJson(readRows("the JSON match evaluator", rows));
      const engine = await loadEngine();
      const [scores, keys] = engine.run(TASK, json.length, () => {
        return engine.keep("JsonMatch", config).scoreBatch(json.take());
      }) as Scores;
      let offset = 0;
      return (JSON.parse(keys) as string[][]).map((row) => {
        const results = readScores(row, scores, offset);
        offset += row.length;
        return results;
      });
    },
  );
}

const RUN = "json_match_evaluator";
const TASK = "a JSON match";

const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What the engine says about a score in which a judge may have had a part. */
interface Judged {
  key: string;
  comment?: string;
  metadata?: Omit<JudgeMetadata, "latencyMs">;
}

/** Scores as they come from the engine: the keys are JSON text. */
type Scores = [scores: Float64Array, keys: string];

const readScores = (keys: string[], scores: Float64Array, offset: number): EvaluatorResult[] =>
  keys.map((key, index) => ({ key, score: scores[offset + index] as number }));

async function readJudged(
  asked: Promise<unknown>,
  started: number,
  label: { model?: string },
): Promise<EvaluatorResult[]> {
  let answer: Scores;
  try {
    answer = (await asked) as Scores;
  } catch (error) {
    const { cause, message } = error as { cause?: unknown; message: string };
    // Models of other packages know best what went wrong, and the engine which keys it was about.
    throw isOurs(cause) ? reworded(cause, message) : fromEngine(error, cause);
  }
  const latencyMs = msSince(started);
  const [scores, judged] = answer;
  return (JSON.parse(judged) as Judged[]).map(({ key, metadata, ...comment }, index) => {
    const result = { key, score: scores[index] as number, ...comment };
    return metadata ? { ...result, metadata: { ...label, ...metadata, latencyMs } } : result;
  });
}
