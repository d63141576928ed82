/** The files that the experiments of a run are written to. */

import type { Outcome } from "../../../experiments/presentation/outcome.js";
import { experimentText, fileNameOf } from "../files.js";
import { wrong } from "../mistake.js";
import { announced } from "../terminal.js";
import { checkReplaced, writeResult } from "../writes.js";
import type { RunOptions } from "./options.js";

const isFile = (path: string): boolean => /\.json$/i.test(path);

/** Whether the output is a folder. */
export const writesFolder = ({ output = "", format }: RunOptions): boolean =>
  format === undefined && !isFile(output);

/** Rejects two experiments with the same file, and a file with an earlier experiment. */
export async function checkOutput(
  declared: readonly { name: string }[],
  { output, format, overwrite }: RunOptions,
): Promise<void> {
  if (output === undefined || format !== undefined) return;
  if (/\.jsonl$/i.test(output))
    throw wrong(
      `--output ${output} has to be a folder, or a .json file for a single experiment; to write rows to a .jsonl file as they finish, set it as the sink in the definition`,
    );
  if (isFile(output)) {
    if (declared.length > 1)
      throw wrong(
        `--output ${output} is one file, but there are ${declared.length} experiments; name a folder`,
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

/** The file of an experiment; `undefined` without `--output`, and with `--format`, which uses that file. */
export function fileOf(name: string, { output, format }: RunOptions): string | undefined {
  if (output === undefined || format !== undefined) return undefined;
  return isFile(output) ? output : `${output}/${fileNameOf(name)}`;
}

export async function writeOutcomes(outcomes: readonly Outcome[], options: RunOptions): Promise<void> {
  for (const { name, experiment } of outcomes) {
    const file = fileOf(name, options);
    if (experiment && file !== undefined)
      await announced("Experiment", file, writeResult(file, experimentText(experiment), options));
  }
}
