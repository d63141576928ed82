/** Evaluators by key. */

import { createLLMAsJudge, createTrajectoryLLMAsJudge, initChatModel } from "../../../api.js";
import type { RowEvaluator } from "../../../evaluation.js";
import { wrong } from "../mistake.js";
import { JUDGED, JUDGED_BAD, JUDGED_TRAJECTORIES } from "./judged.js";
import type { ScoreOptions } from "./options.js";
import { GROUPS, type Make } from "./pure.js";

/** The evaluators with these keys; throws {@link wrong} for unknown keys. */
export async function evaluatorsOf(
  { evaluator: keys, model, ...options }: ScoreOptions,
  signal: AbortSignal,
): Promise<RowEvaluator[]> {
  if (!keys.length) throw wrong("score needs at least one --evaluator");
  const evaluators: RowEvaluator[] = [];
  for (const key of keys) {
    const trajectory = own(JUDGED_TRAJECTORIES, key);
    const prompt = trajectory ?? own(JUDGED, key) ?? own(JUDGED_BAD, key);
    const make = prompt ? undefined : await pure(key);
    if (make) {
      evaluators.push(named(key, make()));
      continue;
    }
    const metric = prompt ? undefined : own((await import("./rag-metrics.js")).RAG_METRICS, key);
    if (!prompt && !metric) throw await unknown(key);
    if (!model) throw wrong(`${key} asks a model; name one with --model, such as openai:gpt-5.4`);
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
    const lowerIsBetter = Object.hasOwn(JUDGED_BAD, key) || undefined;
    evaluators.push(create({ prompt: prompts[prompt], judge, feedbackKey: key, lowerIsBetter }));
  }
  return evaluators;
}

/** The maker of an evaluator that needs no model. */
async function pure(key: string): Promise<Make | undefined> {
  for (const load of GROUPS) {
    const make = own(await load(), key);
    if (make) return make;
  }
  const [, name = "", k] = /^(.+)_at_([1-9]\d*)$/.exec(key) ?? [];
  if (k === undefined) return undefined;
  const create = own((await import("./ranking-metrics.js")).AT_K, name);
  return create && (() => create({ k: Number(k) }));
}

/** All keys, and whether each needs a model. */
export async function keysOfScore(): Promise<{ key: string; model: boolean }[]> {
  const { AT_K } = await import("./ranking-metrics.js");
  const { RAG_METRICS } = await import("./rag-metrics.js");
  const groups: object[] = [];
  for (const load of GROUPS) groups.push(await load());
  const cutoffs = Object.keys(AT_K).map((name) => `${name}_at_10`);
  const asking = [JUDGED, JUDGED_BAD, JUDGED_TRAJECTORIES, RAG_METRICS].flatMap(Object.keys);
  return [
    ...[...groups.flatMap(Object.keys), ...cutoffs].map((key) => ({ key, model: false })),
    ...asking.map((key) => ({ key, model: true })),
  ];
}

/** The mistake of an unknown key, with a suggestion or all keys. */
async function unknown(key: string): Promise<Error> {
  if (key.includes(",")) return wrong(`Unknown evaluator "${key}"; pass --evaluator once for each key`);
  const { didYouMean } = await import("../../../core/input/near.js");
  const all = (await keysOfScore()).map((one) => one.key);
  const hint = didYouMean(key, all, `the evaluators are ${all.join(", ")}`);
  return wrong(`Unknown evaluator "${key}"; ${hint}`);
}

/** An evaluator that gave no result is listed under this key. */
const named = (feedbackKey: string, evaluate: RowEvaluator): RowEvaluator =>
  Object.assign(evaluate, { feedbackKey });

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;

/** Variables of prompts besides inputs and outputs. */
const ELSEWHERE = ["context", "plan"];

/** Finds these variables among the fields of inputs, outputs or metadata. */
export function mapInputs({ inputs, outputs, example }: { inputs: any; outputs: any; example: any }) {
  const places = [inputs, outputs, example?.metadata];
  return Object.fromEntries(
    ELSEWHERE.flatMap((name) => {
      const place = places.find((one) => one?.[name] !== undefined);
      return place ? [[name, place[name]]] : [];
    }),
  );
}
