/** Makes scorers for Mastra. */

import { aFlag, aFunction, checkOptions, readable, required } from "../../core/input/checks.js";
import { PASS_OPTIONS, type PassOptions } from "../../core/passing.js";
import { conversationOf, isAgentRun, lastTextOf } from "./mastra-messages.js";
import { type Score, toAutoevals } from "./scorers.js";
import { type AnyEvaluator, readEvaluator } from "./scoring.js";

/** The options of {@link toMastraScorer}. */
export interface ToMastraOptions<Create> extends PassOptions {
  /** `createScorer` of `@mastra/core/evals`. */
  createScorer: Create;
  /** For runs of agents: passes the conversation as `outputs`, with calls and results, instead of the text of the answer. */
  trajectory?: boolean | undefined;
}

/** The argument of a scorer's steps. */
interface Step {
  run: { input?: unknown; output?: unknown; groundTruth?: unknown };
  results: { preprocessStepResult: Score };
}

/**
 * Makes a scorer of Mastra from an evaluator.
 *
 * `input`, `output` and `groundTruth` of the run become `inputs`, `outputs` and `referenceOutputs`. For the run of an
 * agent, these are the texts of the last question and of the answer; `trajectory: true` passes the conversation instead of the
 * answer. Scores are converted as for {@link toAutoevals}, and the comment becomes the reason.
 *
 * @returns The result of `createScorer`, for `scorers` of agents, workflows and `runEvals`. If the evaluator does not
 * apply, the run of the scorer fails, since Mastra has no missing scores.
 * @throws {@link OpenEvalsError} as {@link toAutoevals} does.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { toMastraScorer } from "openevals-wasm/interop";
 *
 * // In your code: import { createScorer } from "@mastra/core/evals";
 * declare const createScorer: (config: { id: string; name: string; description: string }) => any;
 * export const exact = () => toMastraScorer(exactMatch, { createScorer });
 * ```
 */
export function toMastraScorer<Create extends (config: any) => any>(
  evaluator: AnyEvaluator,
  options: ToMastraOptions<Create>,
): ReturnType<Create> {
  const checks = { ...PASS_OPTIONS, createScorer: required(aFunction), trajectory: aFlag };
  const { createScorer, trajectory = false, ...marks } = checkOptions("toMastraScorer", options, checks);
  const { name } = readable("toMastraScorer", () => readEvaluator("toMastraScorer", evaluator));
  const scorer = toAutoevals(evaluator, { ...marks, missing: "error" });
  const scored = ({ results }: Step) => results.preprocessStepResult;
  return createScorer({ id: name, name, description: `${name} of openevals-wasm` })
    .preprocess(({ run }: Step) => scorer({ ...argsOf(run, trajectory), expected: run.groundTruth }))
    .generateScore((step: Step) => scored(step).score)
    .generateReason((step: Step) => String(scored(step).metadata?.rationale ?? ""));
}

function argsOf(run: Step["run"], trajectory: boolean): { input: unknown; output: unknown } {
  if (!isAgentRun(run)) return { input: run.input, output: run.output };
  const messages = conversationOf(run);
  const output = trajectory ? messages : lastTextOf(messages, "assistant");
  return { input: lastTextOf(messages, "user"), output };
}
