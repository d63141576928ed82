/** The checked options of `evaluate()`. */

import { invalidConfig } from "../../../core/errors.js";
import {
  aFlag,
  aFunction,
  anObject,
  anything,
  aRepetitionCount,
  aSignal,
  aString,
  check,
  type OptionChecks,
  show,
} from "../../../core/input/checks.js";
import { OPTIONAL_KEYS } from "../../../core/passing.js";
import type { Signal } from "../../../core/platform/globals.js";
import type { ModelPrices } from "../../../core/records/prices.js";
import { aShard } from "../../../core/records/shard.js";
import type { Shard } from "../../../core/records/types.js";
import { MisspeltInputs } from "../../../evaluators/calls/misspelt-inputs.js";
import { type PreparedEvaluator, readEvaluators } from "../../../evaluators/calls/row-evaluators.js";
import { STATISTICS_OPTIONS } from "../../../evaluators/summary/settings.js";
import { CALIBRATION_OPTION } from "../../statistics/calibration-option.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { BATCH_OPTIONS, type BatchOptions } from "../batch/options.js";
import { type BudgetLimits, readLimits } from "../budget/options.js";
import { checkReplay } from "../cache/options.js";
import type { Cache, CacheMode } from "../cache/types.js";
import type { RowMap } from "../data/mapping.js";
import type { Data } from "../data/types.js";
import type { ExperimentOutputOptions } from "../sink/options.js";
import type { Sink } from "../sink/types.js";
import { type ParsedCondition, readConditions } from "../stopping/conditions.js";
import { aListOfSummaryEvaluators, checkRowsAreKept, type SummaryEvaluator } from "../summary-evaluators.js";
import { isTarget, type Target } from "../target.js";
import type { EvaluateOptions, Progress } from "./evaluate-options.js";
import { checkGroup, checkGrouped, GROUPS } from "./groups.js";
import { checkMark, MARK_OPTIONS } from "./pass-marks.js";

/** Checked options, with their defaults. */
export interface Plan {
  target: Target | undefined;
  data: Data;
  map: RowMap | undefined;
  evaluators: PreparedEvaluator[];
  summaryEvaluators: readonly SummaryEvaluator[];
  limits: { shared: number; target: number | undefined; evaluation: number | undefined };
  /** The names from `mapInputs` that resemble a parameter. */
  misspelt: MisspeltInputs;
  repetitions: number;
  experimentPrefix: string;
  metadata: Record<string, unknown> | undefined;
  signal: Signal | undefined;
  seed: number | undefined;
  clusterBy: ClusterBy | undefined;
  shard: Shard | undefined;
  calibration: NonNullable<EvaluateOptions["calibration"]>;
  passAt: EvaluateOptions["passAt"];
  lowerIsBetter: EvaluateOptions["lowerIsBetter"];
  /** The keys of `lowerIsBetter` and `passAt` that results need not have. */
  optionalKeys: readonly string[];
  stopWhen: ParsedCondition[] | undefined;
  sink: Sink | undefined;
  keepRows: boolean;
  resume: boolean | "failed";
  overwrite: boolean;
  cache: Cache | undefined;
  cacheMode: CacheMode;
  /** Set if judges are asked in batches. */
  batch: BatchOptions | undefined;
  prices: ModelPrices | undefined;
  /** The limits, if there are any. */
  budget: BudgetLimits | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
  showsProgress: boolean;
}

const aLimit = check("a whole number from 0", (limit) => Number.isInteger(limit) && limit >= 0);

type EvaluateGroup = "judges" | "output" | "budget";

const OPTIONS: OptionChecks<Omit<EvaluateOptions, EvaluateGroup> & { estimate?: unknown }> = {
  ...MARK_OPTIONS,
  // Data, evaluators, conditions and estimates are checked where they are read.
  estimate: anything,
  data: anything,
  map: anything,
  evaluators: anything,
  stopWhen: anything,
  summaryEvaluators: aListOfSummaryEvaluators,
  maxConcurrency: aLimit,
  targetConcurrency: aLimit,
  evaluationConcurrency: aLimit,
  numRepetitions: aRepetitionCount,
  experimentPrefix: aString,
  metadata: anObject,
  mapInputs: aFunction,
  signal: aSignal,
  clusterBy: aClusterBy,
  calibration: CALIBRATION_OPTION,
  shard: aShard,
  seed: STATISTICS_OPTIONS.seed,
  onProgress: aFunction,
  progress: aFlag,
};

/** @throws {@link OpenEvalsError} `invalid_config` for options that do not work. */
export function readPlan(target: Target | undefined, options: EvaluateOptions): Plan {
  if (target !== undefined && !isTarget(target)) {
    throw invalidConfig(
      `The target is ${show(target)}; it has to be a function, an object with invoke, or undefined if the outputs are recorded: evaluate(target, options)`,
    );
  }
  refuseDefinitionOptions(options);
  const { judges, output, budget, ...read } = checkGrouped<
    EvaluateOptions & { estimate?: unknown },
    EvaluateGroup
  >("evaluate", options, OPTIONS, GROUPS);
  const { evaluators = [], summaryEvaluators = [], onProgress } = read;
  const { cache, cacheMode = "auto" } = judges;
  checkReplay(judges);
  const batch = checkGroup("evaluate", "judges.batch", judges.batch, BATCH_OPTIONS);
  const isBatched = judges.mode === "batch";
  if (judges.batch && !isBatched)
    throw invalidConfig('judges.batch applies only to judges.mode "batch". Set the mode, or leave batch out');
  checkStopWhen(read, isBatched);
  const misspelt = new MisspeltInputs();
  const readers = readEvaluators(evaluators, read.mapInputs, misspelt);
  const { passAt, lowerIsBetter } = read;
  // Other keys are checked when results have them.
  for (const { name, scale } of readers) checkMark(name, scale, { passAt, lowerIsBetter });
  const limits = readLimits(budget, cacheMode === "replay" ? [] : readers);
  if (limits && isBatched)
    throw invalidConfig(
      `budget.${Object.keys(limits)[0]} cannot be combined with judges.mode "batch": a batch starts all rows at once`,
    );
  const written = readOutput(output);
  checkRowsAreKept(summaryEvaluators, written.keepRows);
  return {
    target,
    data: read.data,
    map: read.map,
    evaluators: readers,
    misspelt,
    summaryEvaluators,
    limits: {
      shared: Math.max(read.maxConcurrency ?? 1, 1),
      target: atLeastOne(read.targetConcurrency),
      evaluation: atLeastOne(read.evaluationConcurrency),
    },
    repetitions: read.numRepetitions ?? 1,
    experimentPrefix: read.experimentPrefix ?? "experiment",
    metadata: read.metadata,
    signal: read.signal,
    seed: read.seed,
    clusterBy: read.clusterBy,
    shard: read.shard && { index: read.shard.index, count: read.shard.count },
    calibration: read.calibration ?? {},
    passAt: typeof passAt === "object" ? { ...passAt } : passAt,
    lowerIsBetter: lowerIsBetter && [...lowerIsBetter],
    optionalKeys: (options as { [OPTIONAL_KEYS]?: readonly string[] })[OPTIONAL_KEYS] ?? [],
    stopWhen: read.stopWhen === undefined ? undefined : readConditions(read.stopWhen),
    ...written,
    cache,
    cacheMode,
    batch: isBatched ? batch : undefined,
    onProgress,
    prices: budget.prices,
    budget: limits,
    showsProgress: read.progress ?? !onProgress,
  };
}

function checkStopWhen({ stopWhen, clusterBy, shard }: Partial<EvaluateOptions>, isBatched: boolean): void {
  if (!stopWhen || !(clusterBy || shard || isBatched)) return;
  const [other, why] = clusterBy
    ? ["clusterBy", "stopWhen assumes independent examples"]
    : shard
      ? ["shard", "a shard does not know the results of the others"]
      : ['judges.mode "batch"', "a batch starts all rows at once"];
  throw invalidConfig(`stopWhen cannot be combined with ${other}: ${why}`);
}

function readOutput(
  output: ExperimentOutputOptions,
): Pick<Plan, "sink" | "resume" | "overwrite" | "keepRows"> {
  const { sink, resume = false, overwrite = false, keepRows = sink === undefined } = output;
  if ((resume || overwrite) && typeof sink !== "string") {
    const option = resume ? "resume" : "overwrite";
    throw invalidConfig(
      `output.${option} needs the path of a sink, such as output: { sink: "results.jsonl", ${option}: true }`,
    );
  }
  if (overwrite && resume) throw invalidConfig("output.overwrite cannot be combined with output.resume");
  return { sink, resume, overwrite, keepRows };
}

/** Options of a definition that are often passed to `evaluate()`, each with the alternative in code. */
const ELSEWHERE: Record<string, string> = {
  ...{ failUnder: "", failOver: "", maxErrors: "", eachAtLeast: "" },
  matrix: " In code, use compareMatrix().",
  name: " In code, pass experimentPrefix.",
  target: " In code, pass it as the first argument.",
};

/** Rejects options of a definition: `evaluate()` neither applies limits nor runs a matrix. */
function refuseDefinitionOptions(options: object): void {
  const name = Object.keys(Object(options)).find((name) => Object.hasOwn(ELSEWHERE, name));
  if (name === undefined) return;
  const who = "defineExperiment() accepts it, for `openevals-wasm run`";
  const inTests = ["matrix", "name"].includes(name) ? "" : ", and describeEval() for tests";
  throw invalidConfig(`evaluate has no option "${name}"; ${who}${inTests}.${ELSEWHERE[name]}`);
}

const atLeastOne = (limit: number | undefined): number | undefined =>
  limit === undefined ? limit : Math.max(limit, 1);
