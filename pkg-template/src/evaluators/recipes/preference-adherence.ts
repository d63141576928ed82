import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { checkOptions, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import { withPassMark } from "../../core/passing.js";
import { PERCENTAGE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type {
  JsonOf,
  PreferenceAdherenceConfig,
  PreferenceAdherenceInput,
  PreferenceAdherenceResult,
} from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { EVALUATOR_OPTIONS, textsIn } from "./checks.js";
import { Conversation } from "./conversation.js";
import { judgeFor } from "./models.js";
import { ADHERENCE } from "./questions/preference-adherence/adherence.js";
import { EXTRACTION } from "./questions/preference-adherence/extraction.js";
import { crossing } from "./questions/question.js";
import { NOT_APPLICABLE, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link PreferenceAdherenceEvaluator}. */
export interface PreferenceAdherenceEvaluatorConfig extends BaseEvaluatorConfig {
  /** How many preferences are judged in parallel; 1 by default. */
  maxConcurrency?: number | undefined;
}

/**
 * Evaluates whether the last answer of an assistant follows the user's preferences. They are extracted from the user
 * messages, and from what the system message says about the user. Each is judged separately.
 *
 * The score is the mean probability, from 0 to 100, that the answer adheres to the preferences that apply to it.
 * Without any, the evaluation is not applicable. After `preference_adherence` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw the errors
 * of `createLLMAsJudge`; the message begins with the name of the step, `extraction` or `adherence`.
 *
 * @example
 * ```ts
 * import { PreferenceAdherenceEvaluator } from "openevals-wasm/recipes";
 *
 * const evaluator = new PreferenceAdherenceEvaluator({
 *   model: ({ schema }) =>
 *     "preferences" in (schema.properties as object)
 *       ? { preferences: [{ start_line: 1, end_line: 1, preference: "The user wants no emojis." }] }
 *       : { reasoning: "There is none.", adherence_probability: 100, determination: "adhered" },
 * });
 * const { score, metadata } = await evaluator.evaluate([
 *   { role: "user", content: "What is Python? No emojis, please." },
 *   { role: "assistant", content: "A programming language that reads well." },
 * ]);
 * console.log(score, metadata.adhered); // 100 1
 * ```
 */
export class PreferenceAdherenceEvaluator {
  /** The name of the evaluation. */
  readonly evalName = "preference_adherence";
  /** The range and pass mark of its scores: from 0 to 100; by default, 100 passes. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<PreferenceAdherenceConfig>;
  readonly #judge: OpenJudge;

  constructor(config: PreferenceAdherenceEvaluatorConfig = {}) {
    const options = checkOptions("PreferenceAdherenceEvaluator", config, OPTIONS);
    this.scale = withPassMark(PERCENTAGE, options);
    this.#config = jsonOf({
      maxConcurrency: options.maxConcurrency ?? 1,
      extraction: crossing(EXTRACTION),
      adherence: crossing(ADHERENCE),
    });
    this.#judge = judgeFor(options);
    withAccessOf(this, [this.#judge]);
  }

  /** Evaluates the last answer; not applicable if no answer has text. `_tools` is ignored. */
  async evaluate(
    messages: readonly RecipeMessage[],
    _tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    return typedWork(this.evalName, async () => {
      const engine = await scoresEngine.load();
      const conversation = new Conversation(messages);
      // Preferences are extracted from the first text, and refer to its lines.
      const result = conversation.last("assistant")
        ? await this.run({
            conversationHistoryBeginningTurn: conversation.history(engine, {
              until: conversation.untilLastUser,
            }),
            conversationHistoryFull: conversation.history(engine),
          })
        : NOT_APPLICABLE;
      return toOutput(this.evalName, result);
    });
  }

  /** Evaluates the response in a conversation given as text. */
  async run(input: PreferenceAdherenceInput): Promise<PreferenceAdherenceResult> {
    return typedWork(this.evalName, async () => {
      const { conversationHistoryBeginningTurn, conversationHistoryFull } = textsIn(input, [
        "conversationHistoryBeginningTurn",
        "conversationHistoryFull",
      ]);
      const texts = jsonOf({ conversationHistoryBeginningTurn, conversationHistoryFull });
      return runRecipe(this.evalName, texts, [this.#judge], (engine, model) =>
        engine.keep(bindings.PreferenceAdherence, this.#config).run(model, texts),
      );
    });
  }
}

const OPTIONS: OptionChecks<PreferenceAdherenceEvaluatorConfig> = {
  maxConcurrency: wholeFrom(1),
  ...EVALUATOR_OPTIONS,
};
