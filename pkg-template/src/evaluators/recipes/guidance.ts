import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks } from "../../core/input/checks.js";
import { withPassMark } from "../../core/passing.js";
import { PERCENTAGE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type {
  GuidanceConfig,
  GuidanceRequest,
  GuidanceResult,
  JsonOf,
  Manifest,
} from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { writeManifest } from "./capability-manifest.js";
import { aPercentage, EVALUATOR_OPTIONS, textsIn } from "./checks.js";
import { Conversation } from "./conversation.js";
import { judgeFor } from "./models.js";
import { HANDLING } from "./questions/guidance/handling.js";
import { SCOPE } from "./questions/guidance/scope.js";
import { crossing } from "./questions/question.js";
import { NOT_APPLICABLE, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { describeTools } from "./tools.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link GuidanceEvaluator}. */
export interface GuidanceEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * The abilities and limits of the assistant, in the form of `generateCapabilityManifest`. The assistant cannot do
   * what it does not state, so let it mention conversing, explaining and writing texts if these are allowed. By
   * default, a manifest is generated from the system message and tools of the first evaluation and then reused, so make
   * one evaluator for each assistant. A function as `model` is then also asked for free text, without a `schema`.
   */
  capabilityManifest?: string | undefined;
  /**
   * The probability, from 0 to 100, from which a request is in scope, so that its handling is not evaluated; 50 by
   * default.
   */
  inScopeProbabilityThreshold?: number | undefined;
}

/** The input of {@link GuidanceEvaluator.run}. */
export interface GuidanceInput {
  /** The conversation up to the request, which is the last user message. */
  conversationHistoryBeginningTurn: string;
  /** The conversation including the assistant's reaction to the request. */
  conversationHistoryFull: string;
  /** The tools of the assistant, for generating the capability manifest. */
  tools?: readonly RecipeTool[] | undefined;
  /**
   * The system message of the assistant, for generating the capability manifest; `conversationHistoryBeginningTurn` by
   * default.
   */
  systemPrompt?: string | undefined;
}

/**
 * Evaluates how gracefully an assistant handles a request beyond its capabilities: whether it says so and helps the
 * user on, or pretends and fails.
 *
 * First, a model compares the request, which is the last user message, with the capability manifest. If it is in scope,
 * the evaluation is not applicable. Otherwise, the score rates the handling from 0 to 100. At 50 or below, the
 * reasoning is also the `feedback`. After `guidance` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw
 * `invalid_input` for data that they cannot read, and the errors of `createLLMAsJudge`; the message begins with the
 * name of the step: `capability_manifest`, `scope` or `handling`.
 *
 * @example
 * ```ts
 * import { GuidanceEvaluator } from "openevals-wasm/recipes";
 *
 * const evaluator = new GuidanceEvaluator({
 *   capabilityManifest: "CAN: create and edit text files. CANNOT: create binary files, such as spreadsheets.",
 *   model: ({ schema }) => {
 *     if ("score" in (schema.properties as object)) return { reasoning: "It says so at once.", score: 95 };
 *     const texts = { capabilities_analysis: "…", sufficient_capabilities: "…", in_scope_reasoning: "No spreadsheets." };
 *     return { ...texts, is_in_scope_probability: 5 };
 *   },
 * });
 * const { applicable, score } = await evaluator.evaluate([
 *   { role: "user", content: "Can you make an Excel sheet of this?" },
 *   { role: "assistant", content: "I cannot create Excel files. Shall I write a CSV file instead, which Excel opens?" },
 * ]);
 * console.log(applicable, score); // true 95
 * ```
 */
export class GuidanceEvaluator {
  /** The name of the evaluation. */
  readonly evalName = "guidance";
  /** The range and pass mark of its scores: from 0 to 100; by default, 100 passes. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<GuidanceConfig>;
  readonly #judge: OpenJudge;
  readonly #manifest: string | undefined;
  #generatedManifest: Promise<Manifest> | undefined;

  constructor(config: GuidanceEvaluatorConfig = {}) {
    const options = checkOptions("GuidanceEvaluator", config, OPTIONS);
    this.scale = withPassMark(PERCENTAGE, options);
    this.#config = jsonOf({
      inScopeProbabilityThreshold: options.inScopeProbabilityThreshold ?? 50,
      scope: crossing(SCOPE),
      handling: crossing(HANDLING),
    });
    this.#judge = judgeFor(options);
    withAccessOf(this, [this.#judge]);
    this.#manifest = options.capabilityManifest;
  }

  /**
   * Evaluates how the last request was handled; not applicable if the assistant has not reacted to it. The system
   * message and the tools are used for generating the capability manifest.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    return typedWork(this.evalName, async () => {
      const engine = await scoresEngine.load();
      const conversation = new Conversation(messages);
      if (!conversation.isAnswered) return toOutput(this.evalName, NOT_APPLICABLE);
      // Rendered separately: without the system message, the other messages have other numbers.
      return toOutput(
        this.evalName,
        await this.run({
          conversationHistoryBeginningTurn: conversation.history(engine, {
            without: ["system"],
            until: conversation.untilLastTurn,
          }),
          conversationHistoryFull: conversation.history(engine),
          systemPrompt: conversation.systemPrompt,
          tools,
        }),
      );
    });
  }

  /** Evaluates a conversation given as text. */
  async run(input: GuidanceInput): Promise<GuidanceResult> {
    return typedWork(this.evalName, async () => {
      const names = ["conversationHistoryBeginningTurn", "conversationHistoryFull"] as const;
      const { conversationHistoryBeginningTurn, conversationHistoryFull } = textsIn(input, names);
      const texts = { conversationHistoryBeginningTurn, conversationHistoryFull };
      if (this.#manifest !== undefined) {
        return this.#evaluate({ ...texts, capabilityManifest: this.#manifest, usage: undefined });
      }
      const { systemPrompt = conversationHistoryBeginningTurn, tools = [] } = input;
      textsIn({ systemPrompt }, ["systemPrompt"]);
      // Read first: invalid tools of this evaluation must not fail others that wait for the manifest.
      const described = describeTools(tools);
      const isFirst = !this.#generatedManifest;
      this.#generatedManifest ??= writeManifest(systemPrompt, described, this.#judge).catch(
        (error: unknown) => {
          // The next evaluation tries again.
          this.#generatedManifest = undefined;
          throw error;
        },
      );
      const { capabilityManifest, usage } = await this.#generatedManifest;
      // Only the evaluation that requested the manifest reports its tokens.
      const paid = isFirst ? usage : undefined;
      const result = await this.#evaluate({ ...texts, capabilityManifest, usage: paid });
      return { ...result, capabilityManifest };
    });
  }

  #evaluate(request: GuidanceRequest): Promise<GuidanceResult> {
    const texts = jsonOf(request);
    return runRecipe(this.evalName, texts, [this.#judge], (engine, model) =>
      engine.keep(bindings.Guidance, this.#config).run(model, texts),
    );
  }
}

const OPTIONS: OptionChecks<GuidanceEvaluatorConfig> = {
  capabilityManifest: check("a text", (text) => typeof text === "string" && !!text.trim()),
  inScopeProbabilityThreshold: aPercentage,
  ...EVALUATOR_OPTIONS,
};
