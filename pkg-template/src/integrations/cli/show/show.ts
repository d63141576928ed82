/** `show`: prints an experiment, or one of its rows. */

import "file:./evaluation.js";
import { withStop } from "../../../core/full-stop.js";
import { didYouMean } from "../../../core/input/near.js";
import { formatExperiment, readExperiment } from "../../../evaluation.js";
import { scalesIn } from "../../../presentation/reading.js";
import { formatRow } from "../../../presentation/terminal/row.js";
import { checkDirections, readingOf } from "../arguments/reading-options.js";
import { usageError } from "../cli-error.js";
import { addToJson } from "../output/json-result.js";
import { outcomeJson, rowJson } from "../output/outcome-json.js";
import { checkOutputFiles } from "../output/output-files.js";
import { checkResults, takesOutput, writeResults } from "../output/results.js";
import { print } from "../output/streams.js";
import { terminalStyle } from "../output/terminal.js";
import type { ShowOptions } from "./options.js";

export async function show(files: string[], options: ShowOptions): Promise<number> {
  const [file, ...more] = files;
  if (!file) throw usageError("show needs one file of an experiment");
  if (more.length)
    throw usageError(
      `show needs one file of an experiment; to print one of its rows, write show ${file} --row ${more[0]}`,
    );
  const { row, from = 0, rows: count = 10, format } = options;
  if (row !== undefined && format !== undefined)
    throw usageError("--row prints one row and --format writes all of them; use one of the two");
  if (from && !options.json) throw usageError("--from applies only to --json; remove it, or add --json");
  checkResults(options);
  await checkOutputFiles([file], options);
  const experiment = await readExperiment(file);
  checkDirections(options, [experiment]);
  const { lowerIsBetter } = await readingOf({ ...options, prices: undefined });
  if (row !== undefined) {
    const scaleOf = scalesIn(experiment, { lowerIsBetter });
    const repetitions = experiment.rows.filter(({ example }) => example.id === row);
    const ids = experiment.rows.map(({ example }) => example.id);
    if (!repetitions.length)
      throw usageError(
        `${file} has no row "${row}"; ${didYouMean(row, ids, "show without --row lists failing rows")}`,
      );
    addToJson({ rows: repetitions.map((repetition) => rowJson(repetition, scaleOf, true)) });
    print(repetitions.map((repetition) => formatRow(repetition, scaleOf, terminalStyle())).join("\n"));
    return 0;
  }
  const { experimentName: name, stopped } = experiment;
  const notes = stopped ? [`This is not a finished experiment: ${withStop(stopped.message)}`] : [];
  const outcome = { file, name, experiment, lowerIsBetter, problems: [], notes };
  if (!takesOutput(options))
    print(formatExperiment(experiment, { ...terminalStyle(), lowerIsBetter, maxFailing: count }));
  await writeResults([outcome], options, experiment);
  if (options.json) addToJson({ experiments: [outcomeJson(outcome, { from, count })] });
  return 0;
}
