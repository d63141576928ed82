/** The calls of the evaluators, so many at a time. */

import { invalidConfig, type OpenEvalsError } from "../../../core/errors.js";
import { saysMaker } from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import type {
  ComparativeFailure,
  ComparativeResult,
  ComparativeRow,
} from "../../../core/records/comparative.js";
import type { Budget, Failure, Run } from "../../../core/records/types.js";
import { failureOf } from "../../../evaluators/results/plain.js";
import { Ledger } from "../../stored/ledger.js";
import { BudgetWatch } from "../budget/watch.js";
import type { JudgeCache } from "../cache/cache.js";
import type { Cache, CacheMode } from "../cache/types.js";
import { reporterOf } from "../progress.js";
import { Pool, stoppedBy, unlessAborted } from "../rows/pool.js";
import type { ReadComparative } from "./evaluators.js";
import type { ComparativePlan } from "./options.js";
import type { PairedRow } from "./pairing.js";
import { pairsOf, randomOf, shuffled } from "./schedule.js";

/** A call of one evaluator, and what came of it. */
interface ComparativeCall {
  evaluator: number;
  runs: Run[];
  outcome?: ComparativeResult | { error: Failure };
}

/** What was done: the rows that are complete, the keys of the evaluators, and why it ended early, if it did. */
export interface ComparativeRun {
  rows: ComparativeRow[];
  keys: string[];
  budget?: Budget;
  stopped?: OpenEvalsError;
}

async function cacheOf(store: Cache, mode: CacheMode): Promise<JudgeCache> {
  const { JudgeCache } = await onUse("The cache of judges", () => import("../cache/cache.js"));
  return new JudgeCache(store, mode);
}

/** Compares the rows. */
export async function compareRows(
  rows: readonly PairedRow[],
  plan: ComparativePlan,
): Promise<ComparativeRun> {
  const { evaluators, signal, cache: store, cacheMode = "auto", maxConcurrency = 1, onProgress } = plan;
  const cache = store && (await cacheOf(store, cacheMode));
  // What the cache has is used without a key.
  if (!cache || cacheMode === "record") for (const { checkAccess } of evaluators) await checkAccess();
  const calls = rows.map((row) => callsOf(row, plan));
  const keys = new ComparativeKeys(evaluators);
  const showsProgress = plan.progress ?? !onProgress;
  const reporter = await reporterOf({ onProgress, showsProgress }, rows.length, 0);
  const ledger = new Ledger();
  const budget = plan.budget && new BudgetWatch(plan.budget, plan.prices, ledger, performance.now());
  let isClosed = false;
  let stopped: OpenEvalsError | undefined;

  const ask = async (call: ComparativeCall, { example, repetition }: PairedRow): Promise<void> => {
    if (isClosed) return;
    const compare = () => (evaluators[call.evaluator] as ReadComparative).compare(example, call.runs);
    let outcome: ComparativeCall["outcome"];
    try {
      outcome = cache ? await cached(cache, repetition, compare) : await compare();
    } catch (error) {
      if (saysMaker(error)) throw error;
      outcome = { error: failureOf(error) };
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
      if (stopped || budget?.endsHere()) break;
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
    await reporter?.heard();
  };

  try {
    await unlessAborted(signal, askAll);
  } catch (error) {
    if (!signal?.aborted) throw error;
    stopped = stoppedBy(signal, "The comparison");
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
  };
}

/** Which runs each evaluator is called with: those of each pair of the schedule, or all of them. */
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

/** The cache knows results of rows, which have what those of several runs have. */
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

/** The key of each evaluator, as soon as a result has told it. */
class ComparativeKeys {
  readonly #evaluators: readonly ReadComparative[];
  readonly #found = new Map<number, string>();

  constructor(evaluators: readonly ReadComparative[]) {
    this.#evaluators = evaluators;
  }

  /** @throws {@link OpenEvalsError} `invalid_config` for a key that another evaluator gives, and for a second one. */
  note(evaluator: number, key: string): void {
    const before = this.#found.get(evaluator);
    const place = this.#evaluators[evaluator]?.place;
    if (before !== undefined && before !== key)
      throw invalidConfig(
        `${place} gives the keys "${before}" and "${key}"; an evaluator of several runs has one`,
      );
    for (const [other, own] of this.#found) {
      if (own === key && other !== evaluator)
        throw invalidConfig(
          `${this.#evaluators[other]?.place} and ${place} both give the key "${key}", so that their scores would be mixed`,
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
