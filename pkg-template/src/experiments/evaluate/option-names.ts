/** The names of the options of `evaluate()`, for what takes these and others. */

import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { nearest } from "../../core/input/near.js";
import type { ExperimentDefinition } from "./define.js";
import type { EvaluateOptions } from "./options.js";

/** The compiler finds those that are missing. */
const NAMES: Record<
  Exclude<keyof ExperimentDefinition | keyof EvaluateOptions, "experimentPrefix" | "shard">,
  1
> = {
  ...{ name: 1, data: 1, target: 1, evaluators: 1, summaryEvaluators: 1, failUnder: 1, failOver: 1 },
  ...{
    maxErrors: 1,
    eachAtLeast: 1,
    lowerIsBetter: 1,
    passAt: 1,
    mapInputs: 1,
    metadata: 1,
    numRepetitions: 1,
  },
  ...{ maxConcurrency: 1, targetConcurrency: 1, evaluationConcurrency: 1, cache: 1, cacheMode: 1 },
  ...{ judgeMode: 1, batch: 1, clusterBy: 1, calibration: 1, stopWhen: 1, sink: 1, keepRows: 1, resume: 1 },
  ...{
    overwrite: 1,
    seed: 1,
    signal: 1,
    prices: 1,
    maxCost: 1,
    maxTokens: 1,
    maxDurationMs: 1,
    onProgress: 1,
    progress: 1,
  },
};

/** Taken and checked elsewhere, and not advertised. */
const OTHERS = ["experimentPrefix", "shard", "estimate"];

/**
 * Refuses an option that neither `evaluate()` nor an experiment has: most are typing errors.
 *
 * @param whose What messages call it.
 * @param more The names of options that it has besides.
 */
export function checkOptionNames(whose: string, options: object, more: readonly string[] = []): void {
  const names = [...Object.keys(NAMES), ...more];
  const wrong = Object.keys(options).find((name) => !names.includes(name) && !OTHERS.includes(name));
  if (wrong === undefined) return;
  const meant = nearest(wrong, names);
  if (meant)
    throw new OpenEvalsError("invalid_config", `${whose} has no option "${wrong}"; did you mean ${meant}?`);
  throw invalidConfig(`${whose} has no option "${wrong}"; it has ${names.join(", ")}`);
}
