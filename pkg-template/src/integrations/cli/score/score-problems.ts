/** Finds the reasons why an experiment fails. */

import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { didYouMean, nearest } from "../../../core/input/near.js";
import { figure } from "../../../core/number-text.js";
import { JudgeModels } from "../../../core/records/judge-models.js";
import { declaredLimitProblem, limitsIn, type ScoreLimits } from "../../../core/records/mean-limits.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import { readExperiment } from "../../../evaluation.js";
import { decisionNotes } from "../../../presentation/decisions.js";
import { unmeasuredShard } from "../../../presentation/limits/nothing-measured.js";
import {
  passesByExample,
  passesTooSeldom,
  thresholdMistake,
  totalProblems,
} from "../../../presentation/limits/score-limits.js";
import { withoutResultsNotes } from "../../../presentation/limits/without-results.js";
import { scalesIn } from "../../../presentation/reading.js";
import { usageError } from "../cli-error.js";

/** The options of a command that name keys. */
interface OptionsByKey extends Pick<ScoreLimits, "failUnder" | "failOver"> {
  passAt?: ReadonlyMap<string, number>;
  lowerIsBetter?: readonly string[];
}

/**
 * Rejects a key that no evaluator has, before anything is paid for. Unless all keys are known, it has to look like a misspelt
 * one, since an evaluator may return several keys; others show only after the run.
 *
 * @param evaluators The keys of the evaluators.
 * @param areAll Whether there are no others.
 */
export function checkKeys(
  { failUnder, failOver, passAt, lowerIsBetter = [] }: OptionsByKey,
  evaluators: readonly string[],
  areAll: boolean,
): void {
  const named = [
    ["There is a threshold for", [...failUnder.keys(), ...failOver.keys()]],
    ["--pass-at has", [...(passAt?.keys() ?? [])]],
    ["--lower-is-better names", lowerIsBetter],
  ] as const;
  const isOwn = (key: string) => evaluators.some((name) => key === name || key.startsWith(`${name}:`));
  for (const [what, keys] of named) {
    const unknown = keys.find((key) => !isOwn(key) && (areAll || nearest(key, evaluators) !== undefined));
    if (unknown === undefined) continue;
    const otherwise = `the keys are ${[...new Set(evaluators)].join(", ")}`;
    throw usageError(
      `${what} the key "${unknown}", which no evaluator has; ${didYouMean(unknown, evaluators, otherwise)}`,
    );
  }
}

/** Rejects a threshold outside of the range of its key, if an evaluator declares it, before anything is paid for. */
export function checkRanges(
  { failUnder, failOver }: Pick<ScoreLimits, "failUnder" | "failOver">,
  evaluators: readonly unknown[],
  areOfPackage = false,
): void {
  const problem = declaredLimitProblem(limitsIn(failUnder, failOver), evaluators, areOfPackage);
  if (problem !== undefined) throw usageError(problem);
}

/** The reasons why an experiment fails, as sentences; throws {@link usageError} for a threshold of an unknown key. */
export function scoreProblems(experiment: Experiment, limits: ScoreLimits): string[] {
  const mistake = thresholdMistake(experiment, limits);
  if (mistake !== undefined) throw usageError(mistake);
  return [...totalProblems(experiment, limits, "--max-errors"), ...rowProblems(experiment, limits)];
}

/** Notes on scores that are easy to misread, as sentences. */
export const scoreNotes = (experiment: Experiment, limits: Omit<ScoreLimits, "maxErrors">): string[] => [
  ...withoutResultsNotes(experiment).map((note) => `${note}.`),
  ...coverageNotes(experiment, limits),
  ...rangeNotes(experiment, limits),
  ...decisionNotes(experiment),
];

/** The note on a shard without scores, which limits cannot fail. */
export function unmeasuredNotes(experiment: Experiment): string[] {
  const unmeasured = unmeasuredShard(experiment);
  return unmeasured === undefined
    ? []
    : [`${unmeasured} Limits are for the merged experiment: pass them to merge.`];
}

/** The note of a resumed experiment with errors, which may be from an earlier call. `repeat` is the option that runs these rows again. */
export function resumedNotes({ resumed, aggregates }: Experiment, repeat: string): string[] {
  const errors = Object.values(aggregates).reduce((sum, key) => sum + key.errors, 0);
  return resumed && errors
    ? [
        `Rows of earlier calls are kept, also those with errors. Use ${repeat} to run those with errors again.`,
      ]
    : [];
}

/** The note of a resumed experiment whose file has all rows: which judges scored them. This command may name others. */
export async function completeNotes({ stopped }: Experiment, sink: string): Promise<string[]> {
  if (stopped) return [];
  const judges = new JudgeModels();
  await readExperiment(sink, { keepRows: false, onRow: (row) => judges.add(row) });
  return [[`Nothing was run: ${sink} has all rows.`, ...judges.sentences()].join(" ")];
}

/** Notes on keys that pass only at the maximum of their scale, 1 by default, but have higher scores. */
function rangeNotes(experiment: Experiment, { lowerIsBetter }: Pick<ScoreLimits, "lowerIsBetter">): string[] {
  const scaleOf = scalesIn(experiment, { lowerIsBetter });
  return Object.entries(experiment.aggregates).flatMap(([key, { distribution }]) => {
    const { direction, max = 1, passAt } = scaleOf(key);
    const isBeyond = distribution?.kind === "number" && distribution.max > max;
    return isBeyond && direction === "higher" && passAt === max
      ? [
          `${key} passes at ${passAt}, but has scores up to ${Number(distribution.max.toFixed(3))}: set passAt (--pass-at) to what is good enough.`,
        ]
      : [];
  });
}

/** Notes on keys with a limit that have no result for some of the rows, not even "not applicable". */
function coverageNotes(
  experiment: Experiment,
  { failUnder, failOver, eachAtLeast }: Pick<ScoreLimits, "failUnder" | "failOver" | "eachAtLeast">,
): string[] {
  const total = rowCountOf(experiment);
  return Object.entries(experiment.aggregates).flatMap(
    ([key, { count, errors, notApplicable, values = 0 }]) => {
      const measured = count + errors + notApplicable + values;
      const isLimited = eachAtLeast !== undefined || failUnder.has(key) || failOver.has(key);
      return isLimited && measured && measured < total
        ? [
            `${key} was measured in ${whole(measured)} of ${counted(total, "row")}: its evaluator returned no result for the others.`,
          ]
        : [];
    },
  );
}

/** Problems with rows that pass in too few of their repetitions. */
function rowProblems(
  { rows, aggregates, scales }: Experiment,
  { eachAtLeast, lowerIsBetter }: ScoreLimits,
): string[] {
  if (eachAtLeast === undefined) return [];
  const scaleOf = scalesIn({ scales }, { lowerIsBetter });
  let isJudged = false;
  const problems = Object.keys(aggregates).flatMap((key) => {
    const examples = [...passesByExample(rows, key, scaleOf)];
    isJudged ||= examples.some(([, passes]) => passes.length);
    const few = examples.filter(([, passes]) => passesTooSeldom(passes, eachAtLeast));
    if (!few.length) return [];
    const some = few
      .slice(0, 10)
      .map(([id, passes]) => `${id} (${passes.filter(Boolean).length} of ${passes.length})`);
    const more = few.length > some.length ? ` and ${whole(few.length - some.length)} more` : "";
    return [
      `${key} passes in less than ${figure(eachAtLeast, true)} of the repetitions of ${some.join(", ")}${more}.`,
    ];
  });
  const isMeasured = Object.values(aggregates).some(({ count }) => count > 0);
  return isMeasured && !isJudged
    ? [
        "No score passes or fails: set pass marks with passAt of the experiment, or with --pass-at KEY=NUMBER of score and run.",
      ]
    : problems;
}
