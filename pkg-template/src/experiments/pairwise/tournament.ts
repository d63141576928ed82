import { stoppedBy, unlessAborted } from "../../core/abort.js";
import {
  callbackFailed,
  invalidInput,
  isOurs,
  type OpenEvalsError,
  reworded,
  typed,
  typedWork,
} from "../../core/errors.js";
import { withStop } from "../../core/full-stop.js";
import { aSignal, checkOptions, type OptionChecks, show, wholeFrom } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { randomOf } from "../../core/input/random.js";
import type { Signal } from "../../core/platform/globals.js";
import type { PairwiseScore } from "../../core/records/comparative.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import { scopeWith } from "../../models/chat/signals/signal-scope.js";
import { pairsOf } from "../evaluate/comparative/schedule.js";
import { Pool } from "../evaluate/rows/pool.js";
import type { PairwiseParams, PairwiseResult } from "./types.js";

/** The outputs that {@link tournament} compares, and the variables of the prompt. */
export interface TournamentParams extends Omit<PairwiseParams, "outputs"> {
  /** The outputs by name, such as the name of their model, or a list, with indexes as names. Judges do not see the names. */
  outputs: Readonly<Record<string, unknown>> | readonly unknown[];
  /** The `exampleId` of the comparisons, so that `rank` can combine those of several requests. */
  id?: string | undefined;
}

/** The options of {@link tournament}. */
export interface TournamentOptions {
  /**
   * The number of others that each output is compared with; odd numbers are rounded up. Default: all others. The outputs are
   * shuffled into a circle by the `seed`, and each is compared with its neighbours, so 2 are enough to connect all outputs.
   */
  opponents?: number | undefined;
  /** The seed of the shuffle, a whole number from 0. Default: 0. */
  seed?: number | undefined;
  /** The largest number of concurrent comparisons. Default: 1. */
  maxConcurrency?: number | undefined;
  /** Aborts the tournament: the promise rejects, and requests of judges end, as in `evaluate()`. */
  signal?: Signal | undefined;
}

const OPTIONS: OptionChecks<TournamentOptions> = {
  opponents: wholeFrom(1),
  seed: STATISTICS_OPTIONS.seed,
  maxConcurrency: wholeFrom(1),
  signal: aSignal,
};

/**
 * Compares many outputs pairwise: every pair, or, with `opponents`, each output with a few others. The number of comparisons then
 * grows with the number of outputs, and not with its square.
 *
 * @param judge A judge of {@link createPairwiseJudge}, or a function that takes `{ inputs, outputs: [first, second] }` and returns
 * `{ score }` from 0 to 1.
 * @returns The comparisons, for `rank` of `openevals-wasm/evaluation`.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `invalid_input` for fewer than two outputs, and the errors
 * of the judge. If a comparison fails, the others are still judged, and the call then rejects with an error that names its outputs.
 * The error's `comparisons` are those that were judged, also if the signal fires: `rank` can use them.
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
    if (entries.length < 2) throw invalidInput("tournament needs at least two outputs, by name or in a list");
    const pairs = pairsOf(entries.length, opponents, randomOf(seed, id ?? ""));
    const found: PairwiseScore[] = [];
    const failures: FailedComparison[] = [];
    const pool = new Pool(maxConcurrency);
    const inScope = await scopeWith(signal);
    const compare = async ([one, other]: [number, number], index: number) => {
      const [[first, a], [second, b]] = [entries[one], entries[other]] as [
        [string, unknown],
        [string, unknown],
      ];
      let score: number;
      try {
        score = await inScope(() => scoreOf(judge, { ...variables, outputs: [a, b] } as PairwiseParams));
      } catch (error) {
        failures.push({ first, second, error: typed("tournament", error) });
        return;
      }
      found[index] = { first, second, score, ...(id !== undefined && { exampleId: id }) };
    };
    try {
      for (const [index, pair] of pairs.entries()) {
        if (!(await pool.add(() => unlessAborted(signal, () => compare(pair, index))))) break;
      }
      await pool.finish();
    } catch (error) {
      if (!signal?.aborted) throw error;
      const stopped = stoppedBy(signal, "The tournament");
      throw reworded(stopped, stopped.message, { comparisons: Object.values(found) });
    }
    const [failure] = failures;
    if (failure) throw failed(failure, failures.length, pairs.length, Object.values(found));
    return found;
  });
}

/** A comparison that failed, with the names of its outputs. */
interface FailedComparison {
  first: string;
  second: string;
  error: OpenEvalsError;
}

/** The error of the first failure, with the comparisons that were judged. */
function failed(
  { first, second, error }: FailedComparison,
  count: number,
  total: number,
  comparisons: PairwiseScore[],
): OpenEvalsError {
  const which = `${whole(count)} of ${counted(total, "comparison")} failed, ${count > 1 ? "the first " : ""}between`;
  const rest = comparisons.length ? " The error's comparisons are the others" : "";
  const message = `${which} ${show(first)} and ${show(second)}: ${withStop(error.message)}${rest}`;
  return reworded(error, message, { comparisons });
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
