import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { typedWork } from "../../core/errors.js";
import { type Checks, check, checkOptions } from "../../core/input/checks.js";
import { type ScoreScale, withPassMark } from "../../core/scale.js";
import { PERCENTAGE } from "../../core/scales.js";
import { withAccessOf } from "../../models/chat/check-access.js";
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
import { NOTHING, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { describeTools } from "./tools.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link GuidanceEvaluator}. */
export interface GuidanceEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * What the assistant can do and what it cannot, such as `generateCapabilityManifest` writes it. What it does not state,
   * the assistant cannot do: let it say so if that may converse, explain and write texts. Without a manifest, one is
   * generated from the system message and the tools of the first evaluation, and kept for all that follow: make an
   * evaluator of its own for each assistant. A function as `model` is then also asked for free text, without a `schema`.
   */
  capabilityManifest?: string | undefined;
  /**
   * A request that is in scope with this probability, from 0 to 100, or a higher one is taken to be in scope, and how it
   * was dealt with is not evaluated; 50 by default.
   */
  inScopeProbabilityThreshold?: number | undefined;
}

/** What {@link GuidanceEvaluator.run} evaluates. */
export interface GuidanceInput {
  /** The conversation up to the request, which is the last message of the user. */
  conversationHistoryBeginningTurn: string;
  /** The conversation with what the assistant said and did then. */
  conversationHistoryFull: string;
  /** The tools of the assistant: looked at when the capability manifest is generated. */
  tools?: readonly RecipeTool[] | undefined;
  /**
   * The system message of the assistant: looked at when the capability manifest is generated. Without one, that is
   * generated from `conversationHistoryBeginningTurn`.
   */
  systemPrompt?: string | undefined;
}

/**
 * How gracefully an assistant deals with a request that is beyond its capabilities: whether it says so and guides the
 * user on, or pretends and fails.
 *
 * First the request, the last message of the user, is compared with the capability manifest. If it is in scope, the
 * evaluation is not applicable. Otherwise the score says how gracefully the assistant dealt with it, from 0 to 100; at 50
 * or below, the reasoning is also the `feedback`. After `guidance` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw `invalid_input`
 * for data that they cannot read, and what asking the model fails with, as for `createLLMAsJudge`; the message begins with
 * the name of the step: `capability_manifest`, `scope` or `handling`.
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
  /** What its scores mean: from 0 to 100, where 100 passes unless `passAt` says otherwise. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<GuidanceConfig>;
  readonly #judge: OpenJudge;
  readonly #given: string | undefined;
  #generated: Promise<Manifest> | undefined;

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
    this.#given = options.capabilityManifest;
  }

  /**
   * Evaluates how the last request was dealt with; not applicable if the assistant has not said or done anything since.
   * The system message and the tools are looked at when the capability manifest is generated.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    return typedWork(this.evalName, async () => {
      const engine = await scoresEngine.load();
      const conversation = new Conversation(messages);
      if (!conversation.isAnswered) return toOutput(this.evalName, NOTHING);
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

  /** Evaluates a conversation that you have as texts. */
  async run(input: GuidanceInput): Promise<GuidanceResult> {
    return typedWork(this.evalName, async () => {
      const names = ["conversationHistoryBeginningTurn", "conversationHistoryFull"] as const;
      const { conversationHistoryBeginningTurn, conversationHistoryFull } = textsIn(input, names);
      const texts = { conversationHistoryBeginningTurn, conversationHistoryFull };
      if (this.#given !== undefined) {
        return this.#evaluate({ ...texts, capabilityManifest: this.#given, usage: undefined });
      }
      const { systemPrompt = conversationHistoryBeginningTurn, tools = [] } = input;
      textsIn({ systemPrompt }, ["systemPrompt"]);
      // What is wrong with the tools of one evaluation is no failure of others.
      const described = describeTools(tools);
      const isFirst = !this.#generated;
      this.#generated ??= writeManifest(systemPrompt, described, this.#judge).catch((error: unknown) => {
        // The next evaluation tries again.
        this.#generated = undefined;
        throw error;
      });
      const { capabilityManifest, usage } = await this.#generated;
      // Whoever was first has paid for it.
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

const OPTIONS: Checks<GuidanceEvaluatorConfig> = {
  capabilityManifest: check("a text", (text) => typeof text === "string" && !!text.trim()),
  inScopeProbabilityThreshold: aPercentage,
  ...EVALUATOR_OPTIONS,
};
