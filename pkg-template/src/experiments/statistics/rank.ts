/** Who is best, from comparisons in pairs. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { invalidInput, typedReading } from "../../core/errors.js";
import { type Checks, check, checkOptions, oneOf, show } from "../../core/input/checks.js";
import type { Ranked } from "../../core/records/comparative.js";
import {
  numbered,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
  settingsOf,
} from "../../evaluators/summary/settings.js";
import * as bindings from "../../openevals-statistics.js";

/** A comparison of two: what a pairwise judge found. */
export interface PairwiseScore {
  /** The name of one, such as a model or an experiment. */
  first: string;
  /** The name of the other. */
  second: string;
  /** 1 (or `true`) if the first is better, 0 (or `false`) if the second is, 0.5 for a tie, and what lies between. */
  score: number | boolean;
  /**
   * What was compared. Comparisons of the same example, such as both orders of two answers, are not independent; without
   * it, all are taken to be.
   */
  exampleId?: string | undefined;
}

/** The options of {@link rank}. */
export interface RankOptions extends StatisticsOptions {
  /** How strengths are found; `bradley-terry` by default. */
  method?: "bradley-terry" | "elo" | undefined;
  /** Of `elo`: how far a rating moves by one comparison at most; 32 by default. */
  kFactor?: number | undefined;
  /** Of `elo`: where ratings begin; 1000 by default. */
  initialRating?: number | undefined;
}

const aNumberAboveZero = check("a number above 0", (value) => {
  return typeof value === "number" && value > 0 && value <= 1e9;
});

const OPTIONS: Checks<RankOptions> = {
  ...STATISTICS_OPTIONS,
  method: oneOf(["bradley-terry", "elo"]),
  kFactor: aNumberAboveZero,
  initialRating: check("a number", (value) => Number.isFinite(value)),
};

/**
 * Ranks by comparisons in pairs, best first.
 *
 * `bradley-terry` finds the strengths by which the first wins with the odds `exp(strength of the first - strength of the
 * second)`; a tie is half a win. It does not matter in which order the comparisons came. Intervals are those of the
 * sandwich estimate, for ties and for examples that were compared several times, with Student's t. There are no finite
 * strengths where some have won (or lost) all comparisons with all others: then all are `null`, and the order is that of
 * the win rates.
 *
 * `elo` is what one comparison after the other makes of the ratings, so that later ones count more; its interval says how
 * far a rating moves with other draws and another order, and not where a true strength lies.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for what is no comparison.
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
  const first = Uint32Array.from(all, (one) => one.first);
  const second = Uint32Array.from(all, (one) => one.second);
  const scores = Float64Array.from(all, ({ score }) => score);
  const units = numbered(all.map(({ unit }) => unit));
  const strengths = await statisticsEngine.run("rank", all.length, () =>
    method === "elo"
      ? bindings.elo(names.length, first, second, scores, units, { kFactor, initial }, settings)
      : bindings.bradleyTerry(names.length, first, second, scores, units, settings.level),
  );
  const ranked = names.map((name, number): Ranked => {
    const { strength = null, interval = null } = strengths[number] ?? {};
    const own = all.flatMap(({ first, second, score }) => [
      ...(first === number ? [score] : []),
      ...(second === number ? [1 - score] : []),
    ]);
    const winRate = own.reduce((sum, score) => sum + score, 0) / own.length;
    const comment =
      strength === null
        ? "No finite strengths fit, since some have won or lost all comparisons with the others; the order is that of the win rates."
        : interval === null
          ? "There are too few comparisons for an interval."
          : undefined;
    return { name, strength, interval, winRate, count: own.length, ...(comment && { comment }) };
  });
  return ranked.sort(
    (one, other) => (other.strength ?? 0) - (one.strength ?? 0) || other.winRate - one.winRate,
  );
}

interface ReadComparison {
  first: number;
  second: number;
  score: number;
  unit: string;
}

/** The comparisons by the numbers of names; those of an example follow each other, where it was first seen. */
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
  const units = new Map<string, ReadComparison[]>();
  for (const [index, comparison] of Array.from(comparisons as PairwiseScore[]).entries()) {
    const { first, second, score, exampleId } = comparison ?? {};
    if (typeof first !== "string" || typeof second !== "string" || first === second) {
      throw invalidInput(
        `comparisons[${index}] is of ${show(first)} and ${show(second)}; it needs the names of two, first and second`,
      );
    }
    const number = Number(score);
    const isScore = typeof score === "boolean" || typeof score === "number";
    if (!isScore || !(number >= 0 && number <= 1)) {
      throw invalidInput(
        `The score of comparisons[${index}] is ${show(score)}; it has to be from 0 (the second is better) to 1`,
      );
    }
    const unit = exampleId === undefined ? `row ${index}` : `example ${exampleId}`;
    const own = units.get(unit) ?? [];
    units.set(unit, own);
    own.push({ first: numberOf(first), second: numberOf(second), score: number, unit });
  }
  return { all: [...units.values()].flat(), names: [...numbers.keys()] };
}
