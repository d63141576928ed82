/** Evaluators on what users are answered, after they have been. */

import { callbackFailed, invalidConfig, isOurs, type OpenEvalsError, typed } from "../../../core/errors.js";
import {
  aFunction,
  anything,
  type Checks,
  check,
  checkOptions,
  numberFromTo,
  readable,
  wholeFrom,
} from "../../../core/input/checks.js";
import { uuid } from "../../../core/platform/uuid.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import { type RowEvaluator, readEvaluators } from "../../../experiments/evaluate/evaluators/evaluators.js";
import { aRange } from "../../../experiments/statistics/sequence.js";
import type { ScoredSpan } from "../results/payload.js";
import { type Drift, DriftWatch } from "./drift.js";
import { isSampled, type Sample } from "./sample.js";

/** What a user was answered. */
export interface OnlineRow {
  /** What tells it from others, such as the id of its trace or conversation: by it, a share is always the same. */
  id?: string | undefined;
  /** What the application was asked. */
  inputs?: unknown;
  /** What it answered. */
  outputs: unknown;
  /** What it should have answered, where that is known. */
  referenceOutputs?: unknown;
  /** The span of the answer, for whoever sends results out. */
  span?: ScoredSpan | undefined;
  /** What else is known of it. */
  metadata?: Record<string, unknown> | undefined;
}

/** What evaluators found on a row. */
export interface OnlineOutcome {
  row: OnlineRow;
  results: EvaluationResult[];
  /** The evaluators that failed, each with the name that it has. */
  errors: { key: string; error: OpenEvalsError }[];
}

/** The options of {@link online}. */
export interface OnlineOptions {
  /** Which rows are scored: a share from 0 to 1, by the hash of `id` where there is one, or a function; all by default. */
  sample?: Sample<OnlineRow> | undefined;
  /** How many rows are scored at the same time; 4 by default. */
  maxConcurrency?: number | undefined;
  /** How many rows may wait; those beyond are dropped and counted. 1,000 by default. */
  maxQueueSize?: number | undefined;
  /** Is told what was found on every row. */
  onResult?: ((outcome: OnlineOutcome) => unknown) | undefined;
  /** Is told of what nobody else is: `onResult`, `onDrift` or `sample` failed, or a score was beyond the range. */
  onError?: ((error: OpenEvalsError) => void) | undefined;
  /** Is told when the scores of a key are not what they were, by more than chance. */
  onDrift?: ((drift: Drift) => unknown) | undefined;
  /** The means that are expected, by key; those of the first `window` scores by default. */
  baseline?: Record<string, number> | undefined;
  /** How many scores a window has, and a baseline that is not given; 2,000 by default. */
  window?: number | undefined;
  /** How probable a false alarm is in 10,000 scores of a key that has not changed, at most; 0.05 by default. */
  falseAlarmRate?: number | undefined;
  /** The lowest and the highest score that there may be; `[0, 1]` by default. */
  range?: readonly [number, number] | undefined;
}

/** What has become of the rows. */
export interface OnlineStats {
  /** All rows. */
  seen: number;
  /** Those in the sample. */
  sampled: number;
  /** Those of the sample that all evaluators have been asked about. */
  scored: number;
  /** Those of the scored on which an evaluator failed. */
  failed: number;
  /** Those of the sample for which there was no room. */
  dropped: number;
}

/** Keeps a Worker alive: the `ctx` of Cloudflare's, or Vercel's `{ waitUntil }`. */
export interface Platform {
  waitUntil(promise: Promise<unknown>): void;
}

/** Scores rows as they come. */
export interface OnlineScorer {
  /** Takes a row, and returns at once: nothing is thrown, and no promise is left to reject. */
  (row: OnlineRow, platform?: Platform): void;
  /** What has become of the rows so far. */
  readonly stats: OnlineStats;
  /** Waits for all rows that were taken. */
  idle(): Promise<OnlineStats>;
}

const isRate = (value: unknown) => typeof value === "number" && value > 0 && value < 1;

const OPTIONS: Checks<OnlineOptions> = {
  sample: check("a share from 0 to 1, or a function", (value) => {
    return typeof value === "function" || numberFromTo(0, 1).test(value);
  }),
  maxConcurrency: wholeFrom(1),
  maxQueueSize: wholeFrom(0),
  onResult: aFunction,
  onError: aFunction,
  onDrift: aFunction,
  baseline: check("an object of numbers, by key", (value) => {
    return typeof value === "object" && Object.values(value).every(Number.isFinite);
  }),
  window: wholeFrom(2, 1_000_000),
  falseAlarmRate: check("a number between 0 and 1", isRate),
  range: anything,
};

/**
 * Scores live traffic, a sample of it, after the answer is sent, and raises an alarm when scores are not what they were.
 *
 * The alarm compares each window of scores with the baseline after every score, by confidence sequences: while nothing
 * changes, the probability of a false alarm in 10,000 scores of a key is at most `falseAlarmRate`. The scores have to be
 * independent draws, as those of a random sample are.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 *
 * @example
 * ```ts
 * import { noRefusal } from "openevals-wasm/checks";
 * import { online } from "openevals-wasm/otel";
 *
 * const score = online([noRefusal()], {
 *   sample: 0.1,
 *   onDrift: ({ key, direction, recent }) => console.warn(`${key} went ${direction} to ${recent.mean}`),
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
    onResult,
    onError,
    onDrift,
    baseline = {},
    window = 2000,
    falseAlarmRate = 0.05,
    range = [0, 1],
  } = checkOptions("online", options, OPTIONS);
  if (!aRange.test(range)) throw invalidConfig(`range has to be ${aRange.wanted}`);
  const all = readable("online", () => readEvaluators(evaluators, undefined));
  const settings = { window, rate: falseAlarmRate, range };
  const watches = new Map<string, DriftWatch>();
  const stats: OnlineStats = { seen: 0, sampled: 0, scored: 0, failed: 0, dropped: 0 };
  const waiting: (() => Promise<void>)[] = [];
  const open = new Set<Promise<void>>();
  let underWay = 0;

  const tell = (error: OpenEvalsError) => {
    try {
      onError?.(error);
    } catch {
      // Whoever is told of failures is not to cause one.
    }
  };
  /** Calls a function of the caller's; what it throws is told. */
  const call = async (name: string, work: () => unknown) => {
    try {
      await work();
    } catch (thrown) {
      tell(callbackFailed(name, thrown));
    }
  };
  const watch = async ({ key, score, applicable }: EvaluationResult) => {
    if (!onDrift || applicable === false || score === undefined || score === null) return;
    const watched = watches.get(key) ?? new DriftWatch(key, ownNumber(baseline, key), settings);
    watches.set(key, watched);
    try {
      const drift = await watched.add(score);
      if (drift) await call("onDrift", () => onDrift(drift));
    } catch (thrown) {
      tell(typed("online", thrown));
    }
  };
  const work = async (row: OnlineRow) => {
    const outcome: OnlineOutcome = { row, results: [], errors: [] };
    const answered = answeredOf(row);
    await Promise.all(
      all.map(async ({ name, evaluate }) => {
        try {
          outcome.results.push(...(await evaluate(answered)));
        } catch (thrown) {
          outcome.errors.push({ key: name, error: isOurs(thrown) ? thrown : callbackFailed(name, thrown) });
        }
      }),
    );
    stats.scored++;
    if (outcome.errors.length) stats.failed++;
    if (onResult) await call("onResult", () => onResult(outcome));
    for (const result of outcome.results) await watch(result);
  };
  const next = () => {
    while (underWay < maxConcurrency && waiting.length) {
      underWay++;
      void (waiting.shift() as () => Promise<void>)().then(() => {
        underWay--;
        next();
      });
    }
  };
  const isWanted = (row: OnlineRow): boolean => {
    try {
      return typeof sample === "number" ? isSampled(sample, row.id) : sample(row);
    } catch (thrown) {
      tell(callbackFailed("sample", thrown));
      return false;
    }
  };

  const take = (row: OnlineRow, platform?: Platform): void => {
    stats.seen++;
    if (!isWanted(row)) return;
    stats.sampled++;
    if (underWay >= maxConcurrency && waiting.length >= maxQueueSize) {
      stats.dropped++;
      return;
    }
    const done = new Promise<void>((resolve) => {
      waiting.push(() =>
        work(row)
          .catch((thrown) => tell(typed("online", thrown)))
          .then(resolve),
      );
    });
    open.add(done);
    void done.then(() => open.delete(done));
    if (platform) void call("waitUntil", () => platform.waitUntil(done));
    next();
  };
  return Object.defineProperties(take, {
    stats: { get: () => ({ ...stats }), enumerable: true },
    idle: {
      value: async () => {
        while (open.size) await Promise.all(open);
        return { ...stats };
      },
      enumerable: true,
    },
  }) as OnlineScorer;
}

const ownNumber = (numbers: Record<string, number>, key: string): number | undefined =>
  Object.hasOwn(numbers, key) ? numbers[key] : undefined;

/** A row as evaluators of experiments are called with it. */
function answeredOf({ id = uuid(), inputs, outputs, referenceOutputs, metadata }: OnlineRow) {
  const example = {
    id,
    inputs,
    ...(referenceOutputs !== undefined && { outputs: referenceOutputs }),
    ...(metadata && { metadata }),
  };
  return { example, run: { id, outputs, startTime: Date.now(), durationMs: 0, repetition: 0 } };
}
