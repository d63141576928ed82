/** Rankings from pairwise comparisons. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, typedReading } from "../../core/errors.js";
import {
  aNumberAboveZero,
  check,
  checkOptions,
  type OptionChecks,
  oneOf,
  show,
} from "../../core/input/checks.js";
import type { PairwiseScore, Ranked } from "../../core/records/comparative.js";
import { STATISTICS_OPTIONS, type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";
import { groupsOf } from "./clusters.js";

/** The options of {@link rank}. */
export interface RankOptions extends StatisticsOptions {
  /** The model of the strengths. Default: `bradley-terry`. */
  method?: "bradley-terry" | "elo" | undefined;
  /** For `elo`: the K-factor, the largest change of a rating by one comparison, above 0. Default: 32. */
  kFactor?: number | undefined;
  /** For `elo`: the rating of each competitor before the first comparison. Default: 1000. */
  initialRating?: number | undefined;
}

const OPTIONS: OptionChecks<RankOptions> = {
  ...STATISTICS_OPTIONS,
  method: oneOf(["bradley-terry", "elo"]),
  kFactor: aNumberAboveZero,
  initialRating: check("a number", (value) => Number.isFinite(value)),
};

/**
 * Ranks competitors by pairwise comparisons, best first.
 *
 * `bradley-terry` fits the Bradley–Terry model (1952): the odds that the first wins are `exp(strength of the first - strength
 * of the second)`, and a tie is half a win. The order of the comparisons does not matter. The intervals are Student's t
 * intervals with the sandwich estimator, which allows for ties and for repeated comparisons on an example. If some
 * competitors won (or lost) all comparisons with all others, or were never compared with them, even through a chain of others, no
 * finite strengths exist: all are `null`, and the win rates decide the order.
 *
 * `elo` updates the ratings comparison by comparison, so later comparisons count more. Its interval shows how much a rating
 * varies with resampling and the order of the comparisons; it is not an interval of a true strength.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for an invalid comparison.
 *
 * @example
 * ```ts
 * import { rank } from "openevals-wasm/evaluation";
 *
 * const [best] = await rank([
 *   { first: "a", second: "b", score: 1 },
 *   { first: "b", second: "a", score: 0.5 },
 *   { first: "a", second: "c", score: 1 },
 *   { first: "c", second: "b", score: 1 },
 *   { first: "c", second: "a", score: 1 },
 * ]);
 * console.log(best?.name, best?.winRate); // c 0.666…
 * ```
 */
export async function rank(
  comparisons: readonly PairwiseScore[],
  options: RankOptions = {},
): Promise<Ranked[]> {
  const read = checkOptions("rank", options, OPTIONS);
  const { method = "bradley-terry", kFactor = 32, initialRating: initial = 1000 } = read;
  const settings = settingsOf(read);
  const { all, names } = typedReading("rank", () => readComparisons(comparisons));
  const first = Uint32Array.from(all, (comparison) => comparison.first);
  const second = Uint32Array.from(all, (comparison) => comparison.second);
  const scores = Float64Array.from(all, ({ score }) => score);
  const { examples, clusters } = groupsOf(all);
  const { strengths, areLinked } = await statisticsEngine.run("rank", all.length, () => ({
    strengths:
      method === "elo"
        ? bindings.elo(
            names.length,
            first,
            second,
            scores,
            clusters ?? examples,
            { kFactor, initial },
            settings,
          )
        : bindings.bradleyTerry(names.length, first, second, scores, examples, clusters, settings.level),
    areLinked: bindings.areLinked(names.length, first, second),
  }));
  const whyNoStrengths = areLinked
    ? "No finite strengths fit, because some competitors won or lost all comparisons with the others."
    : "No strengths fit, because no chain of comparisons links all competitors. Compare members of different groups, too.";
  const whyNoInterval =
    new Set(clusters ?? examples).size < (method === "elo" ? 2 : names.length)
      ? "Too few comparisons for an interval."
      : `The results do not differ between ${clusters ? "clusters" : "examples"}, so there is no interval.`;
  const ranked = names.map((name, number): Ranked => {
    const { strength = null, interval = null } = strengths[number] ?? {};
    const ownScores = all.flatMap(({ first, second, score }) => [
      ...(first === number ? [score] : []),
      ...(second === number ? [1 - score] : []),
    ]);
    const winRate = ownScores.reduce((sum, score) => sum + score, 0) / ownScores.length;
    const comment =
      strength === null
        ? `${whyNoStrengths} The order is that of the win rates.`
        : interval === null
          ? whyNoInterval
          : undefined;
    return { name, strength, interval, winRate, count: ownScores.length, ...(comment && { comment }) };
  });
  return ranked.sort(
    (one, other) => (other.strength ?? 0) - (one.strength ?? 0) || other.winRate - one.winRate,
  );
}

interface ReadComparison {
  first: number;
  second: number;
  score: number;
  /** A comparison without an example has its own, the position. */
  exampleId: string;
  cluster: string | undefined;
}

/** Checks the comparisons and numbers the names. */
function readComparisons(comparisons: readonly PairwiseScore[]): { all: ReadComparison[]; names: string[] } {
  if (!Array.isArray(comparisons)) {
    throw invalidInput("rank needs a list of comparisons, { first, second, score }");
  }
  const numbers = new Map<string, number>();
  const numberOf = (name: string) => {
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  };
  const all = Array.from(comparisons as PairwiseScore[], (comparison, index): ReadComparison => {
    const { first, second, score, exampleId, cluster } = comparison ?? {};
    if (typeof first !== "string" || typeof second !== "string" || first === second) {
      throw invalidInput(
        `comparisons[${index}] compares ${show(first)} with ${show(second)}; first and second have to be two different names`,
      );
    }
    const number = Number(score);
    const isScore = typeof score === "boolean" || typeof score === "number";
    if (!isScore || !(number >= 0 && number <= 1)) {
      throw invalidInput(
        `The score of comparisons[${index}] is ${show(score)}; it has to be from 0 (the second is better) to 1 (the first is)`,
      );
    }
    if ((cluster === undefined) !== (comparisons[0]?.cluster === undefined)) {
      throw invalidInput(
        `comparisons[${cluster === undefined ? index : 0}] has no cluster, but others have one. Give each comparison a cluster, or none`,
      );
    }
    const example = exampleId === undefined ? `row ${index}` : `example ${exampleId}`;
    return { first: numberOf(first), second: numberOf(second), score: number, exampleId: example, cluster };
  });
  return { all, names: [...numbers.keys()] };
}
