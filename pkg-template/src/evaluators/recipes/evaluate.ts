import { inPlace, invalidConfig, typedReading } from "../../core/errors.js";
import {
  anything,
  check,
  checkOptions,
  checkValue,
  noSuchOption,
  type OptionChecks,
  readable,
  required,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { isObject } from "../../core/input/objects.js";
import { Semaphore } from "../../core/platform/semaphore.js";
import { CheckCriteriaEvaluator, type CheckCriteriaEvaluatorConfig } from "./check-criteria.js";
import { aPercentage } from "./checks.js";
import { ClaimVerificationEvaluator, type ClaimVerificationEvaluatorConfig } from "./claim-verification.js";
import { Conversation } from "./conversation.js";
import { GuidanceEvaluator, type GuidanceEvaluatorConfig } from "./guidance.js";
import {
  PreferenceAdherenceEvaluator,
  type PreferenceAdherenceEvaluatorConfig,
} from "./preference-adherence.js";
import { ToolUsageEvaluator, type ToolUsageEvaluatorConfig } from "./tool-usage.js";
import type {
  EvaluationOutput,
  EvaluatorClass,
  RecipeEvaluator,
  RecipeMessage,
  RecipeTool,
} from "./types.js";

/** The configurations of the built-in evaluations, by name. */
export interface BuiltInConfigs {
  check_criteria?: CheckCriteriaEvaluatorConfig | undefined;
  claim_verification?: ClaimVerificationEvaluatorConfig | undefined;
  guidance?: GuidanceEvaluatorConfig | undefined;
  preference_adherence?: PreferenceAdherenceEvaluatorConfig | undefined;
  tool_usage?: ToolUsageEvaluatorConfig | undefined;
}

/** The name of a built-in evaluation. */
export type EvaluationName = keyof BuiltInConfigs;

const BUILT_IN: Record<EvaluationName, EvaluatorClass> = {
  check_criteria: CheckCriteriaEvaluator,
  claim_verification: ClaimVerificationEvaluator,
  guidance: GuidanceEvaluator,
  preference_adherence: PreferenceAdherenceEvaluator,
  tool_usage: ToolUsageEvaluator,
};

/** The options of {@link evaluate}. */
export interface EvaluateRecipesOptions {
  /** The conversation whose last answer is evaluated. */
  messages: readonly RecipeMessage[];
  /** The assistant's tools; none by default. */
  tools?: readonly RecipeTool[] | undefined;
  /** The names of built-in evaluations, and classes of your own evaluators. */
  evaluations: readonly (EvaluationName | EvaluatorClass)[];
  /**
   * The configurations of evaluators, by the name of the evaluation or class: `{ ResponseLengthEvaluator: { … } }`. The
   * original's `provider` is part of each `model`: `"azure-openai:gpt-5.4"`.
   */
  evaluationConfigs?: (BuiltInConfigs & Record<string, any>) | undefined;
  /** How many evaluations run in parallel; 1 by default. */
  maxConcurrency?: number | undefined;
}

/**
 * Runs several evaluations on the last answer of a conversation and returns their results in order.
 *
 * If an evaluation fails, the others continue: its result is not applicable and has an `error`.
 *
 * @throws {@link OpenEvalsError} Before anything is evaluated: `invalid_config` for an unknown evaluation, a
 * configuration without an evaluation, and options that an evaluator rejects; `invalid_input` for a value that is not a
 * message; `callback_failed` if the constructor of your own class throws.
 *
 * @example
 * ```ts
 * import { type EvaluationOutput, evaluate, type RecipeMessage } from "openevals-wasm/recipes";
 *
 * class ResponseLengthEvaluator {
 *   constructor(readonly config: { lettersPerPoint?: number } = {}) {}
 *
 *   async evaluate(messages: readonly RecipeMessage[]): Promise<EvaluationOutput> {
 *     const { length } = String(messages.at(-1)?.content);
 *     const score = Math.max(0, 100 - length / (this.config.lettersPerPoint ?? 10));
 *     return { evalName: "response_length", applicable: true, score, metadata: {} };
 *   }
 * }
 *
 * const outputs = await evaluate({
 *   messages: [
 *     { role: "user", content: "What is Python?" },
 *     { role: "assistant", content: "A programming language." },
 *   ],
 *   evaluations: ["check_criteria", ResponseLengthEvaluator],
 *   evaluationConfigs: {
 *     check_criteria: {
 *       criteria: ["The response is one sentence"],
 *       model: () => ({ reasoning: "It is.", probability: 0.9 }),
 *     },
 *     ResponseLengthEvaluator: { lettersPerPoint: 25 },
 *   },
 * });
 * console.log(outputs.map(({ evalName, score }) => `${evalName}: ${score}`)); // ["check_criteria: 90", "response_length: 99.08"]
 * ```
 */
export async function evaluate(options: EvaluateRecipesOptions): Promise<EvaluationOutput[]> {
  const read = checkOptions("evaluate", options, OPTIONS);
  checkValue("evaluations", read.evaluations ?? null, OPTIONS.evaluations);
  const { messages, tools = [], evaluations, evaluationConfigs = {}, maxConcurrency = 1 } = read;
  readable("evaluate", () => rejectUnknownConfigs(evaluationConfigs, evaluations));
  // An invalid message is the caller's mistake, not the failure of an evaluation.
  typedReading("evaluate", () => new Conversation(messages));
  const evaluators = readable("evaluate", () =>
    Array.from(evaluations, (evaluation, index) => makeEvaluator(evaluation, evaluationConfigs, index)),
  );
  const semaphore = new Semaphore(maxConcurrency);
  return Promise.all(
    evaluators.map(async ([name, evaluator]) => {
      await semaphore.acquire();
      try {
        return checkOutput(await evaluator.evaluate(messages, tools));
      } catch (thrown) {
        const error = inPlace(name, thrown);
        return { evalName: name, applicable: false, score: 0, metadata: {}, error };
      } finally {
        semaphore.release();
      }
    }),
  );
}

const OPTIONS: OptionChecks<EvaluateRecipesOptions> = {
  // The constructor of `Conversation` checks them.
  messages: anything,
  tools: check("a list of tools", Array.isArray),
  evaluations: check("a list of names and classes", Array.isArray),
  evaluationConfigs: check("an object", isObject),
  maxConcurrency: wholeFrom(1),
};

const AN_EVALUATION = required(
  check(
    `an evaluator class, or one of ${Object.keys(BUILT_IN).join(", ")}`,
    (evaluation) => typeof evaluation === "function",
    Object.keys(BUILT_IN),
  ),
);

const nameOf = (evaluation: string | EvaluatorClass): string =>
  typeof evaluation === "string" ? evaluation : evaluation?.name;

/** Rejects configurations without an evaluation, which are mostly misspelt. */
function rejectUnknownConfigs(configs: object, evaluations: readonly (string | EvaluatorClass)[]): void {
  const names = [...new Set([...Object.keys(BUILT_IN), ...evaluations.map(nameOf)])];
  for (const name of Object.keys(configs)) {
    if (!names.includes(name)) throw noSuchOption("evaluationConfigs", name, names);
  }
}

/** Makes an evaluator; returns it with its name for errors. */
function makeEvaluator(
  evaluation: string | EvaluatorClass,
  configs: Record<string, unknown>,
  index: number,
): [string, RecipeEvaluator] {
  const isBuiltIn = typeof evaluation === "string" && Object.hasOwn(BUILT_IN, evaluation);
  const Evaluator = (isBuiltIn ? BUILT_IN[evaluation as EvaluationName] : evaluation) as EvaluatorClass;
  checkValue(`evaluations[${index}]`, Evaluator, AN_EVALUATION);
  const name = nameOf(evaluation) || `evaluations[${index}]`;
  let evaluator: RecipeEvaluator;
  try {
    evaluator = new Evaluator(Object.hasOwn(configs, name) ? configs[name] : undefined);
  } catch (thrown) {
    throw inPlace(name, thrown);
  }
  if (typeof evaluator.evaluate !== "function") {
    throw invalidConfig(`${name} is a class without the method evaluate`);
  }
  return [name, evaluator];
}

/** Checks the result of an evaluator. */
function checkOutput(output: EvaluationOutput): EvaluationOutput {
  const { evalName, applicable, score } = output ?? {};
  if (typeof evalName === "string" && typeof applicable === "boolean" && aPercentage.test(score)) {
    return { ...output, metadata: output.metadata ?? {} };
  }
  throw new TypeError(
    `it returned ${show(output)}; the result of an evaluation needs evalName, applicable (a boolean), and ` +
      "score (from 0 to 100)",
  );
}
