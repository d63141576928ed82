/** From a plan to an experiment. */

import { callbackFailed, invalidConfig, isOurs, OpenEvalsError, reworded } from "../errors.js";
import { show } from "../input/checks.js";
import type { Plan } from "./options.js";
import { failureOf, toPlain } from "./plain.js";
import { aggregatesOf, usageOf } from "./rows/outcomes.js";
import { unlessAborted } from "./rows/pool.js";
import type { RowStream } from "./rows/row-stream.js";
import { Rows } from "./rows/rows.js";
import { summarise, summaryParams } from "./summary-evaluators.js";
import type { Experiment, SummaryResult } from "./types.js";
import { uuid } from "./uuid.js";

/** Runs it. Rows go to the stream as they finish. */
export async function runExperiment(plan: Plan, stream: RowStream): Promise<Experiment> {
  const { signal, summaryEvaluators, experimentPrefix, seed, clusterBy, calibration } = plan;
  const startedAt = new Date().toISOString();
  const started = performance.now();
  const metadata = toPlain(plan.metadata, "metadata") as Experiment["metadata"];
  const rows = new Rows(plan, stream);
  const summaryResults: SummaryResult[] = [];
  let stop: { error: unknown; isFailure: boolean } | undefined;
  try {
    await unlessAborted(signal, () => rows.run());
    const params = summaryParams(rows.recorded());
    for (const [index, evaluator] of summaryEvaluators.entries()) {
      summaryResults.push(...(await unlessAborted(signal, () => summarise(evaluator, index, params))));
    }
  } catch (error) {
    stop = signal?.aborted ? { error: abortedBy(signal), isFailure: false } : { error, isFailure: true };
  } finally {
    rows.close();
  }
  await rows.end(!stop ? "done" : stop.isFailure ? "failed" : "aborted");
  const recorded = rows.recorded();
  const ignoredFields = rows.ignoredFields();
  const aggregates = await aggregatesOf(rows.keys(), recorded, { seed, clusterBy, calibration });
  const decided = await rows.stopping?.conclude(aggregates);
  const problem = stop ? undefined : unknownKey(calibration, aggregates);
  if (problem) stop = { error: problem, isFailure: true };
  const experiment: Experiment = {
    experimentName: `${experimentPrefix}-${uuid().slice(0, 8)}`,
    ...(metadata ? { metadata } : undefined),
    startedAt,
    ...(plan.shard ? { shard: plan.shard } : undefined),
    rows: recorded,
    aggregates,
    summaryResults,
    usage: usageOf(recorded),
    durationMs: Math.round((performance.now() - started) * 1000) / 1000,
    ...(ignoredFields.length ? { ignoredFields } : undefined),
    ...decided,
    ...(stop ? { stopped: failureOf(stop.error) } : undefined),
  };
  if (stop?.isFailure) throw withExperiment(stop.error, experiment);
  return experiment;
}

/** A calibration for a key that no result has, as soon as it is certain that none does. */
function unknownKey(
  calibration: Plan["calibration"],
  aggregates: Experiment["aggregates"],
): OpenEvalsError | undefined {
  const keys = Object.keys(aggregates);
  const unknown = Object.keys(calibration).find((key) => !keys.includes(key));
  // An evaluator without any result has not told its key.
  const areKnown = Object.values(aggregates).every(({ count, notApplicable }) => count + notApplicable > 0);
  if (unknown === undefined || !areKnown) return undefined;
  return invalidConfig(
    `calibration has the key ${show(unknown)}, which no result has; there are ${keys.map(show).join(", ") || "none"}`,
  );
}

function abortedBy({ reason }: AbortSignal): OpenEvalsError {
  const why = reason instanceof Error ? `: ${reason.message}` : "";
  return new OpenEvalsError("aborted", `The experiment was stopped by its signal${why}`, { cause: reason });
}

/** What ended the experiment, with what was done by then. */
function withExperiment(error: unknown, experiment: Experiment): OpenEvalsError {
  if (isOurs(error)) return reworded(error, error.message, { experiment });
  return callbackFailed("evaluate", error, { experiment });
}
