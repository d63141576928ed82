/** The limits of `describeEval` for each row and for all rows together. */

import { boundOf, isPassing } from "../../core/passing.js";
import type { ScoreLimits } from "../../core/records/mean-limits.js";
import { hasValue, scoreOf } from "../../core/records/score.js";
import type { EvaluationResult, Experiment, ExperimentRow } from "../../core/records/types.js";
import { nothingMeasured, unmeasuredShard } from "../../presentation/limits/nothing-measured.js";
import {
  passesIn,
  passesTooSeldom,
  thresholdMistake,
  totalProblems,
} from "../../presentation/limits/score-limits.js";
import {
  failedPart,
  failureText,
  ownErrors,
  rowName,
  type ScaleOf,
  scalesIn,
} from "../../presentation/reading.js";
import { valueLines } from "./value-lines.js";

/** The outcome of a row's test. A row that nothing could have failed is not judged, and must not pass. */
export type RowTestVerdict =
  | { passes: true }
  /** The repetitions that the failure is about. */
  | { failure: string; failing: readonly ExperimentRow[] }
  | { notJudged: string };

/** The scores of one example, and the rules that apply to them. */
interface RowJudging {
  repetitions: readonly ExperimentRow[];
  scaleOf: ScaleOf;
  /** Whether an error fails the row. */
  countsErrors: boolean;
  /** Whether only the mean of the key is limited, which `totals` tests. */
  isLimited(key: string): boolean;
  /** The advice for keys without a pass mark. */
  advice: string;
}

/** The verdict on an example from its repetitions. With `eachAtLeast`, all keys and errors count, as in `openevals-wasm run`. */
export function rowVerdict(
  repetitions: readonly ExperimentRow[],
  { failUnder, failOver, maxErrors, eachAtLeast, lowerIsBetter }: ScoreLimits,
  scales: NonNullable<Experiment["scales"]>,
): RowTestVerdict {
  const isEach = eachAtLeast !== undefined;
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  const judging: RowJudging = {
    repetitions,
    scaleOf,
    countsErrors: isEach || maxErrors === undefined,
    isLimited: (key) => !isEach && (failUnder.has(key) || failOver.has(key)),
    advice: isEach ? "Set passAt" : "Set passAt, or failUnder for the mean of all rows",
  };
  const { countsErrors, isLimited } = judging;
  const passesOf = (rows: readonly ExperimentRow[], key: string) =>
    passesIn(rows, key, (score) => isLimited(key) || isPassing(score, scaleOf(key)));
  const scored = repetitions.map((row) => ({ ...row, errors: [] }));
  const keys = keysIn(repetitions);
  const all = keys.map((key) => ({ key, passes: passesOf(countsErrors ? repetitions : scored, key) }));
  // Without evaluators, no key has the failure of the target.
  if (!keys.length && countsErrors)
    all.push({ key: "The target", passes: repetitions.map(({ run }) => !run.error) });
  const failing = all.filter(({ passes }) => passesTooSeldom(passes, eachAtLeast ?? 1));
  if (failing.length) return failureOf(failing, judging);
  const isJudged = keys.some((key) => passesOf(scored, key).length > 0);
  return isJudged ? { passes: true } : unjudged(keys, judging);
}

const keysIn = (rows: readonly ExperimentRow[]): string[] => [
  ...new Set(rows.flatMap((row) => [...row.evaluationResults, ...row.errors].map(({ key }) => key))),
];

/** The failure of an example whose keys pass too seldom. */
function failureOf(
  failing: readonly { key: string; passes: readonly boolean[] }[],
  judging: RowJudging,
): RowTestVerdict {
  const { repetitions } = judging;
  const isRepeated = repetitions.length > 1;
  const keys = failing.map(({ key }) => key);
  const failures = repetitions
    .map((row) => ({ row, lines: failuresIn(row, keys, judging) }))
    .filter(({ lines }) => lines.length);
  const reports = failures.map(({ row, lines }) => {
    const { inputs, outputs: reference } = row.example;
    const values = {
      inputs,
      ...(!row.run.error && { outputs: row.run.outputs }),
      ...(reference !== undefined && { referenceOutputs: reference }),
    };
    return [...(isRepeated ? [rowName(row)] : []), ...lines, "", ...valueLines(values, lines)].join("\n");
  });
  const shares = failing.map(
    ({ key, passes }) =>
      `${key} passes in ${passes.filter((pass) => pass).length} of ${passes.length} repetitions.`,
  );
  return {
    failure: [...(isRepeated ? [shares.join("\n")] : []), ...reports].join("\n\n"),
    failing: failures.map(({ row }) => row),
  };
}

/** Why keys of a row fail, as lines. */
function failuresIn(
  row: ExperimentRow,
  keys: readonly string[],
  { scaleOf, countsErrors, isLimited }: RowJudging,
): string[] {
  const errors = countsErrors ? errorsOf(row, keys) : [];
  const low = row.evaluationResults.flatMap((result) => {
    const { key, comment } = result;
    const score = scoreOf(result);
    if (score === undefined || isLimited(key) || !keys.includes(key)) return [];
    const scale = scaleOf(key);
    if (isPassing(score, scale) !== false) return [];
    const should = typeof score === "boolean" ? String(!score) : boundOf(scale);
    const why = comment ? `\n  ${comment.replaceAll("\n", "\n  ")}` : "";
    return [`${key}: the score is ${score}, it should be ${should}${why}`];
  });
  return [...errors, ...low];
}

/** The failure of the target, or else those of evaluators. */
const errorsOf = (row: ExperimentRow, keys: readonly string[]): string[] =>
  row.run.error
    ? [`${failedPart(row.run.error)} failed: ${failureText(row.run.error)}`]
    : ownErrors(row)
        .filter(({ key }) => keys.includes(key))
        .map(({ key, error }) => `${key} failed: ${failureText(error)}`);

/** The verdict on a row whose scores neither pass nor fail. If only pass marks are missing, the row fails. */
function unjudged(keys: readonly string[], { repetitions, advice }: RowJudging): RowTestVerdict {
  const results = repetitions.flatMap(({ evaluationResults }) => evaluationResults);
  const unmarked = results.filter((result) => scoreOf(result) !== undefined);
  if (keys.length && keys.every((key) => unmarked.some((result) => result.key === key))) {
    const scores = unmarked.map(({ key, score }) => `${key} scored ${score}, and has no pass mark.`);
    const lines = [...scores, `Nothing can fail this row. ${advice}.`];
    return { failure: lines.join("\n"), failing: repetitions };
  }
  const reasons = new Set([
    ...repetitions.flatMap((row) => errorsOf(row, keys)),
    ...results.map((result) => `${result.key} ${whyUnjudged(result)}`),
  ]);
  return {
    notJudged: reasons.size
      ? `No score passes or fails: ${[...reasons].join("; ")}`
      : "No evaluator returned a result for this row",
  };
}

function whyUnjudged(result: EvaluationResult): string {
  if (scoreOf(result) !== undefined) return "has no pass mark";
  return hasValue(result) ? "has a value without a score" : "is not applicable";
}

/** The limits that the rows together do not meet, as sentences. */
export function experimentProblems(experiment: Experiment, limits: ScoreLimits): string[] {
  const { stopped } = experiment;
  if (stopped) return [`The experiment stopped before the end: ${stopped.message}`];
  // Unlike `merge`, tests see no other shard, so a shard without scores does not pass.
  const unmeasured = nothingMeasured(experiment) ?? unmeasuredShard(experiment);
  if (unmeasured !== undefined) return [unmeasured];
  const mistake = thresholdMistake(experiment, limits);
  return mistake !== undefined ? [`${mistake}.`] : totalProblems(experiment, limits, "maxErrors");
}
