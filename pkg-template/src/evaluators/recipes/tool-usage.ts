import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { invalidInput, typedWork } from "../../core/errors.js";
import { check, checkOptions, type OptionChecks, show } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";
import { withPassMark } from "../../core/passing.js";
import { PERCENTAGE } from "../../core/scales.js";
import type { ScoreScale } from "../../core/types.js";
import { withAccessOf } from "../../models/chat/providers/check-access.js";
import type {
  JsonOf,
  ToolUsageConfig,
  ToolUsageInput,
  ToolUsageResult,
  ToolUsageTool,
} from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { aPercentage, EVALUATOR_OPTIONS, textsIn } from "./checks.js";
import { Conversation } from "./conversation.js";
import { judgeFor } from "./models.js";
import { crossing } from "./questions/question.js";
import { TOOL_EVALUATIONS } from "./questions/tool-usage/tool-evaluations.js";
import { NOT_APPLICABLE, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { calledTools, describeTools } from "./tools.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link ToolUsageEvaluator}. */
export interface ToolUsageEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * The probability, from 0 to 100, from which a tool should be called, by tool name; 50 by default. Names of unknown
   * tools have no effect; `metadata.unusedThresholds` lists them.
   */
  toolThresholds?: Readonly<Record<string, number>> | undefined;
}

/**
 * Evaluates whether an assistant calls the tools that it should.
 *
 * A model estimates the probability that each tool should be called, without seeing the actual calls. A tool should be
 * called if its probability reaches the threshold. If no tool was called, the score is 100 if none should be, otherwise
 * 0. If any was called, the score is 100 if at least one of them should be, otherwise 0. For a score of 0, the feedback
 * names the tools that should have been called, and those that should not. Not applicable without tools, or if the
 * request has no answer. After `tool_usage` of Eval Recipes.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. `evaluate` and `run` throw
 * `invalid_input` for data that they cannot read, `invalid_judge_output` if the model's second answer still does not
 * rate each tool once by its exact name, and the other errors of `createLLMAsJudge`; the message begins with the name
 * of the step.
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
  /** The range and pass mark of its scores: from 0 to 100; by default, 100 passes. */
  readonly scale: ScoreScale;
  readonly #config: JsonOf<ToolUsageConfig>;
  readonly #thresholds: readonly string[];
  readonly #judge: OpenJudge;

  constructor(config: ToolUsageEvaluatorConfig = {}) {
    const options = checkOptions("ToolUsageEvaluator", config, OPTIONS);
    this.scale = withPassMark(PERCENTAGE, options);
    const thresholds = options.toolThresholds ?? {};
    this.#thresholds = Object.keys(thresholds);
    this.#config = jsonOf({
      toolThresholds: Object.entries(thresholds),
      toolEvaluations: crossing(TOOL_EVALUATIONS),
    });
    this.#judge = judgeFor(options);
    withAccessOf(this, [this.#judge]);
  }

  /**
   * Evaluates the calls since the last user message. `metadata.unlistedCalls` names the called tools that are not among
   * `tools`, and `metadata.unusedThresholds` the names in `toolThresholds` that are not. Neither affects the score.
   */
  async evaluate(
    messages: readonly RecipeMessage[],
    tools: readonly RecipeTool[] = [],
  ): Promise<EvaluationOutput> {
    return typedWork(this.evalName, async () => {
      const engine = await scoresEngine.load();
      const conversation = new Conversation(messages);
      const called = calledTools(conversation);
      const described = describeTools(tools);
      if (tools.length && !conversation.isAnswered) return toOutput(this.evalName, NOT_APPLICABLE);
      const output = toOutput(
        this.evalName,
        await this.run({
          tools: described.map((tool) => ({ ...tool, wasCalled: called.has(tool.toolName) })),
          // Without the calls, which the model must not see.
          conversationHistoryFull: conversation.history(engine, { until: conversation.untilLastTurn }),
        }),
      );
      for (const { toolName } of described) called.delete(toolName);
      if (called.size) output.metadata.unlistedCalls = [...called];
      const unused = this.#thresholds.filter((name) => !described.some(({ toolName }) => toolName === name));
      if (unused.length) output.metadata.unusedThresholds = unused;
      return output;
    });
  }

  /** Evaluates calls and a conversation given as text. */
  async run(input: ToolUsageInput): Promise<ToolUsageResult> {
    return typedWork(this.evalName, async () => {
      const { conversationHistoryFull, tools } = textsIn(input, ["conversationHistoryFull"]);
      if (!Array.isArray(tools)) throw invalidInput("tools has to be a list");
      const read = tools.map((tool, index) => readTool(tool, `tools[${index}]`));
      rejectDuplicates(read);
      const texts = jsonOf({ tools: read, conversationHistoryFull });
      return runRecipe(this.evalName, texts, [this.#judge], (engine, model) =>
        engine.keep(bindings.ToolUsage, this.#config).run(model, texts),
      );
    });
  }
}

const OPTIONS: OptionChecks<ToolUsageEvaluatorConfig> = {
  toolThresholds: check("an object of numbers from 0 to 100, by the names of tools", (thresholds) => {
    return isRecord(thresholds) && Object.values(thresholds).every(aPercentage.test);
  }),
  ...EVALUATOR_OPTIONS,
};

/** Rejects tools with the same name, whose calls and probabilities could not be told apart. */
function rejectDuplicates(tools: readonly ToolUsageTool[]): void {
  const names = new Set<string>();
  for (const [index, { toolName }] of tools.entries()) {
    if (names.has(toolName)) {
      throw invalidInput(`tools[${index}].toolName is ${show(toolName)}; tool names have to be unique`);
    }
    names.add(toolName);
  }
}

function readTool(tool: ToolUsageTool, path: string): ToolUsageTool {
  const { toolName, toolText, wasCalled, threshold } = tool ?? {};
  const texts = typeof toolName === "string" && typeof toolText === "string";
  const isThreshold = threshold === undefined || aPercentage.test(threshold);
  if (texts && typeof wasCalled === "boolean" && isThreshold) {
    return { toolName, toolText, wasCalled, threshold };
  }
  throw invalidInput(
    `${path} is ${show(tool)}; it has to be { toolName, toolText, wasCalled, threshold }: two strings, a boolean, and ` +
      "optionally a number from 0 to 100",
  );
}
