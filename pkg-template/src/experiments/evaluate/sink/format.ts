/** The lines of an experiment file: a header, a line for each row as it finishes, and a last line with the figures. */

import type {
  EvaluationResult,
  EvaluatorFailure,
  Example,
  Experiment,
  Failure,
  Run,
} from "../../../core/records/types.js";
import type { Dropped } from "../../stored/ledger.js";
import type { Plan } from "../options/plan.js";
import { recordedSettings, type Settings } from "../options/settings.js";
import type { EvaluatorOutcome, FinishedRow } from "../rows/outcomes.js";

const FORMAT = "openevals-wasm experiment";
export const VERSION = 1;

/** The beginning of an experiment file. */
export const MAGIC = `{"format":"${FORMAT}"`;

/** The beginning of the header of this version. */
export const HEADER_START = `${MAGIC},"version":${VERSION},"experimentName":"`;

/** The first line of an experiment file: the settings that a resumed run needs. */
export interface Header
  extends Settings,
    Pick<Experiment, "experimentName" | "metadata" | "startedAt" | "shard" | "prices"> {
  format: string;
  version: number;
  /** The usage of rows that `resume: "failed"` has dropped to run them again. It was paid for as well. */
  dropped?: Dropped;
}

/** A row, with the results of each evaluator. */
export interface RowLine {
  /** The position in the experiment. */
  position: number;
  /** The row's cluster, with `clusterBy`. */
  cluster?: string;
  example: Example;
  run: Run;
  evaluationResults: EvaluationResult[];
  /** One for each evaluator that failed. */
  errors: EvaluatorFailure[];
  /** The number of results of each evaluator, in order; `null` if it failed. */
  outcomes: (number | null)[];
}

/** The last line: the status and figures of the experiment. */
export interface Ending
  extends Pick<
    Experiment,
    | "aggregates"
    | "scales"
    | "summaryResults"
    | "usage"
    | "cost"
    | "prices"
    | "unreadableUsage"
    | "budget"
    | "durationMs"
    | "resumed"
    | "resumedRows"
    | "ignoredFields"
    | "decisions"
    | "stoppedEarly"
    | "stopped"
  > {
  rowCount: number;
  /** The fingerprint of a shard's data. */
  dataFingerprint?: string;
}

/** The `stopped` of an experiment whose file lacks rows or the last line. */
export const incompleteFailure = ({ skipped }: { skipped: string | undefined }): Failure => ({
  name: "OpenEvalsError",
  code: skipped ? "invalid_input" : "aborted",
  message: skipped ?? "The experiment has not ended.",
});

/** The header of a new experiment. */
export function headerOf(
  plan: Plan,
  experiment: Pick<Experiment, "experimentName" | "metadata" | "startedAt">,
): Header {
  const { shard, prices } = plan;
  return {
    format: FORMAT,
    version: VERSION,
    ...experiment,
    ...(shard ? { shard } : undefined),
    ...(prices ? { prices } : undefined),
    ...recordedSettings(plan),
  };
}

/** The first setting that differs and makes the rows of two runs incompatible. */
export function changedSetting(before: Header, now: Header): string | undefined {
  for (const field of ["evaluators", "repetitions", "hasTarget", "clusterBy", "shard"] as const) {
    const [was, is] = [JSON.stringify(before[field] ?? null), JSON.stringify(now[field] ?? null)];
    if (was !== is) return `${field} was ${was} and is ${is}`;
  }
  return undefined;
}

/** The line of a row; `undefined` if it exceeds the maximum string length. */
export function rowLine(
  position: number,
  { example, cluster, run, outcomes }: FinishedRow,
  names: readonly string[],
): string | undefined {
  const evaluationResults: EvaluationResult[] = [];
  const errors: EvaluatorFailure[] = [];
  const counts: (number | null)[] = [];
  for (let index = 0; index < outcomes.length; index++) {
    const outcome = outcomes[index] as EvaluatorOutcome;
    if (Array.isArray(outcome)) {
      evaluationResults.push(...outcome);
      counts.push(outcome.length);
    } else {
      errors.push({ key: names[index] ?? "", error: outcome });
      counts.push(null);
    }
  }
  const line: RowLine = {
    position,
    ...(cluster === undefined ? undefined : { cluster }),
    example,
    run,
    evaluationResults,
    errors,
    outcomes: counts,
  };
  try {
    return `${JSON.stringify(line)}\n`;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The row of a line, with the outcome of each evaluator. */
export function finishedRow({
  example,
  cluster,
  run,
  evaluationResults,
  errors,
  outcomes,
}: RowLine): FinishedRow {
  const results = evaluationResults.values();
  const failures = errors.values();
  const next = () => results.next().value as EvaluationResult;
  return {
    example,
    cluster,
    run,
    outcomes: outcomes.map((count) =>
      count === null
        ? (failures.next().value as EvaluatorFailure).error
        : Array.from({ length: count }, next),
    ),
  };
}
