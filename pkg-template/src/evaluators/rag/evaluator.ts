/** Makes the evaluators of RAG metrics. */

import { invalidInput } from "../../core/errors.js";
import {
  aFunction,
  anything,
  aString,
  type Checks,
  check,
  fromZero,
  oneOf,
  wholeFrom,
} from "../../core/input/checks.js";
import { allRows } from "../../core/input/rows.js";
import type { TokenUsage } from "../../core/records/usage.js";
import { PASS_OPTIONS, type PassOptions, type ScoreScale, withPassMark } from "../../core/scale.js";
import { tracedEvaluator } from "../../core/tracing/hook.js";
import type { LangSmithParams } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/check-access.js";
import type { JudgeModel, StructuredOutputMethod } from "../../models/chat/judge-model.js";
import { msSince, openJudge } from "../judge/model.js";
import { aStructuredOutputMethod } from "../judge/options.js";
import type { Vote } from "../judge/vote.js";
import { type ContextSource, type Part, type RagParams, type RagRow, readRow } from "./row.js";
import { sampled } from "./samples.js";
import { type ClaimExtractionMode, type StepSettings, Steps } from "./steps.js";

/** The names of the questions that metrics ask. */
export type RagQuestionName = "claims" | "support" | "usefulness" | "relevance" | "entities" | "questions";

const QUESTION_NAMES: readonly string[] = [
  "claims",
  "support",
  "usefulness",
  "relevance",
  "entities",
  "questions",
] satisfies RagQuestionName[];

/** The options of all RAG metrics. */
export interface RagOptions extends PassOptions {
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
  /**
   * How claims are extracted. `fast` (the default) asks one question for up to 40 sentences. `thorough` asks three
   * questions about each sentence, as claim verification of `openevals-wasm/recipes` does.
   */
  extraction?: ClaimExtractionMode | undefined;
  /** Your own instructions for questions, instead of those in {@link RAG_INSTRUCTIONS}. */
  instructions?: Partial<Record<RagQuestionName, string>> | undefined;
  /**
   * Finds the contexts in the parameters, instead of `context`: {@link lastToolResult}, or your own function. If it
   * returns `undefined`, nothing was retrieved, and the metric is not applicable.
   */
  contextFrom?: ContextSource | undefined;
  /** How many questions of a row are asked in parallel; 4 by default. */
  maxConcurrency?: number | undefined;
  /** How many times a row is scored, in parallel; 1 by default, at most 100. The score is the mean. */
  samples?: number | undefined;
  /** The `key` of the result, instead of the metric's own. */
  feedbackKey?: string | undefined;
}

/** The options of a suite of metrics. */
export const SHARED_OPTIONS: Checks<Omit<RagOptions, "samples" | "feedbackKey">> = {
  model: aString,
  judge: anything,
  cacheKey: aString,
  temperature: fromZero,
  structuredOutputMethod: aStructuredOutputMethod,
  extraction: oneOf(["fast", "thorough"] satisfies ClaimExtractionMode[]),
  instructions: check(`an object with texts for ${QUESTION_NAMES.join(", ")}`, (given) =>
    Object.entries(given).every(([name, text]) => QUESTION_NAMES.includes(name) && typeof text === "string"),
  ),
  contextFrom: aFunction,
  maxConcurrency: wholeFrom(1),
  ...PASS_OPTIONS,
};

export const RAG_OPTIONS: Checks<RagOptions> = {
  ...SHARED_OPTIONS,
  samples: wholeFrom(1, 100),
  feedbackKey: aString,
};

/** What the questions of a result took. */
export type RagMetadata = {
  /** The model that judged, by its provider's name for it. */
  model?: string;
  /** The tokens used, if the provider reports them. */
  usage?: TokenUsage;
  /** The number of requests sent, including retries and second requests after unusable answers. */
  attempts: number;
  /** The duration in milliseconds. */
  latencyMs: number;
  /** With `samples`, the agreement of their scores: 1 minus their mean distance from the mean. */
  confidence?: number;
  /** With `samples`, the standard deviation of their scores. */
  standardDeviation?: number;
  /** With `samples`, the score and comment of each. The other metadata is that of the sample nearest to the mean. */
  votes?: Vote[];
};

/** The result of a RAG metric. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type RagResult<Details = Record<string, unknown>> = {
  /** The `feedbackKey`. */
  key: string;
  /** The score; `null` if there was nothing to score. */
  score: number | null;
  /** `false` if there was nothing to score. */
  applicable?: false;
  /** How the score came about, or why there is none. */
  comment: string;
  /** The verdicts behind the score, and what the questions took. */
  metadata: RagMetadata & Partial<Details>;
};

/** An evaluator of a RAG metric. */
export interface RagEvaluator<Details = Record<string, unknown>> {
  (params: LangSmithParams): Promise<RagResult<Details>>;
  (params: RagParams): Promise<RagResult<Details>>;
  /**
   * Scores many rows in parallel and returns the results in their order. If one row fails, the batch is rejected with
   * an error that names the row.
   */
  batch(rows: readonly RagParams[]): Promise<RagResult<Details>[]>;
  /** The `key` of its results. */
  readonly feedbackKey: string;
  /** The range, direction and pass mark of its scores. */
  readonly scale: ScoreScale;
}

/** What a metric found in a row. Without a score, the comment says why. */
export interface Scored<Details> {
  score?: number;
  comment: string;
  details?: Details;
}

/** A metric. */
export interface RagMetric<Details> {
  key: string;
  scale: ScoreScale;
  /** The parts of a row without which it cannot be called. */
  needs: readonly Part[];
  /** Scores a row that has these parts. */
  score(row: RagRow & Needed, steps: Steps): Promise<Scored<Details>>;
}

/** Parts that a metric reads only if it needs them. */
interface Needed {
  question: string;
  answer: string;
  reference: string;
  contexts: NonNullable<RagRow["contexts"]>;
}

const FIELDS = {
  inputs: "question",
  outputs: "answer",
  context: "contexts",
  referenceOutputs: "reference",
} as const;

/** The parts that a row lacks. */
export const missingParts = ({ needs }: RagMetric<any>, row: RagRow): Part[] =>
  needs.filter((part) => row[FIELDS[part]] === undefined);

/** The result of a metric for a row that may have all it needs. */
export async function resultOf<Details>(
  metric: RagMetric<Details>,
  key: string,
  row: RagRow,
  steps: Steps,
  missing: readonly Part[],
): Promise<RagResult<Details>> {
  const started = performance.now();
  const { score, comment, details }: Scored<Details> = missing.length
    ? { comment: `Not applicable: there is no ${missing.join(" and no ")}.` }
    : await metric.score(row as RagRow & Needed, steps);
  const metadata = { ...steps.taken(), latencyMs: msSince(started), ...details } as RagMetadata &
    Partial<Details>;
  if (score !== undefined) return { key, score, comment, metadata };
  return { key, score: null, applicable: false, comment, metadata };
}

/** The settings of the questions, from checked options. */
export function stepSettings(options: RagOptions): StepSettings {
  const { judge, model, cacheKey, temperature, structuredOutputMethod } = options;
  return {
    judge: openJudge({ judge, model, cacheKey, temperature, structuredOutputMethod }),
    extraction: options.extraction ?? "fast",
    instructions: { ...options.instructions },
    maxConcurrency: options.maxConcurrency ?? 4,
  };
}

/** Makes the evaluator of a metric from checked options. */
export function ragEvaluator<Details>(
  metric: RagMetric<Details>,
  options: RagOptions,
): RagEvaluator<Details> {
  const { contextFrom, samples = 1, feedbackKey: key = metric.key } = options;
  const settings = stepSettings(options);
  const evaluate = async (params: unknown): Promise<RagResult<Details>> => {
    const row = readRow(metric.key, params, contextFrom);
    const missing = missingParts(metric, row);
    // A search that was not made leaves nothing to score; a row without context is a mistake.
    if (missing.some((part) => part !== "context" || !contextFrom)) throw lacking(metric, missing);
    return sampled(samples, () => resultOf(metric, key, row, new Steps(settings), missing));
  };
  const evaluator = tracedEvaluator(key, evaluate, async (rows: readonly unknown[]) => {
    if (!Array.isArray(rows)) throw invalidInput(`${key}.batch needs a list of rows`);
    return allRows(rows, evaluate);
  });
  const scale = withPassMark(metric.scale, options);
  return withAccessOf(Object.assign(evaluator, { scale, model: settings.judge.model }), [
    settings.judge,
  ]) as object as RagEvaluator<Details>;
}

function lacking({ key, needs }: RagMetric<any>, missing: readonly Part[]) {
  return invalidInput(`${key} needs ${missing.join(" and ")}. Call it with { ${needs.join(", ")} }`);
}
