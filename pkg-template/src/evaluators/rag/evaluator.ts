/** Makes the evaluators of RAG metrics. */

import { invalidInput, type OpenEvalsError } from "../../core/errors.js";
import { aFunction, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { nearest } from "../../core/input/near.js";
import { referenceOf } from "../../core/input/params.js";
import type { LangSmithParams, ScoreScale } from "../../core/types.js";
import {
  instructionsFor,
  JUDGED_OPTIONS,
  type JudgedMetadata,
  type JudgedOptions,
  type JudgedResult,
  judgedEvaluator,
  judgedResult,
  questionSettings,
  type Scored,
  SUITE_OPTIONS,
} from "../item-verdicts/evaluator.js";
import { sampled } from "../item-verdicts/samples.js";
import { type ContextSource, type Part, type RagParams, type RagRow, readRow } from "./row.js";
import { type ClaimExtractionMode, type StepSettings, Steps } from "./steps.js";

const QUESTION_NAMES = ["claims", "support", "usefulness", "relevance", "entities", "questions"] as const;

/** The names of the questions that metrics ask. */
export type RagQuestionName = (typeof QUESTION_NAMES)[number];

/** The options of all RAG metrics. */
export interface RagOptions extends JudgedOptions {
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
}

/** The options of a suite of metrics. */
export const SHARED_OPTIONS: OptionChecks<Omit<RagOptions, "samples" | "feedbackKey">> = {
  ...SUITE_OPTIONS,
  extraction: oneOf(["fast", "thorough"] satisfies ClaimExtractionMode[]),
  instructions: instructionsFor(QUESTION_NAMES),
  contextFrom: aFunction,
};

export const RAG_OPTIONS: OptionChecks<RagOptions> = { ...SHARED_OPTIONS, ...JUDGED_OPTIONS };

/** The usage of the questions of a result. */
export type RagMetadata = JudgedMetadata;

/** The result of a RAG metric. */
export type RagResult<Details = Record<string, unknown>> = JudgedResult<Details>;

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

/** A metric. */
export interface RagMetric<Details> {
  key: string;
  scale: ScoreScale;
  /** The parts of a row without which it cannot be called. */
  needs: readonly Part[];
  /** Other parts that it reads if a row has them. The question is read for all metrics. */
  mayRead?: readonly Part[] | undefined;
  /** Scores a row that has these parts. */
  score(row: RagRow & Needed, steps: Steps): Promise<Scored<Details>>;
}

/** The parts, as if a row had them all: a metric may read those in its `needs`. */
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

/** The parts that a metric reads. */
export const partsOf = ({ needs, mayRead = [] }: RagMetric<any>): Part[] => [...needs, ...mayRead];

/** The result of a metric for a row that may have all it needs. */
export const resultOf = <Details>(
  metric: RagMetric<Details>,
  key: string,
  row: RagRow,
  steps: Steps,
  missing: readonly Part[],
): Promise<RagResult<Details>> =>
  judgedResult(key, steps, async () =>
    missing.length
      ? { comment: `Not applicable: there is no ${missing.join(" and no ")}.` }
      : metric.score(row as RagRow & Needed, steps),
  );

/** The settings of the questions, from checked options. */
export const stepSettings = (options: RagOptions): StepSettings => ({
  ...questionSettings(options),
  extraction: options.extraction ?? "fast",
});

/** Makes the evaluator of a metric from checked options. */
export function ragEvaluator<Details>(
  metric: RagMetric<Details>,
  options: RagOptions,
): RagEvaluator<Details> {
  const { contextFrom, samples = 1, feedbackKey: key = metric.key } = options;
  const settings = stepSettings(options);
  return judgedEvaluator({ key, scale: metric.scale, options, settings }, async (params) => {
    const row = readRow(metric.key, params, contextFrom, partsOf(metric));
    const missing = missingParts(metric, row);
    // With `contextFrom`, nothing may have been retrieved. Without it, a row without context is a mistake.
    if (missing.some((part) => part !== "context" || !contextFrom))
      throw missingInput(metric, missing, params);
    return sampled(samples, () => resultOf(metric, key, row, new Steps(settings), missing));
  });
}

/** The error for a row without parts that a metric needs. */
export function missingInput(
  { key, needs }: Pick<RagMetric<any>, "key" | "needs">,
  missing: readonly Part[],
  params: unknown,
): OpenEvalsError {
  const hints = Object.keys(Object(params)).flatMap((name) => {
    const meant = nearest(name, missing);
    return meant && meant !== name ? [` Did you mean ${meant} instead of ${name}?`] : [];
  });
  const isEmpty = missing.includes("referenceOutputs") && referenceOf(params as RagParams) != null;
  if (isEmpty) hints.push(" The text of referenceOutputs is empty.");
  const inExperiments = missing.includes("context")
    ? "; in evaluate() and online(), rows have metadata.context, or mapInputs returns context"
    : "";
  return invalidInput(
    `${key} needs ${missing.join(" and ")}.${hints.join("")} Call it with { ${needs.join(", ")} }${inExperiments}`,
  );
}
