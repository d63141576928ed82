/** Calls the evaluators of a comparison. */

import { stoppedBy, unlessAborted } from "../../../core/abort.js";
import { invalidConfig, type OpenEvalsError } from "../../../core/errors.js";
import { isMakerError } from "../../../core/input/checks.js";
import { randomOf, shuffled } from "../../../core/input/random.js";
import { onUse } from "../../../core/platform/on-use.js";
import type {
  ComparativeFailure,
  ComparativeResult,
  ComparativeRow,
} from "../../../core/records/comparative.js";
import type { Budget, Failure, Run } from "../../../core/records/types.js";
import { scopeWith } from "../../../models/chat/signal-scope.js";
import { Ledger } from "../../stored/ledger.js";
import { BudgetWatch } from "../budget/watch.js";
import type { JudgeCache } from "../cache/cache.js";
import type { Cache, CacheMode } from "../cache/types.js";
import { reporterOf } from "../progress.js";
import { recordedFailure } from "../recorded-failure.js";
import { Pool } from "../rows/pool.js";
import type { CheckedComparativeEvaluator } from "./evaluators.js";
import type { ComparativePlan } from "./options.js";
import type { PairedRow } from "./pairing.js";
import { pairsOf } from "./schedule.js";

/** A call of one evaluator, and its outcome. */
interface ComparativeCall {
  evaluator: number;
  runs: Run[];
  outcome?: ComparativeResult | { error: Failure };
}

/** The complete rows, the keys of the evaluators, and the reason of an early end. */
export interface ComparativeRun {
  rows: ComparativeRow[];
  keys: string[];
  budget?: Budget;
  stopped?: OpenEvalsError;
  /** The error that ended it, such as that of `onProgress`. */
  failure?: { error: unknown };
}

async function cacheOf(store: Cache, mode: CacheMode): Promise<JudgeCache> {
  const { JudgeCache } = await onUse("The judge cache", () => import("../cache/cache.js"));
  return new JudgeCache(store, mode);
}

/** Compares the rows. */
export async function compareRows(
  rows: readonly PairedRow[],
  plan: ComparativePlan,
): Promise<ComparativeRun> {
  const { evaluators, signal, cache: store, cacheMode = "auto", maxConcurrency = 1, onProgress } = plan;
  const cache = store && (await cacheOf(store, cacheMode));
  const inScope = await scopeWith(signal);
  // Answers from the cache need no key.
  if (!cache || cacheMode === "record") for (const { checkAccess } of evaluators) await checkAccess();
  const calls = rows.map((row) => callsOf(row, plan));
  const keys = new ComparativeKeys(evaluators);
  const showsProgress = plan.progress ?? !onProgress;
  const reporter = await reporterOf({ onProgress, showsProgress }, rows.length, 0);
  const ledger = new Ledger();
  const budget = plan.budget && new BudgetWatch(plan.budget, plan.prices, ledger, performance.now());
  let isClosed = false;
  let stopped: OpenEvalsError | undefined;
  let failure: ComparativeRun["failure"];

  const ask = async (call: ComparativeCall, { example, repetition }: PairedRow): Promise<void> => {
    if (isClosed) return;
    const evaluator = evaluators[call.evaluator] as CheckedComparativeEvaluator;
    const compare = () => inScope(() => evaluator.compare(example, call.runs));
    let outcome: ComparativeCall["outcome"];
    try {
      outcome = cache ? await cached(cache, repetition, compare) : await compare();
    } catch (error) {
      if (isMakerError(error)) throw error;
      outcome = { error: await recordedFailure(error) };
    }
    if (isClosed) return;
    if ("key" in outcome) {
      keys.note(call.evaluator, outcome.key);
      ledger.add([outcome], String(example.id));
    }
    call.outcome = outcome;
  };
  const askAll = async (): Promise<void> => {
    const pool = new Pool(Math.max(maxConcurrency, 1));
    let goesOn = true;
    for (const [index, row] of rows.entries()) {
      if (stopped || budget?.shouldStop()) break;
      const own = calls[index] ?? [];
      let left = own.length;
      for (const call of own) {
        if (!goesOn) break;
        goesOn = await pool.add(async () => {
          await ask(call, row);
          try {
            budget?.check();
          } catch (error) {
            stopped ??= error as OpenEvalsError;
          }
          if (--left || isClosed) return;
          const errors = own.filter(({ outcome }) => outcome && "error" in outcome);
          reporter?.finished({ errors, run: {} });
        });
      }
    }
    await pool.finish();
    await reporter?.settled();
  };

  try {
    await unlessAborted(signal, askAll);
  } catch (error) {
    if (signal?.aborted) stopped = stoppedBy(signal, "The comparison");
    else failure = { error };
  } finally {
    isClosed = true;
    reporter?.close();
  }
  const done = rows.flatMap((row, index) => {
    const own = calls[index] ?? [];
    return own.every(({ outcome }) => outcome) ? [recorded(row, own, keys)] : [];
  });
  if (budget?.usedUp) stopped ??= budget.exceeded(done.length);
  return {
    rows: done,
    keys: done.length ? keys.all() : [],
    ...(budget && { budget: budget.record() }),
    ...(stopped && { stopped }),
    ...(failure && { failure }),
  };
}

/** The runs of each call: those of each pair of the schedule, or all runs. */
function callsOf({ example, repetition, runs }: PairedRow, plan: ComparativePlan): ComparativeCall[] {
  const { evaluators, opponents, seed, randomizeOrder } = plan;
  const present = runs.filter((run) => run !== null);
  const random = randomOf(seed, String(example.id), String(repetition));
  const pairs = pairsOf(present.length, opponents, random);
  const inOrder = (group: Run[]) => (randomizeOrder ? shuffled(group, random) : group);
  return evaluators.flatMap(({ comparesPairs }, evaluator) =>
    comparesPairs
      ? pairs.map((pair) => ({ evaluator, runs: inOrder(pair.map((index) => present[index] as Run)) }))
      : [{ evaluator, runs: inOrder(present) }],
  );
}

/** The cache expects results of rows, which have the fields of comparative results. */
async function cached(
  cache: JudgeCache,
  repetition: number,
  compare: () => Promise<ComparativeResult>,
): Promise<ComparativeResult> {
  const [result] = await cache.evaluate(repetition, async () => [await compare()]);
  return result as unknown as ComparativeResult;
}

function recorded(
  { example, repetition, runs }: PairedRow,
  calls: readonly ComparativeCall[],
  keys: ComparativeKeys,
): ComparativeRow {
  const evaluationResults: ComparativeResult[] = [];
  const errors: ComparativeFailure[] = [];
  for (const { evaluator, runs: compared, outcome } of calls) {
    if (!outcome) continue;
    if ("key" in outcome) evaluationResults.push(outcome);
    else errors.push({ key: keys.of(evaluator), runs: compared.map(({ id }) => id), error: outcome.error });
  }
  return { example, repetition, runs, evaluationResults, errors };
}

/** The key of each evaluator, from its first result. */
class ComparativeKeys {
  readonly #evaluators: readonly CheckedComparativeEvaluator[];
  readonly #found = new Map<number, string>();

  constructor(evaluators: readonly CheckedComparativeEvaluator[]) {
    this.#evaluators = evaluators;
  }

  /** @throws {@link OpenEvalsError} `invalid_config` for a second key of an evaluator, or a key of two evaluators. */
  note(evaluator: number, key: string): void {
    const before = this.#found.get(evaluator);
    const place = this.#evaluators[evaluator]?.place;
    if (before !== undefined && before !== key)
      throw invalidConfig(
        `${place} returned the keys "${before}" and "${key}"; an evaluator of several runs may have only one`,
      );
    for (const [other, own] of this.#found) {
      if (own === key && other !== evaluator)
        throw invalidConfig(
          `${this.#evaluators[other]?.place} and ${place} both return the key "${key}"; give one of them another key`,
        );
    }
    this.#found.set(evaluator, key);
  }

  of(evaluator: number): string {
    return this.#found.get(evaluator) ?? this.#evaluators[evaluator]?.label ?? "";
  }

  all(): string[] {
    return [...new Set(this.#evaluators.map((_, evaluator) => this.of(evaluator)))];
  }
}
