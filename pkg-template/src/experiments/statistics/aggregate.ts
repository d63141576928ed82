import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, typedWork } from "../../core/errors.js";
import { check, checkOptions } from "../../core/input/checks.js";
import { isScale } from "../../core/passing.js";
import type { Aggregate } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import {
  numberedGroups,
  numberOf,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";
import { dominanceNote, sizesOf } from "./clusters.js";

/** The options of {@link aggregateOf}. */
export interface AggregateOptions extends StatisticsOptions {
  /** The scale of the scores, such as the `scale` of an evaluator. Its `min` and `max` decide the interval, and enclose it. */
  scale?: ScoreScale | undefined;
}

/** The scores of one key, for {@link aggregateOf}. */
export interface ScoresOfKey {
  /** The scores of all rows that have one: `true` and `false`, or finite numbers. */
  scores: readonly (number | boolean)[];
  /** The number of rows without a score because of an error. */
  errors: number;
  /** The number of rows to which the evaluator does not apply. */
  notApplicable: number;
  /**
   * The example id of each score. Repetitions of an example are not independent, so the interval treats them as one
   * observation. Without ids, each score is an observation.
   */
  exampleIds?: readonly string[] | undefined;
  /**
   * The cluster of each score, such as the passage that several questions are about. Scores of a cluster are not
   * independent, so the interval treats them as one observation.
   */
  clusters?: readonly string[] | undefined;
}

/**
 * Summarizes the scores of one key: mean, confidence interval, standard error and distribution. `true` counts as 1 and
 * `false` as 0.
 *
 * The interval depends on the scores:
 *
 * - All `true` or `false`, or all 0 or 1: Wilson's interval. With repetitions or clusters, it uses the effective sample size
 *   (the number of rows divided by the design effect).
 * - All from 0 to 1: Wilson's interval too, with the sample size that matches the variance. It stays within 0 and 1.
 * - On a `scale` with `min` and `max`: that of the scores' shares of this range.
 * - Other numbers: Student's t interval for fewer than 20 examples or clusters, the percentile bootstrap from there on. The
 *   bootstrap has 10,000 resamples (fewer beyond 2,000 rows) and is expanded for small samples (Hesterberg, *What teachers should
 *   know about the bootstrap*, 2015). Clusters of very unequal sizes, and 20,000 examples or more that are not very skewed, have
 *   Student's t interval again.
 * - A single number, or numbers that are all equal: `null`. Also if one cluster, or one example with its repetitions, has more
 *   than half of the scores: a `note` says so.
 *
 * `evaluate()` passes the scale of each evaluator. If it has only one of `min` and `max`, the part of an interval beyond it is
 * cut off: no mean is there, so the coverage stays the same.
 *
 * The standard error of the mean is cluster-robust (CR2), and its t interval has Satterthwaite's degrees of freedom (Bell and
 * McCaffrey, 2002). It is `null` for a single example or cluster, and if all scores are equal.
 *
 * @throws {@link OpenEvalsError} `invalid_input` for a score that is not finite.
 *
 * @example
 * ```ts
 * import { aggregateOf } from "openevals-wasm/evaluation";
 *
 * const { mean, interval } = await aggregateOf({ scores: [true, true, false, true], errors: 1, notApplicable: 0 });
 * console.log(mean, interval); // 0.75 { low: 0.30…, high: 0.95…, level: 0.95 }
 * ```
 */
export async function aggregateOf(results: ScoresOfKey, options: AggregateOptions = {}): Promise<Aggregate> {
  const { scale, ...statistics } = checkOptions("aggregateOf", options, {
    ...STATISTICS_OPTIONS,
    scale: check("a scale, such as { min: 0 }", isScale),
  });
  return typedWork("aggregateOf", () => summarize(results, settingsOf(statistics), scale));
}

async function summarize(
  results: ScoresOfKey,
  settings: Settings,
  scale: ScoreScale | undefined,
): Promise<Aggregate> {
  const { scores, errors, notApplicable, exampleIds, clusters } = results ?? {};
  if (!Array.isArray(scores)) {
    throw invalidInput("aggregateOf needs { scores, errors, notApplicable }, with scores as a list");
  }
  for (const [name, list] of Object.entries({ exampleIds, clusters })) {
    if (!list || list.length === scores.length) continue;
    throw invalidInput(
      `There are ${scores.length} scores and ${list.length} ${name}; each score needs the ${name === "clusters" ? "cluster" : "id"} of its example`,
    );
  }
  const numbers = Float64Array.from(scores, (score, index) => numberOf(score, `scores[${index}]`));
  return aggregateColumn(
    {
      scores: numbers,
      areBooleans: scores.every((score) => typeof score === "boolean"),
      ...numberedGroups({ exampleIds, clusters }),
    },
    { errors, notApplicable },
    settings,
    scale,
  );
}

/** The scores of one key, as the engine takes them. */
export interface ScoreColumn {
  scores: Float64Array;
  /** Whether every score is `true` or `false`. */
  areBooleans: boolean;
  /** The example of each score, numbered from 0 in order of appearance; likewise its cluster. */
  examples: Uint32Array | undefined;
  clusters: Uint32Array | undefined;
}

/** Summarizes a column, as {@link aggregateOf} does. */
export async function aggregateColumn(
  { scores, areBooleans, examples, clusters }: ScoreColumn,
  missing: Pick<Aggregate, "errors" | "notApplicable" | "values">,
  settings: Settings,
  scale: ScoreScale | undefined,
): Promise<Aggregate> {
  const counts = { count: scores.length, ...missing };
  if (!scores.length) {
    return { mean: null, ...counts, interval: null, standardError: null, distribution: null };
  }
  return statisticsEngine.run("aggregateOf", scores.length, () => {
    const { min, max } = scale ?? {};
    const { value, interval } = bindings.meanOf(scores, min, max, examples, clusters, settings);
    const standardError = bindings.standardErrorOf(scores, clusters ?? examples) ?? null;
    const note = dominanceNote({ examples, clusters });
    const repetitions = examples && bindings.repetitionStatistics(scores, examples, clusters, settings);
    const distribution = areBooleans
      ? bindings.distributionOfBooleans(scores)
      : (bindings.distributionOfNumbers(scores, min, max) ?? null);
    return {
      mean: value,
      ...counts,
      interval,
      standardError,
      distribution,
      ...(clusters && clustersOf(clusters)),
      ...(note !== undefined && { note }),
      ...(repetitions && { repetitions }),
    };
  });
}

/** The number of clusters and the share of the largest, with a note if it dominates. */
function clustersOf(numbers: Uint32Array): Pick<Aggregate, "clusters" | "largestCluster" | "note"> {
  const { count, largest } = sizesOf(numbers);
  // A quarter of the scores, and more than twice an equal share.
  const dominates = largest >= 0.25 && largest > 2 / count;
  const note = `One of ${count} clusters has ${Math.round(largest * 100)}% of the scores and dominates the mean. The interval is wider because of it.`;
  return { clusters: count, largestCluster: largest, ...(dominates && { note }) };
}
