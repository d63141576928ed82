/** The experiments of the last run, each in a file of its own. */

import { builtin } from "../../../core/platform/builtin.js";
import type { Experiment } from "../../../core/records/types.js";
import { checkExperiment } from "../../../experiments/stored/check.js";
import { writeWhole } from "../../../experiments/stored/whole-file.js";
import type { Evaluated } from "./modules.js";

export const NO_FILES = "the reporter keeps experiments in files";

/** The experiment of the same name in the last run; nothing if there is none that can be read. */
export async function lastOf({ name }: Evaluated, folder: string): Promise<Experiment | undefined> {
  const { readFile } = builtin("node:fs/promises", NO_FILES);
  try {
    const experiment = JSON.parse(await readFile(`${folder}/${await fileNameOf(name)}`, "utf8"));
    checkExperiment(experiment, "experiment");
    return experiment;
  } catch {
    // The first run, or what another version has left in a cache.
    return undefined;
  }
}

/** Keeps an experiment for the next run, unless that would lose rows that were not run this time. */
export async function keep(
  evaluated: Evaluated,
  last: Experiment | undefined,
  folder: string,
): Promise<void> {
  const { experiment, isPart, skipped, name } = evaluated;
  if (isPart || experiment.stopped || last?.rows.some(({ example }) => skipped.has(testOf(example.id))))
    return;
  await writeWhole(`${folder}/${await fileNameOf(name)}`, `${JSON.stringify(experiment)}\n`, NO_FILES);
}

/** The test that a row is of. */
const testOf = (id: string): string => id.replace(/ \(\d+\)$/, "");

/** A name that people recognise, and that no two experiments have. */
async function fileNameOf(name: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  const hash = Array.from(new Uint8Array(bytes).subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0"));
  return `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").slice(-80)}-${hash.join("")}.json`;
}
