/** `merge`: makes one experiment of the parts that `--shard` wrote. */

import "file:./evaluation.js";
import { invalidInput } from "../../../core/errors.js";
import { whole } from "../../../core/input/counts.js";
import { prefixOf } from "../../../core/records/experiment-name.js";
import { rowCountOf } from "../../../core/records/row-count.js";
import { formatExperiment, mergeExperiments, renderReport } from "../../../evaluation.js";
import { nothingMeasured } from "../../../presentation/limits/nothing-measured.js";
import { checkDirections, readingOf } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { withCliErrors } from "../cli-messages.js";
import { checkExists } from "../files.js";
import { checkOutputFiles, writeExperiment } from "../output/output-files.js";
import { checkResults, readsRows, takesOutput, writeReport, writeResults } from "../output/results.js";
import { print } from "../output/streams.js";
import { reportWritten, say, terminalStyle } from "../output/terminal.js";
import { scoreNotes, scoreProblems } from "../score/score-problems.js";
import type { MergeFlags } from "./options.js";

/** The most missing shards in the message. */
const MAX_NAMED = 10;

export async function merge(files: string[], options: MergeFlags): Promise<number> {
  const [first] = files;
  if (first === undefined) throw usageError("merge needs the files that --shard wrote with --output");
  checkResults(options);
  const { output, format, partial } = options;
  if (output !== undefined && !format && !/\.json$/i.test(output))
    throw usageError(`--output ${output} has to end in .json`);
  await checkOutputFiles(files, options);
  await Promise.all(files.map(checkExists));
  const reading = await readingOf(options);
  const { lowerIsBetter } = reading;
  const limits = { ...options, lowerIsBetter };
  const keepRows = options.keepRows || readsRows(options) || undefined;
  const experiment = await withCliErrors(
    mergeExperiments(files, { partial, output: { keepRows }, budget: { prices: reading.prices } }),
  );
  if (!rowCountOf(experiment)) throw invalidInput("No shard has rows; there is nothing to merge");
  checkDirections(options, [experiment]);
  const unmeasured = experiment.stopped ? undefined : nothingMeasured(experiment);
  const mistake = experiment.stopped?.message ?? unmeasured;
  const problems = mistake !== undefined ? [] : scoreProblems(experiment, limits);
  if (!takesOutput(options)) print(formatExperiment(experiment, { ...terminalStyle(), lowerIsBetter }));
  if (output && !format)
    await reportWritten("Experiment", output, writeExperiment(output, experiment, options));
  await writeReport(options, () => renderReport(experiment, reading));
  const name = prefixOf(experiment);
  const outcome = {
    ...{ file: first, name, experiment, lowerIsBetter, limits, problems },
    notes: scoreNotes(experiment, options),
    ...(mistake !== undefined && { mistake }),
  };
  await writeResults([outcome], options, experiment);
  for (const note of outcome.notes) say(note);
  const missing = experiment.missingShards ?? [];
  if (missing.length) {
    const indices = missing.slice(0, MAX_NAMED).map(({ index }) => index);
    const more = missing.length > MAX_NAMED ? ` and ${whole(missing.length - MAX_NAMED)} more` : "";
    say(`Missing shards of ${missing[0]?.count}: ${indices.join(", ")}${more}.`);
  }
  for (const problem of unmeasured === undefined ? problems : [unmeasured]) say(problem);
  return mistake !== undefined ? 2 : problems.length ? 1 : 0;
}
