import { inPlace, OpenEvalsError, typedReading } from "../../core/errors.js";
import {
  anything,
  type Checks,
  check,
  checkOptions,
  checkValue,
  readable,
  show,
  wholeFrom,
} from "../../core/input/checks.js";
import { Semaphore } from "../../models/chat/concurrency.js";
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

/** The configurations of the evaluations that are built in, by their names. */
export interface BuiltInConfigs {
  check_criteria?: CheckCriteriaEvaluatorConfig | undefined;
  claim_verification?: ClaimVerificationEvaluatorConfig | undefined;
  guidance?: GuidanceEvaluatorConfig | undefined;
  preference_adherence?: PreferenceAdherenceEvaluatorConfig | undefined;
  tool_usage?: ToolUsageEvaluatorConfig | undefined;
}

/** The name of an evaluation that is built in. */
export type EvaluationName = keyof BuiltInConfigs;

const BUILT_IN: Record<EvaluationName, EvaluatorClass> = {
  check_criteria: CheckCriteriaEvaluator,
  claim_verification: ClaimVerificationEvaluator,
  guidance: GuidanceEvaluator,
  preference_adherence: PreferenceAdherenceEvaluator,
  tool_usage: ToolUsageEvaluator,
};

/** The options of {@link evaluate}. */
export interface EvaluateOptions {
  /** The conversation, the last answer of which is evaluated. */
  messages: readonly RecipeMessage[];
  /** The tools that the assistant had; none by default. */
  tools?: readonly RecipeTool[] | undefined;
  /** The names of built-in evaluations, and classes of your own evaluators. */
  evaluations: readonly (EvaluationName | EvaluatorClass)[];
  /**
   * What evaluators are made with, by the name of the evaluation, or of the class: `{ ResponseLengthEvaluator: { … } }`.
   * What the original calls `provider` is part of each `model`: `"azure-openai:gpt-5.4"`.
   */
  evaluationConfigs?: (BuiltInConfigs & Record<string, any>) | undefined;
  /** How many evaluations run at the same time; 1 by default. */
  maxConcurrency?: number | undefined;
}

/**
 * Runs several evaluations on the last answer of a conversation, and gives their results in the order asked for.
 *
 * An evaluation that fails does not lose the others: its result has an `error`, and is not applicable.
 *
 * @throws {@link OpenEvalsError} before anything is evaluated: `invalid_config` for an unknown evaluation, for a
 * configuration of none, and for whatever an evaluator cannot be made with; `invalid_input` for what is no message;
 * `callback_failed` if a class of your own throws when an evaluator is made.
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
export async function evaluate(options: EvaluateOptions): Promise<EvaluationOutput[]> {
  const read = checkOptions("evaluate", options, OPTIONS);
  checkValue("evaluations", read.evaluations ?? null, OPTIONS.evaluations);
  const { messages, tools = [], evaluations, evaluationConfigs = {}, maxConcurrency = 1 } = read;
  readable("evaluate", () => refuseOthers(evaluationConfigs, evaluations));
  // What is no message is no failure of an evaluation.
  typedReading("evaluate", () => new Conversation(messages));
  const evaluators = readable("evaluate", () =>
    Array.from(evaluations, (evaluation, index) => make(evaluation, evaluationConfigs, index)),
  );
  const turnstile = new Semaphore(maxConcurrency, undefined);
  return Promise.all(
    evaluators.map(async ([name, evaluator]) => {
      await turnstile.enter();
      try {
        return checked(await evaluator.evaluate(messages, tools));
      } catch (thrown) {
        const error = inPlace(name, thrown);
        return { evalName: name, applicable: false, score: 0, metadata: {}, error };
      } finally {
        turnstile.leave();
      }
    }),
  );
}

const OPTIONS: Checks<EvaluateOptions> = {
  // `Conversation` does.
  messages: anything,
  tools: check("a list of tools", Array.isArray),
  evaluations: check("a list of names and classes", Array.isArray),
  evaluationConfigs: check("an object", (value) => typeof value === "object" && value !== null),
  maxConcurrency: wholeFrom(1),
};

const nameOf = (evaluation: string | EvaluatorClass): string =>
  typeof evaluation === "string" ? evaluation : evaluation?.name;

/** Refuses configurations that no evaluation would get: most are typing errors. */
function refuseOthers(configs: object, evaluations: readonly (string | EvaluatorClass)[]): void {
  const known = [...new Set([...Object.keys(BUILT_IN), ...evaluations.map(nameOf)])];
  for (const name of Object.keys(configs)) {
    if (!known.includes(name)) {
      throw new OpenEvalsError(
        "invalid_config",
        `evaluationConfigs has "${name}", which is no evaluation; there are ${known.join(", ")}.`,
      );
    }
  }
}

/** An evaluator, and what errors call it. */
function make(
  evaluation: string | EvaluatorClass,
  configs: Record<string, unknown>,
  index: number,
): [string, RecipeEvaluator] {
  const isBuiltIn = typeof evaluation === "string" && Object.hasOwn(BUILT_IN, evaluation);
  const Evaluator = isBuiltIn ? BUILT_IN[evaluation as EvaluationName] : evaluation;
  if (typeof Evaluator !== "function") {
    throw new OpenEvalsError(
      "invalid_config",
      `evaluations[${index}] is ${show(evaluation)}; it has to be a class of evaluators, or one of ` +
        `${Object.keys(BUILT_IN).join(", ")}.`,
    );
  }
  const name = nameOf(evaluation) || `evaluations[${index}]`;
  let evaluator: RecipeEvaluator;
  try {
    evaluator = new Evaluator(Object.hasOwn(configs, name) ? configs[name] : undefined);
  } catch (thrown) {
    throw inPlace(name, thrown);
  }
  if (typeof evaluator.evaluate !== "function") {
    throw new OpenEvalsError("invalid_config", `${name} is a class without the method evaluate.`);
  }
  return [name, evaluator];
}

/** What an evaluator answered, if it is a result. */
function checked(output: EvaluationOutput): EvaluationOutput {
  const { evalName, applicable, score } = output ?? {};
  if (typeof evalName === "string" && typeof applicable === "boolean" && aPercentage.test(score)) {
    return { ...output, metadata: output.metadata ?? {} };
  }
  throw new TypeError(
    `it returned ${show(output)}; the result of an evaluation has an evalName, applicable as true or false, and a ` +
      "score from 0 to 100",
  );
}
