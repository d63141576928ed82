/** The work of the reporter, at the end of a run. */

import { builtin } from "../../../core/platform/builtin.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import type { Experiment } from "../../../core/records/types.js";
import { adjustTogether } from "../../../experiments/comparison/adjust.js";
import { compareExperiments } from "../../../experiments/comparison/compare.js";
import type { TerminalOptions } from "../../../experiments/presentation/terminal/style.js";
import { writeWhole } from "../../../experiments/stored/whole-file.js";
import { keep, lastOf, NO_FILES } from "./kept.js";
import { evaluatedIn, type ReportedModule } from "./modules.js";
import { type ChangedExperiment, textOf } from "./text.js";

export interface Reporting {
  root: string;
  startedAt: string;
  folder: string | undefined;
  outputFile: string | undefined;
  maxRows: number;
  lowerIsBetter: readonly string[];
  terminal: TerminalOptions;
}

const keepsRows = (experiment: Experiment): boolean => experiment.rows.length === rowCountOf(experiment);

/** Compares with the last run, keeps what there is for the next, and answers what to print: nothing without evaluations. */
export async function report(modules: readonly ReportedModule[], reporting: Reporting): Promise<string> {
  const { root, startedAt, outputFile, maxRows, lowerIsBetter, terminal } = reporting;
  const { resolve } = builtin("node:path", "the reporter keeps experiments in files");
  const at = (path: string) => resolve(root, path);
  const folder = at(reporting.folder ?? "node_modules/.cache/openevals-wasm");
  const all: ChangedExperiment[] = [];
  for (const evaluated of await evaluatedIn(modules, root, startedAt)) {
    const last = await lastOf(evaluated, folder);
    const canCompare = last && keepsRows(last) && keepsRows(evaluated.experiment);
    const comparisons = canCompare ? await compareExperiments(last, evaluated.experiment) : undefined;
    all.push({ ...evaluated, lowerIsBetter, last, comparisons });
  }
  // The more is compared, the more differs by chance.
  await adjustTogether(all.flatMap(({ comparisons }) => (comparisons ? [comparisons] : [])));
  for (const one of all) await keep(one, one.last, folder);
  if (outputFile !== undefined) {
    const told = all.map(({ name, file, experiment, comparisons }) => ({
      name,
      file,
      experiment,
      comparisons,
    }));
    await writeWhole(at(outputFile), `${JSON.stringify(told)}\n`, NO_FILES);
  }
  return all.map((one) => `\n${textOf(one, terminal, maxRows)}`).join("");
}
