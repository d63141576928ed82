/** From a plan to an experiment. */

import { stoppedBy, unlessAborted } from "../../core/abort.js";
import { callbackFailed, invalidInput, isOurs, type OpenEvalsError, reworded } from "../../core/errors.js";
import { uuid } from "../../core/platform/uuid.js";
import type { Experiment, SummaryResult } from "../../core/records/types.js";
import { failureOf, toPlain } from "../../evaluators/results/plain.js";
import { unknownKey } from "../stored/unknown-key.js";
import { BudgetWatch } from "./budget/watch.js";
import type { Plan } from "./options.js";
import { RowProgress } from "./progress.js";
import { Results } from "./rows/results.js";
import type { RowStream } from "./rows/row-stream.js";
import { Rows } from "./rows/rows.js";
import { RowSource } from "./rows/source.js";
import { scalesOf, withSummaries, wrongMark } from "./scales.js";
import { mergingOf, settingsOf } from "./settings.js";
import { openSink } from "./sink/sink.js";
import type { Heading } from "./sink/types.js";
import { Stopping } from "./stopping/stopping.js";
import { summaries } from "./summary-evaluators.js";

/** Runs an experiment. */
export async function runExperiment(plan: Plan, stream: RowStream): Promise<Experiment> {
  const {
    signal,
    evaluators,
    summaryEvaluators,
    repetitions,
    clusterBy,
    keepRows,
    seed,
    calibration,
    passAt,
    lowerIsBetter = [],
    prices,
  } = plan;
  // Answers from a cache need no key.
  if (!plan.cache || plan.cacheMode === "record")
    for (const { checkAccess } of evaluators) await checkAccess();
  const started = performance.now();
  const names = evaluators.map(({ name }) => name);
  const stopping = plan.stopWhen && new Stopping(plan.stopWhen, repetitions);
  const onRow = stopping && ((...row: Parameters<Stopping["note"]>) => stopping.note(...row));
  const results = new Results({ names, repetitions, clusterBy, keepRows, onRow });
  const settings = settingsOf(plan);
  const scales = () => scalesOf(settings, results.keys()) ?? {};
  stream.scales = scales;
  const budget = plan.budget && new BudgetWatch(plan.budget, prices, results.ledger, started);
  const heading = headingOf(plan);
  const sink = await openSink(plan, results, heading);
  const source = new RowSource(plan, budget);
  const progress = new RowProgress(plan, () => budget?.leftMs());
  const observers = [stream, sink, progress, stopping, budget].filter((one) => one !== undefined);
  const rows = new Rows(plan, { source, results, observers, onBatch: (batch) => progress.batched(batch) });
  const found: SummaryResult[][] = [];
  let stop: Stop | undefined;
  try {
    await unlessAborted(signal, async () => {
      await rows.run();
      await progress.settled();
    });
    if (budget?.usedUp) stop = { error: budget.exceeded(results.count), isFailure: false };
    else
      for await (const one of summaries(
        summaryEvaluators,
        () => ({ rows: results.rows(), scales: scales() }),
        signal,
      ))
        found.push(one);
  } catch (error) {
    stop = signal?.aborted
      ? { error: stoppedBy(signal, "The experiment"), isFailure: false }
      : { error, isFailure: true };
  } finally {
    rows.close();
    progress.close();
  }
  await rows.end(!stop ? "done" : stop.isFailure ? "failed" : "aborted");
  const ignoredFields = source.ignoredFields();
  const aggregates = await results.aggregates({ seed, calibration, prices, scales: scales() });
  const decided = await stopping?.conclude(aggregates);
  // Another shard may have the key.
  const problem =
    stop || !results.count || plan.shard
      ? undefined
      : (unknownKey("calibration", Object.keys(calibration), aggregates) ??
        unknownKey("stopWhen", plan.stopWhen?.map(({ key }) => key) ?? [], aggregates) ??
        unknownKey("passAt", typeof passAt === "object" ? Object.keys(passAt) : [], aggregates) ??
        unknownKey("lowerIsBetter", withoutKeysOf(found, lowerIsBetter), aggregates) ??
        wrongMark(settings, results.keys()));
  if (!stop && !results.count && !plan.shard) {
    const where = typeof plan.data === "string" ? plan.data : "The data";
    stop = { error: invalidInput(`${where} has no rows`), isFailure: true };
  }
  if (problem) stop = { error: problem, isFailure: true };
  const experiment: Experiment = {
    ...(sink?.heading ?? heading),
    ...(plan.shard
      ? { shard: plan.shard, merging: mergingOf(settings, results.keys(), source.fingerprint) }
      : undefined),
    rows: results.rows(),
    ...(keepRows ? undefined : { rowCount: results.count }),
    aggregates,
    scales: withSummaries(scales(), summaryEvaluators, found),
    summaryResults: found.flat(),
    ...results.used(prices),
    ...(budget ? { budget: budget.record() } : undefined),
    durationMs: Math.round((performance.now() - started) * 1000) / 1000,
    ...(ignoredFields.length ? { ignoredFields } : undefined),
    ...decided,
    ...(stop ? { stopped: failureOf(stop.error) } : undefined),
  };
  try {
    await sink?.close(experiment, stop?.isFailure === true);
  } catch (error) {
    // The signal also ends the wait for the sink.
    if (signal?.aborted) experiment.stopped ??= failureOf(stoppedBy(signal, "The experiment"));
    else stop ??= { error, isFailure: true };
  }
  if (stop?.isFailure) throw withExperiment(stop.error, experiment);
  return experiment;
}

/** The keys that no summary evaluator has. Those that one has are for readers of the experiment, such as `run`. */
const withoutKeysOf = (found: readonly (readonly SummaryResult[])[], keys: readonly string[]): string[] =>
  keys.filter((key) => !found.some((results) => results.some((result) => result.key === key)));

/** Why an experiment ends early. */
interface Stop {
  error: unknown;
  isFailure: boolean;
}

function headingOf({ experimentPrefix, metadata: given }: Plan): Heading {
  const metadata = toPlain(given, "metadata") as Experiment["metadata"];
  return {
    experimentName: `${experimentPrefix}-${uuid().slice(0, 8)}`,
    ...(metadata ? { metadata } : undefined),
    startedAt: new Date().toISOString(),
  };
}

/** The error that ended the experiment, with the finished rows. */
function withExperiment(error: unknown, experiment: Experiment): OpenEvalsError {
  if (isOurs(error)) return reworded(error, error.message, { experiment });
  return callbackFailed("evaluate", error, { experiment });
}
