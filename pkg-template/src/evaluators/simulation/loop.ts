/** Runs a simulated conversation, turn by turn. Loaded on first use. */

import { unlessAborted } from "../../core/abort.js";
import {
  inPlace,
  invalidConfig,
  invalidInput,
  OpenEvalsError,
  type OpenEvalsErrorDetails,
  typedReading,
} from "../../core/errors.js";
import { show } from "../../core/input/checks.js";
import { counted } from "../../core/input/counted.js";
import { referenceOf } from "../../core/input/params.js";
import { isScore } from "../../core/records/score.js";
import { traced } from "../../core/tracing/hook.js";
import { newId, readMessage, readMessages, readResponse } from "./messages.js";
import type {
  MultiturnSimulationParams,
  MultiturnSimulationResult,
  Said,
  SimulatedMessage,
} from "./types.js";

/** Implements `runMultiturnSimulation`. */
export async function simulate(params: MultiturnSimulationParams): Promise<MultiturnSimulationResult> {
  const app = traced("app", async (turnParams) => params.app(turnParams), { step: "" });
  const { maxTurns, stoppingCondition, trajectoryEvaluators = [], threadId = newId(), signal } = params;
  const referenceOutputs = typedReading("runMultiturnSimulation", () => referenceOf(params));
  const speak = typeof params.user === "function" ? params.user : fromList(params.user);
  const user = traced("simulated_user", async (turnParams) => speak(turnParams), { step: "" });
  const trajectory: SimulatedMessage[] = [];
  const ids = new Set<unknown>();
  const add = (message: SimulatedMessage): void => {
    if (!ids.has(message.id)) trajectory.push(message);
    ids.add(message.id);
  };
  let turn = 1;

  /** Calls a function of the user, which may never settle: the signal does not wait for it. */
  const called = async <T>(place: string, work: () => Promise<T>, details?: OpenEvalsErrorDetails) => {
    try {
      return await unlessAborted(signal as AbortSignal | undefined, work);
    } catch (cause) {
      if (!signal?.aborted) throw inPlace(place, cause, details && { cause, ...details });
      throw new OpenEvalsError("aborted", `${place}: the signal was aborted.`, { cause, ...details });
    }
  };
  const step = <T>(name: string, work: () => Promise<T>) =>
    called(`Turn ${turn}, ${name}`, work, { trajectory });

  for (; ; turn++) {
    const inputs = await step("user", async () => {
      const message = await user({ trajectory: [...trajectory], turnCounter: turn - 1, threadId });
      return readMessage(message, "what it returned");
    });
    add(inputs);
    const answer = await step("app", async () => {
      const messages = readMessages(await app({ inputs: { ...inputs }, threadId }), "what it returned");
      if (messages.length) return messages;
      throw invalidInput("it returned no message");
    });
    answer.forEach(add);
    const isOver = await step("stoppingCondition", async () => {
      const answer: unknown = await stoppingCondition?.({
        trajectory: [...trajectory],
        turnCounter: turn,
        threadId,
      });
      if (typeof (answer ?? false) === "boolean") return answer;
      throw invalidInput(`it returned ${show(answer)}; it has to return true or false`);
    });
    if (isOver || turn === maxTurns) break;
  }

  const settled = await Promise.allSettled(
    trajectoryEvaluators.map((evaluate, index) =>
      called(`trajectoryEvaluators[${index}]`, async () => {
        const results = [await evaluate({ outputs: [...trajectory], referenceOutputs })].flat();
        for (const result of results) checkResult(result);
        return results;
      }),
    ),
  );
  return {
    trajectory,
    evaluatorResults: settled.flatMap((outcome) => (outcome.status === "fulfilled" ? outcome.value : [])),
    evaluatorErrors: settled.flatMap((outcome, evaluator) =>
      outcome.status === "rejected" ? [{ evaluator, error: outcome.reason as OpenEvalsError }] : [],
    ),
  };
}

/** Rejects invalid results. An object without `key` and `score` is the answer of a judge to an `outputSchema`. */
function checkResult(result: any): void {
  const invalid = (problem: string) => invalidInput(`it returned ${problem}`);
  if (typeof result !== "object" || !result) throw invalid("no result; a result is { key, score }.");
  const { key, score, value, applicable } = result;
  if (!("key" in result || "score" in result)) return;
  const isMeasured = score !== undefined || value !== undefined || applicable === false;
  if (typeof key === "string" && isScore(score) && isMeasured) return;
  throw invalid(`${show(result)}; a result has a key, a text, and a score: true, false or a finite number.`);
}

/** Makes a user from a list of messages, one for each turn. */
const fromList =
  (responses: readonly (string | Said)[]) =>
  ({ turnCounter }: { turnCounter: number }): SimulatedMessage => {
    if (turnCounter < responses.length) return readResponse(responses[turnCounter], `user[${turnCounter}]`);
    const problem = `the list has ${counted(responses.length, "response")}; pass one for each turn.`;
    throw invalidConfig(problem);
  };
