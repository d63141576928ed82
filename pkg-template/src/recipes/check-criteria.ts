import { isWhole } from "../chat/endpoint.js";
import { loadEngine } from "../engine/load.js";
import { given, knownOptions, listOfStrings } from "../input/options.js";
import { Conversation } from "./conversation.js";
import { isScore, NOTHING, openerFor, Recipe, textsIn, toOutput } from "./recipe.js";
import { CRITERION } from "./steps/check-criteria.js";
import type {
  BaseEvaluatorConfig,
  EvaluationOutput,
  RecipeMessage,
  RecipeResult,
  RecipeTool,
} from "./types.js";

/** The options of {@link CheckCriteriaEvaluator}. */
export interface CheckCriteriaEvaluatorConfig extends BaseEvaluatorConfig {
  /** What the answer has to meet, one after the other; without any, the evaluation is not applicable. */
  criteria?: readonly string[] | undefined;
  /** A criterion that is met with a lower probability than this, from 0 to 100, stands in the feedback; 75 by default. */
  passedThreshold?: number | undefined;
  /** How many criteria are judged at the same time; 1 by default. */
  maxConcurrency?: number | undefined;
}

/** What {@link CheckCriteriaEvaluator.run} evaluates. */
export interface CheckCriteriaInput {
  /** The conversation before the response. */
  conversationHistory: string;
  /** The response that has to meet the criteria. */
  finalResponse: string;
}

/** What {@link CheckCriteriaEvaluator.run} finds out. */
export interface CheckCriteriaResult extends RecipeResult {
  /** Each criterion, with the probability from 0 to 1 that it is met. */
  criteriaEvaluations?: { criterion: string; reasoning: string; probability: number }[];
}

/**
 * Whether the last answer of an assistant meets criteria of your own, each judged by itself.
 *
 * The score is the mean of the probabilities that the criteria are met, times 100. Without criteria, the evaluation is not
 * applicable. After `check_criteria` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw what asking
 * the model fails with, as for `createLLMAsJudge`; the message begins with the name of the step, `criterion`.
 *
 * @example
 * ```ts
 * import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
 *
 * const evaluator = new CheckCriteriaEvaluator({
 *   criteria: ["The response ends with a question"],
 *   model: ({ messages }) => ({ reasoning: "I looked at the end.", probability: messages.length ? 0.9 : 0 }),
 * });
 * const { score, feedback } = await evaluator.evaluate([
 *   { role: "user", content: "What is a programming language?" },
 *   { role: "assistant", content: "A way to tell computers what to do. Which one do you have in mind?" },
 * ]);
 * console.log(score, feedback); // 90 undefined
 * ```
 */
export class CheckCriteriaEvaluator {
  /** The name of the evaluation. */
  readonly evalName = "check_criteria";
  readonly #recipe: Recipe<CheckCriteriaResult>;
  readonly #hasCriteria: boolean;

  constructor(config: CheckCriteriaEvaluatorConfig = {}) {
    knownOptions("CheckCriteriaEvaluator", config, [
      "criteria",
      "passedThreshold",
      "maxConcurrency",
      "model",
      "judge",
    ]);
    const { criteria = [], passedThreshold = 75, maxConcurrency = 1 } = config;
    listOfStrings("criteria", criteria);
    given("passedThreshold", passedThreshold, "a number from 0 to 100", isScore);
    given("maxConcurrency", maxConcurrency, "a whole number from 1", isWhole(1));
    this.#hasCriteria = criteria.length > 0;
    const options = { criteria, passedThreshold, maxConcurrency };
    this.#recipe = new Recipe("check_criteria", { criterion: CRITERION }, options, openerFor(config));
  }

  /**
   * Evaluates the last answer; not applicable if there is none that has text. System messages and what comes after the
   * answer are no part of what it is judged by. Tools are not looked at.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    _tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    const engine = await loadEngine();
    const conversation = new Conversation(messages);
    const finalResponse = conversation.last("assistant");
    const conversationHistory = conversation.history(engine, {
      system: false,
      until: conversation.untilLastAssistant,
    });
    const result = finalResponse ? await this.run({ conversationHistory, finalResponse }) : NOTHING;
    return toOutput("check_criteria", result);
  }

  /** Evaluates a response to a conversation that you have as texts. */
  async run(input: CheckCriteriaInput): Promise<CheckCriteriaResult> {
    const texts = textsIn(input, ["conversationHistory", "finalResponse"]);
    // Where nothing is asked, no key is needed.
    return this.#hasCriteria ? this.#recipe.run(texts) : NOTHING;
  }
}
