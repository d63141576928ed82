import { loadEngine } from "../engine/load.js";
import { given, knownOptions } from "../input/options.js";
import { Conversation } from "./conversation.js";
import { isScore, NOTHING, type Opener, openerFor, Recipe, textsIn, toOutput } from "./recipe.js";
import { CAPABILITY_MANIFEST, HANDLING, SCOPE } from "./steps/guidance.js";
import { type DescribedTool, describeTools } from "./tools.js";
import type {
  BaseEvaluatorConfig,
  EvaluationOutput,
  RecipeMessage,
  RecipeResult,
  RecipeTool,
} from "./types.js";

/** The options of {@link GuidanceEvaluator}. */
export interface GuidanceEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * What the assistant can do and what it cannot, such as {@link generateCapabilityManifest} writes it. Without one, it
   * is generated from the system message and the tools of the first evaluation, and kept for all that follow: make an
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

/** What {@link GuidanceEvaluator.run} finds out. */
export interface GuidanceResult extends RecipeResult {
  /** Whether the request is in scope, and why. */
  isInScopeReasoning: {
    /** What the user wants, and which capabilities could serve that. */
    capabilitiesAnalysis: string;
    /** Whether these are enough. */
    sufficientCapabilities: string;
    /** What speaks for and against that the request is in scope. */
    inScopeReasoning: string;
    /** How likely it is, from 0 to 100. */
    isInScopeProbability: number;
  };
  /** How the request was dealt with, where it is out of scope. */
  reasoning?: string;
  /** The capability manifest, where it was generated. */
  capabilityManifest?: string;
}

/** The options of {@link generateCapabilityManifest}. */
export interface CapabilityManifestOptions extends BaseEvaluatorConfig {
  /** The system message of the assistant. */
  systemPrompt: string;
  /** Its tools; none by default. */
  tools?: readonly RecipeTool[] | undefined;
}

interface Manifest extends Pick<RecipeResult, "usage"> {
  capabilityManifest: string;
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
  readonly #recipe: Recipe<GuidanceResult>;
  readonly #open: Opener;
  readonly #given: string | undefined;
  #generated: Promise<Manifest> | undefined;

  constructor(config: GuidanceEvaluatorConfig = {}) {
    const known = ["capabilityManifest", "inScopeProbabilityThreshold", "model", "judge"];
    knownOptions("GuidanceEvaluator", config, known);
    const { capabilityManifest, inScopeProbabilityThreshold = 50 } = config;
    given(
      "capabilityManifest",
      capabilityManifest,
      "a text",
      (text) => typeof text === "string" && !!text.trim(),
    );
    given("inScopeProbabilityThreshold", inScopeProbabilityThreshold, "a number from 0 to 100", isScore);
    this.#open = openerFor(config);
    this.#given = capabilityManifest;
    const steps = { scope: SCOPE, handling: HANDLING };
    this.#recipe = new Recipe("guidance", steps, { inScopeProbabilityThreshold }, this.#open);
  }

  /**
   * Evaluates how the last request was dealt with; not applicable if nothing follows it. The system message and the tools
   * are looked at when the capability manifest is generated.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    const engine = await loadEngine();
    const conversation = new Conversation(messages);
    const until = conversation.untilLastTurn;
    if (until === conversation.messages.length) return toOutput("guidance", NOTHING);
    return toOutput(
      "guidance",
      await this.run({
        conversationHistoryBeginningTurn: conversation.history(engine, { system: false, until }),
        conversationHistoryFull: conversation.history(engine),
        systemPrompt: conversation.systemPrompt,
        tools,
      }),
    );
  }

  /** Evaluates a conversation that you have as texts. */
  async run(input: GuidanceInput): Promise<GuidanceResult> {
    const names = ["conversationHistoryBeginningTurn", "conversationHistoryFull"] as const;
    const { conversationHistoryBeginningTurn, conversationHistoryFull } = textsIn(input, names);
    const texts = { conversationHistoryBeginningTurn, conversationHistoryFull };
    if (this.#given !== undefined) return this.#recipe.run({ ...texts, capabilityManifest: this.#given });

    const { systemPrompt = conversationHistoryBeginningTurn, tools = [] } = input;
    textsIn({ systemPrompt }, ["systemPrompt"]);
    // What is wrong with the tools of one evaluation is no failure of others.
    const described = describeTools(tools);
    const isFirst = !this.#generated;
    this.#generated ??= generate(systemPrompt, described, this.#open).catch((error: unknown) => {
      // The next evaluation tries again.
      this.#generated = undefined;
      throw error;
    });
    const { capabilityManifest, usage } = await this.#generated;
    const result = await this.#recipe.run({ ...texts, capabilityManifest });
    // Whoever was first has paid for it.
    return { ...result, capabilityManifest, ...sum(result.usage, isFirst ? usage : undefined) };
  }
}

function sum(...usages: RecipeResult["usage"][]): Pick<RecipeResult, "usage"> {
  const told = usages.filter((usage) => usage !== undefined);
  if (!told.length) return {};
  const inputTokens = told.reduce((tokens, usage) => tokens + usage.inputTokens, 0);
  const outputTokens = told.reduce((tokens, usage) => tokens + usage.outputTokens, 0);
  return { usage: { inputTokens, outputTokens } };
}

/**
 * Writes a capability manifest: what an assistant can do and what it cannot, as Markdown, for
 * {@link GuidanceEvaluator}. Read it before you rely on it.
 *
 * @throws {@link OpenEvalsError} `invalid_config` and `invalid_input` for options that cannot work, `refused` when the model
 * declines, `invalid_judge_output` when it answers without text, or with one that is cut off, twice, and what else asking
 * it fails with, as for `createLLMAsJudge`.
 *
 * @example
 * ```ts
 * import { generateCapabilityManifest } from "openevals-wasm/recipes";
 *
 * const manifest = await generateCapabilityManifest({
 *   systemPrompt: "You are a helpful assistant that can search the web.",
 *   tools: [{ type: "function", function: { name: "calculator", description: "Perform mathematical calculations" } }],
 *   model: () => "## Search\n- CAN search the web\n\n## Mathematics\n- CAN perform mathematical calculations",
 * });
 * console.log(manifest);
 * ```
 */
export async function generateCapabilityManifest(options: CapabilityManifestOptions): Promise<string> {
  knownOptions("generateCapabilityManifest", options, ["systemPrompt", "tools", "model", "judge"]);
  const { systemPrompt, tools = [] } = options;
  given("systemPrompt", systemPrompt ?? null, "a text", (text) => typeof text === "string");
  return (await generate(systemPrompt, describeTools(tools), openerFor(options))).capabilityManifest;
}

async function generate(
  systemPrompt: string,
  tools: readonly DescribedTool[],
  open: Opener,
): Promise<Manifest> {
  const steps = { capability_manifest: CAPABILITY_MANIFEST };
  const recipe = new Recipe<Manifest>("capability_manifest", steps, {}, open);
  return recipe.run({ systemPrompt: systemPrompt || "(none)", tools });
}
