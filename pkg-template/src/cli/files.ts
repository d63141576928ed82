/** Experiments in files. */

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OpenEvalsError } from "../errors.js";
import { checkExperiment } from "../experiment/check.js";
import type { Experiment } from "../experiment/types.js";

export async function writeExperiment(path: string, experiment: Experiment): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(experiment)}\n`);
}

/** Reads what {@link writeExperiment} wrote; throws `invalid_input` for anything else. */
export async function readExperiment(path: string): Promise<Experiment> {
  let experiment: Experiment;
  try {
    experiment = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new OpenEvalsError("invalid_input", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (!Array.isArray(experiment?.rows) || typeof experiment.aggregates !== "object") {
    throw new OpenEvalsError("invalid_input", `${path} holds no experiment; score --output writes one.`);
  }
  checkExperiment(experiment, `experiment in ${path}`);
  return experiment;
}
