/** Compares the experiments of a run with a baseline. */

import { show } from "../../../core/input/checks.js";
import { differentInputs } from "../../../core/records/different-inputs.js";
import { prefixOf } from "../../../core/records/experiment-name.js";
import { notComparable } from "../../../core/records/not-comparable.js";
import type { Experiment } from "../../../core/records/types.js";
import { adjustPValues, compareExperiments, readExperiment } from "../../../evaluation.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { scalesIn } from "../../../presentation/reading.js";
import { usageError } from "../cli-error.js";
import { judgeNotes, type NamedExperiment, unfinishedNotes } from "../comparison-notes.js";
import { comparisonProblems, keptMargins } from "../comparison-problems.js";
import { fileNameOf, isFolder, realPath } from "../files.js";
import { checkMargins, marginsOf } from "../margins.js";
import { say } from "../terminal.js";
import type { RunOptions } from "./options.js";

/** Compares each experiment with its baseline, and adjusts the p-values of all comparisons together. */
export async function compareWithBaselines(outcomes: readonly Outcome[], options: RunOptions): Promise<void> {
  const { baseline: path, maxUnpaired } = options;
  if (path === undefined) return;
  const baselines = await baselinesOf(outcomes, path);
  for (const outcome of outcomes) {
    const baseline = baselines.get(outcome);
    if (!baseline || !outcome.experiment || outcome.mistake !== undefined) continue;
    outcome.notes = [...(outcome.notes ?? []), ...nameNotes(baseline, outcome.experiment)];
    const different = differentInputs(baseline.experiment, outcome.experiment);
    const mismatch = notComparable(baseline.experiment, outcome.experiment, different);
    if (mismatch !== undefined) {
      outcome.mistake = `It cannot be compared with ${baseline.name}. ${mismatch}.`;
      continue;
    }
    outcome.baseline = baseline.experiment;
    const current = { name: outcome.name, experiment: outcome.experiment };
    outcome.notes = [
      ...outcome.notes,
      ...unfinishedNotes(baseline, current),
      ...judgeNotes(baseline, current),
      ...(different ? [different.note] : []),
    ];
    outcome.comparisons = await compareExperiments(baseline.experiment, outcome.experiment, {
      margin: marginsOf(options.margin, baseline.experiment, outcome.experiment),
    });
  }
  const compared = outcomes.filter(({ comparisons }) => comparisons);
  const adjusted = await adjustPValues(compared.map(({ comparisons = {} }) => comparisons));
  for (const [index, outcome] of compared.entries()) outcome.comparisons = adjusted[index] ?? {};
  if (adjusted.length) checkMargins(options.margin, adjusted);
  for (const outcome of outcomes) {
    const { name, comparisons, experiment, lowerIsBetter } = outcome;
    if (!comparisons || !experiment) continue;
    const scaleOf = scalesIn(experiment, { lowerIsBetter });
    const limits = { scaleOf, maxUnpaired, aggregates: experiment.aggregates };
    outcome.problems.push(...comparisonProblems(comparisons, limits));
    for (const kept of keptMargins(comparisons, limits)) say(`${name}: ${kept}`);
  }
}

/** Warns that the baseline has the name of another experiment. */
function nameNotes({ name, experiment }: NamedExperiment, current: Experiment): string[] {
  const [before, now] = [prefixOf(experiment), prefixOf(current)];
  return before === now
    ? []
    : [
        `${name} has the experiment ${show(before)}, not ${show(now)}. If it is not an earlier run of this one, name another file.`,
      ];
}

/** The baseline of each experiment: the file, or the file with its name in the folder. */
async function baselinesOf(
  outcomes: readonly Outcome[],
  path: string,
): Promise<Map<Outcome, NamedExperiment>> {
  const ran = outcomes.filter(({ experiment }) => experiment);
  const found = new Map<Outcome, NamedExperiment>();
  if (!(await isFolder(path))) {
    const [only, ...others] = ran;
    if (others.length)
      throw usageError(
        `--baseline ${path} is one experiment, but ${ran.length} were run; name a folder that --output wrote`,
      );
    if (only) found.set(only, { name: path, experiment: await readExperiment(path) });
    return found;
  }
  for (const outcome of ran) {
    const file = `${path}/${fileNameOf(outcome.name)}`;
    if ((await realPath(file)) === undefined)
      outcome.notes = [...(outcome.notes ?? []), `It is not in ${path}, so it is not compared.`];
    else found.set(outcome, { name: file, experiment: await readExperiment(file) });
  }
  return found;
}
