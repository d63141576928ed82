/** `describeEval`: an experiment whose rows are tests. */

import { anySignal } from "../../core/abort.js";
import { inPlace, invalidConfig } from "../../core/errors.js";
import {
  aListOfStrings,
  aString,
  checkValue,
  fromZero,
  type OptionCheck,
  objectOfOptions,
} from "../../core/input/checks.js";
import { aMarkByKey } from "../../core/passing.js";
import { MAX_MS } from "../../core/platform/deadline.js";
import { onUse } from "../../core/platform/on-use.js";
import {
  declaredLimitProblem,
  LIMIT_OPTIONS,
  limitsIn,
  type ScoreLimits,
} from "../../core/records/mean-limits.js";
import { identityOf } from "../../core/records/row-identity.js";
import { rowsByExample } from "../../core/records/rows-by-example.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import { visibleLines } from "../../core/terminal-text.js";
import type { ExperimentDefinition, RunningExperiment } from "../../evaluation.js";
import { type DescribedRow, type ReadRows, rowsAtOnce, rowsLater, titleOf } from "./described-rows.js";
import { type Framework, frameworkHere, type VitestContext } from "./framework.js";
import { experimentProblems, type RowTestVerdict, rowVerdict } from "./limits.js";
import type { Task } from "./task-report.js";

/**
 * The options of {@link describeEval}: those of `evaluate()`, with a `target` and limits, as `defineExperiment()` takes them.
 *
 * Each row has to reach the pass mark that `passAt`, the evaluator or the metric sets, for each key. Without `eachAtLeast`, keys
 * with a limit on their mean (`failUnder`, `failOver`) are tested in `totals` only, and errors that `maxErrors` allows fail no
 * row. With `eachAtLeast`, every key and every error counts in the rows, as in `openevals-wasm run`.
 */
export interface DescribeEvalOptions
  extends Omit<ExperimentDefinition, "name" | "matrix" | "onProgress" | "progress"> {
  /** The time limit of a row's test, in milliseconds; none by default. */
  timeout?: number | undefined;
}

/** Declares the tests of an experiment. */
export interface DescribeEval {
  (name: string, options: DescribeEvalOptions): void;
  /** Declares the tests as skipped; nothing is evaluated. */
  skip(name: string, options: DescribeEvalOptions): void;
  /** Declares the tests as the only ones of the file. */
  only(name: string, options: DescribeEvalOptions): void;
}

/** Checks of the options that `evaluate()` does not have. `evaluate()` checks the others. */
const OWN_OPTIONS: Record<string, OptionCheck> = {
  passAt: aMarkByKey,
  lowerIsBetter: aListOfStrings,
  timeout: fromZero,
  ...LIMIT_OPTIONS,
};

/**
 * Declares an experiment as tests: a `describe` with a test for each row, which fails with the scores and comments of that
 * row, and a test `totals` for the limits over all rows. The first test starts the experiment, which runs the rows as
 * `evaluate()` does, with its concurrency, repetitions and cache. With `-t`, only the rows of selected tests run. The reporter
 * of `openevals-wasm/vitest/reporter` shows the experiment if it is installed in the configuration.
 *
 * A row passes only if it has a score that could have failed. Vitest skips the test of a row that was not run, as after `stopWhen`,
 * and of a row without a score; in Jest and Bun, which cannot skip a test that has started, it fails. A row whose scores all lack a
 * pass mark fails: set `passAt`, or a limit on the mean.
 *
 * In Vitest and Bun, `data` may be anything that `evaluate()` takes; files and streams are read while tests are collected. Jest
 * collects tests synchronously, so there `data` has to be a list or an iterable.
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there is no test framework, and for options that cannot work.
 *
 * @example
 * ```ts no-run
 * import { exactMatch } from "openevals-wasm";
 * import { describeEval } from "openevals-wasm/vitest";
 *
 * describeEval("capitals", {
 *   data: [{ inputs: "What is the capital of France?", referenceOutputs: "Paris" }],
 *   target: async (question: string) => (question.includes("France") ? "Paris" : "I do not know"),
 *   evaluators: [exactMatch],
 *   maxConcurrency: 4,
 * });
 * ```
 */
export const describeEval: DescribeEval = Object.assign(
  (name: string, options: DescribeEvalOptions) => declare("run", name, options),
  {
    skip: (name: string, options: DescribeEvalOptions) => declare("skip", name, options),
    only: (name: string, options: DescribeEvalOptions) => declare("only", name, options),
  },
);

function declare(mode: "run" | "skip" | "only", name: string, options: DescribeEvalOptions): void {
  checkValue("The name of describeEval", name, aString);
  objectOfOptions("describeEval", options);
  for (const [option, check] of Object.entries(OWN_OPTIONS))
    checkValue(option, options[option as keyof DescribeEvalOptions], check);
  const { failUnder = {}, failOver = {}, evaluators = [], summaryEvaluators = [] } = options;
  const limits = limitsIn(Object.entries(failUnder), Object.entries(failOver));
  const problem = declaredLimitProblem(limits, [evaluators, summaryEvaluators].flat());
  if (problem !== undefined) throw invalidConfig(problem);
  const framework = frameworkHere();
  const rows = rowsAtOnce(options.data, options.map);
  if (!rows && !framework.canCollectAsync) {
    throw invalidConfig(
      "The data of describeEval has to be a list or an iterable in Jest, which collects tests synchronously",
    );
  }
  const tests = new ExperimentTests(name, options);
  const rethrowWithName = (error: unknown): never => {
    throw inPlace(name, error);
  };
  framework.describe(
    mode,
    name,
    rows
      ? () => tests.declare(framework, rows)
      : async () =>
          tests.declare(framework, await rowsLater(options.data, options.map).catch(rethrowWithName)),
  );
}

/** An experiment as tests. */
class ExperimentTests {
  readonly #name: string;
  readonly #options: DescribeEvalOptions;
  readonly #limits: ScoreLimits;
  /** The number of tests that wait for the experiment. */
  #waiting = 0;
  /** Ends the experiment. */
  readonly #ending = new AbortController();
  /** The stack of the declaration, for the errors of failed tests. */
  readonly #stack: string;
  #rows: readonly DescribedRow[] = [];
  #map: ReadRows["map"];
  #ignoredFields: ReadRows["ignoredFields"];
  /** The suite with the tests of the rows, in their order; only Vitest has it. */
  #suite: Task["suite"];
  #running: Promise<Experiment> | undefined;
  /** The finished rows by id. */
  #finished = new Map<string, ExperimentRow[]>();
  /** Resolves {@link #nextRow}. */
  #wake = () => {};
  #woken: Promise<void> | undefined;
  /** The scales of the scores so far. */
  #scales: RunningExperiment["scales"] = () => ({});
  #isPart = false;

  constructor(name: string, options: DescribeEvalOptions) {
    const { failUnder = {}, failOver = {}, maxErrors, eachAtLeast, lowerIsBetter = [] } = options;
    this.#name = name;
    this.#options = options;
    this.#limits = {
      failUnder: new Map(Object.entries(failUnder)),
      failOver: new Map(Object.entries(failOver)),
      maxErrors,
      eachAtLeast,
      lowerIsBetter,
    };
    this.#stack = stackOfCall();
  }

  declare({ test, afterAll }: Framework, { rows, map, ignoredFields }: ReadRows): void {
    const timeout = Math.min(this.#options.timeout ?? MAX_MS, MAX_MS);
    this.#rows = rows;
    this.#map = map;
    this.#ignoredFields = ignoredFields;
    for (const [index, row] of rows.entries())
      test(titleOf(row, index), (context) => this.#wait(() => this.#testRow(row?.id, context)), timeout);
    test(TOTALS, (context) => this.#wait(() => this.#testTotals(context)), timeout);
    afterAll(() => this.#report(), timeout);
  }

  /** Counts a test as waiting until it is done. */
  async #wait(test: () => Promise<void>): Promise<void> {
    this.#waiting++;
    try {
      await test();
    } finally {
      this.#waiting--;
    }
  }

  async #testRow(id: string, context: VitestContext | undefined): Promise<void> {
    const experiment = this.#start(context?.task);
    const count = this.#options.numRepetitions ?? 1;
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    while ((this.#finished.get(id)?.length ?? 0) < count && !hasEnded)
      await Promise.race([experiment.then(end, end), this.#nextRow()]);
    const repetitions = this.#finished.get(id) ?? [];
    if (repetitions.length < count) {
      const ended = await experiment;
      if (!repetitions.length && ended.stopped)
        throw this.#failure(`The experiment stopped before this row: ${ended.stopped.message}`);
      if (!repetitions.length) this.#skip(whyNotRun(ended), context);
    }
    const verdict = this.#verdict(repetitions);
    if ("failure" in verdict) throw this.#failure(verdict.failure);
    if ("notJudged" in verdict) this.#skip(verdict.notJudged, context);
  }

  #verdict(repetitions: readonly ExperimentRow[]): RowTestVerdict {
    const inOrder = [...repetitions].sort((a, b) => a.run.repetition - b.run.repetition);
    return rowVerdict(inOrder, this.#limits, this.#scales());
  }

  async #testTotals(context: VitestContext | undefined): Promise<void> {
    const problems = experimentProblems(await this.#start(context?.task), this.#limits);
    if (problems.length) throw this.#failure(problems.join("\n"));
  }

  /** Ends the test of a row that was not judged. It must not pass. */
  #skip(note: string, context: VitestContext | undefined): never {
    if (context) return context.skip(visibleLines(note));
    throw this.#failure(
      `${note}. Only Vitest can skip a test that has started; elsewhere, such a test fails.`,
    );
  }

  /**
   * Hands the experiment to the reporter. If the experiment failed, its tests have reported that. If a test still waits for it, that
   * has timed out, and the experiment ends with the finished rows.
   */
  async #report(): Promise<void> {
    if (this.#waiting) this.#ending.abort("a test has timed out");
    const experiment = await this.#running?.catch(() => undefined);
    if (!experiment || !this.#suite) return;
    // With -t, rows without a test of their own may have run for the totals.
    const verdicts = Array.from(this.#finished, ([id, rows]) => ({ id, verdict: this.#verdict(rows) }));
    const failing = verdicts.flatMap(({ verdict }) => ("failing" in verdict ? verdict.failing : []));
    this.#suite.meta.openevals = {
      experiment: {
        experiment,
        failed: failing.map(identityOf),
        unjudged: verdicts.flatMap(({ id, verdict }) => ("notJudged" in verdict ? [id] : [])),
        isPart: this.#isPart,
      },
    };
  }

  /** Starts the experiment with the rows whose tests will run. */
  #start(task: Task | undefined): Promise<Experiment> {
    this.#suite ??= task?.suite;
    this.#running ??= this.#run(this.#rowsToRun());
    // The tests report the failure; this prevents an unhandled rejection.
    this.#running.catch(() => {});
    return this.#running;
  }

  /** The rows whose tests are not skipped, such as by `-t`. */
  #rowsToRun(): readonly DescribedRow[] {
    const isSkipped = ({ mode }: Task) => mode === "skip" || mode === "todo";
    const tasks = this.#suite?.tasks ?? [];
    const totals = tasks[this.#rows.length];
    if (!totals || !isSkipped(totals)) return this.#rows;
    const rows = this.#rows.filter((_, index) => !isSkipped(tasks[index] as Task));
    this.#isPart = rows.length < this.#rows.length;
    return rows;
  }

  async #run(data: readonly DescribedRow[]): Promise<Experiment> {
    const { defineExperiment, evaluate, readExperiment } = await onUse(
      "evaluate()",
      () => import("../../evaluation.js"),
    );
    const { timeout, ...definition } = this.#options;
    try {
      defineExperiment(definition);
    } catch (error) {
      throw inPlace(`describeEval "${this.#name}"`, error);
    }
    const { target, failUnder, failOver, maxErrors, eachAtLeast, signal, ...evaluateOptions } = definition;
    const running = evaluate(target, {
      ...evaluateOptions,
      // The reporter needs the rows, even with a sink.
      output: { keepRows: true, ...evaluateOptions.output },
      data,
      map: this.#map,
      experimentPrefix: this.#name,
      progress: false,
      signal: signal ? anySignal(signal, this.#ending.signal) : this.#ending.signal,
    });
    this.#scales = () => running.scales();
    for await (const row of running) {
      const { id } = row.example;
      this.#finished.set(id, [...(this.#finished.get(id) ?? []), row]);
      this.#wake();
    }
    const finished = await running;
    const experiment = this.#ignoredFields?.length
      ? { ...finished, ignoredFields: this.#ignoredFields }
      : finished;
    // The iteration omits rows of an earlier run, and so does an experiment that keeps no rows.
    const { sink, resume } = evaluateOptions.output ?? {};
    const isInFile = resume && !experiment.rows.length && typeof sink === "string";
    const { rows } = isInFile ? await readExperiment(sink) : experiment;
    if (rows.length) this.#finished = rowsByExample(rows);
    return experiment;
  }

  #nextRow(): Promise<void> {
    this.#woken ??= new Promise((resolve) => {
      this.#wake = () => {
        this.#woken = undefined;
        resolve();
      };
    });
    return this.#woken;
  }

  #failure(given: string): Error {
    // Test frameworks print messages unchanged, and models wrote parts of them.
    const message = visibleLines(given);
    // Not named AssertionError: Jest prints the message of those with values that were compared, and here none were.
    const error = new Error(message);
    error.stack = `Error: ${message}\n${this.#stack}`;
    return error;
  }
}

const TOTALS = "totals";

/** Why a finished experiment lacks a row. */
const whyNotRun = ({ shard, stoppedEarly }: Experiment): string =>
  stoppedEarly
    ? "Not run: stopWhen ended the experiment before this row"
    : shard
      ? `Not run: the row is in another shard than ${shard.index} of ${shard.count}`
      : "Not run";

/** The stack frames of the caller of {@link describeEval}, without those of this file. */
function stackOfCall(): string {
  const { captureStackTrace } = Error as { captureStackTrace?: (error: object, below: unknown) => void };
  const here: { stack?: string } = {};
  captureStackTrace?.(here, declare);
  // The first frame is describeEval itself.
  return (here.stack ?? "").split("\n").slice(2).join("\n");
}
