import { isWhole } from "../chat/endpoint.js";
import { loadEngine } from "../engine/load.js";
import { given, knownOptions } from "../input/options.js";
import { Conversation } from "./conversation.js";
import { NOTHING, openerFor, Recipe, textsIn, toOutput } from "./recipe.js";
import { ADHERENCE, EXTRACTION } from "./steps/preference-adherence.js";
import type {
  BaseEvaluatorConfig,
  EvaluationOutput,
  RecipeMessage,
  RecipeResult,
  RecipeTool,
} from "./types.js";

/** The options of {@link PreferenceAdherenceEvaluator}. */
export interface PreferenceAdherenceEvaluatorConfig extends BaseEvaluatorConfig {
  /** How many preferences are judged at the same time; 1 by default. */
  maxConcurrency?: number | undefined;
}

/** What {@link PreferenceAdherenceEvaluator.run} evaluates. */
export interface PreferenceAdherenceInput {
  /** The conversation up to the last message of the user and with it, which the preferences are looked for in. */
  conversationHistoryBeginningTurn: string;
  /** The conversation with the response. */
  conversationHistoryFull: string;
}

/** What {@link PreferenceAdherenceEvaluator.run} finds out. */
export interface PreferenceAdherenceResult extends RecipeResult {
  /** The preferences, and which lines of the beginning of the conversation, counted from 0, they stand in. */
  extractedUserPreferences: { startLine: number; endLine: number; preference: string }[];
  /** Whether the response adheres to each, and how likely that is, from 0 to 100. */
  adherenceToPreferences: {
    preference: string;
    reasoning: string;
    adherenceProbability: number;
    determination: "adhered" | "did_not_adhere" | "not_applicable";
  }[];
  /** How many preferences the response adheres to. */
  adhered: number;
  /** How many it does not adhere to. */
  didNotAdhere: number;
  /** How many do not apply to it. */
  notApplicable: number;
}

/**
 * Whether the last answer of an assistant is as its user likes answers to be: the preferences are found in the user's
 * messages and in what the system message says of the user, and each is judged by itself.
 *
 * The score is the mean probability, from 0 to 100, that the answer adheres to those that apply to it. Without any, the
 * evaluation is not applicable. After `preference_adherence` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw what asking
 * the model fails with, as for `createLLMAsJudge`; the message begins with the name of the step, `extraction` or
 * `adherence`.
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
  readonly #recipe: Recipe<PreferenceAdherenceResult>;

  constructor(config: PreferenceAdherenceEvaluatorConfig = {}) {
    knownOptions("PreferenceAdherenceEvaluator", config, ["maxConcurrency", "model", "judge"]);
    const { maxConcurrency = 1 } = config;
    given("maxConcurrency", maxConcurrency, "a whole number from 1", isWhole(1));
    const steps = { extraction: EXTRACTION, adherence: ADHERENCE };
    this.#recipe = new Recipe("preference_adherence", steps, { maxConcurrency }, openerFor(config));
  }

  /** Evaluates the last answer; not applicable if there is none that has text. Tools are not looked at. */
  async evaluate(
    messages: readonly RecipeMessage[],
    _tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    const engine = await loadEngine();
    const conversation = new Conversation(messages);
    const result = conversation.last("assistant")
      ? await this.run({
          conversationHistoryBeginningTurn: conversation.history(engine, {
            until: conversation.untilLastUser,
          }),
          conversationHistoryFull: conversation.history(engine),
        })
      : NOTHING;
    return toOutput("preference_adherence", result);
  }

  /** Evaluates the response in a conversation that you have as texts. */
  async run(input: PreferenceAdherenceInput): Promise<PreferenceAdherenceResult> {
    return this.#recipe.run(textsIn(input, ["conversationHistoryBeginningTurn", "conversationHistoryFull"]));
  }
}
