import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { invalidConfig, type OpenEvalsError } from "../../core/errors.js";
import {
  aFlag,
  aListOfStrings,
  anything,
  aString,
  check,
  checkOptions,
  fromZero,
  type OptionChecks,
  oneOf,
  readable,
  show,
} from "../../core/input/checks.js";
import { rowsToJson, toJsonPair } from "../../core/input/json/json.js";
import { misspeltWarner } from "../../core/input/near.js";
import { type ComparedValues, readArguments } from "../../core/input/params.js";
import { allRows, readRows } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import { SHARE } from "../../core/scales.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { Evaluator, EvaluatorParams, EvaluatorResult } from "../../core/types.js";
import type { JudgeModel, JudgeSource, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { CHECK_ACCESS, checkAccess, withAccessOf } from "../../models/chat/providers/check-access.js";
import * as bindings from "../../openevals.js";
import type { Aggregator, JsonMatchConfig, JsonOf, ListMatchMode } from "../../openevals.types.js";
import type { PartEvaluator } from "../calls/parts.js";
import { checkJudge } from "../judge/check-judge.js";
import { aModelName, aStructuredOutputMethod } from "../judge/option-checks.js";
import type { EvaluatedMatch } from "./evaluated.js";
import type { JudgedMatch } from "./judged.js";
import { plain, plainRows } from "./results.js";

/** The options of {@link createJsonMatchEvaluator}. */
export interface JsonMatchEvaluatorOptions extends PassOptions {
  /**
   * How the scores of an element's keys are combined: `average` is their mean; `all` is 1 if every key is equal,
   * otherwise 0. Without it, every key has its own result.
   */
  aggregator?: Aggregator | undefined;
  /** How the scores of a list's elements are combined; `all` by default. */
  listAggregator?: Aggregator;
  /** An alias of `listAggregator`, as in the Python package. */
  list_aggregator?: Aggregator;
  /** Keys that are not compared. */
  excludeKeys?: string[];
  /** An alias of `excludeKeys`, as in the Python package. */
  exclude_keys?: string[];
  /**
   * Which elements of two lists are compared: `same_elements` (the default) pairs them optimally, and an element
   * without a partner scores 0; `subset` allows unpaired reference elements, `superset` unpaired outputs; `ordered`
   * pairs elements by position.
   */
  listMatchMode?: ListMatchMode;
  /**
   * The keys whose values a judge compares, with the criteria for each, instead of testing equality. A value that is
   * missing on one side scores 0 without a question. These keys do not affect how elements are paired.
   */
  rubric?: Record<string, string> | undefined;
  /**
   * The keys whose values evaluators compare, instead of testing equality. Each evaluator gets the two values as
   * `outputs` and `referenceOutputs`, and has to return a score from 0 to 1. A value that is missing or `null` on one
   * side scores 0 without a call. When elements are paired, these keys count by equality, as others do.
   */
  evaluators?: Record<string, PartEvaluator> | undefined;
  /** The judge of the rubric, as for `createLLMAsJudge`. Without a rubric, it is ignored with a warning. */
  judge?: JudgeModel | undefined;
  /** The model that judges, named as for `initChatModel`: `openai:gpt-5.4`, `ollama:llama3.3`. */
  model?: string | undefined;
  /** Identifies the judge in the cache of an experiment, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** The sampling temperature of the judge, as for `createLLMAsJudge`. */
  temperature?: number | undefined;
  /** The structured output method of a LangChain chat model, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** Whether the judge explains its scores, which becomes the `comment`; `true` by default. */
  useReasoning?: boolean | undefined;
}

/** An evaluator of structured outputs. */
export interface JsonMatchEvaluator extends Pick<Evaluator<EvaluatorResult[]>, "batch"> {
  (outputs: unknown, referenceOutputs: unknown): Promise<EvaluatorResult[]>;
  /** Both sides are optional in the type, as in the reference package, but required at run time. */
  (params: Partial<EvaluatorParams>): Promise<EvaluatorResult[]>;
}

/**
 * Makes an evaluator of structured outputs. It compares two objects, or two lists of objects, key by key. A key scores
 * 1 if both sides have it with equal values, otherwise 0.
 *
 * Elements of lists are paired so that as many values as possible are equal and, among such pairings, as few as
 * possible differ. (This is exact up to a million pairs of differing elements, such as 1,000 on each side; beyond, each
 * element takes the best remaining partner. Lists are rejected if more than 300 million pairs of differing elements
 * share a value: 17,000 elements on each side, if all share one.)
 *
 * With a `rubric`, a judge compares the values of its keys: in one question with an aggregator, otherwise in one for
 * each key, asked in parallel. The judge sees each value under its key and, in lists, the number of the element:
 * `price_2`.
 *
 * With `evaluators`, these compare the values of their keys: any evaluator of this package, or your own function. They
 * run before the judge. Their results are in `metadata.parts` of the combined result, each with the `path` of its
 * value; `metadata.usage` is their total usage.
 *
 * @returns An evaluator that returns a list of results with `score` from 0 to 1. With an aggregator, it is one result
 * with the key `json_match:average` or `json_match:all`; otherwise one `json_match:<key>` for each key on either side,
 * in their order. Below 1, `comment` names the first three differences, a line each: `outputs[2].price is 3 instead of
 * 4`. A judge adds its reasoning (a line for each value, if there are several), and its `metadata`, with the
 * `latencyMs` of the whole evaluation.
 * @throws {@link OpenEvalsError} `invalid_config` for options that are unknown or contradict each other. The evaluator
 * throws `invalid_input` if either side is missing, is not an object or a list of objects, contains a value that JSON
 * cannot represent, or is a list that is too long to be paired. It also throws the error of a judge, with the keys in
 * question, or of an evaluator, with the path of the value (`outputs[2].price`). A failure is never a score.
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
 * console.log(results);
 * // [{ key: "json_match:average", score: 0.5, comment: "outputs.born is 1815 instead of 1816" }]
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
  const read = checkOptions("createJsonMatchEvaluator", options, OPTIONS);
  const scale = withPassMark(SHARE, read);
  checkConflicts(read);
  const {
    aggregator,
    listMatchMode = "same_elements",
    rubric = {},
    evaluators = {},
    useReasoning = true,
  } = read;
  const criteria = Object.entries(rubric).map(([key, criteria]) => ({ key, criteria }));
  const evaluated = Object.keys(evaluators);
  const config = jsonOf<JsonMatchConfig>({
    aggregator,
    listAggregator: read.listAggregator ?? read.list_aggregator ?? "all",
    excludeKeys: read.excludeKeys ?? read.exclude_keys ?? [],
    listMatchMode,
    rubric: { criteria, useReasoning },
    evaluated,
  });
  if (!criteria.length && !evaluated.length) return Object.assign(equalityMatch(config), { scale });
  const { judge, model, cacheKey, temperature, structuredOutputMethod } = read;
  const source = { judge, model, cacheKey, temperature, structuredOutputMethod };
  const judged = criteria.length ? judgedOnUse(config, source) : undefined;
  const match: EvaluatedMatch = {
    leaves: (json, second) => inMatcher(config, json.length, (matcher) => matcher.leaves(json, second)),
    results: (json, second, leaves) =>
      inMatcher(config, json.length, (matcher) => plain(matcher.score(json, second, leaves))),
    evaluators: { ...evaluators },
    aggregator,
    listMatchMode,
    judged,
  };
  const warners = [misspeltWarner("rubric", Object.keys(rubric)), misspeltWarner("evaluators", evaluated)];
  const parts = [judged, ...Object.values(match.evaluators)];
  return withAccessOf(Object.assign(partsMatch(match, warners), { scale }), parts);
}

/** Rejects options that contradict each other, and warns about a judge without a rubric. */
function checkConflicts(options: JsonMatchEvaluatorOptions): void {
  const { listAggregator, list_aggregator, excludeKeys, exclude_keys } = options;
  const { rubric = {}, evaluators = {}, judge, model } = options;
  if (listAggregator && list_aggregator && listAggregator !== list_aggregator)
    throw twoSpellings("listAggregator");
  if (excludeKeys && exclude_keys && String(excludeKeys) !== String(exclude_keys))
    throw twoSpellings("excludeKeys");
  const isJudged = Object.keys(rubric).length > 0;
  if (isJudged !== (judge !== undefined || model !== undefined)) {
    if (isJudged)
      throw invalidConfig('A rubric needs a judge: pass judge, or a model such as "openai:gpt-5.4"');
    console.warn(
      "openevals-wasm: createJsonMatchEvaluator ignores judge and model because there is no rubric. Keys are compared for equality.",
    );
  }
  const judgedTwice = Object.keys(evaluators).find((key) => Object.hasOwn(rubric, key));
  if (judgedTwice !== undefined)
    throw invalidConfig(`${show(judgedTwice)} is in both rubric and evaluators; leave it out of one`);
}

/** The evaluator of a match that compares all keys for equality. */
const equalityMatch = (config: JsonOf<JsonMatchConfig>): JsonMatchEvaluator =>
  tracedEvaluator(
    RUN,
    async (...args: unknown[]): Promise<EvaluatorResult[]> => {
      const { outputs, referenceOutputs } = readArguments("The JSON match evaluator", args);
      const { json, second } = toJsonPair(outputs, referenceOutputs);
      return inMatcher(config, json.length, (matcher) =>
        plain(matcher.score(json.take(), second, new Float64Array())),
      );
    },
    async (rows: readonly unknown[]): Promise<EvaluatorResult[][]> => {
      const json = rowsToJson(readRows("the JSON match evaluator", rows));
      return inMatcher(config, json.length, (matcher) => plainRows(matcher.scoreBatch(json.take())));
    },
  );

/** The evaluator of a match in which a judge or evaluators compare some keys. `warners` get the keys of each row. */
function partsMatch(
  match: EvaluatedMatch,
  warners: readonly ReturnType<typeof misspeltWarner>[],
): JsonMatchEvaluator {
  const evaluate = async ({ outputs, referenceOutputs }: ComparedValues): Promise<EvaluatorResult[]> => {
    const pair = toJsonPair(outputs, referenceOutputs);
    const names = [outputs, referenceOutputs].flat().flatMap(keysOf);
    for (const warn of warners) warn(names);
    if (match.judged && !Object.keys(match.evaluators).length) return match.judged(pair, new Float64Array());
    const { evaluatedMatch } = await onUse("The evaluators of JSON match", () => import("./evaluated.js"));
    return evaluatedMatch(match, pair);
  };
  return tracedEvaluator(
    RUN,
    async (...args: unknown[]) => evaluate(readArguments("The JSON match evaluator", args)),
    async (rows: readonly unknown[]) => allRows(readRows("the JSON match evaluator", rows), evaluate),
  );
}

/** Calls the engine's matcher for this configuration. */
const inMatcher = <T>(
  config: JsonOf<JsonMatchConfig>,
  size: number,
  call: (matcher: bindings.JsonMatch) => T,
): Promise<T> => scoresEngine.run(TASK, size, (engine) => call(engine.keep(bindings.JsonMatch, config)));

/** The judge of the rubric. It is loaded with the first row, since most matches have no rubric. */
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

/** The error for two spellings of an option with different values. */
const twoSpellings = (name: string): OpenEvalsError =>
  invalidConfig(`${name} has different values in its two spellings; pass only one`);

const AGGREGATORS: readonly Aggregator[] = ["average", "all"];
const LIST_MODES: readonly ListMatchMode[] = ["same_elements", "subset", "superset", "ordered"];

const OPTIONS: OptionChecks<JsonMatchEvaluatorOptions> = {
  aggregator: oneOf(AGGREGATORS),
  listAggregator: oneOf(AGGREGATORS),
  list_aggregator: oneOf(AGGREGATORS),
  excludeKeys: aListOfStrings,
  exclude_keys: aListOfStrings,
  listMatchMode: oneOf(LIST_MODES),
  rubric: check("an object with criteria for each key, as text", (criteria) => {
    return isPlainObject(criteria) && Object.values(criteria).every((text) => typeof text === "string");
  }),
  evaluators: check("an object with an evaluator for each key", (evaluators) => {
    return (
      isPlainObject(evaluators) &&
      Object.values(evaluators).every((evaluator) => typeof evaluator === "function")
    );
  }),
  judge: anything,
  cacheKey: aString,
  model: aModelName,
  temperature: fromZero,
  structuredOutputMethod: aStructuredOutputMethod,
  useReasoning: aFlag,
  ...PASS_OPTIONS,
};

const keysOf = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.keys(value) : [];

/** Whether a value is a plain object; maps, for example, have no keys to compare. */
const isPlainObject = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

const RUN = "json_match_evaluator";
const TASK = "a JSON match";
