/** The options of `evaluate()`. */

import type { Signal } from "../../../core/platform/globals.js";
import type { JudgeErrors } from "../../../core/records/calibration.js";
import type { Shard } from "../../../core/records/types.js";
import type { MapInputs, RowEvaluator } from "../../../evaluators/calls/row-evaluators.js";
import type { ClusterBy } from "../../statistics/clusters.js";
import type { BatchProgress } from "../batch/options.js";
import type { BudgetOptions } from "../budget/options.js";
import type { RowMap } from "../data/mapping.js";
import type { Data } from "../data/types.js";
import type { ExperimentOutputOptions } from "../sink/options.js";
import type { StopCondition } from "../stopping/conditions.js";
import type { SummaryEvaluator } from "../summary-evaluators.js";
import type { JudgeCallOptions } from "./judge-options.js";
import type { MarkOptions } from "./pass-marks.js";

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
