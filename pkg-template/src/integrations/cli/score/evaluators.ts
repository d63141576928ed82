/** Makes the evaluators that `--evaluator` names. */

import { createLLMAsJudge, createTrajectoryLLMAsJudge, initChatModel } from "../../../api.js";
import type { RowEvaluator } from "../../../evaluation.js";
import { usageError } from "../cli-error.js";
import { JUDGED, JUDGED_TRAJECTORIES } from "./judged.js";
import type { ScoreOptions } from "./options.js";
import { GROUPS, type Make } from "./pure.js";

/** The evaluators for the keys in the options; throws {@link usageError} for unknown keys. */
export async function evaluatorsOf(
  { evaluator: keys, model, ...options }: ScoreOptions,
  signal: AbortSignal,
): Promise<RowEvaluator[]> {
  if (!keys.length) throw usageError("score needs at least one --evaluator");
  const evaluators: RowEvaluator[] = [];
  for (const key of keys) {
    const trajectory = lookUp(JUDGED_TRAJECTORIES, key);
    const prompt = trajectory ?? lookUp(JUDGED, key);
    const make = prompt ? undefined : await makerWithoutModel(key);
    if (make) {
      evaluators.push(withKey(key, make()));
      continue;
    }
    const metric = prompt ? undefined : lookUp((await import("./rag-metrics.js")).RAG_METRICS, key);
    if (!prompt && !metric) throw await unknownEvaluator(key);
    if (!model) throw usageError(`${key} asks a model; name one with --model, such as openai:gpt-5.4`);
    const judge = initChatModel(model, {
      signal,
      baseURL: options.baseUrl,
      requestsPerMinute: options.requestsPerMinute,
      tokensPerMinute: options.tokensPerMinute,
    });
    if (!prompt) {
      if (metric) evaluators.push(metric({ judge }));
      continue;
    }
    const prompts = await import("../../../models/prompts/index.js");
    const create = trajectory ? createTrajectoryLLMAsJudge : createLLMAsJudge;
    evaluators.push(create({ prompt: prompts[prompt], judge, feedbackKey: key }));
  }
  return evaluators;
}

/** The maker of an evaluator that needs no model; `undefined` for other keys. */
async function makerWithoutModel(key: string): Promise<Make | undefined> {
  for (const load of GROUPS) {
    const make = lookUp(await load(), key);
    if (make) return make;
  }
  const [, name = "", k] = /^(.+)_at_([1-9]\d*)$/.exec(key) ?? [];
  if (k === undefined) return undefined;
  const create = lookUp((await import("./ranking-metrics.js")).AT_K, name);
  return create && (() => create({ k: Number(k) }));
}

/** All keys, and whether each needs a model. */
export async function keysOfScore(): Promise<{ key: string; model: boolean }[]> {
  const { AT_K } = await import("./ranking-metrics.js");
  const { RAG_METRICS } = await import("./rag-metrics.js");
  const groups: object[] = [];
  for (const load of GROUPS) groups.push(await load());
  const cutoffs = Object.keys(AT_K).map((name) => `${name}_at_10`);
  const judged = [JUDGED, JUDGED_TRAJECTORIES, RAG_METRICS].flatMap(Object.keys);
  return [
    ...[...groups.flatMap(Object.keys), ...cutoffs].map((key) => ({ key, model: false })),
    ...judged.map((key) => ({ key, model: true })),
  ];
}

/** Other names of metrics, in the literature and in other packages. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  mrr: "reciprocal_rank",
  map: "average_precision",
  hit_rate: "hit_rate_at_10",
  precision: "precision_at_10",
  recall: "recall_at_10",
};

/** Metrics that need embeddings, which no option of the program sets, and their functions. */
const IN_CODE: Readonly<Record<string, string>> = {
  answer_correctness: "answerCorrectness",
  answer_relevancy: "answerRelevancy",
};

/** The key for another name of a metric, such as `recall@5` or `mrr`. */
function keyForName(given: string): string | undefined {
  const lower = given.toLowerCase();
  const [, name = lower, k] = /^(.+)@(\d+)$/.exec(lower) ?? [];
  const key = lookUp(OTHER_NAMES, name);
  return k === undefined ? key : `${(key ?? name).replace(/_at_10$/, "")}_at_${k}`;
}

/** The error for an unknown key, which suggests a similar key or lists all. */
async function unknownEvaluator(key: string): Promise<Error> {
  if (key.includes(",")) return usageError(`Unknown evaluator "${key}"; pass --evaluator once for each key`);
  const inCode = lookUp(IN_CODE, key);
  if (inCode)
    return usageError(
      `The evaluator ${key} needs embeddings; use ${inCode} of openevals-wasm/rag in a file for run`,
    );
  const meant = keyForName(key);
  if (meant !== undefined && (await makerWithoutModel(meant)))
    return usageError(`Unknown evaluator "${key}"; did you mean ${meant}?`);
  const { didYouMean } = await import("../../../core/input/near.js");
  const all = (await keysOfScore()).map((known) => known.key);
  const hint = didYouMean(key, all, `the evaluators are ${all.join(", ")}`);
  return usageError(`Unknown evaluator "${key}"; ${hint}`);
}

/** Sets the key under which an evaluator without any result is listed. */
const withKey = (feedbackKey: string, evaluate: RowEvaluator): RowEvaluator =>
  Object.assign(evaluate, { feedbackKey });

const lookUp = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Variables of prompts besides inputs, outputs and reference outputs. */
const EXTRA_VARIABLES = ["context", "plan"];

/** Takes these variables from the first of inputs, outputs and metadata that has them. */
export function mapInputs({ inputs, outputs, example }: { inputs: any; outputs: any; example: any }) {
  const sources = [inputs, outputs, example?.metadata];
  return Object.fromEntries(
    EXTRA_VARIABLES.flatMap((name) => {
      const source = sources.find((fields) => fields?.[name] !== undefined);
      return source ? [[name, source[name]]] : [];
    }),
  );
}
