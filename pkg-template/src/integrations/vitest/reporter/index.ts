/** A reporter for Vitest 3 and 4. It prints the rows and totals of evaluations, and the changes since the last run. */

import {
  aListOfStrings,
  aString,
  checkOptions,
  type OptionChecks,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { ReadingOptions } from "../../../evaluation.js";
import { terminalOptions } from "../../../evaluation.js";
import type { ReportedModule } from "./modules.js";

export type { ReportedModule, ReportedSuite, ReportedTest } from "./modules.js";

/** The options of {@link EvalReporter}. */
export interface EvalReporterOptions extends ReadingOptions {
  /** The folder for experiments of the last run; by default `node_modules/.cache/openevals-wasm` of the project. */
  folder?: string | undefined;
  /**
   * A JSON file for the experiments: a list of `{ name, file, experiment, comparisons }`. It replaces that of the last run, and no
   * other file.
   */
  outputFile?: string | undefined;
  /** The largest number of rows to print for an experiment, failed ones first; 30 by default. */
  maxRows?: number | undefined;
}

/** The part of Vitest that the reporter uses. */
export interface ReportingVitest {
  config: { root: string };
  logger: { log(...texts: string[]): void };
}

const OPTIONS: OptionChecks<EvalReporterOptions> = {
  folder: aString,
  outputFile: aString,
  maxRows: wholeFrom(0),
  lowerIsBetter: aListOfStrings,
};

/**
 * Prints the evaluations of `describeEval` and of matchers at the end of a run: each experiment with its totals, and its rows
 * with scores and comments. From the second run on, it prints the changes since the last run: row by row, and with
 * p-values that are adjusted together, so that you can distinguish changes from noise. A partial run, such as with `-t`, is
 * compared but not saved. In Vitest 3, matchers cannot find their test, so only `describeEval` is reported.
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

  async onInit(vitest: ReportingVitest): Promise<void> {
    const { outputFile } = this.#options;
    if (outputFile !== undefined) {
      const { checkOutputFile } = await import("./output-file.js");
      await checkOutputFile(vitest.config.root, outputFile);
    }
    this.#vitest = vitest;
  }

  onTestRunStart(): void {
    this.#startedAt = new Date().toISOString();
  }

  async onTestRunEnd(modules: ReadonlyArray<ReportedModule>): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest) return;
    const { process } = globalThis as unknown as {
      process: { stdout: { isTTY?: boolean }; env: Record<string, string> };
    };
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
      // Off a terminal, lines may have any length.
      isCut: process.stdout.isTTY === true,
    });
    if (text) vitest.logger.log(text);
  }
}

export default EvalReporter;
