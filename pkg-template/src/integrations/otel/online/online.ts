/** Scores live traffic after the answers are sent. */

import { invalidConfig, type OpenEvalsError } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  check,
  checkOptions,
  numberFromTo,
  numbersByKey,
  type OptionChecks,
  readable,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import type { RowEvaluator } from "../../../evaluation.js";
import { readEvaluators } from "../../../evaluators/calls/row-evaluators.js";
import type { ScoredSpan } from "../results/payload.js";
import { Callbacks } from "./callbacks.js";
import type { Drift, DriftRange } from "./drift.js";
import { DriftWatches, isIn, outsideOf, rangeOf } from "./drift-watches.js";
import { RowQueue } from "./row-queue.js";
import type { Sample } from "./sample.js";
import { rowScorer } from "./score-row.js";

/** An answer to a user. */
export interface OnlineRow {
  /**
   * Identifies it, such as the id of its trace or conversation. With a share as `sample`, rows with the same id are
   * either all scored or all skipped.
   */
  id?: string | undefined;
  /** The inputs of the application. */
  inputs?: unknown;
  /** Its answer. */
  outputs: unknown;
  /** The expected answer, if known. */
  referenceOutputs?: unknown;
  /** The span of the answer, for exporters of results. */
  span?: ScoredSpan | undefined;
  /** Any other data, such as the `context` of RAG metrics. */
  metadata?: Record<string, unknown> | undefined;
}

/** The results of the evaluators for a row. */
export interface OnlineOutcome {
  row: OnlineRow;
  /** The results, each with the scale of its evaluator, from which exporters derive whether the score passes. */
  results: (EvaluationResult & { scale: ScoreScale })[];
  /** The failed evaluators by name. */
  errors: { key: string; error: OpenEvalsError }[];
}

/** The options of {@link online}. */
export interface OnlineOptions {
  /** The rows to score: a share from 0 to 1, by the hash of `id` if there is one, or a function. All by default. */
  sample?: Sample<OnlineRow> | undefined;
  /** The number of rows to score concurrently; 4 by default. */
  maxConcurrency?: number | undefined;
  /** The longest queue of waiting rows; further rows are dropped and counted. 1,000 by default. */
  maxQueueSize?: number | undefined;
  /**
   * The time limit of the evaluators of a row together, and then of each call of `onResult` and `onDrift`, in milliseconds; 60,000
   * by default. It also ends the requests of judges.
   */
  timeoutMs?: number | undefined;
  /** Called with the results of every scored row. */
  onResult?: ((outcome: OnlineOutcome) => unknown) | undefined;
  /**
   * Called if `onResult`, `onDrift` or `sample` fails, if a request ends before its row is scored, or once for a key with a score
   * outside of its range; once for an evaluator that fails before it has returned a result; once for a key of `baseline` that is
   * a misspelt key of the results, or that the first 100 rows lack. Without it, the first error of each code is printed.
   */
  onError?: ((error: OpenEvalsError) => void) | undefined;
  /**
   * Called once when the mean score of a key has changed by more than chance explains. The next `window` scores then become the
   * baseline, so the next call reports another change, such as a recovery.
   */
  onDrift?: ((drift: Drift) => unknown) | undefined;
  /**
   * The expected means by key, until the first change; by default those of the first `window` scores. A mean outside of the range
   * of its key is an error. If only a result shows the key, `onError` gets it, and the mean is estimated.
   */
  baseline?: Record<string, number> | undefined;
  /** The number of scores in a window and in an estimated baseline; 2,000 by default. */
  window?: number | undefined;
  /** The highest probability of a false alarm in 10,000 scores of an unchanged key, between 0 and 1; 0.05 by default. */
  falseAlarmRate?: number | undefined;
  /**
   * The lowest and the highest possible score of keys whose evaluators declare no `min` and `max` in their `scale`; `[0, 1]` by
   * default.
   */
  range?: readonly [number, number] | undefined;
}

/** Counts of rows. */
export interface OnlineStats {
  /** All rows. */
  seen: number;
  /** Rows in the sample. */
  sampled: number;
  /** Rows of the sample with all evaluators finished. */
  scored: number;
  /** Scored rows with a failed evaluator. */
  failed: number;
  /**
   * Rows of the sample that did not fit into the queue, cannot be read, or whose request ended before they were scored; and rows
   * for which `sample` failed.
   */
  dropped: number;
}

/** Keeps a Worker alive: `ctx` in Cloudflare Workers, or `{ waitUntil }` of Vercel. */
export interface Platform {
  waitUntil(promise: Promise<unknown>): void;
}

/** Scores rows as they arrive. */
export interface OnlineScorer {
  /** Queues a row and returns at once. Never throws, and leaves no unhandled rejection. */
  (row: OnlineRow, platform?: Platform): void;
  /** The counts so far. */
  readonly stats: OnlineStats;
  /** Waits for the rows that were queued before the call, and their `onResult`. */
  idle(): Promise<OnlineStats>;
}

const isBetween0And1 = (value: unknown) => typeof value === "number" && value > 0 && value < 1;

const OPTIONS: OptionChecks<OnlineOptions> = {
  sample: check("a share from 0 to 1, or a function", (value) => {
    return typeof value === "function" || numberFromTo(0, 1).test(value);
  }),
  maxConcurrency: wholeFrom(1),
  maxQueueSize: wholeFrom(0),
  timeoutMs: aDuration,
  onResult: aFunction,
  onError: aFunction,
  onDrift: aFunction,
  baseline: numbersByKey,
  window: wholeFrom(2, 1_000_000),
  falseAlarmRate: check("a number between 0 and 1", isBetween0And1),
  range: check("a list of the lowest and the highest score, such as [0, 1]", (range) => {
    return Array.isArray(range) && range.length === 2 && range.every(Number.isFinite) && range[0] < range[1];
  }),
};

/**
 * Scores a sample of live traffic after the answer is sent, and raises an alarm when scores drift.
 *
 * After every score, the alarm compares the current window with the baseline by confidence sequences. While nothing changes,
 * the probability of a false alarm in 10,000 scores of a key is at most `falseAlarmRate`. The scores have to be independent
 * draws, as those of a random sample are.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options.
 *
 * @example
 * ```ts
 * import { noRefusal } from "openevals-wasm/checks";
 * import { online } from "openevals-wasm/otel";
 *
 * const score = online([noRefusal()], {
 *   sample: 0.1,
 *   onDrift: ({ key, direction, after }) => console.warn(`${key} went ${direction} to ${after.mean}`),
 * });
 *
 * export default {
 *   async fetch(request: Request, env: unknown, ctx: { waitUntil(promise: Promise<unknown>): void }) {
 *     const outputs = "Paris";
 *     score({ inputs: await request.text(), outputs }, ctx);
 *     return new Response(outputs);
 *   },
 * };
 * ```
 */
export function online(evaluators: readonly RowEvaluator[], options: OnlineOptions = {}): OnlineScorer {
  const {
    sample = 1,
    maxConcurrency = 4,
    maxQueueSize = 1000,
    timeoutMs = 60_000,
    onResult,
    onError,
    onDrift,
    baseline = {},
    window = 2000,
    falseAlarmRate = 0.05,
    range = [0, 1],
  } = checkOptions("online", options, OPTIONS);
  const all = readable("online", () => readEvaluators(evaluators, undefined));
  checkBaseline(baseline, all, range);
  if (all.length === 0)
    throw invalidConfig("evaluators is empty, so nothing would be measured. Add an evaluator");
  const callbacks = new Callbacks(timeoutMs, onError);
  const settings = { window, rate: falseAlarmRate, range };
  const watches = onDrift && new DriftWatches(baseline, settings, callbacks, onDrift);
  const rows = new RowQueue({
    sample,
    maxConcurrency,
    maxQueueSize,
    callbacks,
    score: rowScorer(all, callbacks),
    async whenScored(outcome, scored) {
      if (onResult) await callbacks.call("onResult", () => onResult(outcome));
      await watches?.add(outcome.results, scored);
    },
  });
  return Object.defineProperties((row: OnlineRow, platform?: Platform) => rows.add(row, platform), {
    stats: { get: () => rows.stats, enumerable: true },
    idle: { value: () => rows.idle(), enumerable: true },
  }) as OnlineScorer;
}

/** A key is usually the name of its evaluator. Other keys are unknown until results have them, so any range will do. */
function checkBaseline(
  baseline: Record<string, number>,
  evaluators: ReturnType<typeof readEvaluators>,
  range: DriftRange,
): void {
  for (const [key, mean] of Object.entries(baseline)) {
    const named = evaluators.filter(({ name }) => name === key);
    const ranges = (named.length ? named : evaluators).map(({ scale }) => rangeOf(scale, range));
    if (!named.length) ranges.unshift(range);
    if (!ranges.some((each) => isIn(each, mean))) throw outsideOf(key, mean, ranges);
  }
}
