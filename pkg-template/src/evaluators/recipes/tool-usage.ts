import { jsonOf } from "../../core/engine/crossing.js";
import { scoresEngine } from "../../core/engine/scores.js";
import { OpenEvalsError, typedWork } from "../../core/errors.js";
import { type Checks, check, checkOptions, show } from "../../core/input/checks.js";
import { type ScoreScale, withPassMark } from "../../core/scale.js";
import { PERCENTAGE } from "../../core/scales.js";
import { withAccessOf } from "../../models/chat/check-access.js";
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
import { NOTHING, toOutput } from "./results.js";
import { runRecipe } from "./run.js";
import { calledTools, describeTools } from "./tools.js";
import type { BaseEvaluatorConfig, EvaluationOutput, RecipeMessage, RecipeTool } from "./types.js";

/** The options of {@link ToolUsageEvaluator}. */
export interface ToolUsageEvaluatorConfig extends BaseEvaluatorConfig {
  /**
   * By the name of a tool, the probability, from 0 to 100, from which on it should be called; 50 by default. Names of
   * tools that an evaluation does not have are without effect; its `metadata.unusedThresholds` has them.
   */
  toolThresholds?: Readonly<Record<string, number>> | undefined;
}

/**
 * Whether an assistant calls the tools that it should.
 *
 * A model tells how likely each tool should be called, without seeing which were. From its threshold on, a tool should be.
 * If no tool was called, the score is 100 if none should be, and 0 otherwise. If any was called, the score is 100 if at
 * least one of them should be, and 0 otherwise. At 0, the feedback names the tools that should have been called, and
 * those that should not. Not applicable without tools, or if nobody has answered the request. An answer of the model
 * that does not evaluate each tool once, by its very name, is asked for again, and then `invalid_judge_output`. After `tool_usage` of Eval Recipes.
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
  /** What its scores mean: from 0 to 100, where 100 passes unless `passAt` says otherwise. */
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
   * Evaluates the calls since the last message of the user. `metadata.unlistedCalls` names those of tools that are not
   * among `tools`, and `metadata.unusedThresholds` the names in `toolThresholds` that are not; nothing else comes of them.
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
      if (tools.length && !conversation.isAnswered) return toOutput(this.evalName, NOTHING);
      const output = toOutput(
        this.evalName,
        await this.run({
          tools: described.map((tool) => ({ ...tool, wasCalled: called.has(tool.toolName) })),
          // The model does not get to see the calls.
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

  /** Evaluates calls and a conversation that you have as texts. */
  async run(input: ToolUsageInput): Promise<ToolUsageResult> {
    return typedWork(this.evalName, async () => {
      const { conversationHistoryFull, tools } = textsIn(input, ["conversationHistoryFull"]);
      if (!Array.isArray(tools)) throw new OpenEvalsError("invalid_input", "tools has to be a list.");
      const read = tools.map((tool, index) => readTool(tool, `tools[${index}]`));
      refuseDoubles(read);
      const texts = jsonOf({ tools: read, conversationHistoryFull });
      return runRecipe(this.evalName, texts, [this.#judge], (engine, model) =>
        engine.keep(bindings.ToolUsage, this.#config).run(model, texts),
      );
    });
  }
}

const OPTIONS: Checks<ToolUsageEvaluatorConfig> = {
  toolThresholds: check("an object of numbers from 0 to 100, by the names of tools", (thresholds) => {
    const isObject = typeof thresholds === "object" && thresholds !== null && !Array.isArray(thresholds);
    return isObject && Object.values(thresholds).every(aPercentage.test);
  }),
  ...EVALUATOR_OPTIONS,
};

/** Which of two tools of one name was called, and how likely each should be, nobody can say. */
function refuseDoubles(tools: readonly ToolUsageTool[]): void {
  const names = new Set<string>();
  for (const [index, { toolName }] of tools.entries()) {
    if (names.has(toolName)) {
      throw new OpenEvalsError(
        "invalid_input",
        `tools[${index}].toolName is ${show(toolName)}; it has to be a name that no other tool has.`,
      );
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
  throw new OpenEvalsError(
    "invalid_input",
    `${path} is ${show(tool)}; it has to be { toolName, toolText, wasCalled, threshold }: two texts, true or false, and ` +
      "possibly a number from 0 to 100.",
  );
}
