import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import {
  aFlag,
  aListOfStrings,
  anything,
  aString,
  type Checks,
  check,
  checkOptions,
  fromZero,
  oneOf,
  readable,
  show,
} from "../../core/input/checks.js";
import { toJsonPair } from "../../core/input/json.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { allRows, readRows, rowsToJson } from "../../core/input/rows.js";
import { onUse } from "../../core/platform/on-use.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/scale.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorParams, EvaluatorResult } from "../../core/types.js";
import { CHECK_ACCESS, checkAccess, withAccessOf } from "../../models/chat/check-access.js";
import type { JudgeModel, JudgeSource, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import * as bindings from "../../openevals.js";
import type { Aggregator, JsonMatchConfig, JsonOf, ListMatchMode } from "../../openevals.types.js";
import { checkJudge } from "../judge/check-judge.js";
import { aStructuredOutputMethod } from "../judge/options.js";
import type { PartEvaluator } from "../results/parts.js";
import type { EvaluatedMatch } from "./evaluated.js";
import type { JudgedMatch } from "./judged.js";
import { plain, plainRows } from "./results.js";

/** The options of {@link createJsonMatchEvaluator}. */
export interface JsonMatchEvaluatorOptions extends PassOptions {
  /**
   * How the scores of the keys of an element are combined: `average`, their mean; `all`, 1 if every key is equal and
   * else 0. Without it, every key has a result of its own.
   */
  aggregator?: Aggregator | undefined;
  /** The same for the elements of a list; `all` is the default. */
  listAggregator?: Aggregator;
  /** Accepted in the place of `listAggregator`, as the Python package spells it. */
  list_aggregator?: Aggregator;
  /** Keys that are not compared. */
  excludeKeys?: string[];
  /** Accepted in the place of `excludeKeys`. */
  exclude_keys?: string[];
  /**
   * Which elements of two lists are compared: `same_elements` (the default) pairs them as well as possible, and what
   * is left over on either side scores 0; `subset` lets reference elements be left over, `superset` outputs;
   * `ordered` pairs them by position.
   */
  listMatchMode?: ListMatchMode;
  /**
   * The keys whose values a judge compares, instead of their being equal, each with its criteria. What stands on one
   * side only scores 0 unseen. These keys have no say in which elements of lists are compared.
   */
  rubric?: Record<string, string> | undefined;
  /**
   * The keys whose values evaluators compare, instead of their being equal: each gets the two values as `outputs` and
   * `referenceOutputs`, and its score, from 0 to 1, is that of the key. What stands on one side only, or is `null` on one,
   * scores 0 unseen. In lists, these keys count as others do when elements are paired: by their being equal.
   */
  evaluators?: Record<string, PartEvaluator> | undefined;
  /** What judges the keys of the rubric, as for `createLLMAsJudge`. Without a rubric, it is ignored with a warning. */
  judge?: JudgeModel | undefined;
  /** The model that judges, as for `initChatModel`: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /** What the cache of an experiment knows the judge by, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** How random the judge's answers are, as for `createLLMAsJudge`. */
  temperature?: number | undefined;
  /** How a chat model of LangChain is held to the form of its answers, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether the judge explains its scores, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
}

/** An evaluator of structured outputs. */
export interface JsonMatchEvaluator extends Pick<Evaluator<EvaluatorResult[]>, "batch"> {
  (outputs: unknown, referenceOutputs: unknown): Promise<EvaluatorResult[]>;
  /** Both sides are optional in the type, as in the reference package, but have to be there. */
  (params: Partial<EvaluatorParams>): Promise<EvaluatorResult[]>;
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
 * With `evaluators`, these compare the values of their keys, in the same way: any evaluator of this package, and functions of
 * your own. They are asked before the judge is, and their results stand in `metadata.parts` of the result that they had a part
 * in, each with the `path` of its value; `metadata.usage` is the sum of what they used.
 *
 * @returns An evaluator whose results have `score` from 0 to 1 and the key `json_match:average` or `json_match:all`,
 * or without an aggregator `json_match:<key>` for each key that stands on either side, in the order of the keys. A
 * result that a judge had a part in has its reasoning as `comment` (a line for each value, if there are several), and
 * `metadata` as that of a judge, whose `latencyMs` is that of the evaluation.
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not exist, or contradict each other. The evaluator
 * throws `invalid_input` when either side is missing, is not an object or a list of objects, or holds what JSON cannot,
 * and where lists are too long to be paired; and what a judge throws, with the keys in question, or an evaluator, with the
 * path of the value (`outputs[2].price`). A failure is never a score.
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
 *
 * @example With evaluators
 * ```ts
 * import { createJsonMatchEvaluator, levenshteinDistance } from "openevals-wasm";
 *
 * const evaluator = createJsonMatchEvaluator({ aggregator: "average", evaluators: { name: levenshteinDistance } });
 * const [result] = await evaluator({
 *   outputs: { name: "Ada Lovelase", born: 1815 },
 *   referenceOutputs: { name: "Ada Lovelace", born: 1815 },
 * });
 * console.log(result?.score); // 0.9583333333333333
 * ```
 */
export function createJsonMatchEvaluator(options: JsonMatchEvaluatorOptions = {}): JsonMatchEvaluator {
  const {
    aggregator,
    list_aggregator,
    listAggregator = list_aggregator ?? "all",
    exclude_keys,
    excludeKeys = exclude_keys ?? [],
    listMatchMode = "same_elements",
    rubric = {},
    evaluators = {},
    judge,
    model,
    cacheKey,
    temperature,
    structuredOutputMethod,
    useReasoning = true,
    ...marks
  } = checkOptions("createJsonMatchEvaluator", options, OPTIONS);
  const scale = withPassMark(SHARE, marks);
  const criteria = Object.entries(rubric).map(([key, criteria]) => ({ key, criteria }));
  const isJudged = criteria.length > 0;
  if (list_aggregator !== undefined && list_aggregator !== listAggregator)
    throw twoSpellings("listAggregator");
  if (exclude_keys !== undefined && String(exclude_keys) !== String(excludeKeys))
    throw twoSpellings("excludeKeys");
  if (isJudged !== (judge !== undefined || model !== undefined)) {
    if (isJudged)
      throw invalidConfig('A rubric needs a judge: pass judge, or a model such as "openai:gpt-5.4"');
    console.warn(
      "openevals-wasm: createJsonMatchEvaluator ignores judge and model, since there is no rubric. Keys are compared for equality.",
    );
  }
  const evaluated = Object.keys(evaluators);
  const twice = evaluated.find((key) => Object.hasOwn(rubric, key));
  if (twice !== undefined)
    throw invalidConfig(`${show(twice)} stands in rubric and in evaluators; one of them has to decide`);
  const config = jsonOf<JsonMatchConfig>({
    aggregator,
    listAggregator,
    excludeKeys,
    listMatchMode,
    rubric: { criteria, useReasoning },
    evaluated,
  });

  const asked = { judge, model, cacheKey, temperature, structuredOutputMethod };
  const judged = isJudged ? judgedOnUse(config, asked) : undefined;
  if (judged || evaluated.length) {
    const match: EvaluatedMatch = {
      leaves: (json, second) => inMatcher(config, json.length, (matcher) => matcher.leaves(json, second)),
      results: (json, second, leaves) =>
        inMatcher(config, json.length, (matcher) => plain(matcher.scoreLeaves(json, second, leaves))),
      evaluators: { ...evaluators },
      aggregator,
      listMatchMode,
      judged,
    };
    const evaluate = async ({ outputs, referenceOutputs }: ComparedValues): Promise<EvaluatorResult[]> => {
      const pair = toJsonPair(outputs, referenceOutputs);
      if (judged && !evaluated.length) return judged(pair, new Float64Array());
      return (await onUse("The evaluators of JSON match", () => import("./evaluated.js"))).evaluatedMatch(
        match,
        pair,
      );
    };
    const evaluator = tracedEvaluator(
      RUN,
      async (...args: unknown[]) => evaluate(readArguments("The JSON match evaluator", args)),
      async (rows: readonly unknown[]) => allRows(readRows("the JSON match evaluator", rows), evaluate),
    );
    return withAccessOf(Object.assign(evaluator, { scale }), [judged, ...Object.values(match.evaluators)]);
  }

  const aggregated = (score: number): EvaluatorResult[] => [{ key: `json_match:${aggregator}`, score }];
  const evaluator = tracedEvaluator(
    RUN,
    async (...args: unknown[]): Promise<EvaluatorResult[]> => {
      const { outputs, referenceOutputs } = readArguments("The JSON match evaluator", args);
      const { json, second } = toJsonPair(outputs, referenceOutputs);
      const engine = scoresEngine.loaded ?? (await scoresEngine.load());
      return engine.run(TASK, json.length, () => {
        const matcher = engine.keep(bindings.JsonMatch, config);
        if (aggregator) return aggregated(matcher.aggregate(json.take(), second));
        return plain(matcher.score(json.take(), second));
      });
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[][]> => {
      const json = rowsToJson(readRows("the JSON match evaluator", rows));
      return inMatcher(config, json.length, (matcher) =>
        aggregator
          ? Array.from(matcher.aggregateBatch(json.take()), aggregated)
          : plainRows(matcher.scoreBatch(json.take())),
      );
    },
  );
  return Object.assign(evaluator, { scale });
}

/** Calls the matcher of this configuration. */
async function inMatcher<T>(
  config: JsonOf<JsonMatchConfig>,
  size: number,
  call: (matcher: bindings.JsonMatch) => T,
): Promise<T> {
  const engine = scoresEngine.loaded ?? (await scoresEngine.load());
  return engine.run(TASK, size, () => call(engine.keep(bindings.JsonMatch, config)));
}

/** What judges the keys of a rubric. Most matches have none, so it is loaded with the first row. */
function judgedOnUse(config: JsonOf<JsonMatchConfig>, judge: JudgeSource): JudgedMatch {
  if (judge.judge !== undefined) readable("judge", () => checkJudge(judge.judge, judge.temperature, "judge"));
  let judged: JudgedMatch | undefined;
  const load = async (): Promise<JudgedMatch> => {
    const { judgedMatch } = await onUse("The judge of JSON match", () => import("./judged.js"));
    judged ??= judgedMatch(config, judge);
    return judged;
  };
  const match: JudgedMatch = async (...row) => (judged ?? (await load()))(...row);
  return Object.assign(match, { [CHECK_ACCESS]: async () => checkAccess(await load()) });
}

/** Two spellings of an option that differ. */
const twoSpellings = (name: string): OpenEvalsError =>
  invalidConfig(`${name} is given in two spellings, which differ; pass one of them`);

const AGGREGATORS: readonly Aggregator[] = ["average", "all"];
const LIST_MODES: readonly ListMatchMode[] = ["same_elements", "subset", "superset", "ordered"];

const OPTIONS: Checks<JsonMatchEvaluatorOptions> = {
  aggregator: oneOf(AGGREGATORS),
  listAggregator: oneOf(AGGREGATORS),
  list_aggregator: oneOf(AGGREGATORS),
  excludeKeys: aListOfStrings,
  exclude_keys: aListOfStrings,
  listMatchMode: oneOf(LIST_MODES),
  rubric: check("an object with criteria for each key, as text", (criteria) => {
    return isObject(criteria) && Object.values(criteria).every((text) => typeof text === "string");
  }),
  evaluators: check("an object with an evaluator for each key", (evaluators) => {
    return isObject(evaluators) && Object.values(evaluators).every((it) => typeof it === "function");
  }),
  judge: anything,
  cacheKey: aString,
  model: aString,
  temperature: fromZero,
  structuredOutputMethod: aStructuredOutputMethod,
  useReasoning: aFlag,
  ...PASS_OPTIONS,
};

/** Maps and the like have no keys to look at. */
const isObject = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

const RUN = "json_match_evaluator";
const TASK = "a JSON match";
