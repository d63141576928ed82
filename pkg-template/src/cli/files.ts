/** Experiments in files. */

import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OpenEvalsError } from "../errors.js";
import { checkExperiment } from "../experiment/check.js";
import type { Experiment } from "../experiment/types.js";

export async function writeExperiment(path: string, experiment: Experiment): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(experiment)}\n`);
}

/** Where a file is, links followed; nothing if there is none. */
export const realPath = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** Reads what {@link writeExperiment} wrote; throws `invalid_input` for anything else. */
export async function readExperiment(path: string): Promise<Experiment> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new OpenEvalsError("invalid_input", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const experiment = parsed(text);
  if (!Array.isArray(experiment?.rows) || typeof experiment.aggregates !== "object") {
    throw new OpenEvalsError("invalid_input", `${path} holds no experiment; score --output writes one.`);
  }
  checkExperiment(experiment, `experiment in ${path}`);
  return experiment;
}

/** What JSON says; nothing if it is none, such as the data that was scored. */
function parsed(text: string): Experiment | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
