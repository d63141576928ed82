import { loadEngine } from "../engine/load.js";
import { OpenEvalsError } from "../errors.js";
import { given, knownOptions, show } from "../input/options.js";
import { Conversation } from "./conversation.js";
import { isScore, openerFor, Recipe, textsIn, toOutput } from "./recipe.js";
import { TOOL_EVALUATIONS } from "./steps/tool-usage.js";
import { calledTools, describeTools } from "./tools.js";
import type {
  BaseEvaluatorConfig,
  EvaluationOutput,
  RecipeMessage,
  RecipeResult,
  RecipeTool,
} from "./types.js";

/** The options of {@link ToolUsageEvaluator}. */
export interface ToolUsageEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * By the name of a tool, the probability, from 0 to 100, from which on it should be called; 50 by default. Names of
   * tools that an evaluation does not have are without effect.
   */
  toolThresholds?: Readonly<Record<string, number>> | undefined;
}

/** A tool that {@link ToolUsageEvaluator.run} evaluates the use of. */
export interface ToolUsageTool {
  /** The name by which it is called. */
  toolName: string;
  /** What it does, and its parameters. */
  toolText: string;
  /** Whether the assistant called it. */
  wasCalled: boolean;
  /** The probability from which on it should be called; what `toolThresholds` says by default. */
  threshold?: number | undefined;
}

/** What {@link ToolUsageEvaluator.run} evaluates. */
export interface ToolUsageInput {
  /** The tools of the assistant; without any, the evaluation is not applicable. */
  tools: readonly ToolUsageTool[];
  /** The conversation up to where the assistant calls tools or does not. */
  conversationHistoryFull: string;
}

/** What {@link ToolUsageEvaluator.run} finds out. */
export interface ToolUsageResult extends RecipeResult {
  /** Each tool, with the probability from 0 to 100 that it should be called; 0 where the model says nothing of it. */
  toolEvaluations?: {
    toolName: string;
    reasoning: string;
    probability: number;
    threshold: number;
    wasCalled: boolean;
  }[];
  /** What the model took for tools and is none: what it says of them does not count. */
  inventedTools?: string[];
}

/**
 * Whether an assistant calls the tools that it should.
 *
 * A model tells how likely each tool should be called, without seeing which were. From its threshold on, a tool should be.
 * If no tool was called, the score is 100 if none should be, and 0 otherwise. If any was called, the score is 100 if at
 * least one of them should be, and 0 otherwise. At 0, the feedback names the tools that should have been called, and
 * those that should not. Not applicable without tools. After `tool_usage` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw `invalid_input`
 * for data that they cannot read, and what asking the model fails with, as for `createLLMAsJudge`; the message begins with
 * the name of the step.
 *
 * @example
 * ```ts
 * import { ToolUsageEvaluator } from "openevals-wasm/recipes";
 *
 * const evaluator = new ToolUsageEvaluator({
 *   toolThresholds: { search: 80 },
 *   model: () => ({
 *     tool_evaluations: [{ tool_name: "search", reasoning: "The weather changes.", probability: 95 }],
 *   }),
 * });
 * const messages = [
 *   { role: "user", content: "How warm is it in Oslo?" },
 *   { role: "assistant", content: "About 4 °C." },
 * ];
 * const tools = [{ type: "function", function: { name: "search", description: "Search the web" } }];
 * const { score, feedback } = await evaluator.evaluate(messages, tools);
 * console.log(score, feedback); // 0 These tools should have been called: …
 * ```
 */
export class ToolUsageEvaluator {
  /** The name of the evaluation. */
  readonly evalName = "tool_usage";
  readonly #recipe: Recipe<ToolUsageResult>;
  readonly #thresholds: ReadonlyMap<string, number>;

  constructor(config: ToolUsageEvaluatorConfig = {}) {
    knownOptions("ToolUsageEvaluator", config, ["toolThresholds", "model", "judge"]);
    const { toolThresholds = {} } = config;
    given(
      "toolThresholds",
      toolThresholds,
      "an object of numbers from 0 to 100, by the names of tools",
      (thresholds) => isObject(thresholds) && Object.values(thresholds).every(isScore),
    );
    this.#thresholds = new Map(Object.entries(toolThresholds));
    this.#recipe = new Recipe("tool_usage", { tool_evaluations: TOOL_EVALUATIONS }, {}, openerFor(config));
  }

  /**
   * Evaluates the calls since the last message of the user. `metadata.unlistedCalls` names those of tools that are not
   * among `tools`; nothing else comes of them.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    const engine = await loadEngine();
    const conversation = new Conversation(messages);
    const called = calledTools(conversation);
    const described = describeTools(tools);
    const output = toOutput(
      "tool_usage",
      await this.run({
        tools: described.map((tool) => ({ ...tool, wasCalled: called.has(tool.toolName) })),
        // The model does not get to see the calls.
        conversationHistoryFull: conversation.history(engine, { until: conversation.untilLastTurn }),
      }),
    );
    for (const { toolName } of described) called.delete(toolName);
    if (called.size) output.metadata.unlistedCalls = [...called];
    return output;
  }

  /** Evaluates calls and a conversation that you have as texts. */
  async run(input: ToolUsageInput): Promise<ToolUsageResult> {
    const { conversationHistoryFull, tools } = textsIn(input, ["conversationHistoryFull"]);
    if (!Array.isArray(tools)) throw new OpenEvalsError("invalid_input", "tools has to be a list.");
    const read = tools.map((tool, index) => readTool(tool, `tools[${index}]`, this.#thresholds));
    return this.#recipe.run({ conversationHistoryFull, tools: read });
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function readTool(tool: ToolUsageTool, path: string, thresholds: ReadonlyMap<string, number>) {
  const { toolName, toolText, wasCalled, threshold = thresholds.get(toolName) ?? 50 } = tool ?? {};
  const texts = typeof toolName === "string" && typeof toolText === "string";
  if (texts && typeof wasCalled === "boolean" && isScore(threshold)) {
    return { toolName, toolText, wasCalled, threshold };
  }
  throw new OpenEvalsError(
    "invalid_input",
    `${path} is ${show(tool)}; it has to be { toolName, toolText, wasCalled, threshold }: two texts, true or false, and ` +
      "possibly a number from 0 to 100.",
  );
}
