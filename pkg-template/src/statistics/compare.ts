import { measure } from "../engine/metrics.js";
import { OpenEvalsError } from "../errors.js";
import { checkRows, typedReading } from "../experiment/check.js";
import { scoreOf } from "../experiment/score.js";
import type { Comparison, Experiment } from "../experiment/types.js";
import { checkOptions } from "../input/checks.js";
import type { Settings } from "../openevals-metrics.types.js";
import { numbered, numberOf, STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "./settings.js";

/** A score, and where it stands. */
interface Scored {
  exampleId: string;
  repetition: number;
  score: number | boolean;
}

/**
 * Compares two experiments over the same data, key by key: how much the second is better than the first, and whether that
 * may be chance.
 *
 * Scores are paired by the `id` of the example and the repetition. Keys that only one experiment has are left out, and so
 * is every pair of which one score is missing: no such row, an error, not applicable.
 *
 * Where every score is `true` or `false` (or 0 or 1) and every example was run once, the p-value is that of McNemar's
 * exact test, and the interval Newcombe's (method 10 of *Improved confidence intervals for the difference between
 * binomial proportions based on paired data*, 1998). All else gets a paired permutation test of the mean (exact for up to
 * twenty examples that differ; beyond, from ten thousand random ones, of which what was observed is one, so that it is
 * never 0) and the interval of the bootstrap. These take the repetitions of an example as one observation, since they are
 * not independent.
 *
 * @param a The first experiment, such as the one before a change: the result of `evaluate()`, or what was read back with
 * `JSON.parse`.
 * @param b The second experiment.
 * @returns For each key that both have, in the order of the first: `difference`, `interval`, `pValue`, `test`, `count`
 * (of pairs), and `flipped`, those pairs whose scores differ, with the largest change first.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no experiment, and if two rows of one have the same example
 * and repetition.
 *
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import { compareExperiments } from "openevals-wasm/evaluation";
 *
 * export async function isBetter(before: string, after: string) {
 *   const read = async (file: string) => JSON.parse(await readFile(file, "utf8"));
 *   const { exact_match } = await compareExperiments(await read(before), await read(after));
 *   return exact_match?.interval != null && exact_match.interval.low > 0;
 * }
 * ```
 */
export async function compareExperiments(
  a: Pick<Experiment, "rows">,
  b: Pick<Experiment, "rows">,
  options: StatisticsOptions = {},
): Promise<Record<string, Comparison>> {
  const settings = settingsOf(checkOptions("compareExperiments", options, STATISTICS_OPTIONS));
  const [first, second] = typedReading("compareExperiments", () => [
    scoresByKey(a, "first"),
    scoresByKey(b, "second"),
  ]);
  const comparisons: [string, Comparison][] = [];
  for (const [key, scores] of first) {
    const others = second.get(key);
    if (others) comparisons.push([key, await compareScores(scores, others, settings)]);
  }
  return Object.fromEntries(comparisons);
}

async function compareScores(
  first: Map<string, Scored>,
  second: Map<string, Scored>,
  settings: Settings,
): Promise<Comparison> {
  const pairs = [...first].flatMap(([place, { exampleId, repetition, score: from }]) => {
    const to = second.get(place)?.score;
    return to === undefined ? [] : [{ exampleId, repetition, from, to }];
  });
  if (!pairs.length)
    return { difference: null, interval: null, pValue: null, test: null, count: 0, flipped: [] };
  const from = Float64Array.from(pairs, ({ from }) => Number(from));
  const to = Float64Array.from(pairs, ({ to }) => Number(to));
  const examples = numbered(pairs.map(({ exampleId }) => exampleId));
  const { difference, interval, pValue, test } = await measure("compareExperiments", from.length, (engine) =>
    engine.differenceOf(from, to, examples, settings),
  );
  const change = ({ from, to }: (typeof pairs)[number]) => Math.abs(Number(to) - Number(from));
  return {
    difference,
    interval,
    pValue,
    test,
    count: pairs.length,
    flipped: pairs.filter(change).sort((one, other) => change(other) - change(one)),
  };
}

/** The scores of each key, by what they are paired by. */
function scoresByKey(experiment: Pick<Experiment, "rows">, name: string): Map<string, Map<string, Scored>> {
  checkRows(experiment, `${name} experiment`);
  const byKey = new Map<string, Map<string, Scored>>();
  const seen = new Set<string>();
  for (const { example, run, evaluationResults } of experiment.rows) {
    const [exampleId, repetition] = [example.id, run.repetition ?? 0];
    const row = JSON.stringify([exampleId, repetition]);
    if (seen.has(row)) {
      throw new OpenEvalsError(
        "invalid_input",
        `The ${name} experiment has the example ${JSON.stringify(exampleId)} twice in repetition ${repetition}; rows are ` +
          "paired by the id of their example, so give each an id of its own.",
      );
    }
    seen.add(row);
    for (const result of evaluationResults) {
      const { key } = result;
      let scores = byKey.get(key);
      if (!scores) {
        scores = new Map();
        byKey.set(key, scores);
      }
      const score = scoreOf(result);
      if (score === undefined) continue;
      numberOf(score, `The score of ${key} in the ${name} experiment, example ${JSON.stringify(exampleId)},`);
      scores.set(row, { exampleId, repetition, score });
    }
  }
  return byKey;
}
