/** Where the experiments of a run are written. */

import type { Outcome } from "../../../experiments/presentation/outcome.js";
import { fileNameOf, writeExperiment } from "../files.js";
import { wrong } from "../mistake.js";
import { checkReplaced } from "../writes.js";
import type { RunOptions } from "./options.js";

const isFile = (path: string): boolean => /\.json$/i.test(path);

/** Whether the output is a folder. */
export const writesFolder = ({ output = "", format }: RunOptions): boolean =>
  format === undefined && !isFile(output);

/** Refuses what would write two experiments into one file, or over an earlier one. */
export async function checkOutput(
  declared: readonly { name: string }[],
  { output, format, overwrite }: RunOptions,
): Promise<void> {
  if (output === undefined || format !== undefined) return;
  if (/\.jsonl$/i.test(output))
    throw wrong(
      `--output ${output}: run writes into a folder, or one experiment into a .json file; rows go to a .jsonl file as they finish where the definition has it as its sink`,
    );
  if (isFile(output)) {
    if (declared.length > 1)
      throw wrong(
        `--output ${output} is one file, and there are ${declared.length} experiments; name a folder`,
      );
    return;
  }
  const names = declared.map(({ name }) => fileNameOf(name).toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice)
    throw wrong(`Two experiments would be written to ${output}/${twice}; give one of them another name`);
  if (overwrite) return;
  for (const { name } of declared) {
    const path = `${output}/${fileNameOf(name)}`;
    await checkReplaced(`--output ${path}`, path);
  }
}

/** Where an experiment is written; nowhere without `--output`. With a format, that is the file for the format. */
export function fileOf(name: string, { output, format }: RunOptions): string | undefined {
  if (output === undefined || format !== undefined) return undefined;
  return isFile(output) ? output : `${output}/${fileNameOf(name)}`;
}

export async function writeOutcomes(outcomes: readonly Outcome[], options: RunOptions): Promise<void> {
  for (const { name, experiment } of outcomes) {
    const file = fileOf(name, options);
    if (experiment && file !== undefined) await writeExperiment(file, experiment);
  }
}
