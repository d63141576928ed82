/** The options of `evaluate()`. */

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
import type { JudgeErrors } from "../../../core/records/calibration.js";
import type { ModelPrices } from "../../../core/records/prices.js";
import { aShard } from "../../../core/records/shard.js";
import type { Shard } from "../../../core/records/types.js";
import { MisspeltInputs } from "../../../evaluators/calls/misspelt-inputs.js";
import {
  type MapInputs,
  type PreparedEvaluator,
  type RowEvaluator,
  readEvaluators,
} from "../../../evaluators/calls/row-evaluators.js";
import { STATISTICS_OPTIONS } from "../../../evaluators/summary/settings.js";
import { CALIBRATION_OPTION } from "../../statistics/calibration-option.js";
import { aClusterBy, type ClusterBy } from "../../statistics/clusters.js";
import { BATCH_OPTIONS, type BatchOptions, type BatchProgress } from "../batch/options.js";
import { type BudgetLimits, type BudgetOptions, readLimits } from "../budget/options.js";
import { checkReplay } from "../cache/options.js";
import type { Cache, CacheMode } from "../cache/types.js";
import type { RowMap } from "../data/mapping.js";
import type { Data } from "../data/types.js";
import type { ExperimentOutputOptions } from "../sink/options.js";
import type { Sink } from "../sink/types.js";
import { type ParsedCondition, readConditions, type StopCondition } from "../stopping/conditions.js";
import { aListOfSummaryEvaluators, checkRowsAreKept, type SummaryEvaluator } from "../summary-evaluators.js";
import { isTarget, type Target } from "../target.js";
import { checkGroup, checkGrouped, GROUPS } from "./groups.js";
import type { JudgeCallOptions } from "./judge-options.js";
import { checkMark, MARK_OPTIONS, type MarkOptions } from "./pass-marks.js";

/** The progress of an experiment. */
export interface Progress {
  /** The number of finished rows. */
  done: number;
  /** The number of all rows, if it is known: for a list or a file. */
  total?: number;
  /** The number of finished rows with an error. */
  failed: number;
  /** The time since the start, in milliseconds. */
  elapsedMs: number;
  /** The progress of the judges' batches, with `judges: { mode: "batch" }`. */
  batch?: BatchProgress;
  /** After `budget.maxDurationMs`: the number of rows that had started and are not finished. The experiment waits for them. */
  overtime?: number;
}

/** The options of {@link evaluate}. {@link EstimateOptions} adds `estimate`. */
export interface EvaluateOptions extends MarkOptions {
  /**
   * The rows: a list, an iterable, a `ReadableStream`, the path of a file, or `{ stream, format }` with bytes or texts. Files are
   * JSON lines (`.jsonl`, `.ndjson`), a JSON list (`.json`), CSV (`.csv`), each also compressed (`.gz`), or Parquet (`.parquet`,
   * with the package `hyparquet`). Lists are read whole, everything else piece by piece.
   *
   * A row is `{ inputs, outputs, metadata, id }`, where `outputs` is the expected answer; `referenceOutputs` and
   * `reference_outputs` mean the same. Without a target, `outputs` is the recorded answer.
   *
   * In CSV the first line names the columns: `inputs`, `outputs`, `referenceOutputs`, `metadata`, `attachments`, `id`, or paths
   * such as `inputs.question`. A cell is text, unless it is a JSON object or list. An empty cell is a missing value, and `""` is
   * the empty text.
   */
  data: Data;
  /**
   * The place of each field in the data, if the fields have other names: `{ inputs: "question", outputs: "answer" }`.
   * Keys are fields of rows, or nested ones such as `"metadata.topic"`; values are fields or columns of the data, or
   * paths with dots. Fields that are not mapped keep their names. In CSV and Parquet, columns may then have any name. A
   * name that no row has ends the experiment with `invalid_input`.
   */
  map?: RowMap | undefined;
  /**
   * The evaluators of each answer: those of this package or for LangSmith, and your own functions, which get
   * `{ inputs, outputs, referenceOutputs, run, example }` and return `{ key, score }`, a list of these, or a score,
   * whose key is the name of the function. Objects with `evaluate(messages, tools)`, such as those of
   * `openevals-wasm/recipes`, get the conversation of the row. Two evaluators must not return the same key.
   */
  evaluators?: readonly RowEvaluator[] | undefined;
  /** Evaluators that score all answers together after the last row, such as an F1 score. */
  summaryEvaluators?: readonly SummaryEvaluator[] | undefined;
  /**
   * The largest number of concurrent calls, of the target and of evaluators together; 1 by default. As in LangSmith, 0 counts
   * as 1.
   */
  maxConcurrency?: number | undefined;
  /** The largest number of concurrent calls of the target, which `maxConcurrency` then does not count. */
  targetConcurrency?: number | undefined;
  /** The largest number of concurrent calls of evaluators, which `maxConcurrency` then does not count. */
  evaluationConcurrency?: number | undefined;
  /** How many times each row is run, from 1 to 1,000,000; 1 by default. */
  numRepetitions?: number | undefined;
  /** The beginning of the experiment's name; `experiment` by default. */
  experimentPrefix?: string | undefined;
  /** Recorded with the experiment, such as the version of the application. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * Maps the fields of a row to those that evaluators expect. Its result overrides their parameters. For a single
   * evaluator, pass `{ evaluator, mapInputs }`: that function receives the parameters after this one.
   */
  mapInputs?: MapInputs | undefined;
  /**
   * Stops the experiment: no target or evaluator is called, those that run are not awaited, and the experiment has the finished
   * rows and `stopped`. Summary evaluators are not called. The target gets the signal as `config.signal`. Judges with a model of
   * this package end their requests and send no other, except in browsers, also if the target calls them.
   */
  signal?: Signal | undefined;
  /** How judges are asked, and where their answers are kept: `{ cache, cacheMode, mode, batch }`. */
  judges?: JudgeCallOptions | undefined;
  /** Where rows go, and whether an earlier run is continued: `{ sink, keepRows, resume, overwrite }`. */
  output?: ExperimentOutputOptions | undefined;
  /** The limits of judges, and the prices of their tokens: `{ maxCost, maxTokens, maxDurationMs, prices }`. */
  budget?: BudgetOptions | undefined;
  /**
   * Groups rows that depend on each other, such as questions about the same passage: the name of a field in `metadata` or
   * `inputs`, or a function of the example. Intervals and standard errors in `aggregates` are then computed by cluster. Rows
   * record their cluster, so comparisons use it. A row without a cluster ends the experiment like unreadable data.
   */
  clusterBy?: ClusterBy | undefined;
  /**
   * Corrects the scores of judges, by key, with the results of `calibrate()` of `openevals-wasm/judges`. The aggregates of these
   * keys get `corrected`: the Rogan–Gladen estimate of the rate that people would find, with an interval that accounts for the
   * number of labelled rows (see `correctRate`). A key without results, and a report of another model or prompt, end the
   * experiment with `invalid_config`; the error has the `experiment`.
   */
  calibration?: Record<string, JudgeErrors> | undefined;
  /**
   * Stops the experiment when the answers to these questions are known, by the keys of results. At most 5% of experiments have
   * a wrong verdict in `decisions`, although every example is a look at the data.
   *
   * Scores need a range, from 0 to 1 unless given, and **rows must be in random order**: the first hundred must be as
   * representative as any other. Examples count in the order in which they start, whatever `maxConcurrency` is; the repetitions
   * of an example are one observation. A row with an error counts as any score of the range, and a row to which the key does not
   * apply is left out. The `interval`s of aggregates are then `anytimeValid`, and wider. Standard errors, `corrected`, summary
   * evaluators and `compareExperiments` do not account for the early stop. A key without results ends the experiment with
   * `invalid_config`.
   */
  stopWhen?: Record<string, StopCondition> | undefined;
  /**
   * Evaluates one part of the data, so that several machines share the work: row `index` (from 1) of every `count` rows. The
   * experiment records it as `shard`, and {@link mergeExperiments} merges all parts. Not with `stopWhen`.
   */
  shard?: Shard | undefined;
  /** The seed of the intervals' random numbers. The same seed gives the same figures for the same rows. */
  seed?: number | undefined;
  /** Called before the first row and after each row. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Whether a terminal shows the progress on standard error; `true` by default, and `false` with `onProgress`. */
  progress?: boolean | undefined;
}

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
  throw invalidConfig(
    `evaluate has no option "${name}"; ${who}${inTests}.${ELSEWHERE[name]}`.replace(/\.$/, ""),
  );
}

const atLeastOne = (limit: number | undefined): number | undefined =>
  limit === undefined ? limit : Math.max(limit, 1);
