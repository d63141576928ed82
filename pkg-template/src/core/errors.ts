import type { Experiment } from "./records/types.js";
import type { ChatCompletionMessage } from "./types.js";

/**
 * What kind of failure an {@link OpenEvalsError} is:
 *
 * - `invalid_config`: an option that cannot work, found when the evaluator is made;
 * - `invalid_input`: data that cannot be scored;
 * - `missing_variable`: the prompt names a variable that was not passed;
 * - `provider_error`: the model's endpoint could not be reached, or answered with an error;
 * - `rate_limited`: the endpoint still answered 429 after the last attempt;
 * - `timeout`: no answer within the time allowed;
 * - `aborted`: the caller's `AbortSignal` fired;
 * - `budget_exceeded`: an experiment has used up its `maxCost`, `maxTokens` or `maxDurationMs`;
 * - `refused`: the model declined to judge;
 * - `invalid_judge_output`: the model answered with something that does not fit the schema, or with nothing at all;
 * - `callback_failed`: a function of the caller's threw, see `cause`;
 * - `tool_failed`: what an evaluator works with failed, such as a compiler or a sandbox;
 * - `cache_miss`: answers of a judge or results of tools are replayed, and this one was not recorded;
 * - `model_unavailable`: there is no model where one was looked for, such as one of the browser;
 * - `model_downloading`: there will be one when it has been downloaded;
 * - `load_failed`: the WebAssembly engine, or a file of this package that is loaded on first use, could not be loaded; the
 *   next call tries again;
 * - `engine_failed`: the engine broke down in this call, or in another one at the same time, for instance for want of
 *   memory; the next call gets a fresh one.
 */
export type OpenEvalsErrorCode =
  | "invalid_config"
  | "invalid_input"
  | "missing_variable"
  | "provider_error"
  | "rate_limited"
  | "timeout"
  | "aborted"
  | "budget_exceeded"
  | "refused"
  | "invalid_judge_output"
  | "callback_failed"
  | "tool_failed"
  | "cache_miss"
  | "model_unavailable"
  | "model_downloading"
  | "load_failed"
  | "engine_failed";

/** What is known about a failure besides its code and message. */
export interface OpenEvalsErrorDetails {
  /** What went wrong underneath. */
  cause?: unknown;
  /** The HTTP status that the endpoint answered with. */
  status?: number;
  /** The endpoint's own id for the request, to quote to its support. */
  requestId?: string;
  /** How many requests were sent. */
  attempts?: number;
  /** What the model answered, when that was the problem. */
  raw?: string;
  /** The messages of a simulation until it failed. */
  trajectory?: ChatCompletionMessage[];
  /** What was done of an experiment until it failed. */
  experiment?: Experiment;
}

/** Marks the instances of all copies of the class. */
const BRAND = Symbol.for("openevals-wasm.error");

/**
 * The one error of this package. A failure is never a score: whatever keeps an evaluator from scoring raises this.
 *
 * All entry points share the class; but a process that both imports and requires the package, or has it in two versions,
 * has the class twice. `instanceof` and {@link OpenEvalsError.isInstance} recognise the errors of all of them.
 *
 * @example
 * ```ts
 * import { exactMatch, OpenEvalsError } from "openevals-wasm";
 *
 * try {
 *   await exactMatch({ outputs: { id: 1n }, referenceOutputs: {} });
 * } catch (error) {
 *   if (error instanceof OpenEvalsError) console.log(error.code, error.message); // invalid_input outputs.id is …
 * }
 * ```
 */
export class OpenEvalsError extends Error {
  /**
   * Set explicitly: the code is minified, and logs show the name of the class.
   *
   * @internal
   */
  static override readonly name: string = "OpenEvalsError";
  override readonly name = "OpenEvalsError";
  /** What kind of failure it was. */
  readonly code: OpenEvalsErrorCode;
  /** The HTTP status that the endpoint answered with. */
  declare readonly status?: number;
  /** The endpoint's own id for the request, to quote to its support. */
  declare readonly requestId?: string;
  /** How many requests were sent. */
  declare readonly attempts?: number;
  /** What the model answered, when that was the problem. */
  declare readonly raw?: string;
  /** The messages of a simulation until it failed. */
  declare readonly trajectory?: ChatCompletionMessage[];
  /** What was done of an experiment until it failed. */
  declare readonly experiment?: Experiment;

  constructor(code: OpenEvalsErrorCode, message: string, details: OpenEvalsErrorDetails = {}) {
    const { cause, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, rest);
  }

  /** Whether something is an error of this package, whichever copy of it threw it. */
  static isInstance(error: unknown): error is OpenEvalsError {
    return error instanceof Error && BRAND in error;
  }

  /**
   * So that `instanceof` recognises errors of other copies, too; that of a subclass works as usual.
   *
   * @internal
   */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // Subclasses inherit this, and have instances of their own.
    if (this === OpenEvalsError) return OpenEvalsError.isInstance(error);
    return Function.prototype[Symbol.hasInstance].call(this, error);
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** What `JSON.stringify` writes, which would leave the message out. The `cause` is left out: it may hold anything. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** The error with another message: a new one, since several callers may have got the first. */
export function reworded(
  error: OpenEvalsError,
  message: string,
  more?: OpenEvalsErrorDetails,
): OpenEvalsError {
  const { name, code, cause, ...details } = error;
  return new OpenEvalsError(code, message, { ...details, cause, ...more });
}

/** A plain object that the engine threw as an {@link OpenEvalsError}; anything else unchanged. */
export function fromEngine(error: unknown, cause?: unknown): unknown {
  if (error instanceof Error || typeof error !== "object" || error === null || !("code" in error))
    return error;
  const { code, message, ...details } = error as { code: OpenEvalsErrorCode; message: string };
  return new OpenEvalsError(code, message, { ...details, cause });
}

/** The error of a model in the engine. If the model is a function that failed with an error of this package, it is that one. */
export function fromModel(error: unknown): unknown {
  const { cause } = error as { cause?: unknown };
  return isOurs(cause) ? cause : fromEngine(error, cause);
}

/** The error for something thrown in a named place. */
export function inPlace(place: string, thrown: unknown, more?: OpenEvalsErrorDetails): OpenEvalsError {
  if (isOurs(thrown)) return reworded(thrown, `${place}: ${thrown.message}`, more);
  return callbackFailed(place, thrown, more);
}

/** The error for something that a function of the caller's threw. */
export function callbackFailed(name: string, thrown: unknown, more?: OpenEvalsErrorDetails): OpenEvalsError {
  const message = `${name} failed: ${reasonOf(thrown)}`;
  return new OpenEvalsError("callback_failed", message, { cause: thrown, ...more });
}

/** Whether an error is of this package. What was thrown may be anything, such as a proxy that cannot be asked. */
export function isOurs(thrown: unknown): thrown is OpenEvalsError {
  try {
    return thrown instanceof OpenEvalsError;
  } catch {
    return false;
  }
}

/** The message of something that was thrown, which may be anything. */
export function reasonOf(thrown: unknown): string {
  try {
    return String((thrown as Error | undefined)?.message ?? thrown);
  } catch {
    return "it cannot be shown";
  }
}

/** Any error as one of this package. Other errors come from reading the arguments of the evaluator. */
export function typed(evaluator: string, thrown: unknown): OpenEvalsError {
  if (isOurs(thrown)) return thrown;
  const message = `What ${evaluator} was called with cannot be read: ${reasonOf(thrown)}`;
  return new OpenEvalsError("invalid_input", message, { cause: thrown });
}

/** Options that cannot work: what is wrong with them, without the full stop. */
export const invalidConfig = (problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_config", `${problem}.`);

/** Data that makes no sense: what is wrong with it, without the full stop. */
export const invalidInput = (problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${problem}.`);

/** Reads the arguments of `caller`. What cannot be read, such as a getter that throws, is an {@link OpenEvalsError}. */
export function typedReading<T>(caller: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw typed(caller, thrown);
  }
}

/** {@link typedReading} for asynchronous work. */
export async function typedWork<T>(caller: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw typed(caller, thrown);
  }
}
