import { invalidInput, typedWork } from "../../../core/errors.js";
import { readable, show } from "../../../core/input/checks.js";
import { msSince } from "../../../core/platform/elapsed.js";
import { uuid } from "../../../core/platform/uuid.js";
import type { ComparativeExperiment } from "../../../core/records/comparative.js";
import type { Experiment } from "../../../core/records/types.js";
import { toPlain } from "../../../evaluators/calls/plain.js";
import { chargesOf } from "../../stored/account.js";
import { Ledger } from "../../stored/ledger.js";
import { recordedFailure } from "../recorded-failure.js";
import { withFinished } from "../with-finished.js";
import { comparativeAggregates } from "./aggregates.js";
import { type EvaluateComparativeOptions, readComparativePlan } from "./options.js";
import { checkExperiments, pairRows } from "./pairing.js";
import { compareRows } from "./run.js";

/**
 * Compares the answers of two or more experiments over the same data, example by example, and ranks the experiments.
 *
 * It has the signature of `evaluateComparative` of `langsmith/evaluation`, and runs locally. Rows are paired by the id of the
 * example and the repetition. A row without a counterpart, with a failed target or with different inputs is not compared, and
 * `unpaired` lists it. The error of an evaluator is in the `errors` of the row, and is never a tie. A result without a score
 * for one of two runs is counted as `unscored` of their pair.
 *
 * Evaluators of pairs, such as `createPairwiseJudge` makes, are called for each pair of runs of an example, or, with
 * `opponents`, for some of them. All other evaluators are called once for all runs.
 *
 * @param experiments Results of `evaluate()`, running or finished, or parsed from JSON.
 * @returns Plain data: for each key how often one experiment was better than another, with intervals by example, and a ranking.
 * `renderReport` shows it.
 * @throws {@link OpenEvalsError} `invalid_config` for options that do not work, and for two evaluators with the same key;
 * `invalid_input` for values that are not experiments, and for two experiments with the same name; `callback_failed` if
 * `onProgress` throws. Errors after the first comparison have the finished rows in `comparative`.
 *
 * @example
 * ```ts
 * import { evaluate, evaluateComparative } from "openevals-wasm/evaluation";
 *
 * const data = ["tea", "water", "coffee"].map((inputs) => ({ id: inputs, inputs }));
 * const long = evaluate((drink: string) => `You would like ${drink}.`, { data, experimentPrefix: "long" });
 * const short = evaluate((drink: string) => drink, { data, experimentPrefix: "short" });
 * const { aggregates } = await evaluateComparative([long, short], {
 *   evaluators: [
 *     function shorter({ runs }: { runs: { id: string; outputs: string }[] }) {
 *       return { scores: Object.fromEntries(runs.map(({ id, outputs }) => [id, -outputs.length])) };
 *     },
 *   ],
 * });
 * const [pair] = aggregates.shorter?.pairs ?? [];
 * console.log(pair?.losses, pair?.winRate); // 3 0
 * ```
 */
export async function evaluateComparative(
  experiments: readonly (Experiment | Promise<Experiment>)[],
  options: EvaluateComparativeOptions,
): Promise<ComparativeExperiment> {
  const plan = readable("evaluateComparative", () => readComparativePlan(options));
  return typedWork("evaluateComparative", async () => {
    if (!Array.isArray(experiments))
      throw invalidInput(`experiments is ${show(experiments)}; it has to be a list of experiments`);
    const startedAt = new Date().toISOString();
    const started = performance.now();
    const read = checkExperiments(await Promise.all(experiments));
    const metadata = toPlain(plan.metadata, "metadata") as ComparativeExperiment["metadata"];
    const names = read.map(({ experimentName }) => experimentName);
    const { rows: paired, unpaired } = pairRows(read, plan.clusterBy);
    const { rows, keys, budget, stopped, failure } = await compareRows(paired, plan);
    const end = failure ?? (stopped && { error: stopped });
    const ledger = new Ledger();
    for (const row of rows) ledger.add(chargesOf(row), row.example.id);
    const { experimentPrefix = names.join(" vs. "), description, seed, level, clusterBy, correction } = plan;
    const comparative: ComparativeExperiment = {
      experimentName: `${experimentPrefix}-${uuid().slice(0, 8)}`,
      ...(description !== undefined && { description }),
      ...(metadata && { metadata }),
      startedAt,
      experiments: read.map(({ experimentName, metadata, rows }) => ({
        experimentName,
        ...(metadata && { metadata }),
        rows: rows.length,
      })),
      rows,
      aggregates: await comparativeAggregates(keys, rows, names, { seed, level, clusterBy, correction }),
      unpaired,
      ...ledger.used(plan.prices),
      ...(budget && { budget }),
      durationMs: msSince(started),
      ...(end && { stopped: await recordedFailure(end.error) }),
    };
    if (failure) throw withFinished("evaluateComparative", failure.error, { comparative });
    return comparative;
  });
}
