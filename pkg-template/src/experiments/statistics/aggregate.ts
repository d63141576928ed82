import { statisticsEngine } from "../../core/engine/statistics.js";
import { OpenEvalsError, typedWork } from "../../core/errors.js";
import { checkOptions } from "../../core/input/checks.js";
import type { Aggregate } from "../../core/records/types.js";
import {
  numbered,
  numberOf,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import type { Settings } from "../../openevals-statistics.types.js";

/** The scores of one key, for {@link aggregateOf}. */
export interface ScoresOfKey {
  /** The scores of all rows that have one. */
  scores: readonly (number | boolean)[];
  /** How many rows have none because of an error. */
  errors: number;
  /** How many rows the evaluator had nothing to say about. */
  notApplicable: number;
  /**
   * The id of the example of each score. Repetitions of an example are not independent of each other, so the interval
   * takes them as one observation; without ids, every score is one.
   */
  exampleIds?: readonly string[] | undefined;
  /**
   * What each score has in common with others that are not independent of it, such as the passage that several questions
   * are about. The interval then takes the scores of a cluster as one observation.
   */
  clusters?: readonly string[] | undefined;
}

/**
 * Sums up the scores of one key: mean, confidence interval and distribution. `true` counts as 1 and `false` as 0, and a
 * mixture of booleans and numbers as numbers.
 *
 * The interval depends on the scores:
 *
 * - All `true` or `false`, 0 or 1: Wilson's. Repeated examples and clusters count as the number of independent rows that
 *   would tell as much (the design effect).
 * - All from 0 to 1: Wilson's as well, of as many rows as vary that little. It stays within 0 and 1.
 * - Other numbers: Student's for fewer than six examples, and the bootstrap's from there on (percentiles of ten thousand means
 *   of scores drawn again, expanded for small samples as Hesterberg describes it in *What teachers should know about the
 *   bootstrap*, 2015; beyond two thousand rows fewer). Of clusters of very unequal sizes, and of twenty thousand examples or
 *   more that are not very skewed, it is Student's again.
 * - `null` for a single number, and for numbers that are all the same.
 *
 * The standard error is that of the mean between samples of examples or clusters (CR2), with Satterthwaite's degrees of
 * freedom in the interval (Bell and McCaffrey, 2002). It is `null` for a single one and where nothing varies.
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
export async function aggregateOf(results: ScoresOfKey, options: StatisticsOptions = {}): Promise<Aggregate> {
  const settings = settingsOf(checkOptions("aggregateOf", options, STATISTICS_OPTIONS));
  return typedWork("aggregateOf", () => sumUp(results, settings));
}

async function sumUp(results: ScoresOfKey, settings: Settings): Promise<Aggregate> {
  const { scores, errors, notApplicable, exampleIds, clusters } = results ?? {};
  if (!Array.isArray(scores)) {
    throw new OpenEvalsError(
      "invalid_input",
      "aggregateOf needs { scores, errors, notApplicable }, where scores are a list.",
    );
  }
  for (const [name, list] of Object.entries({ exampleIds, clusters })) {
    if (!list || list.length === scores.length) continue;
    throw new OpenEvalsError(
      "invalid_input",
      `There are ${scores.length} scores and ${list.length} ${name}; each score needs the ${name === "clusters" ? "cluster" : "id"} of its example.`,
    );
  }
  const numbers = Float64Array.from(scores, (score, index) => numberOf(score, `scores[${index}]`));
  return aggregateColumn(
    {
      scores: numbers,
      areBooleans: scores.every((score) => typeof score === "boolean"),
      examples: exampleIds && numbered(exampleIds),
      clusters: clusters && numbered(clusters),
    },
    { errors, notApplicable },
    settings,
  );
}

/** The scores of one key as the engine takes them. */
export interface ScoreColumn {
  scores: Float64Array;
  /** Whether every score is `true` or `false`. */
  areBooleans: boolean;
  /** The number of the example of each score, in the order in which examples come; the same for clusters. */
  examples: Uint32Array | undefined;
  clusters: Uint32Array | undefined;
}

/** Sums up a column, as {@link aggregateOf} does. */
export async function aggregateColumn(
  { scores, areBooleans, examples, clusters }: ScoreColumn,
  missing: { errors: number; notApplicable: number },
  settings: Settings,
): Promise<Aggregate> {
  const counts = { count: scores.length, ...missing };
  if (!scores.length) {
    return { mean: null, ...counts, interval: null, standardError: null, distribution: null };
  }
  return statisticsEngine.run("aggregateOf", scores.length, () => {
    const units = clusters ?? examples;
    const { value, interval } = bindings.meanOf(scores, units, settings);
    const standardError = bindings.standardErrorOf(scores, units) ?? null;
    const flicker = examples && bindings.flickerOf(scores, examples, settings);
    const distribution = areBooleans
      ? bindings.distributionOfBooleans(scores)
      : (bindings.distributionOfNumbers(scores) ?? null);
    return {
      mean: value,
      ...counts,
      interval,
      standardError,
      distribution,
      ...(clusters && clustersOf(clusters)),
      ...(flicker && { flicker }),
    };
  });
}

/** What there is to say of the sizes of clusters, whose numbers count from 0. */
function clustersOf(numbers: Uint32Array): Pick<Aggregate, "clusters" | "largestCluster" | "note"> {
  const sizes: number[] = [];
  for (const number of numbers) sizes[number] = (sizes[number] ?? 0) + 1;
  const share = sizes.reduce((most, size) => Math.max(most, size)) / numbers.length;
  // A quarter of the scores, and more than twice an equal share.
  const dominates = share >= 0.25 && share > 2 / sizes.length;
  const note = `One of ${sizes.length} clusters has ${Math.round(share * 100)} % of the scores, so the mean depends mostly on it. The interval is wider for it.`;
  return { clusters: sizes.length, largestCluster: share, ...(dominates && { note }) };
}
