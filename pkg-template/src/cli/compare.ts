/** `compare`: two experiments, row by row. */

import { change } from "../presentation/reading.js";
import { writeReport } from "../presentation/report/write.js";
import { formatComparison } from "../presentation/terminal/comparison.js";
import { compareExperiments } from "../statistics/compare.js";
import { BAD_NEWS } from "./evaluators.js";
import { readExperiment } from "./files.js";
import { type Options, wrong } from "./options.js";
import { look, print, say } from "./terminal.js";

export async function compare(files: string[], options: Options): Promise<number> {
  const [one, other, ...more] = files;
  if (!one || !other || more.length) throw wrong("compare needs two files, which score --output has written");
  const [before, after] = [await readExperiment(one), await readExperiment(other)];
  const lowerIsBetter = [...BAD_NEWS, ...options.lowerIsBetter];
  const comparisons = await compareExperiments(before, after);
  print(formatComparison(before, after, comparisons, { ...look(), lowerIsBetter }));
  if (options.report) {
    await writeReport(after, options.report, { compareWith: before, lowerIsBetter });
    say(`The report is in ${options.report}`);
  }
  const worse = Object.entries(comparisons).filter(
    ([key, one]) => change(key, one, { lowerIsBetter }) === "worse",
  );
  for (const [key] of worse) say(`${key} became worse.`);
  return worse.length ? 1 : 0;
}
