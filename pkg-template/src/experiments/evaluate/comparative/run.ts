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
import type { InScope } from "../../../models/chat/signals/experiment-signal.js";
import { scopeWith } from "../../../models/chat/signals/signal-scope.js";
import { Ledger } from "../../stored/ledger.js";
import { BudgetWatch } from "../budget/watch.js";
import type { JudgeCache } from "../cache/cache.js";
import type { Cache, CacheMode } from "../cache/types.js";
import { reporterOf } from "../progress.js";
import { recordedFailure } from "../recorded-failure.js";
import type { Reporter } from "../reporter.js";
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
  /** The error that ended it, such as one thrown by `onProgress`. */
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
  const { evaluators, signal, cache: store, cacheMode = "auto", onProgress } = plan;
  const cache = store && (await cacheOf(store, cacheMode));
  // Answers from the cache need no key.
  if (!cache || cacheMode === "record") for (const { checkAccess } of evaluators) await checkAccess();
  const showsProgress = plan.progress ?? !onProgress;
  const reporter = await reporterOf(
    { onProgress, showsProgress },
    { total: rows.length, done: 0, failed: 0 },
  );
  const comparison = new RowComparison(rows, plan, { cache, reporter, inScope: await scopeWith(signal) });
  let stopped: OpenEvalsError | undefined;
  let failure: ComparativeRun["failure"];
  try {
    await unlessAborted(signal, () => comparison.askAll());
  } catch (error) {
    if (signal?.aborted) stopped = stoppedBy(signal, "The comparison");
    else failure = { error };
  } finally {
    comparison.close();
    reporter?.close();
  }
  return { ...comparison.result(stopped), ...(failure && { failure }) };
}

/** The parts of a comparison that are loaded if its options need them. */
interface ComparisonParts {
  cache: JudgeCache | undefined;
  reporter: Reporter | undefined;
  /** Calls an evaluator so that the models of judges find the signal of the comparison. */
  inScope: InScope;
}

/** The calls of the evaluators for all rows, until it is closed. */
class RowComparison {
  readonly #rows: readonly PairedRow[];
  readonly #calls: readonly ComparativeCall[][];
  readonly #plan: ComparativePlan;
  readonly #parts: ComparisonParts;
  readonly #keys: ComparativeKeys;
  readonly #ledger = new Ledger();
  readonly #budget: BudgetWatch | undefined;
  #stopped: OpenEvalsError | undefined;
  #isClosed = false;

  constructor(rows: readonly PairedRow[], plan: ComparativePlan, parts: ComparisonParts) {
    this.#rows = rows;
    this.#calls = rows.map((row) => callsOf(row, plan));
    this.#plan = plan;
    this.#parts = parts;
    this.#keys = new ComparativeKeys(plan.evaluators);
    this.#budget = plan.budget && new BudgetWatch(plan.budget, plan.prices, this.#ledger, performance.now());
  }

  /** Makes the calls, row after row, until the budget is used up. */
  async askAll(): Promise<void> {
    const pool = new Pool(Math.max(this.#plan.maxConcurrency ?? 1, 1));
    let goesOn = true;
    for (const [index, row] of this.#rows.entries()) {
      if (this.#stopped || this.#budget?.shouldStop()) break;
      const own = this.#calls[index] ?? [];
      let left = own.length;
      for (const call of own) {
        if (!goesOn) break;
        goesOn = await pool.add(async () => {
          await this.#ask(call, row);
          this.#checkBudget();
          if (--left || this.#isClosed) return;
          const errors = own.filter(({ outcome }) => outcome && "error" in outcome);
          this.#parts.reporter?.finished({ errors, run: {} });
        });
      }
    }
    await pool.finish();
    await this.#parts.reporter?.settled();
  }

  /** Discards the outcomes of calls that are still running. */
  close(): void {
    this.#isClosed = true;
  }

  /** The rows all of whose calls are finished, and the reason of an early end. */
  result(aborted: OpenEvalsError | undefined): ComparativeRun {
    const rows = this.#rows.flatMap((row, index) => {
      const own = this.#calls[index] ?? [];
      return own.every(({ outcome }) => outcome) ? [recorded(row, own, this.#keys)] : [];
    });
    const budget = this.#budget;
    const stopped = aborted ?? this.#stopped ?? (budget?.usedUp ? budget.exceeded(rows.length) : undefined);
    return {
      rows,
      keys: rows.length ? this.#keys.all() : [],
      ...(budget && { budget: budget.record() }),
      ...(stopped && { stopped }),
    };
  }

  async #ask(call: ComparativeCall, { example, repetition }: PairedRow): Promise<void> {
    if (this.#isClosed) return;
    const evaluator = this.#plan.evaluators[call.evaluator] as CheckedComparativeEvaluator;
    const { cache, inScope } = this.#parts;
    const compare = () => inScope(() => evaluator.compare(example, call.runs));
    let outcome: ComparativeCall["outcome"];
    try {
      outcome = await (cache ? cached(cache, repetition, compare) : compare());
    } catch (error) {
      if (isMakerError(error)) throw error;
      outcome = { error: await recordedFailure(error) };
    }
    if (this.#isClosed) return;
    if ("key" in outcome) this.#keys.note(call.evaluator, outcome.key);
    const charge = "key" in outcome ? outcome : { key: this.#keys.of(call.evaluator), ...outcome.error };
    this.#ledger.add([charge], String(example.id));
    call.outcome = outcome;
  }

  /** Stops the comparison if usage cannot be counted, since its budget then has no effect. */
  #checkBudget(): void {
    try {
      this.#budget?.check();
    } catch (error) {
      this.#stopped ??= error as OpenEvalsError;
    }
  }
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
  { runs, ...row }: PairedRow,
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
  return { ...row, runs, evaluationResults, errors };
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
