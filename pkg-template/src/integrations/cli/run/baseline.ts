/** Compares the experiments of a run with a baseline. */

import { show } from "../../../core/input/checks.js";
import { checkRows } from "../../../core/records/check-rows.js";
import { differentInputs } from "../../../core/records/different-inputs.js";
import { prefixOf } from "../../../core/records/experiment-name.js";
import type { Experiment } from "../../../core/records/types.js";
import { adjustPValues, compareExperiments, readExperiment } from "../../../evaluation.js";
import { unmeasuredShard } from "../../../presentation/limits/nothing-measured.js";
import type { Outcome } from "../../../presentation/outcome.js";
import { readAs, scalesIn } from "../../../presentation/reading.js";
import { usageError } from "../cli-error.js";
import { judgeNotes, type NamedExperiment, unfinishedNotes } from "../compare/comparison-notes.js";
import { comparisonProblems, isCompared, keptMargins } from "../compare/comparison-problems.js";
import { checkMargins, marginsOf } from "../compare/margins.js";
import { checkSliceFields, sliceByOf, sliceNotes } from "../compare/slices.js";
import { errorText } from "../error-text.js";
import { fileNameOf, isFolder, realPath } from "../files.js";
import { takesOutput } from "../output/results.js";
import { say } from "../output/terminal.js";
import type { DeclaredExperiment } from "./definitions.js";
import type { RunOptions } from "./options.js";

/** The baselines, by the name of the experiment. */
export type Baselines = ReadonlyMap<string, NamedExperiment>;

/**
 * Reads the baselines: the file, or the files in the folder with the names of the experiments. Refuses what cannot be compared,
 * before anything is paid for.
 */
export async function readBaselines(
  declared: readonly DeclaredExperiment[],
  { baseline: path, margin, maxUnpaired, sliceBy }: RunOptions,
): Promise<Baselines> {
  const found = new Map<string, NamedExperiment>();
  if (path === undefined) {
    const [option] = [
      ...(margin.size ? ["--margin"] : []),
      ...(maxUnpaired !== undefined ? ["--max-unpaired"] : []),
      ...(sliceBy.length ? ["--slice-by"] : []),
    ];
    if (option) throw usageError(`${option} applies to a comparison; add --baseline`);
    return found;
  }
  const isInFolder = await isFolder(path);
  if (!isInFolder && declared.length > 1)
    throw usageError(
      `--baseline ${path} is one experiment, but ${declared.length} are run; name a folder that --output wrote`,
    );
  for (const { name } of declared) {
    const file = isInFolder ? `${path}/${fileNameOf(name)}` : path;
    if (isInFolder && (await realPath(file)) === undefined) continue;
    const experiment = await readExperiment(file);
    checkRows(experiment, `baseline ${file}`);
    found.set(name, { name: file, experiment });
  }
  if (found.size)
    checkMargins(
      margin,
      [...found.values()].map(({ experiment }) => keysIn(experiment)),
      "baseline",
    );
  checkSliceFields(
    sliceBy,
    Array.from(found.values(), ({ experiment }) => experiment),
  );
  return found;
}

/** The keys of an experiment, and which of them are summary scores. */
const keysIn = ({ aggregates, summaryResults }: Experiment): Record<string, { isSummary?: true }> => ({
  ...Object.fromEntries(summaryResults.map(({ key }) => [key, { isSummary: true }])),
  ...Object.fromEntries(Object.keys(aggregates).map((key) => [key, {}])),
});

/** Compares each experiment with its baseline, and adjusts the p-values of all comparisons together. */
export async function compareWithBaselines(
  outcomes: readonly Outcome[],
  baselines: Baselines,
  options: RunOptions,
): Promise<void> {
  const { baseline: path, maxUnpaired, margin, sliceBy } = options;
  if (path === undefined) return;
  for (const outcome of outcomes) {
    const baseline = baselines.get(outcome.name);
    if (!outcome.experiment) continue;
    if (!baseline) {
      outcome.notes = [...(outcome.notes ?? []), `It is not in ${path}, so it is not compared.`];
      continue;
    }
    // A shard without scores says so already.
    if (outcome.mistake !== undefined || unmeasuredShard(outcome.experiment)) continue;
    outcome.notes = [...(outcome.notes ?? []), ...nameNotes(baseline, outcome.experiment)];
    const before = readAs(baseline.experiment, outcome);
    const after = readAs(outcome.experiment, outcome);
    try {
      outcome.comparisons = await compareExperiments(before, after, {
        margin: marginsOf(margin, before, after),
        ...sliceByOf(sliceBy, before, after),
      });
      outcome.baseline = baseline.experiment;
    } catch (error) {
      outcome.mistake = `It cannot be compared with ${baseline.name}. ${errorText(error)}`;
      continue;
    }
    const current = { name: outcome.name, experiment: outcome.experiment };
    const different = differentInputs(before, after)?.note;
    outcome.differentInputs = different;
    outcome.notes = [
      ...outcome.notes,
      ...unfinishedNotes(baseline, current),
      ...judgeNotes(baseline, current),
      ...(different === undefined ? [] : [different]),
      ...sliceNotes(sliceBy, before, after),
    ];
  }
  const compared = outcomes.filter(({ comparisons }) => comparisons);
  const adjusted = await adjustPValues(compared.map(({ comparisons = {} }) => comparisons));
  for (const [index, outcome] of compared.entries()) outcome.comparisons = adjusted[index] ?? {};
  for (const outcome of compared) {
    const { name, comparisons = {}, experiment, lowerIsBetter } = outcome;
    if (!experiment) continue;
    const scaleOf = scalesIn(experiment, { lowerIsBetter });
    const limits = { scaleOf, maxUnpaired, aggregates: experiment.aggregates };
    outcome.problems.push(...comparisonProblems(comparisons, limits));
    // Tables have them, too.
    if (takesOutput(options)) for (const kept of keptMargins(comparisons, limits)) say(`${name}: ${kept}`);
    // A shard may have no row that is in the baseline.
    if (!experiment.shard && !isCompared(comparisons))
      outcome.mistake = `No row has a score in both ${baselines.get(name)?.name} and this experiment.`;
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
