/** A reporter for Vitest 3 and 4: evaluations as rows, with their totals, and with what has changed since the last run. */

import { aListOfStrings, aString, type Checks, checkOptions, wholeFrom } from "../../../core/input/checks.js";
import type { ReadingOptions } from "../../../experiments/presentation/options.js";
import { terminalOptions } from "../../../experiments/presentation/terminal/style.js";
import type { ReportedModule } from "./modules.js";

export type { ReportedModule, ReportedSuite, ReportedTest } from "./modules.js";

/** The options of {@link EvalReporter}. */
export interface EvalReporterOptions extends ReadingOptions {
  /** Where experiments are kept between runs; by default `node_modules/.cache/openevals-wasm` of the project. */
  folder?: string | undefined;
  /** A file for what was found, as JSON: a list of `{ name, file, experiment, comparisons }`. */
  outputFile?: string | undefined;
  /** How many rows of an experiment are printed at most, those that failed first; 30 by default. */
  maxRows?: number | undefined;
}

/** What Vitest is to the reporter. */
export interface ReportingVitest {
  config: { root: string };
  logger: { log(...texts: string[]): void };
}

const OPTIONS: Checks<EvalReporterOptions> = {
  folder: aString,
  outputFile: aString,
  maxRows: wholeFrom(0),
  lowerIsBetter: aListOfStrings,
};

/**
 * Prints what was evaluated in a run, by `describeEval` or by the matchers, after all else: each experiment with its totals, its
 * rows with scores and comments, and, from the second run on, what has changed: row by row, with p-values of all together, so
 * that noise is told from change. What was only run in part, as with `-t`, is compared, but not kept.
 *
 * @example vitest.config.ts
 * ```ts no-run
 * import { defineConfig } from "vitest/config";
 *
 * export default defineConfig({
 *   test: { reporters: ["default", ["openevals-wasm/vitest/reporter", { folder: ".evals/last" }]] },
 * });
 * ```
 */
export class EvalReporter {
  readonly #options: EvalReporterOptions;
  #vitest: ReportingVitest | undefined;
  #startedAt = "";

  /** @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. */
  constructor(options: EvalReporterOptions = {}) {
    this.#options = checkOptions("The reporter of openevals-wasm", options ?? {}, OPTIONS);
  }

  onInit(vitest: ReportingVitest): void {
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    this.#startedAt = new Date().toISOString();
  }

  async onTestRunEnd(modules: ReadonlyArray<ReportedModule>): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest) return;
    const { process } = globalThis as unknown as { process: { stdout: object; env: Record<string, string> } };
    const { folder, outputFile, maxRows = 30, lowerIsBetter = [] } = this.#options;
    const { report } = await import("./report.js");
    const text = await report(modules, {
      root: vitest.config.root,
      startedAt: this.#startedAt,
      folder,
      outputFile,
      maxRows,
      lowerIsBetter,
      terminal: terminalOptions(process.stdout, process.env),
    });
    if (text) vitest.logger.log(text);
  }
}

export default EvalReporter;
