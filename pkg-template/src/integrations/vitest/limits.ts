/** The limits of `describeEval` for each row and for all rows together. */

import { show } from "../../core/input/checks.js";
import { isMeanOfBooleans } from "../../core/records/numerals.js";
import { scoreOf } from "../../core/records/score.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import { boundOf, isPassing } from "../../core/scale.js";
import { missedLimits, tooManyErrors } from "../../experiments/presentation/key-limits.js";
import { limitsIn } from "../../experiments/presentation/limit-range.js";
import { nothingMeasured } from "../../experiments/presentation/nothing-measured.js";
import {
  failedPart,
  failureText,
  ownErrors,
  rowName,
  type ScaleOf,
} from "../../experiments/presentation/reading.js";

export interface MatcherLimits {
  failUnder: Readonly<Record<string, number>>;
  failOver: Readonly<Record<string, number>>;
  maxErrors: number | undefined;
  eachAtLeast: number | undefined;
}

/** The reason for which an example fails, over its repetitions; `undefined` if it passes. */
export function rowProblem(
  repetitions: readonly ExperimentRow[],
  limits: MatcherLimits,
  scaleOf: ScaleOf,
): string | undefined {
  const wrong = repetitions.map((row) => wrongWith(row, limits, scaleOf));
  const passed = wrong.filter((lines) => !lines.length).length;
  if (repetitions.length && passed >= (limits.eachAtLeast ?? 1) * repetitions.length) return undefined;
  const reports = repetitions.flatMap((row, index) => {
    const lines = wrong[index] as string[];
    if (!lines.length) return [];
    const { inputs, outputs: reference } = row.example;
    const shown = [
      `inputs: ${show(inputs)}`,
      ...(row.run.error ? [] : [`outputs: ${show(row.run.outputs)}`]),
      ...(reference === undefined ? [] : [`referenceOutputs: ${show(reference)}`]),
    ];
    return [[...(repetitions.length > 1 ? [rowName(row)] : []), ...lines, "", ...shown].join("\n")];
  });
  const share = repetitions.length > 1 ? [`${passed} of ${repetitions.length} repetitions pass.`] : [];
  return [...share, ...reports].join("\n\n");
}

/** The reasons for which a row fails, in lines. {@link totalProblems} tests keys with a limit on their mean. */
function wrongWith(row: ExperimentRow, limits: MatcherLimits, scaleOf: ScaleOf): string[] {
  const { run, evaluationResults } = row;
  const countsErrors = limits.maxErrors === undefined;
  if (run.error) return countsErrors ? [`${failedPart(run.error)} failed: ${failureText(run.error)}`] : [];
  const errors = countsErrors
    ? ownErrors(row).map(({ key, error }) => `${key} failed: ${failureText(error)}`)
    : [];
  const low = evaluationResults.flatMap((result) => {
    const { key, comment } = result;
    const score = scoreOf(result);
    if (score === undefined || Object.hasOwn(limits.failUnder, key) || Object.hasOwn(limits.failOver, key))
      return [];
    const scale = scaleOf(key);
    if (isPassing(score, scale) !== false) return [];
    const should = typeof score === "boolean" ? String(!score) : boundOf(scale);
    const why = comment ? `\n  ${comment.replaceAll("\n", "\n  ")}` : "";
    return [`${key}: the score is ${score}, it should be ${should}${why}`];
  });
  return [...errors, ...low];
}

/** The limits that the rows together do not meet, as sentences. */
export function totalProblems(experiment: Experiment, limits: MatcherLimits): string[] {
  const { aggregates, stopped } = experiment;
  if (stopped) return [`It stopped before the end: ${stopped.message}`];
  const unmeasured = nothingMeasured(experiment);
  if (unmeasured !== undefined) return [unmeasured];
  const { failUnder, failOver, maxErrors } = limits;
  const keys = Object.keys(aggregates);
  const limited = limitsIn(Object.entries(failUnder), Object.entries(failOver));
  const unknown = limited.filter(({ key }) => !keys.includes(key));
  return [
    ...unknown.map(
      ({ key }) =>
        `There is a limit for ${show(key)}, a key that no result has. The keys are ${keys.join(", ")}.`,
    ),
    ...Object.entries(aggregates).flatMap(([key, aggregate]) => {
      const own = limited.filter((limit) => limit.key === key);
      const { mean, errors } = aggregate;
      const failed = tooManyErrors(key, errors, own, maxErrors);
      if (mean === null) return own.length && !failed.length ? [`${key} has no scores.`] : failed;
      return [...failed, ...missedLimits(key, mean, isMeanOfBooleans(aggregate), own)];
    }),
  ];
}
