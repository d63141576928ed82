/** Verdicts of whoever reads an experiment: which results and differences are bad news. */

import { scoreOf } from "../../core/records/score.js";
import type {
  Comparison,
  EvaluationResult,
  EvaluatorFailure,
  ExperimentRow,
  Failure,
} from "../../core/records/types.js";
import { NO_OUTPUTS } from "../stored/no-outputs.js";
import type { ReadingOptions } from "./options.js";

/** The keys of this package's own error rates. */
const ERROR_RATES = [
  "ter",
  "corpus_ter",
  "word_error_rate",
  "corpus_wer",
  "match_error_rate",
  "word_information_lost",
  "character_error_rate",
  "repetition",
];

/** The keys of this package's own figures of which neither more nor less is better, and none is half. */
const FIGURES = [
  "flesch_reading_ease",
  "flesch_kincaid_grade",
  "gunning_fog",
  "smog_index",
  "character_count",
  "letter_count",
  "word_count",
  "sentence_count",
  "compression_ratio",
];

/** Whether low scores of a key are good news. */
export const isLowerBetter = (key: string, { lowerIsBetter = [] }: ReadingOptions): boolean =>
  ERROR_RATES.includes(key) || lowerIsBetter.includes(key);

/** Whether a result is bad news: `false`, or a number below one half; the other way round where lower is better. */
export function fails(result: EvaluationResult, options: ReadingOptions): boolean {
  const score = scoreOf(result);
  if (score === undefined || FIGURES.includes(result.key)) return false;
  return isLowerBetter(result.key, options) ? Number(score) > 0.5 : Number(score) < 0.5;
}

/**
 * Whether a difference is more than chance, at the usual 5% and among as many keys as there are, and if so whether it is
 * good news.
 */
export function change(
  key: string,
  { difference, adjustedPValue }: Comparison,
  options: ReadingOptions,
): "better" | "worse" | undefined {
  if (FIGURES.includes(key) && !options.lowerIsBetter?.includes(key)) return undefined;
  if (!difference || adjustedPValue === null || adjustedPValue >= 0.05) return undefined;
  return difference > 0 === isLowerBetter(key, options) ? "worse" : "better";
}

/** Failures of evaluators, without those that only say that the target has failed. */
export function ownErrors({ run, errors }: ExperimentRow): EvaluatorFailure[] {
  return run.error ? [] : errors;
}

/** What has failed where the run has an error: the target, or, without one, the row. */
export const failedPart = ({ message }: Failure): string =>
  String(message).startsWith(NO_OUTPUTS) ? "The row" : "The target";

/** What a failure says. */
export const failureText = ({ name, code, message }: Failure): string => `${code ?? name}: ${message}`;

/** The id of an example, with the number of the repetition from the second on. */
export function rowName({ example, run }: ExperimentRow): string {
  return run.repetition ? `${example.id} #${run.repetition + 1}` : example.id;
}
