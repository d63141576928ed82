import type { EvaluateOptions } from "./options.js";
import type { Target } from "./target.js";

/**
 * An experiment that the program runs: what `evaluate()` takes, and what is wanted of the scores. Its rows are kept with a
 * `sink`, too, unless `keepRows` is `false`: what is written for others is made of them.
 */
export interface ExperimentDefinition extends Omit<EvaluateOptions, "experimentPrefix" | "shard"> {
  /**
   * What it is called: by this name it is found again in a baseline and in a history. By default that of the file, without
   * `.eval.ts`, and that of the export, if it is not the default one.
   */
  name?: string | undefined;
  /** The application; without one, the `outputs` of the rows are what was answered before. */
  target?: Target | undefined;
  /** The least that the mean of a key has to be. */
  failUnder?: Readonly<Record<string, number>> | undefined;
  /** The most that it may be. */
  failOver?: Readonly<Record<string, number>> | undefined;
  /** How many errors each key may have; by default those with a threshold may have none, and all others need a score. */
  maxErrors?: number | undefined;
  /** The share of its repetitions in which each row has to pass, from 0 to 1. */
  eachAtLeast?: number | undefined;
}

/**
 * Declares an experiment for `openevals-wasm run`, in a file that exports it. It returns what it is given, and does nothing
 * else: a plain object will do; this one has types.
 *
 * @example evals/capitals.eval.ts
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { defineExperiment } from "openevals-wasm/evaluation";
 *
 * export default defineExperiment({
 *   data: [{ inputs: "What is the capital of France?", referenceOutputs: "Paris" }],
 *   target: async (question: string) => (question.includes("France") ? "Paris" : "I do not know"),
 *   evaluators: [exactMatch],
 *   failUnder: { exact_match: 0.8 },
 * });
 * ```
 */
export const defineExperiment = (definition: ExperimentDefinition): ExperimentDefinition => definition;
