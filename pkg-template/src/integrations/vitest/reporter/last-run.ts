/** The experiments of the last run, each in its own file. */

import { sha256 } from "../../../core/input/sha256.js";
import { writeAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import { checkExperiment } from "../../../core/records/check.js";
import type { Experiment } from "../../../core/records/types.js";
import type { Evaluated } from "./modules.js";

export const NO_FILES = "the reporter keeps experiments in files";

/** The experiment with this name in the last run; `undefined` if there is no readable one. */
export async function lastRunOf({ name }: Evaluated, folder: string): Promise<Experiment | undefined> {
  const { readFile } = builtin("node:fs/promises", NO_FILES);
  try {
    const experiment = JSON.parse(await readFile(`${folder}/${await fileNameOf(name)}`, "utf8"));
    checkExperiment(experiment, "experiment");
    return experiment;
  } catch {
    // The first run, or a file of another version.
    return undefined;
  }
}

/** Saves an experiment for the next run, unless that would lose rows that were skipped this time. */
export async function saveRun(
  evaluated: Evaluated,
  last: Experiment | undefined,
  folder: string,
): Promise<void> {
  const { experiment, isPart, skipped, name } = evaluated;
  if (isPart || experiment.stopped || last?.rows.some(({ example }) => skipped.has(testOf(example.id))))
    return;
  await writeAtomically(`${folder}/${await fileNameOf(name)}`, `${JSON.stringify(experiment)}\n`, NO_FILES);
}

/** The name of a row's test, without the repetition number. */
const testOf = (id: string): string => id.replace(/ \(\d+\)$/, "");

/** A readable and unique file name. */
async function fileNameOf(name: string): Promise<string> {
  const hash = (await sha256(name, "The reporter")).slice(0, 8);
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(-80)}-${hash}.json`;
}
