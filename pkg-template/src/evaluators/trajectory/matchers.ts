/**
 * Calls the functions among the rules for individual tools, and makes the results of F1. Loaded with the first comparison that
 * needs either.
 */

import type { Engine } from "../../core/engine/engine.js";
import { callbackFailed, OpenEvalsError } from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import type { ToolArgsMatcher } from "../../core/types.js";
import type { ToolCall } from "../../models/conversation/calls.js";
import type { TrajectoryComparison } from "../../openevals.js";
import type { TrajectoryOverlap } from "../../openevals.types.js";
import type { Matchers, nameOf } from "./overrides.js";
import type { ComparedStep, ComparedSteps } from "./steps.js";

export { overlapResult } from "./f1.js";

/**
 * Runs a comparison whose questions the matchers answer.
 *
 * @param name `nameOf`, a parameter because importing it here would enlarge bundles of the evaluator.
 */
export function runComparison(
  engine: Engine,
  task: string,
  size: number,
  compare: () => TrajectoryComparison,
  matchers: Matchers,
  name: typeof nameOf,
  { outputs, referenceOutputs }: ComparedSteps,
): Promise<TrajectoryOverlap | string | null> {
  const ask = customMatcher(matchers, name, outputs, referenceOutputs);
  return engine.wait(task, size, (own) => {
    const comparison = own(compare());
    return answerQuestions(comparison, (work) => engine.run(task, 0, work), ask);
  });
}

async function answerQuestions(
  comparison: TrajectoryComparison,
  inEngine: <T>(work: () => T) => T,
  ask: AskMatcher,
): Promise<TrajectoryOverlap | string | null> {
  const resume = (isMatch: boolean) =>
    inEngine(() => ({
      found: comparison.resume(isMatch),
      output: comparison.output,
      reference: comparison.reference,
    }));
  // Resume only after this function has returned its promise: if the engine failed before, the rejection would be unhandled.
  await undefined;
  let { found, output, reference } = resume(false);
  while (found === undefined) {
    const answer = ask(output, reference);
    // Most matchers answer at once, and there may be millions of questions.
    const isMatch = typeof answer === "object" ? await answer : answer;
    ({ found, output, reference } = resume(isMatch));
  }
  return found;
}

/**
 * Returns whether two calls match, or a promise of it. The calls are given by their numbers in the trajectories. Fails with
 * `callback_failed` if a matcher throws.
 */
type AskMatcher = (output: number, reference: number) => boolean | Promise<boolean>;

/** Makes the function that answers the questions of the engine. */
function customMatcher(
  matchers: Matchers,
  name: typeof nameOf,
  outputs: readonly ComparedStep[],
  referenceOutputs: readonly ComparedStep[],
): AskMatcher {
  const outputCalls = outputs.flatMap(({ calls }) => calls);
  // Parsed once, since the engine may ask about a call many times.
  const outputArguments = outputCalls.map(argumentsOf);
  const referenceArguments = referenceOutputs.flatMap(({ calls }) => calls).map(argumentsOf);
  return (output, reference) => {
    const tool = outputCalls[output]?.name as string;
    const fail = (thrown: unknown): never => {
      throw callbackFailed(name(tool), thrown);
    };
    const matcher = matchers.get(tool) as ToolArgsMatcher;
    const checkAnswer = (answer: unknown): boolean => {
      if (typeof answer === "boolean") return answer;
      throw new OpenEvalsError(
        "callback_failed",
        `${name(tool)} returned ${show(answer)}; it has to return true or false.`,
      );
    };
    let answer: unknown;
    try {
      answer = matcher(
        outputArguments[output] as Record<string, unknown>,
        referenceArguments[reference] as Record<string, unknown>,
      );
    } catch (error) {
      return fail(error);
    }
    return typeof answer === "object" && answer !== null
      ? Promise.resolve(answer).catch(fail).then(checkAnswer)
      : checkAnswer(answer);
  };
}

/** The arguments of a call for a custom matcher. */
function argumentsOf({ args, isText }: ToolCall): Record<string, unknown> {
  if (typeof args !== "string" || isText) return (args ?? {}) as Record<string, unknown>;
  // The engine does not call a matcher for arguments that are not JSON.
  try {
    return args.trim() === "" ? {} : (JSON.parse(args) ?? {});
  } catch {
    return {};
  }
}
