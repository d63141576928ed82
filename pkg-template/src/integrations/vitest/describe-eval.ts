/** `describeEval`: an experiment whose rows are tests. */

import { inPlace, invalidConfig } from "../../core/errors.js";
import {
  aString,
  check,
  checkValue,
  fromZero,
  numberFromTo,
  type OptionCheck,
  objectOfOptions,
  wholeFrom,
} from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import type { Experiment, ExperimentRow } from "../../core/records/types.js";
import type { ExperimentDefinition } from "../../experiments/evaluate/define.js";
import type { RunningExperiment } from "../../experiments/evaluate/evaluate.js";
import { MARK_OPTIONS } from "../../experiments/evaluate/scales.js";
import { scalesIn } from "../../experiments/presentation/reading.js";
import { type DescribedRow, rowsAtOnce, rowsLater, titleOf } from "./described-rows.js";
import { type Framework, frameworkHere } from "./framework.js";
import { type MatcherLimits, rowProblem, totalProblems } from "./limits.js";
import type { Task } from "./task-report.js";

/**
 * The options of {@link describeEval}: those of `evaluate()`, with a `target` and limits, as `defineExperiment()` takes them.
 * What has a limit of its mean (`failUnder`, `failOver`) is left to that; of all other keys, each row has to pass, by the mark that
 * `passAt`, its evaluator or its metric sets.
 */
export interface DescribeEvalOptions extends Omit<ExperimentDefinition, "name" | "onProgress" | "progress"> {
  /** How long the test of a row may wait for it, in milliseconds; by default as long as it takes. */
  timeout?: number | undefined;
}

/** Declares the tests of an experiment. */
export interface DescribeEval {
  (name: string, options: DescribeEvalOptions): void;
  /** Declares them to be skipped: nothing is evaluated. */
  skip(name: string, options: DescribeEvalOptions): void;
  /** Declares them to be the only ones of the file. */
  only(name: string, options: DescribeEvalOptions): void;
}

const anObjectOfNumbers = check("an object of numbers, by key", (limits) => {
  return typeof limits === "object" && limits !== null && Object.values(limits).every(Number.isFinite);
});

/** The options of its own; those of `evaluate()` are checked there. */
const OWN: Record<string, OptionCheck> = {
  ...MARK_OPTIONS,
  timeout: fromZero,
  failUnder: anObjectOfNumbers,
  failOver: anObjectOfNumbers,
  maxErrors: wholeFrom(0),
  eachAtLeast: numberFromTo(0, 1),
};

/** The longest that timers can wait. */
const FOR_EVER = 2 ** 31 - 1;

/**
 * Declares an experiment as tests: a `describe` with a test for each row, which fails with the scores and comments of that
 * row, and one called `totals` for the limits of all rows together. The rows run as in `evaluate()`, with its concurrency,
 * repetitions and cache, once the first of the tests does; with `-t`, those that are run. The experiment goes to the reporter of
 * `openevals-wasm/vitest/reporter`, if that is there.
 *
 * In Vitest and Bun the data may be all that `evaluate()` takes; what is read by and by, such as a file, is read when tests are
 * collected. Jest collects at once, so that it has to be a list or an iterable there.
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

function declare(way: "run" | "skip" | "only", name: string, options: DescribeEvalOptions): void {
  checkValue("The name of describeEval", name, aString);
  objectOfOptions("describeEval", options);
  for (const [option, own] of Object.entries(OWN))
    checkValue(option, options[option as keyof DescribeEvalOptions], own);
  const framework = frameworkHere();
  const rows = rowsAtOnce(options.data);
  if (!rows && !framework.canWait) {
    throw invalidConfig(
      "The data of describeEval has to be a list or an iterable in Jest, which collects tests at once",
    );
  }
  const described = new Described(name, options);
  const inNamed = (error: unknown): never => {
    throw inPlace(name, error);
  };
  framework.describe(
    way,
    name,
    rows
      ? () => described.declare(framework, rows)
      : async () => described.declare(framework, await rowsLater(options.data).catch(inNamed)),
  );
}

/** One experiment, as tests. */
class Described {
  readonly #name: string;
  readonly #options: DescribeEvalOptions;
  readonly #limits: MatcherLimits;
  /** Where it was declared: this is what a test that fails points at. */
  readonly #place: string;
  #rows: readonly DescribedRow[] = [];
  /** The tests of the rows, in their order, as Vitest has them. */
  #suite: Task["suite"];
  #running: Promise<Experiment> | undefined;
  /** The rows that have finished, by id, and who waits for them. */
  readonly #finished = new Map<string, ExperimentRow[]>();
  #wake = () => {};
  #woken: Promise<void> | undefined;
  /** What the scores of the rows so far mean. */
  #scales: RunningExperiment["scales"] = () => ({});
  #isPart = false;
  readonly #failed = new Set<string>();

  constructor(name: string, options: DescribeEvalOptions) {
    const { failUnder = {}, failOver = {}, maxErrors, eachAtLeast } = options;
    this.#name = name;
    this.#options = options;
    this.#limits = { failUnder, failOver, maxErrors, eachAtLeast };
    this.#place = placeOfCall();
  }

  declare({ test, afterAll }: Framework, rows: readonly DescribedRow[]): void {
    const timeout = Math.min(this.#options.timeout ?? FOR_EVER, FOR_EVER);
    this.#rows = rows;
    for (const [index, row] of rows.entries())
      test(titleOf(row, index), (task) => this.#testRow(row?.id, task), timeout);
    test(TOTALS, (task) => this.#testTotals(task), timeout);
    afterAll(() => this.#tell(), timeout);
  }

  async #testRow(id: string, task: Task | undefined): Promise<void> {
    const experiment = this.#start(task);
    const count = this.#options.numRepetitions ?? 1;
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    while ((this.#finished.get(id)?.length ?? 0) < count && !isOver)
      await Promise.race([experiment.then(over, over), this.#nextRow()]);
    const own = this.#finished.get(id) ?? [];
    // What has ended the experiment says why there is no such row.
    if (own.length < count) {
      const { stopped } = await experiment;
      if (!own.length && stopped) throw this.#failure(`It stopped before this row: ${stopped.message}`);
      // With stopWhen, what is not needed is not asked.
      if (!own.length) return;
    }
    const problem = rowProblem(
      [...own].sort((a, b) => a.run.repetition - b.run.repetition),
      this.#limits,
      scalesIn({ scales: this.#scales() }),
    );
    if (problem === undefined) return;
    this.#failed.add(id);
    throw this.#failure(problem);
  }

  async #testTotals(task: Task | undefined): Promise<void> {
    const problems = totalProblems(await this.#start(task), this.#limits);
    if (problems.length) throw this.#failure(problems.join("\n"));
  }

  /** Hands the experiment to the reporter. It has failed before if it has failed. */
  async #tell(): Promise<void> {
    const experiment = await this.#running?.catch(() => undefined);
    if (!experiment || !this.#suite) return;
    const told = { experiment, failed: [...this.#failed], isPart: this.#isPart };
    this.#suite.meta.openevals = { experiment: told };
  }

  /** Begins with the rows whose tests will run, when the first of them does. */
  #start(task: Task | undefined): Promise<Experiment> {
    this.#suite ??= task?.suite;
    this.#running ??= this.#run(this.#rowsToRun());
    // Whoever waits for it is told.
    this.#running.catch(() => {});
    return this.#running;
  }

  /** All of them, unless Vitest was asked for some. */
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
    const { evaluate } = await onUse("evaluate()", () => import("../../experiments/evaluate/evaluate.js"));
    const { checkOptionNames } = await onUse(
      "The names of options",
      () => import("../../experiments/evaluate/option-names.js"),
    );
    checkOptionNames(`describeEval "${this.#name}"`, this.#options, ["timeout"]);
    const { target, timeout, failUnder, failOver, maxErrors, eachAtLeast, ...own } = this.#options;
    const running = evaluate(target, {
      // With a sink, too: the reporter looks at rows.
      keepRows: true,
      ...own,
      data,
      experimentPrefix: this.#name,
      progress: false,
    });
    this.#scales = () => running.scales();
    for await (const row of running) {
      const { id } = row.example;
      this.#finished.set(id, [...(this.#finished.get(id) ?? []), row]);
      this.#wake();
    }
    return running;
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

  #failure(message: string): Error {
    const error = new Error(message);
    error.name = "AssertionError";
    error.stack = `AssertionError: ${message}\n${this.#place}`;
    return error;
  }
}

const TOTALS = "totals";

/** The frames of who called {@link describeEval}: those of this file say nothing. */
function placeOfCall(): string {
  const { captureStackTrace } = Error as { captureStackTrace?: (error: object, below: unknown) => void };
  const here: { stack?: string } = {};
  captureStackTrace?.(here, declare);
  // The first frame is describeEval itself.
  return (here.stack ?? "").split("\n").slice(2).join("\n");
}
