import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { aListOfStrings, checkOptions, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import { withPassMark } from "../../core/passing.js";
import { PERCENTAGE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type {
  CheckCriteriaConfig,
  CheckCriteriaInput,
  CheckCriteriaResult,
  JsonOf,
} from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { aPercentage, EVALUATOR_OPTIONS, textsIn } from "./checks.js";
import { Conversation, OPERATORS } from "./conversation.js";
import { judgeFor } from "./models.js";
import { CRITERION } from "./questions/check-criteria/criterion.js";
import { crossing } from "./questions/question.js";
import { NOT_APPLICABLE, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link CheckCriteriaEvaluator}. */
export interface CheckCriteriaEvaluatorConfig extends BaseEvaluatorConfig {
  /** The criteria for the answer, each judged separately. Without any, the evaluation is not applicable. */
  criteria?: readonly string[] | undefined;
  /** Criteria with a lower probability than this, from 0 to 100, are listed in the feedback; 75 by default. */
  passedThreshold?: number | undefined;
  /** How many criteria are judged in parallel; 1 by default. */
  maxConcurrency?: number | undefined;
}

/**
 * Evaluates whether the last answer of an assistant meets your own criteria, each judged separately.
 *
 * The score is the mean probability that the criteria are met, from 0 to 100. Without criteria, the evaluation is not
 * applicable. After `check_criteria` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw the errors
 * of `createLLMAsJudge`; the message begins with the name of the step, `criterion`.
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
  /** The range and pass mark of its scores: from 0 to 100; by default, 100 passes. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<CheckCriteriaConfig>;
  readonly #hasCriteria: boolean;
  readonly #judge: OpenJudge;

  constructor(config: CheckCriteriaEvaluatorConfig = {}) {
    const options = checkOptions("CheckCriteriaEvaluator", config, OPTIONS);
    this.scale = withPassMark(PERCENTAGE, options);
    const { criteria = [], passedThreshold = 75, maxConcurrency = 1 } = options;
    this.#config = jsonOf({
      criteria: [...criteria],
      passedThreshold,
      maxConcurrency,
      criterion: crossing(CRITERION),
    });
    this.#hasCriteria = criteria.length > 0;
    this.#judge = judgeFor(options);
    // Without criteria, the model is not asked.
    withAccessOf(this, this.#hasCriteria ? [this.#judge] : []);
  }

  /**
   * Evaluates the last answer; not applicable if no answer has text. System messages and messages after the answer are
   * not shown to the model. `_tools` is ignored.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    _tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    return typedWork(this.evalName, async () => {
      const engine = await scoresEngine.load();
      const conversation = new Conversation(messages);
      const finalResponse = conversation.last("assistant");
      const conversationHistory = conversation.history(engine, {
        without: OPERATORS,
        until: conversation.untilLastAssistant,
      });
      const result = finalResponse ? await this.run({ conversationHistory, finalResponse }) : NOT_APPLICABLE;
      return toOutput(this.evalName, result);
    });
  }

  /** Evaluates a response in a conversation given as text. */
  async run(input: CheckCriteriaInput): Promise<CheckCriteriaResult> {
    return typedWork(this.evalName, async () => {
      const { conversationHistory, finalResponse } = textsIn(input, ["conversationHistory", "finalResponse"]);
      // Without criteria, the model is not asked, so no key is needed.
      if (!this.#hasCriteria) return NOT_APPLICABLE;
      const texts = jsonOf({ conversationHistory, finalResponse });
      return runRecipe(this.evalName, texts, [this.#judge], (engine, model) =>
        engine.keep(bindings.CheckCriteria, this.#config).run(model, texts),
      );
    });
  }
}

const OPTIONS: OptionChecks<CheckCriteriaEvaluatorConfig> = {
  criteria: aListOfStrings,
  passedThreshold: aPercentage,
  maxConcurrency: wholeFrom(1),
  ...EVALUATOR_OPTIONS,
};
