/** `compare`: two experiments, row by row. */

import { OpenEvalsError } from "../errors.js";
import { readExperiment } from "../experiment/sink/read.js";
import type { Comparison } from "../experiment/types.js";
import { counted, decimal, pValue, whole } from "../presentation/numerals.js";
import { change, isLowerBetter } from "../presentation/reading.js";
import { writeReport } from "../presentation/report/write.js";
import { formatComparison } from "../presentation/terminal/comparison.js";
import { compareExperiments } from "../statistics/compare.js";
import { checkWrites } from "./files.js";
import { type Options, wrong } from "./options.js";
import { readingOf } from "./reading.js";
import { look, print, say } from "./terminal.js";

export async function compare(files: string[], options: Options): Promise<number> {
  const [one, other, ...more] = files;
  if (!one || !other || more.length) throw wrong("compare needs two files, which score --output has written");
  await checkWrites([one, other], options);
  const [before, after] = [await readExperiment(one), await readExperiment(other)];
  const reading = await readingOf(options);
  const { lowerIsBetter } = reading;
  const margin = options.margins.size ? Object.fromEntries(options.margins) : undefined;
  const comparisons = await compareExperiments(before, after, { margin });
  if (!Object.keys(comparisons).length) {
    throw new OpenEvalsError(
      "invalid_input",
      `Neither ${one} nor ${other} has results, so that there is nothing to compare.`,
    );
  }
  for (const key of options.margins.keys()) {
    if (Object.hasOwn(comparisons, key)) continue;
    throw wrong(
      `There is a margin for "${key}", and no such key; there are ${Object.keys(comparisons).join(", ")}`,
    );
  }
  print(formatComparison(before, after, comparisons, { ...look(), lowerIsBetter }));
  if (options.report) {
    await writeReport(after, options.report, { compareWith: before, ...reading });
    say(`The report is in ${options.report}`);
  }
  const problems = Object.entries(comparisons).flatMap(([key, comparison]) => [
    ...worseProblem(key, comparison, lowerIsBetter),
    ...unpairedProblem(key, comparison, options.maxUnpaired),
    ...errorProblem(key, comparison),
  ]);
  for (const problem of problems) say(problem);
  return problems.length ? 1 : 0;
}

/** A key with a margin has to be shown to be worse by less; others must not be worse by more than chance. */
function worseProblem(key: string, comparison: Comparison, lowerIsBetter: readonly string[]): string[] {
  const { margin } = comparison;
  if (!margin) return change(key, comparison, { lowerIsBetter }) === "worse" ? [`${key} became worse.`] : [];
  const { isShown, adjustedPValue } = isLowerBetter(key, { lowerIsBetter })
    ? margin.notHigher
    : margin.notLower;
  if (isShown) return [];
  const p = adjustedPValue === null ? "nothing can be told" : `p = ${pValue(adjustedPValue)}`;
  return [`${key} is not shown to be worse by less than ${decimal(margin.margin)} (${p}).`];
}

/** A key that only the second has is new: there is nothing that it could have lost. */
function unpairedProblem(
  key: string,
  { unpaired, errors, count, bounds }: Comparison,
  most: number,
): string[] {
  const isNew = count === 0 && unpaired.first === 0 && errors.first === 0;
  const { first, second } = unpaired;
  if (isNew || first + second <= most) return [];
  const failed = errors.second ? ` (${counted(errors.second, "error")} in the second)` : "";
  const strangers =
    count === 0 && first && second ? " No row of the one has the id of a row of the other." : "";
  const between = bounds
    ? ` The difference is between ${decimal(bounds.worst)} and ${decimal(bounds.best)}, whatever they would be.`
    : "";
  return [
    `${key} has ${counted(first + second, "score")} without a counterpart${failed}, where ${whole(most)} are allowed ` +
      `(--max-unpaired).${strangers}${between}`,
  ];
}

/** Where both have failed everywhere, no score lacks a counterpart, and none was compared. */
function errorProblem(key: string, { unpaired, errors, count }: Comparison): string[] {
  if (count || unpaired.first || unpaired.second || !(errors.first || errors.second)) return [];
  return [
    `${key} has no scores: ${counted(errors.first, "error")} in the first, ${whole(errors.second)} in the second.`,
  ];
}
