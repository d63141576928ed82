import { invalidConfig, isOurs, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import { checkedParams } from "../../../core/input/checked-params.js";
import { readable } from "../../../core/input/checks.js";
import { scaleOf } from "../../../core/passing.js";
import { withMetadata } from "../../../evaluators/calls/answers.js";
import type { EvaluatorFunction } from "../../../evaluators/calls/row-evaluators.js";
import { parent, type WorkerFailure, type WorkerOutcome } from "./channel.js";

/**
 * Offers evaluators to the process that started this worker: see {@link startEvaluatorWorkers}. Call it once, in the module of
 * the worker.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for values that are not functions, and outside of a worker.
 *
 * @example
 * ```ts
 * import { serveEvaluators } from "openevals-wasm/evaluation";
 * import { createTerEvaluator } from "openevals-wasm/text";
 *
 * // Called when the module of the worker is loaded.
 * export const begin = () => serveEvaluators({ ter: createTerEvaluator() });
 * ```
 */
export function serveEvaluators(evaluators: Readonly<Record<string, EvaluatorFunction>>): void {
  const names = readable("serveEvaluators", () => {
    const all = Object.keys(evaluators);
    return all.every((name) => typeof evaluators[name] === "function") ? all : [];
  });
  if (!names.length)
    throw invalidConfig("serveEvaluators needs an object of evaluators by name, which are functions");
  const channel = parent();
  if (!channel)
    throw invalidConfig("serveEvaluators works only in a worker. Call it in the module of the worker");
  channel.onCall(async ({ openevals, evaluator, params }) => {
    const answer = await answerOf(evaluators[evaluator] as EvaluatorFunction, params);
    try {
      channel.post({ openevals, ...answer });
    } catch (thrown) {
      const message = `The result of ${evaluator} cannot be sent from its worker: ${withStop(reasonOf(thrown))}`;
      channel.post({ openevals, failure: failureOf(new OpenEvalsError("tool_failed", message)) });
    }
  });
  const scales = names.map((name) => scaleOf(evaluators[name]));
  channel.post({ openevals: 0, evaluators: names, scales });
}

async function answerOf(evaluator: EvaluatorFunction, params: any): Promise<WorkerOutcome> {
  try {
    return { result: withMetadata(await evaluator(checkedParams(params))) };
  } catch (thrown) {
    return { failure: failureOf(thrown) };
  }
}

/** An error as plain data. */
function failureOf(thrown: unknown): WorkerFailure {
  const name = thrown instanceof Error ? thrown.name : "Error";
  if (!isOurs(thrown)) return { name, message: reasonOf(thrown) };
  const { code, status, requestId, attempts, raw, metadata } = thrown;
  const details = Object.entries({ status, requestId, attempts, raw, metadata }).filter(
    ([, value]) => value !== undefined,
  );
  return { name, message: thrown.message, details: { code, ...Object.fromEntries(details) } };
}

/** The error that plain data from a worker describes. */
export function thrownBy({ name, message, details }: WorkerFailure): Error {
  if (details) {
    const { code, ...more } = details;
    return new OpenEvalsError(code as OpenEvalsError["code"], message, more);
  }
  const error = new Error(message);
  error.name = name;
  return error;
}
