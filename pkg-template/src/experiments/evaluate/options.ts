/** The options of `evaluate()`. */

import { OpenEvalsError } from "../../core/errors.js";
import {
  aFlag,
  aFunction,
  anObject,
  anything,
  aRepetitionCount,
  aSignal,
  aString,
  type Checks,
  check,
  checkOptions,
  oneOf,
  show,
} from "../../core/input/checks.js";
import type { Signal } from "../../core/platform/globals.js";
import type { CalibrationReport } from "../../core/records/calibration.js";
import type { ModelPrices } from "../../core/records/prices.js";
import type { Shard } from "../../core/records/types.js";
import { STATISTICS_OPTIONS } from "../../evaluators/summary/settings.js";
import { aClusterBy, type ClusterBy } from "../statistics/clusters.js";
import { CALIBRATION_OPTION } from "../statistics/correct-rate.js";
import { BATCH_OPTIONS, type BatchOptions, type BatchProgress, type JudgeMode } from "./batch/options.js";
import { BUDGET_OPTIONS, type BudgetLimits, type BudgetOptions, readLimits } from "./budget/options.js";
import type { Cache, CacheMode } from "./cache/types.js";
import type { Data } from "./data/types.js";
import {
  type MapInputs,
  type ReadEvaluator,
  type RowEvaluator,
  readEvaluators,
} from "./evaluators/evaluators.js";
import { checkMark, MARK_OPTIONS, type MarkOptions } from "./scales.js";
import { aShard } from "./shard.js";
import type { Sink } from "./sink/types.js";
import { type ReadCondition, readConditions, type StopCondition } from "./stopping/conditions.js";
import { aListOfSummaryEvaluators, checkRowsAreKept, type SummaryEvaluator } from "./summary-evaluators.js";
import type { Target } from "./target.js";

/** How far a run has come. */
export interface Progress {
  /** How many rows are done. */
  done: number;
  /** How many there are, where that is known: of a list or a file. */
  total?: number;
  /** How many of those that are done have an error. */
  failed: number;
  /** How long it has taken so far, in milliseconds. */
  elapsedMs: number;
  /** How far the batches of the judges have come, if there are any. */
  batch?: BatchProgress;
  /** Once `maxDurationMs` is over: how many rows were still under way then and are not done, which is waited for. */
  overtime?: number;
}

/** The options of {@link evaluate}; {@link EstimateOptions} has one more. */
export interface EvaluateOptions extends BudgetOptions, MarkOptions {
  /**
   * The rows: a list, an iterable, a `ReadableStream`, or, where there are files, the path of one with JSON lines
   * (`.jsonl`, `.ndjson`) or CSV (`.csv`), compressed ones (`.jsonl.gz`) included, or Parquet (`.parquet`, with the package
   * `hyparquet`). Bytes or texts that hold rows are `{ stream, format }`. But for a list, only a part is in memory at a time.
   * A row is `{ inputs, outputs, metadata, id }`, where `outputs` are what should be answered;
   * `referenceOutputs` and `reference_outputs` are the same. Without a target, `outputs` are what was answered.
   *
   * In CSV the first line names the columns: `inputs`, `outputs`, `referenceOutputs`, `metadata`, `attachments`, `id`,
   * or fields of these with dots, such as `inputs.question`. A cell is text, unless it is a JSON object or list; an
   * empty cell is missing, and `""` is the empty text.
   */
  data: Data;
  /**
   * What scores each answer: the evaluators of this package, those written for LangSmith, and functions of your own,
   * which are called with `{ inputs, outputs, referenceOutputs, run, example }` and return `{ key, score }`, a list of
   * these, or a score, whose key is the name of the function. Objects with `evaluate(messages, tools)`, such as those of
   * `openevals-wasm/recipes`, get the conversation of the row. No two evaluators may give the same key.
   */
  evaluators?: readonly RowEvaluator[] | undefined;
  /** What scores all answers together, such as an F1 score, when all rows are done. */
  summaryEvaluators?: readonly SummaryEvaluator[] | undefined;
  /**
   * How many calls may be under way at once, of the target and of evaluators together; 1 by default, one after the
   * other. As in LangSmith, 0 counts as 1.
   */
  maxConcurrency?: number | undefined;
  /** How many calls of the target may be under way at once; they do not count for `maxConcurrency` then. */
  targetConcurrency?: number | undefined;
  /** How many calls of evaluators may be under way at once; they do not count for `maxConcurrency` then. */
  evaluationConcurrency?: number | undefined;
  /** How many times each row is run, up to a million; 1 by default. */
  numRepetitions?: number | undefined;
  /** What the name of the experiment begins with; `experiment` by default. */
  experimentPrefix?: string | undefined;
  /** What is recorded with the experiment, such as the version of the application. */
  metadata?: Record<string, unknown> | undefined;
  /**
   * Finds what evaluators want where the row has it elsewhere: what it returns is put over what they are called with.
   * For a single evaluator: `{ evaluator, mapInputs }` in its place.
   */
  mapInputs?: MapInputs | undefined;
  /**
   * Stops the experiment: nothing more is begun, what is under way is left to itself, and the experiment is what is
   * done, with `stopped`. Summary evaluators are not called then. The target gets it as `config.signal`.
   */
  signal?: Signal | undefined;
  /**
   * Keeps the answers of the judges in `evaluators`: a `Map`, a key-value store, {@link directoryCache}, or anything
   * else with `get` and `set`. A question is the same if the model, its address, its settings and headers, the messages,
   * the schema of the answer and the repetition are; secrets are left out. A function, or a model that does not tell its
   * name and address, is known by the judge's `cacheKey`: without one it is asked every time, and in `replay` it is
   * `invalid_config`. Only answers that were used for a verdict are kept. Results whose answers were all there have `cached: true` in their `metadata`, and the `usage` of when they were asked for.
   *
   * Where there is no `AsyncLocalStorage`, as in browsers, evaluators are called one after the other then.
   */
  cache?: Cache | undefined;
  /**
   * `auto` (the default) asks for what the cache does not have; `record` asks for everything, and keeps it; `replay` asks
   * for nothing, so that it needs neither key nor network: what the cache does not have is a failure of the evaluator,
   * with the code `cache_miss`.
   */
  cacheMode?: CacheMode | undefined;
  /**
   * How judges are asked: `direct` (the default), or in a `batch`, at half the price, within a day and mostly much
   * sooner. The questions of all rows, repetitions and evaluators to models of `openai`, `anthropic` and `google-genai`
   * (a `model`, or the result of {@link initChatModel}) are collected until nothing else is left to do, and go into
   * batches together. What has to be asked again, and the next question of an evaluator that asks several, go into the
   * next ones. All other judges are asked directly: functions, models of other packages and of other providers. Results
   * whose judges were all asked in batches have `batched: true` in their `metadata`. What a batch has no answer for is a
   * failure of its row.
   *
   * All rows are under way at once then; `maxConcurrency` and its like count calls that do not wait for a batch. It needs
   * `AsyncLocalStorage`, which Node, Deno, Bun and Workers have.
   */
  judgeMode?: JudgeMode | undefined;
  /** How batches are made, and how an experiment that was killed continues with its own. */
  batch?: BatchOptions | undefined;
  /**
   * What rows have in common that are not independent of each other, such as the passage that several questions are about:
   * a field of their `metadata` or else of their `inputs`, or a function of the example. The intervals and standard errors
   * of `aggregates` then go by clusters. A row without one ends the experiment as data does that cannot be read.
   */
  clusterBy?: ClusterBy | undefined;
  /**
   * What is known of judges, by the keys of their results: what `calibrate()` of `openevals-wasm/judges` came to. The
   * aggregates of these keys have `corrected` then: the rate that people would have found, with an interval that knows how
   * many rows they have labelled (Rogan and Gladen's, see `correctRate`). A key that no result has is `invalid_config` in the
   * end, with the `experiment` in the error.
   */
  calibration?: Record<string, Pick<CalibrationReport, "verdicts" | "threshold">> | undefined;
  /**
   * What is to be known, by the keys of results: no other row is begun once all of it is. In 5% of experiments at most, any
   * verdict among `decisions` is wrong, although there is a look after every example.
   *
   * It needs scores within a range, from 0 to 1 unless it is given, and **rows in random order**: the first hundred have to
   * tell as much about the rest as any hundred. Examples count as they were begun, so that `maxConcurrency` changes nothing
   * about it; their repetitions are one observation. A row with an error may have had any score of the range, and helps
   * neither side; one to which the key does not apply counts for nothing. The `interval`s of aggregates are then
   * `anytimeValid`, and wider than others; their standard errors, what is `corrected`, summary evaluators and
   * `compareExperiments` know nothing of the stopping. A key that no result has is `invalid_config` in the end.
   */
  stopWhen?: Record<string, StopCondition> | undefined;
  /**
   * Evaluates a part of the data, so that several machines share the work: of every `count` rows the one at the place
   * `index`, from 1. The experiment has it as its `shard`, and {@link mergeExperiments} makes one of all parts. Not with
   * `stopWhen`.
   */
  shard?: Shard | undefined;
  /**
   * Where rows go as they finish: the path of a file, one line for each, which {@link readExperiment} reads and `resume`
   * continues; a function, which is called with one row after the other; or a `WritableStream` of rows. The experiment waits
   * for whoever takes its time. A file that is there is not overwritten: see `resume` and `overwrite`.
   */
  sink?: Sink | undefined;
  /**
   * Whether the experiment has its rows when it is done; by default it has, unless they go to a `sink`. Without rows it has
   * the same figures, and takes some bytes for each score instead of some kilobytes for each row; `rowCount` says how many
   * there were. Summary evaluators need the rows.
   */
  keepRows?: boolean | undefined;
  /**
   * Continues an experiment that was killed or stopped where the file of its `sink` ends, or begins it if there is no such
   * file: rows that stand in it are not run again, and count as if they had been. The data, the evaluators and the repetitions
   * have to be the same; what is changed in an evaluator or the target without its key changing is not seen. Rows on which
   * something has failed stay as they are; with `"failed"` they are run again.
   */
  resume?: boolean | "failed" | undefined;
  /** Whether the file of the `sink` is replaced if there is one, whatever it holds; `false` by default. */
  overwrite?: boolean | undefined;
  /** What the random numbers of the intervals begin with: the same seed gives the same figures for the same rows in order. */
  seed?: number | undefined;
  /** Called before the first row and after each one. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * Whether progress is shown on standard error if that is a terminal; `true` by default, unless there is an
   * `onProgress`.
   */
  progress?: boolean | undefined;
}

/** Options that have been read. */
export interface Plan {
  target: Target | undefined;
  data: Data;
  evaluators: ReadEvaluator[];
  summaryEvaluators: readonly SummaryEvaluator[];
  limits: { shared: number; target: number | undefined; evaluation: number | undefined };
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
  stopWhen: ReadCondition[] | undefined;
  sink: Sink | undefined;
  keepRows: boolean;
  resume: boolean | "failed";
  overwrite: boolean;
  cache: Cache | undefined;
  cacheMode: CacheMode;
  /** How judges are asked in batches, if they are. */
  batch: BatchOptions | undefined;
  prices: ModelPrices | undefined;
  /** What may be used, if that is limited. */
  budget: BudgetLimits | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
  showsProgress: boolean;
}

const aLimit = check("a whole number", (limit) => Number.isInteger(limit) && limit >= 0);

const OPTIONS: Checks<EvaluateOptions & { estimate?: unknown }> = {
  ...MARK_OPTIONS,
  // Checked where it is read.
  estimate: anything,
  ...BUDGET_OPTIONS,
  // Data and evaluators are checked where they are read.
  data: anything,
  evaluators: anything,
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
  // Checked by a table of its own.
  stopWhen: anything,
  shard: aShard,
  sink: check("the path of a file, a function or a WritableStream", (sink) => {
    return (
      (typeof sink === "string" && sink !== "") ||
      typeof sink === "function" ||
      typeof sink.getWriter === "function"
    );
  }),
  keepRows: aFlag,
  overwrite: aFlag,
  resume: check('true, false or "failed"', (resume) => typeof resume === "boolean" || resume === "failed"),
  seed: STATISTICS_OPTIONS.seed,
  cache: check("an object with get and set", (store) => {
    return typeof store?.get === "function" && typeof store?.set === "function";
  }),
  cacheMode: oneOf(["auto", "record", "replay"]),
  judgeMode: oneOf(["direct", "batch"]),
  // Checked by a table of its own.
  batch: anything,
  onProgress: aFunction,
  progress: aFlag,
};

/** Reads the options; throws `invalid_config` for what cannot work. */
export function readPlan(target: Target | undefined, options: EvaluateOptions): Plan {
  const isTarget = typeof target === "function" || typeof target?.invoke === "function";
  if (target !== undefined && !isTarget) {
    throw new OpenEvalsError(
      "invalid_config",
      `The target is ${show(target)}; it has to be a function, an object with invoke, or undefined if the outputs are recorded.`,
    );
  }
  const read = checkOptions("evaluate", options, OPTIONS);
  const { evaluators = [], summaryEvaluators = [], cacheMode = "auto", onProgress } = read;
  if (read.cacheMode === "replay" && !read.cache) {
    throw new OpenEvalsError(
      "invalid_config",
      'cacheMode is "replay", and there is no cache to take answers from; pass cache, such as directoryCache("answers").',
    );
  }
  const batch =
    read.batch === undefined ? undefined : checkOptions("evaluate.batch", read.batch, BATCH_OPTIONS);
  if (batch && read.judgeMode !== "batch") {
    throw new OpenEvalsError("invalid_config", 'batch has options of judgeMode "batch", which is not set.');
  }
  if (read.stopWhen && (read.judgeMode === "batch" || read.clusterBy || read.shard)) {
    const [other, why] = read.clusterBy
      ? ["clusterBy", "it takes examples to be independent of each other"]
      : read.shard
        ? ["shard", "no part knows what the others have found"]
        : ['judgeMode "batch"', "all rows are under way at once then"];
    throw new OpenEvalsError("invalid_config", `stopWhen does not go with ${other}: ${why}.`);
  }
  const readers = readEvaluators(evaluators, read.mapInputs);
  const { passAt, lowerIsBetter } = read;
  // Those of other keys are checked when results have told them.
  for (const { name, scale } of readers) checkMark(name, scale, { passAt, lowerIsBetter });
  const budget = readLimits(read, cacheMode === "replay" ? [] : readers);
  if (budget && read.judgeMode === "batch") {
    throw new OpenEvalsError(
      "invalid_config",
      `${Object.keys(budget)[0]} does not go with judgeMode "batch": all rows are under way at once then.`,
    );
  }
  const { sink, resume = false, overwrite = false, keepRows = sink === undefined } = read;
  if (resume && typeof sink !== "string") {
    throw new OpenEvalsError(
      "invalid_config",
      'resume continues what stands in the file of a sink; pass the path of one, such as sink: "results.jsonl".',
    );
  }
  if (overwrite && resume)
    throw new OpenEvalsError(
      "invalid_config",
      "overwrite replaces what resume continues; leave one of them out.",
    );
  checkRowsAreKept(summaryEvaluators, keepRows);
  return {
    target,
    data: read.data,
    evaluators: readers,
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
    stopWhen: read.stopWhen === undefined ? undefined : readConditions(read.stopWhen),
    sink,
    keepRows,
    resume,
    overwrite,
    cache: read.cache,
    cacheMode,
    batch: read.judgeMode === "batch" ? (batch ?? {}) : undefined,
    onProgress,
    prices: read.prices,
    budget,
    showsProgress: read.progress ?? !onProgress,
  };
}

const atLeastOne = (limit: number | undefined): number | undefined =>
  limit === undefined ? limit : Math.max(limit, 1);
