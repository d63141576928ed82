/** The definition of an experiment that producers and workers share. */

import { anything, type OptionChecks, show } from "../../core/input/checks.js";
import type { EvaluateOptions, Target } from "../../evaluation.js";
import { readPlan } from "../../experiments/evaluate/options/plan.js";
import { recordedSettings, type Settings } from "../../experiments/evaluate/options/settings.js";

/**
 * An experiment that runs on several machines. Pass the same definition to {@link enqueueExperiment} and
 * {@link experimentWorker}, preferably from one module of the application. Workers compare the names of evaluators and the
 * settings before they run a shard. Functions are not sent through the queue and cannot be compared.
 */
export interface SpreadExperiment
  extends Pick<
    EvaluateOptions,
    | "evaluators"
    | "mapInputs"
    | "numRepetitions"
    | "clusterBy"
    | "seed"
    | "calibration"
    | "passAt"
    | "lowerIsBetter"
    | "experimentPrefix"
  > {
  /** The application. Without one, the `outputs` of the rows are evaluated. */
  target?: Target | undefined;
}

/** The names of the options. `evaluate()` checks the values. */
export const DEFINITION: OptionChecks<SpreadExperiment> = {
  target: anything,
  evaluators: anything,
  mapInputs: anything,
  numRepetitions: anything,
  clusterBy: anything,
  seed: anything,
  calibration: anything,
  passAt: anything,
  lowerIsBetter: anything,
  experimentPrefix: anything,
};

/** The comparable part of a definition: the name, and the settings that figures depend on. */
export interface Signature extends Settings {
  experimentPrefix: string;
}

/**
 * @param runOptions Other options of `evaluate()`, which are checked as well.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options.
 */
export function signatureOf(
  experiment: SpreadExperiment,
  runOptions: Partial<EvaluateOptions> = {},
): Signature {
  const { target, ...options } = definitionOf(experiment);
  const plan = readPlan(target, { ...options, ...runOptions, data: [] });
  return { experimentPrefix: plan.experimentPrefix, ...recordedSettings(plan) };
}

/** The options that belong to the definition. */
export function definitionOf(options: SpreadExperiment): SpreadExperiment {
  const names = Object.keys(DEFINITION) as (keyof SpreadExperiment)[];
  const present = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(present.map((name) => [name, options[name]]));
}

/** The first difference from the enqueued definition, as a sentence; `undefined` if there is none. */
export function signatureDifference(enqueued: Signature, current: Signature): string | undefined {
  const fields = new Set([...Object.keys(current), ...Object.keys(enqueued)]) as Set<keyof Signature>;
  for (const field of fields) {
    const [there, here] = [enqueued[field], current[field]];
    if (JSON.stringify(there) !== JSON.stringify(here))
      return `${field} was ${show(there ?? null)} when it was enqueued, and is ${show(here ?? null)} in this worker`;
  }
  return undefined;
}
