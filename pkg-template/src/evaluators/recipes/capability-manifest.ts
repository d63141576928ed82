import { jsonOf } from "../../core/engine/crossing.js";
import {
  anything,
  aString,
  check,
  checkOptions,
  checkValue,
  type OptionChecks,
} from "../../core/input/checks.js";
import type { PassOptions } from "../../core/passing.js";
import type { DescribedTool, Manifest } from "../../openevals.types.js";
import * as bindings from "../../openevals-judges.js";
import type { OpenJudge } from "../judge/model.js";
import { MODEL_OPTIONS } from "./checks.js";
import { judgeFor } from "./models.js";
import { CAPABILITY_MANIFEST } from "./questions/guidance/capability-manifest.js";
import { crossing } from "./questions/question.js";
import { runRecipe } from "./run.js";
import { describeTools } from "./tools.js";
import type { BaseEvaluatorConfig, RecipeTool } from "./types.js";

/** The options of {@link generateCapabilityManifest}. */
export interface CapabilityManifestOptions extends Omit<BaseEvaluatorConfig, keyof PassOptions> {
  /** The system message of the assistant. */
  systemPrompt: string;
  /** Its tools; none by default. */
  tools?: readonly RecipeTool[] | undefined;
}

/**
 * Generates a capability manifest for {@link GuidanceEvaluator}: what an assistant can and cannot do, as Markdown. Read
 * it before you rely on it.
 *
 * @throws {@link OpenEvalsError} `invalid_config` and `invalid_input` for options that cannot work, `refused` if the
 * model declines, `invalid_judge_output` if both its answers are empty or one is cut off, and the other errors of
 * `createLLMAsJudge`.
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
  const read = checkOptions("generateCapabilityManifest", options, OPTIONS);
  checkValue("systemPrompt", read.systemPrompt ?? null, OPTIONS.systemPrompt);
  const { systemPrompt, tools = [] } = read;
  return (await writeManifest(systemPrompt, describeTools(tools), judgeFor(read))).capabilityManifest;
}

const OPTIONS: OptionChecks<CapabilityManifestOptions> = {
  systemPrompt: check("a text", aString.test),
  // `describeTools` checks them.
  tools: anything,
  ...MODEL_OPTIONS,
};

/**
 * Generates the capability manifest; the result also has the token usage.
 *
 * @internal
 */
export function writeManifest(
  systemPrompt: string,
  tools: DescribedTool[],
  judge: OpenJudge,
): Promise<Manifest> {
  const question = jsonOf(crossing(CAPABILITY_MANIFEST));
  const assistant = jsonOf({ systemPrompt, tools });
  return runRecipe("capability_manifest", assistant, [judge], (engine, model) =>
    engine.keep(bindings.CapabilityManifest, question).run(model, assistant),
  );
}
