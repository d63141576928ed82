/** Simulates a conversation between an application and a user. */

import { invalidConfig } from "../../core/errors.js";
import {
  aFunction,
  anything,
  aSignal,
  check,
  checkOptions,
  checkValue,
  type OptionChecks,
  wholeFrom,
} from "../../core/input/checks.js";
import { onUse } from "../../core/platform/on-use.js";
import { traced } from "../../core/tracing/hook.js";
import { checkResponses } from "./messages.js";
import type { MultiturnSimulationParams, MultiturnSimulationResult } from "./types.js";

export type { MultiturnSimulationParams, MultiturnSimulationResult, Said } from "./types.js";

const isFunction = (value: unknown): boolean => typeof value === "function";

const OPTIONS: OptionChecks<MultiturnSimulationParams> = {
  app: anything,
  user: anything,
  maxTurns: wholeFrom(1),
  stoppingCondition: aFunction,
  trajectoryEvaluators: check("a list of functions", (list) => Array.isArray(list) && list.every(isFunction)),
  referenceOutputs: anything,
  reference_outputs: anything,
  threadId: anything,
  signal: aSignal,
};

/**
 * Simulates a conversation between an application and a user, and scores it.
 *
 * The user speaks first. Messages may be in OpenAI's or LangChain's format. A message without an `id` gets one; of
 * several with the same `id`, only the first counts, so an application may return its whole history if its messages
 * have ids. The arguments are not modified.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, or a list of responses that is too
 * short; `callback_failed`, with the `cause`, if the application, the user or the condition throws (an {@link
 * OpenEvalsError} keeps its code); `invalid_input` for a value that is not a message; `aborted`. The message names the
 * turn, counted from 1, and the error has the `trajectory` so far. An evaluator that fails does not reject: see
 * `evaluatorErrors`.
 *
 * @example
 * ```ts
 * import { runMultiturnSimulation } from "openevals-wasm";
 *
 * const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
 *   app: async ({ inputs }) => ({ role: "assistant", content: `You said: ${inputs.content}` }),
 *   user: ["Hello!", "Goodbye!"],
 *   maxTurns: 2,
 *   trajectoryEvaluators: [({ outputs }) => ({ key: "turns", score: outputs.length / 2 })],
 * });
 * console.log(trajectory.length, evaluatorResults, evaluatorErrors); // 4 [ { key: 'turns', score: 2 } ] []
 * ```
 */
export async function runMultiturnSimulation(
  params: MultiturnSimulationParams,
): Promise<MultiturnSimulationResult> {
  checkParams(params);
  const { simulate } = await onUse("The simulation", () => import("./loop.js"));
  return traced("multiturn_simulation", simulate, { step: "" })(params);
}

function checkParams(params: MultiturnSimulationParams): void {
  const { app, user, maxTurns, stoppingCondition } = checkOptions("runMultiturnSimulation", params, OPTIONS);
  checkValue("app", app ?? null, aFunction);
  if (!isFunction(user)) checkResponses("user", user ?? null, "a function, or ");
  if (maxTurns === undefined && stoppingCondition === undefined) {
    throw invalidConfig("A simulation needs maxTurns or a stoppingCondition");
  }
}
