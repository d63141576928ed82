/** Compares, saves and formats the experiments at the end of a run. */

import { writeAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import { differentInputs } from "../../../core/records/different-inputs.js";
import { notComparable } from "../../../core/records/not-comparable.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import type { TerminalOptions } from "../../../evaluation.js";
import { adjustPValues, compareExperiments } from "../../../evaluation.js";
import { lastRunOf, NO_FILES, saveRun } from "./last-run.js";
import { experimentsIn, type ReportedModule } from "./modules.js";
import { type ChangedExperiment, textOf } from "./text.js";

export interface Reporting {
  root: string;
  startedAt: string;
  folder: string | undefined;
  outputFile: string | undefined;
  maxRows: number;
  lowerIsBetter: readonly string[];
  terminal: TerminalOptions;
  /** Whether the comments of rows are cut to the width of the terminal. */
  isCut: boolean;
}

const keepsRows = (experiment: Experiment): boolean => experiment.rows.length === rowCountOf(experiment);

/** Compares with the last run, saves the experiments for the next one, and returns the text to print; empty without evaluations. */
export async function report(modules: readonly ReportedModule[], reporting: Reporting): Promise<string> {
  const { root, startedAt, outputFile, maxRows, lowerIsBetter, terminal, isCut } = reporting;
  const { resolve } = builtin("node:path", NO_FILES);
  const absolute = (path: string) => resolve(root, path);
  const folder = absolute(reporting.folder ?? "node_modules/.cache/openevals-wasm");
  const all: ChangedExperiment[] = [];
  for (const evaluated of await experimentsIn(modules, root, startedAt)) {
    const last = await lastRunOf(evaluated, folder);
    const { experiment } = evaluated;
    const haveRows = last && keepsRows(last) && keepsRows(experiment);
    const mismatch = haveRows
      ? notComparable(last, experiment, differentInputs(last, experiment))
      : undefined;
    const comparisons =
      haveRows && mismatch === undefined ? await compareExperiments(last, experiment) : undefined;
    all.push({ ...evaluated, lowerIsBetter, last, comparisons, mismatch });
  }
  const compared = all.filter(({ comparisons }) => comparisons);
  const adjusted = await adjustPValues(compared.map(({ comparisons = {} }) => comparisons));
  for (const [index, evaluated] of compared.entries()) evaluated.comparisons = adjusted[index];
  for (const evaluated of all) await saveRun(evaluated, evaluated.last, folder);
  if (outputFile !== undefined) {
    const entries = all.map(({ name, file, experiment, comparisons }) => ({
      name,
      file,
      experiment,
      comparisons,
    }));
    await writeAtomically(absolute(outputFile), `${JSON.stringify(entries)}\n`, NO_FILES);
  }
  return all.map((evaluated) => `\n${textOf(evaluated, terminal, { maxRows, isCut })}`).join("");
}
