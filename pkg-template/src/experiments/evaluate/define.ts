import {
  aListOfStrings,
  check,
  checkValue,
  type OptionChecks,
  objectOfOptions,
  readable,
} from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { LIMIT_OPTIONS } from "../../core/records/mean-limits.js";
import type { EvaluateOptions } from "./options/evaluate-options.js";
import { checkOptionNames } from "./options/option-names.js";
import type { Target } from "./target.js";

/**
 * An experiment for the command line: the options of `evaluate()`, and the limits of its scores. Rows are also kept with a
 * `sink`, because reports need them, unless `output.keepRows` is `false`.
 */
export interface ExperimentDefinition extends Omit<EvaluateOptions, "experimentPrefix" | "shard"> {
  /**
   * The name of the experiment, which identifies it in baselines and histories. By default the name of the file without
   * `.eval.ts`, followed by the name of the export unless that is the default export.
   */
  name?: string | undefined;
  /** The application. Without it, the `outputs` of the rows are recorded answers. */
  target?: Target | undefined;
  /**
   * Axes with values, such as `{ prompt: { brief: "…", polite: "…" }, model: ["gpt-5.4", "gpt-5.4-mini"] }`: each combination of
   * values is an experiment. The target gets the values of its combination as `config.matrix`. An axis is an object of named
   * values, or a list. A value in a list is named by its text; functions, objects and texts of more than 40 characters by
   * their number. Names are in `metadata.matrix`, in the name of each experiment, and in the path of its `output.sink`.
   */
  matrix?: Readonly<Record<string, MatrixAxis>> | undefined;
  /** The lowest mean that passes, by key. */
  failUnder?: Readonly<Record<string, number>> | undefined;
  /** The highest mean that passes, by key. */
  failOver?: Readonly<Record<string, number>> | undefined;
  /** The largest number of errors of each key, 0 by default. A key with errors needs at least one score, whatever the limit. */
  maxErrors?: number | undefined;
  /** The share of its repetitions in which each row has to pass, above 0 and up to 1. */
  eachAtLeast?: number | undefined;
}

/** The values of an axis of a matrix: a list, or an object of named values. */
export type MatrixAxis = readonly unknown[] | Readonly<Record<string, unknown>>;

const aMatrix = check(
  "an object of axes, each a list or an object of values: { model: ['large', 'small'] }",
  (matrix) => isRecord(matrix) && Object.keys(matrix).length > 0 && Object.values(matrix).every(isAxis),
);

const isAxis = (axis: unknown): boolean =>
  (Array.isArray(axis) || isRecord(axis)) && Object.keys(axis).length > 0;

const aListOfEvaluators = check("a list, such as [exactMatch]", Array.isArray);

/** The options that `evaluate()` does not check, and those that the program and `describeEval` read earlier. */
const CHECKS: OptionChecks<
  Pick<
    ExperimentDefinition,
    | ("name" | "matrix" | "evaluators" | "summaryEvaluators" | "lowerIsBetter")
    | ("failUnder" | "failOver" | "maxErrors" | "eachAtLeast")
  >
> = {
  name: check("a text that is not empty", (name) => typeof name === "string" && name.trim() !== ""),
  matrix: aMatrix,
  evaluators: aListOfEvaluators,
  summaryEvaluators: aListOfEvaluators,
  ...LIMIT_OPTIONS,
  lowerIsBetter: aListOfStrings,
};

/**
 * Declares an experiment for `openevals-wasm run`, in a file that exports it. Checks the names of the options and the limits of
 * the scores, and returns the definition unchanged; `evaluate()` checks its own options when the experiment runs. A file may
 * also export a plain object, which the program checks in the same way.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for an unknown option, evaluators that are not a list, and an invalid limit.
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
 *
 * @example An experiment for each prompt and model
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { defineExperiment, type TargetConfig } from "openevals-wasm/evaluation";
 *
 * export default defineExperiment({
 *   data: [{ inputs: "What is the capital of France?", referenceOutputs: "Paris" }],
 *   matrix: { prompt: { brief: "One word.", polite: "Answer politely." }, model: ["large", "small"] },
 *   target: async (question: string, { matrix }: TargetConfig) => answer(`${matrix?.prompt} ${question}`, matrix?.model),
 *   evaluators: [exactMatch],
 * });
 *
 * async function answer(prompt: string, model: string) {
 *   return model === "large" && prompt.startsWith("One word.") ? "Paris" : "It is Paris.";
 * }
 * ```
 */
export function defineExperiment(definition: ExperimentDefinition): ExperimentDefinition {
  readable("defineExperiment", () => {
    objectOfOptions("defineExperiment", definition);
    checkOptionNames("The experiment", definition);
    for (const [option, wanted] of Object.entries(CHECKS))
      checkValue(option, definition[option as keyof typeof CHECKS], wanted);
  });
  return definition;
}
