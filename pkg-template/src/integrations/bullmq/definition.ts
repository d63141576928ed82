/** What producers and workers have to agree on. */

import { anything, type Checks, show } from "../../core/input/checks.js";
import type { EvaluateOptions } from "../../experiments/evaluate/options.js";
import { readPlan } from "../../experiments/evaluate/options.js";
import { type Settings, settingsOf } from "../../experiments/evaluate/settings.js";
import type { Target } from "../../experiments/evaluate/target.js";

/**
 * An experiment that is spread over machines. Whoever enqueues it and whoever works on it pass the same, best from one module
 * of the application: functions stay where they are, and cannot be compared. What can be (the names of evaluators and
 * settings) is compared before anything is run.
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
  /** The application; without one, the `outputs` of the rows are what was answered before. */
  target?: Target | undefined;
}

/** All of these are checked where `evaluate()` reads them. */
export const DEFINITION: Checks<SpreadExperiment> = {
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

/** An experiment without what it does: how it is called, and what figures depend on besides the rows. */
export interface Signature extends Settings {
  experimentPrefix: string;
}

/**
 * @param running Other options of `evaluate()`, which are checked, too.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 */
export function signatureOf(experiment: SpreadExperiment, running: Partial<EvaluateOptions> = {}): Signature {
  const { target, ...options } = definitionOf(experiment);
  const plan = readPlan(target, { ...options, ...running, data: [] });
  return { experimentPrefix: plan.experimentPrefix, ...settingsOf(plan) };
}

/** The options that belong to the experiment, of all that were given. */
export function definitionOf(options: SpreadExperiment): SpreadExperiment {
  const names = Object.keys(DEFINITION) as (keyof SpreadExperiment)[];
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, options[name]]));
}

/** In what two differ, as a sentence about the one that was enqueued; nothing if they do not. */
export function difference(enqueued: Signature, own: Signature): string | undefined {
  const fields = new Set([...Object.keys(own), ...Object.keys(enqueued)]) as Set<keyof Signature>;
  for (const field of fields) {
    const [there, here] = [enqueued[field], own[field]];
    if (JSON.stringify(there) !== JSON.stringify(here))
      return `${field} is ${show(there ?? null)} where it was enqueued, and ${show(here ?? null)} in this worker`;
  }
  return undefined;
}
