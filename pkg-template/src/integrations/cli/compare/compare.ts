/** `compare`: compares two experiments, row by row. */

import "file:./evaluation.js";
import { invalidInput } from "../../../core/errors.js";
import { differentInputs } from "../../../core/records/different-inputs.js";
import { onlyKeys } from "../../../core/records/only-keys.js";
import { compareExperiments, formatComparison, readExperiment, renderReport } from "../../../evaluation.js";
import { readAs, scalesIn } from "../../../presentation/reading.js";
import { checkDirections, checkPrices, readingOf } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { checkOutputFiles } from "../output/output-files.js";
import { checkResults, takesOutput, unprintedNotes, writeReport, writeResults } from "../output/results.js";
import { print } from "../output/streams.js";
import { say, terminalStyle } from "../output/terminal.js";
import { directionNotes, judgeNotes, unfinishedNotes } from "./comparison-notes.js";
import { comparisonProblems, isCompared, keptMargins } from "./comparison-problems.js";
import { checkMargins, marginsOf } from "./margins.js";
import type { CompareOptions } from "./options.js";
import { checkSliceFields, sliceByOf, sliceNotes } from "./slices.js";

export async function compare(files: string[], options: CompareOptions): Promise<number> {
  const [beforeFile, afterFile, ...more] = files;
  if (!beforeFile || !afterFile || more.length)
    throw usageError("compare needs two files that score --output or run --output wrote");
  checkPrices(options);
  checkResults(options);
  await checkOutputFiles([beforeFile, afterFile], options);
  const read = [await readExperiment(beforeFile), await readExperiment(afterFile)] as const;
  const [before, after] = options.key.length ? onlyKeys(read, options.key, "--key") : read;
  checkDirections(options, [before, after]);
  const reading = await readingOf(options);
  const { lowerIsBetter } = reading;
  const margin = marginsOf(options.margin, before, after);
  const compared = [
    { name: beforeFile, experiment: before },
    { name: afterFile, experiment: after },
  ] as const;
  const directions = directionNotes(compared, reading);
  checkSliceFields(options.sliceBy, [before, after]);
  const sliced = sliceByOf(options.sliceBy, before, after);
  const comparing = compareExperiments(readAs(before, reading), readAs(after, reading), {
    margin,
    ...sliced,
  });
  const comparisons = await comparing.catch((error: unknown) => {
    for (const note of directions) say(note);
    throw error;
  });
  if (!Object.keys(comparisons).length) {
    throw invalidInput(`Neither ${beforeFile} nor ${afterFile} has results; there is nothing to compare`);
  }
  checkMargins(options.margin, [comparisons]);
  if (!takesOutput(options))
    print(formatComparison(before, after, comparisons, { ...terminalStyle(), lowerIsBetter }));
  await writeReport(options, () =>
    renderReport(after, { compareWith: before, margin, ...sliced, ...reading }),
  );
  const limits = { ...options, scaleOf: scalesIn(after, { lowerIsBetter }), aggregates: after.aggregates };
  const problems = comparisonProblems(comparisons, limits);
  if (takesOutput(options)) for (const kept of keptMargins(comparisons, limits)) say(kept);
  const different = differentInputs(before, after)?.note;
  const mistake = isCompared(comparisons)
    ? undefined
    : [`No row has a score in both ${beforeFile} and ${afterFile}.`, ...problems].join(" ");
  const outcome = {
    ...{ file: afterFile, name: after.experimentName, experiment: after, baseline: before, comparisons },
    ...{ lowerIsBetter, problems, differentInputs: different },
    ...(mistake !== undefined && { mistake }),
    notes: [
      ...unfinishedNotes(...compared),
      ...directions,
      ...judgeNotes(...compared),
      ...(different === undefined ? [] : [different]),
      ...sliceNotes(options.sliceBy, before, after),
    ],
  };
  await writeResults([outcome], options, comparisons);
  for (const note of unprintedNotes(outcome, options)) say(note);
  for (const problem of mistake === undefined ? problems : [mistake]) say(problem);
  return mistake !== undefined ? 2 : problems.length ? 1 : 0;
}
