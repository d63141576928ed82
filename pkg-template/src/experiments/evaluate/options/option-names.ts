/** The names of the options of `evaluate()`, for functions that take these and others. */

import { noSuchOption } from "../../../core/input/checks.js";
import type { ExperimentDefinition } from "../define.js";
import type { EvaluateOptions } from "./evaluate-options.js";
import { checkGroup, checkPlace, GROUPS } from "./groups.js";

/** The compiler finds missing names. */
const NAMES: Record<
  Exclude<keyof ExperimentDefinition | keyof EvaluateOptions, "experimentPrefix" | "shard">,
  1
> = {
  ...{ name: 1, data: 1, target: 1, evaluators: 1, map: 1, summaryEvaluators: 1, matrix: 1 },
  ...{
    failUnder: 1,
    failOver: 1,
    maxErrors: 1,
    eachAtLeast: 1,
    lowerIsBetter: 1,
    passAt: 1,
    mapInputs: 1,
    metadata: 1,
  },
  ...{ numRepetitions: 1, maxConcurrency: 1, targetConcurrency: 1, evaluationConcurrency: 1, judges: 1 },
  ...{ output: 1, budget: 1, clusterBy: 1, calibration: 1, stopWhen: 1, seed: 1, signal: 1, onProgress: 1 },
  progress: 1,
};

/** Checked elsewhere, and not listed in messages. */
const OTHERS = ["experimentPrefix", "shard", "estimate"];

/**
 * Rejects options that neither `evaluate()` nor an experiment has, alone or in a group. Most are typos.
 *
 * @param whose The owner of the options, in messages.
 */
export function checkOptionNames(whose: string, options: object): void {
  const names = Object.keys(NAMES);
  const wrong = Object.keys(options).find((name) => !names.includes(name) && !OTHERS.includes(name));
  if (wrong === undefined) {
    checkGroups(whose, options);
    return;
  }
  checkPlace(whose, wrong, GROUPS, NAMES);
  throw noSuchOption(whose, wrong, names);
}

function checkGroups(whose: string, options: Pick<EvaluateOptions, keyof typeof GROUPS>): void {
  checkGroup(whose, "judges", options.judges, GROUPS.judges);
  checkGroup(whose, "output", options.output, GROUPS.output);
  checkGroup(whose, "budget", options.budget, GROUPS.budget);
}
