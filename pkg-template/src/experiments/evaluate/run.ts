/** Runs a plan, and builds the experiment. */

import { stoppedBy, unlessAborted } from "../../core/abort.js";
import { invalidInput, isOurs, type OpenEvalsError, reworded, typed } from "../../core/errors.js";
import { withStop } from "../../core/full-stop.js";
import { msSince } from "../../core/platform/elapsed.js";
import { onUse } from "../../core/platform/on-use.js";
import { uuid } from "../../core/platform/uuid.js";
import type { Aggregate, Experiment, Failure, SummaryResult } from "../../core/records/types.js";
import { unknownKey } from "../../core/records/unknown-key.js";
import type { ScoreScale } from "../../core/types.js";
import { toPlain } from "../../evaluators/calls/plain.js";
import type { CalibratedJudges } from "../statistics/calibrated-judges.js";
import type { BudgetWatch } from "./budget/watch.js";
import { passAtProblem, scalesOf, withSummaries } from "./options/pass-marks.js";
import type { Plan } from "./options/plan.js";
import { recordedSettings, type Settings } from "./options/settings.js";
import { RowProgress } from "./progress.js";
import { recordedFailure } from "./recorded-failure.js";
import { Results, type RowResultOptions } from "./rows/results.js";
import { RowRunner } from "./rows/row-runner.js";
import type { RowStream } from "./rows/row-stream.js";
import { RowSource } from "./rows/source.js";
import { openSink } from "./sink/open-sink.js";
import type { Heading, OpenSink } from "./sink/types.js";
import type { Stopping } from "./stopping/stopping.js";
import { summaries } from "./summary-evaluators.js";
import { withFinished } from "./with-finished.js";

/** Runs an experiment. */
export async function runExperiment(plan: Plan, stream: RowStream): Promise<Experiment> {
  await checkAccess(plan);
  const started = performance.now();
  const run = await openRun(plan, stream, started);
  const { results, stopping, sink } = run;
  const found: SummaryResult[][] = [];
  let stop = await runRows(run, found);
  const { seed, calibration, prices, signal } = plan;
  const scales = run.scales();
  let figures: Pick<RunOutcome, "aggregates" | "decided"> | undefined;
  try {
    const aggregates = await results.aggregates({ seed, calibration, prices, scales });
    figures = { aggregates, decided: await stopping?.conclude(aggregates) };
    stop ??= mistakeIn(run, aggregates, found);
  } catch (error) {
    if (!stop?.isFailure) stop = { error, isFailure: true };
  }
  const { aggregates, decided } = figures ?? { aggregates: {}, decided: undefined };
  const stopped = stop && (await recordedFailure(stop.error));
  const experiment = experimentOf(run, { aggregates, scales, found, decided, stopped, started });
  try {
    await sink?.close(figures && experiment, stop?.isFailure === true);
  } catch (error) {
    // The signal also ends the wait for the sink.
    if (signal?.aborted && error === signal.reason)
      experiment.stopped ??= await recordedFailure(endedBy(signal));
    else if (!stop?.isFailure) stop = { error, isFailure: true };
  }
  plan.misspelt.warn();
  // They may have been paid for, and exist nowhere else.
  if (!plan.keepRows && sink) experiment.rows = [...sink.lost()];
  if (stop?.isFailure) throw withFinished("evaluate", stop.error, { experiment });
  return experiment;
}

/** Fails before the first row if a judge has no key. Answers from a cache need none. */
async function checkAccess({ cache, cacheMode, evaluators }: Plan): Promise<void> {
  if (cache && cacheMode !== "record") return;
  for (const evaluator of evaluators) await evaluator.checkAccess();
}

/** The parts of an experiment that is running. */
interface RunParts {
  plan: Plan;
  heading: Heading;
  settings: Settings;
  source: RowSource;
  results: Results;
  rows: RowRunner;
  progress: RowProgress;
  sink: OpenSink | undefined;
  stopping: Stopping | undefined;
  budget: BudgetWatch | undefined;
  judges: CalibratedJudges | undefined;
  /** The scales of the scores so far, by key. */
  scales(): Record<string, ScoreScale>;
}

async function openRun(plan: Plan, stream: RowStream, started: number): Promise<RunParts> {
  const { evaluators, repetitions, keepRows, prices } = plan;
  const stopping = plan.stopWhen && (await stoppingOf(plan.stopWhen, repetitions, () => scales()));
  const judges = await calibratedJudges(plan.calibration);
  const onRow: RowResultOptions["onRow"] = (position, row) => {
    stopping?.note(position, row);
    judges?.add(row);
  };
  const names = evaluators.map(({ name }) => name);
  const results = new Results({ names, repetitions, keepRows, onRow });
  const settings = recordedSettings(plan);
  const scales = () => scalesOf(settings, results.keys()) ?? {};
  stream.scales = scales;
  const budget = plan.budget && (await budgetOf(plan.budget, prices, results.ledger, started));
  const heading = headingOf(plan);
  const sink = await openSink(plan, results, heading);
  const source = new RowSource(plan, budget);
  const progress = new RowProgress(plan, () => budget?.leftMs());
  const observers = [stream, sink, progress, stopping, budget].filter((one) => one !== undefined);
  const rows = new RowRunner(plan, {
    source,
    recorded: sink?.recorded,
    results,
    observers,
    onBatch: (batch) => progress.batched(batch),
  });
  return {
    plan,
    heading: sink?.heading ?? heading,
    settings,
    source,
    results,
    rows,
    progress,
    sink,
    stopping,
    budget,
    judges,
    scales,
  };
}

/** Compares the judges of the rows with those of the calibrations, if these identify theirs. */
async function calibratedJudges(calibration: Plan["calibration"]): Promise<CalibratedJudges | undefined> {
  if (!Object.values(calibration).some(({ judge }) => judge)) return undefined;
  const load = () => import("../statistics/calibrated-judges.js");
  const { CalibratedJudges } = await onUse("The option calibration", load);
  return new CalibratedJudges(calibration);
}

async function budgetOf(...options: ConstructorParameters<typeof BudgetWatch>): Promise<BudgetWatch> {
  const { BudgetWatch } = await onUse("The option budget", () => import("./budget/watch.js"));
  return new BudgetWatch(...options);
}

async function stoppingOf(...options: ConstructorParameters<typeof Stopping>): Promise<Stopping> {
  const { Stopping } = await onUse("The option stopWhen", () => import("./stopping/stopping.js"));
  return new Stopping(...options);
}

/** Why an experiment ends early. */
interface Stop {
  error: unknown;
  isFailure: boolean;
}

/** Runs all rows, and then the summary evaluators, whose results are added to `found`. */
async function runRows(run: RunParts, found: SummaryResult[][]): Promise<Stop | undefined> {
  const { plan, rows, progress, budget, results, scales } = run;
  const { signal, summaryEvaluators } = plan;
  let stop: Stop | undefined;
  try {
    await unlessAborted(signal, async () => {
      await rows.run();
      await progress.settled();
    });
    if (budget?.usedUp) stop = { error: budget.exceeded(results.count), isFailure: false };
    else {
      const all = () => ({ rows: results.rows(), scales: scales() });
      for await (const one of summaries(summaryEvaluators, all, signal)) found.push(one);
    }
  } catch (error) {
    stop = signal?.aborted ? { error: endedBy(signal), isFailure: false } : { error, isFailure: true };
  } finally {
    rows.close();
    progress.close();
  }
  try {
    const remaining = await rows.end(!stop ? "done" : stop.isFailure ? "failed" : "aborted");
    if (stop && remaining) stop.error = withMore(typed("evaluate", stop.error), remaining);
  } catch (error) {
    if (!stop?.isFailure) stop = { error, isFailure: true };
  }
  return stop;
}

const withMore = (error: OpenEvalsError, more: string): OpenEvalsError =>
  reworded(error, `${withStop(error.message)} ${more}`);

/** The error for an experiment that its signal ended. The program's signal names the limit of the budget. */
function endedBy(signal: AbortSignal): OpenEvalsError {
  const { reason } = signal;
  return isOurs(reason) && reason.code === "budget_exceeded" ? reason : stoppedBy(signal, "The experiment");
}

/** An error in the data or the options that shows only after all rows. A shard may lack keys that another one has. */
function mistakeIn(
  { plan, results, settings, judges, stopping }: RunParts,
  aggregates: Record<string, Aggregate>,
  found: readonly (readonly SummaryResult[])[],
): Stop | undefined {
  const { calibration, stopWhen, lowerIsBetter = [], optionalKeys, data } = plan;
  if (plan.shard) return undefined;
  const others = [...optionalKeys, ...found.flat().map(({ key }) => key)];
  const error = results.count
    ? (unknownKey("calibration", Object.keys(calibration), aggregates) ??
      judges?.problem() ??
      unknownKey("stopWhen", stopWhen?.map(({ key }) => key) ?? [], aggregates) ??
      stopping?.problem ??
      // Readers of the experiment, such as `run`, apply those of summary evaluators.
      unknownKey(
        "lowerIsBetter",
        lowerIsBetter.filter((key) => !others.includes(key)),
        aggregates,
      ) ??
      passAtProblem(settings, results.keys(), aggregates))
    : invalidInput(`${typeof data === "string" ? data : "The data"} has no rows`);
  return error && { error, isFailure: true };
}

/** The outcome of a run. */
interface RunOutcome {
  aggregates: Experiment["aggregates"];
  scales: Record<string, ScoreScale>;
  found: readonly (readonly SummaryResult[])[];
  decided: Partial<Experiment> | undefined;
  stopped: Failure | undefined;
  started: number;
}

function experimentOf(
  run: RunParts,
  { aggregates, scales, found, decided, stopped, started }: RunOutcome,
): Experiment {
  const { plan, heading, settings, source, results, budget } = run;
  const { shard, prices, summaryEvaluators } = plan;
  const ignoredFields = source.ignoredFields();
  const { fingerprint: dataFingerprint } = source;
  return {
    ...heading,
    ...(shard
      ? {
          shard,
          merging: {
            ...settings,
            keys: results.keys(),
            ...(dataFingerprint !== undefined && { dataFingerprint }),
          },
        }
      : undefined),
    rows: results.rows(),
    ...results.counts(scales),
    ...(!plan.keepRows && typeof plan.sink === "string" ? { sink: plan.sink } : undefined),
    aggregates,
    scales: withSummaries(scales, summaryEvaluators, found, settings.lowerIsBetter),
    summaryResults: found.flat(),
    ...results.used(prices),
    ...(budget ? { budget: budget.record() } : undefined),
    durationMs: msSince(started),
    ...(ignoredFields.length ? { ignoredFields } : undefined),
    ...decided,
    ...(stopped ? { stopped } : undefined),
  };
}

function headingOf({ experimentPrefix, metadata: given }: Plan): Heading {
  const metadata = toPlain(given, "metadata") as Experiment["metadata"];
  return {
    experimentName: `${experimentPrefix}-${uuid().slice(0, 8)}`,
    ...(metadata ? { metadata } : undefined),
    startedAt: new Date().toISOString(),
  };
}
