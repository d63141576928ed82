/** Makes evaluators that ask for a verdict on each item of a list. */

import {
  anything,
  aString,
  check,
  fromZero,
  type OptionCheck,
  type OptionChecks,
  wholeFrom,
} from "../../core/input/checks.js";
import { scoreBatch } from "../../core/input/rows.js";
import { PASS_OPTIONS, type PassOptions, withPassMark } from "../../core/passing.js";
import { msSince } from "../../core/platform/elapsed.js";
import type { TokenUsage } from "../../core/records/usage.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { ScoreScale } from "../../core/types.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import { openJudge } from "../judge/model.js";
import { aModelName, aStructuredOutputMethod } from "../judge/option-checks.js";
import type { Vote } from "../judge/vote.js";
import type { EmbeddingPart, QuestionSettings, Questions } from "./questions.js";

/** The options of all evaluators that ask for a verdict on each item. */
export interface JudgedOptions extends PassOptions {
  /** The model that judges, named as for `initChatModel`: `openai:gpt-5.4`. */
  model?: string | undefined;
  /**
   * The judge, instead of `model`, as for `createLLMAsJudge`. A function gets `{ messages, schema }`, with the items of the
   * question as blocks (`<claim index="0">`), and returns `{ answers: [{ index: 0, … }] }` with exactly one answer for each
   * index. `schema` has the other fields, such as `reason`, `contexts` and `verdict` for claims, or `claims` for sentences.
   */
  judge?: JudgeModel | undefined;
  /** Identifies the judge in the cache of an experiment, as for `createLLMAsJudge`. */
  cacheKey?: string | undefined;
  /** The sampling temperature of `model`, from 0. By default, the provider decides. */
  temperature?: number | undefined;
  /** The structured output method of a LangChain chat model, as for `createLLMAsJudge`. */
  structuredOutputMethod?: StructuredOutputMethod | undefined;
  /** How many questions of a row are asked in parallel; 4 by default. */
  maxConcurrency?: number | undefined;
  /** How many times a row is scored, in parallel; 1 by default, at most 100. The score is the mean. */
  samples?: number | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of a suite of metrics. */
export const SUITE_OPTIONS: OptionChecks<Omit<JudgedOptions, "samples" | "feedbackKey">> = {
  model: aModelName,
  judge: anything,
  cacheKey: aString,
  temperature: fromZero,
  structuredOutputMethod: aStructuredOutputMethod,
  maxConcurrency: wholeFrom(1),
  ...PASS_OPTIONS,
};

export const JUDGED_OPTIONS: OptionChecks<JudgedOptions> = {
  ...SUITE_OPTIONS,
  samples: wholeFrom(1, 100),
  feedbackKey: aString,
};

/** A check of `instructions`: texts for questions with these names. */
export const instructionsFor = (names: readonly string[]): OptionCheck =>
  check(`an object with texts for ${names.join(", ")}`, (instructions) =>
    Object.entries(instructions).every(([name, text]) => names.includes(name) && typeof text === "string"),
  );

/** The usage of the questions of a result. */
export type JudgedMetadata = {
  /** The model that judged, by its provider's name for it. */
  model?: string;
  /** The tokens used, if the provider reports them. Those of embeddings count, too. */
  usage?: TokenUsage;
  /** The number of requests sent, including retries, second requests after unusable answers, and those for embeddings. */
  attempts: number;
  /** The usage of embeddings, by their own model. It is also in `usage` and `attempts`. */
  parts?: EmbeddingPart[];
  /** The duration in milliseconds. */
  latencyMs: number;
  /** With `samples`, the agreement of their scores: 1 minus their mean distance from the mean. */
  confidence?: number;
  /** With `samples`, the standard deviation of their scores. */
  standardDeviation?: number;
  /** With `samples`, how their scores became one. */
  voteRule?: "mean";
  /** With `samples`, the score and comment of each. The other metadata comes from the sample nearest to the mean. */
  votes?: Vote[];
};

/** The result of a judged metric. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgedResult<Details = Record<string, unknown>> = {
  /** The `feedbackKey`. */
  key: string;
  /** The score; `null` if there was nothing to score. */
  score: number | null;
  /** `false` if there was nothing to score. */
  applicable?: false;
  /** The explanation of the score, or the reason why there is none. */
  comment: string;
  /** The verdicts behind the score, and the usage of the questions. */
  metadata: JudgedMetadata & Partial<Details>;
};

/** The findings of a metric in a row. Without a score, the comment says why. */
export interface Scored<Details> {
  score?: number;
  comment: string;
  details?: Details;
}

/** The settings of the questions, from checked options. */
export function questionSettings(
  options: JudgedOptions & { instructions?: Partial<Record<string, string>> | undefined },
): QuestionSettings {
  const { judge, model, cacheKey, temperature, structuredOutputMethod } = options;
  return {
    judge: openJudge({ judge, model, cacheKey, temperature, structuredOutputMethod }),
    instructions: { ...options.instructions },
    maxConcurrency: options.maxConcurrency ?? 4,
  };
}

/** The result of a metric, with the usage of its questions. */
export async function judgedResult<Details>(
  key: string,
  questions: Questions,
  scored: () => Promise<Scored<Details>>,
): Promise<JudgedResult<Details>> {
  const started = performance.now();
  const { score, comment, details } = await questions.counted(scored);
  const metadata = { ...questions.usage(), latencyMs: msSince(started), ...details } as JudgedMetadata &
    Partial<Details>;
  if (score !== undefined) return { key, score, comment, metadata };
  return { key, score: null, applicable: false, comment, metadata };
}

/** The definition of an evaluator. */
interface EvaluatorSpec {
  key: string;
  /** Its name in errors. */
  name?: string;
  /** The keys of its results, if there are several. */
  resultKeys?: readonly string[];
  scale: ScoreScale;
  options: PassOptions;
  settings: QuestionSettings;
}

/** Makes an evaluator with a `batch`, a scale, and the access of its judge. */
export function judgedEvaluator<Evaluator>(
  { key, name = key, resultKeys, scale, options, settings }: EvaluatorSpec,
  evaluate: (params: unknown) => Promise<unknown>,
): Evaluator {
  const evaluator = tracedEvaluator(key, evaluate, (rows: readonly unknown[]) =>
    scoreBatch(name, rows, evaluate),
  );
  const fields = {
    scale: withPassMark(scale, options),
    model: settings.judge.model,
    ...(resultKeys && { resultKeys }),
  };
  return withAccessOf(Object.assign(evaluator, fields), [settings.judge]) as object as Evaluator;
}
