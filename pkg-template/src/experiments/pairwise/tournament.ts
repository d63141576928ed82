import { callbackFailed, invalidInput, isOurs, typedWork } from "../../core/errors.js";
import { aSignal, type Checks, checkOptions, show, wholeFrom } from "../../core/input/checks.js";
import type { Signal } from "../../core/platform/globals.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import { pairsOf, randomOf } from "../evaluate/comparative/schedule.js";
import { Pool, stoppedBy, unlessAborted } from "../evaluate/rows/pool.js";
import type { PairwiseScore } from "../statistics/rank.js";
import type { PairwiseParams, PairwiseResult } from "./types.js";

/** What {@link tournament} compares. */
export interface TournamentParams extends Omit<PairwiseParams, "outputs"> {
  /** The outputs by the names of those who gave them, or a list, whose names are the places from 0. No judge sees them. */
  outputs: Readonly<Record<string, unknown>> | readonly unknown[];
  /** What tells the request from others, so that comparisons of several can be ranked together. */
  id?: string | undefined;
}

/** The options of {@link tournament}. */
export interface TournamentOptions {
  /**
   * How many others each output is compared with: an even number, or else the next one; all of them by default. They stand
   * in a circle, in an order by the `seed`, and each meets those next to it: so 2 is the least, and connects them all.
   */
  opponents?: number | undefined;
  /** Where the random numbers of the order begin: a whole number from 0, 0 by default. */
  seed?: number | undefined;
  /** How many comparisons may be under way at once; 1 by default. */
  maxConcurrency?: number | undefined;
  /** Ends it: the promise rejects. */
  signal?: Signal | undefined;
}

const OPTIONS: Checks<TournamentOptions> = {
  opponents: wholeFrom(1),
  seed: STATISTICS_OPTIONS.seed,
  maxConcurrency: wholeFrom(1),
  signal: aSignal,
};

/**
 * Compares many outputs in pairs: each with each other one, or, with `opponents`, with a few others each, so that as many
 * comparisons are enough as there are outputs.
 *
 * @param judge What {@link createPairwiseJudge} made, or any function of `{ inputs, outputs: [first, second] }` that
 * answers `{ score }` from 0 to 1.
 * @returns The comparisons, for `rank` of `openevals-wasm/evaluation`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `invalid_input` for less than two outputs,
 * and whatever the judge throws: one comparison that fails fails the tournament.
 *
 * @example
 * ```ts
 * import { rank } from "openevals-wasm/evaluation";
 * import { createPairwiseJudge, tournament } from "openevals-wasm/judges";
 *
 * const better = createPairwiseJudge({ model: "ollama:llama3.3" });
 * export async function best(question: string, answers: Record<string, string>) {
 *   const comparisons = await tournament(better, { inputs: question, outputs: answers }, { opponents: 4, seed: 1 });
 *   const [first] = await rank(comparisons);
 *   return first?.name;
 * }
 * ```
 */
export async function tournament(
  judge: (params: PairwiseParams) => Promise<Pick<PairwiseResult, "score">> | Pick<PairwiseResult, "score">,
  params: TournamentParams,
  options: TournamentOptions = {},
): Promise<PairwiseScore[]> {
  const { opponents, seed = 0, maxConcurrency = 1, signal } = checkOptions("tournament", options, OPTIONS);
  return typedWork("tournament", async () => {
    const { outputs, id, ...variables } = Object(params) as TournamentParams;
    if (id !== undefined && typeof id !== "string")
      throw invalidInput(`The id of a tournament is ${show(id)}; it has to be a text`);
    const entries = typeof outputs === "object" && outputs !== null ? Object.entries(outputs) : [];
    if (entries.length < 2) throw invalidInput("tournament needs at least two outputs, by their names");
    const pairs = pairsOf(entries.length, opponents, randomOf(seed, id ?? ""));
    const found: PairwiseScore[] = [];
    const pool = new Pool(maxConcurrency);
    const compare = async ([one, other]: [number, number], index: number) => {
      const [[first, a], [second, b]] = [entries[one], entries[other]] as [
        [string, unknown],
        [string, unknown],
      ];
      const score = await scoreOf(judge, { ...variables, outputs: [a, b] } as PairwiseParams);
      found[index] = { first, second, score, ...(id !== undefined && { exampleId: id }) };
    };
    try {
      for (const [index, pair] of pairs.entries()) {
        if (!(await pool.add(() => unlessAborted(signal, () => compare(pair, index))))) break;
      }
      await pool.finish();
    } catch (error) {
      if (!signal?.aborted) throw error;
      throw stoppedBy(signal, "The tournament");
    }
    return found;
  });
}

async function scoreOf(judge: Parameters<typeof tournament>[0], params: PairwiseParams): Promise<number> {
  let result: Pick<PairwiseResult, "score">;
  try {
    result = await judge(params);
  } catch (error) {
    throw isOurs(error) ? error : callbackFailed("The judge of a tournament", error);
  }
  const score: unknown = Object(result).score;
  if (typeof score === "number" && score >= 0 && score <= 1) return score;
  throw invalidInput(
    `The judge of a tournament returned ${show(result)}; it has to return { score } from 0 to 1`,
  );
}
