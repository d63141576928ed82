import { withStop } from "./full-stop.js";
import type { Signal } from "./platform/globals.js";
import type { ComparativeExperiment, PairwiseScore } from "./records/comparative.js";
import type { Experiment } from "./records/types.js";
import type { FailureMetadata } from "./records/usage.js";
import type { ChatCompletionMessage } from "./types.js";

/**
 * The kind of failure of an {@link OpenEvalsError}:
 *
 * - `invalid_config`: an invalid option, found when the evaluator is created;
 * - `invalid_input`: data that cannot be scored;
 * - `missing_variable`: the prompt names a variable that was not passed;
 * - `provider_error`: the model's endpoint could not be reached, or answered with an error;
 * - `rate_limited`: the endpoint still answered 429 after the last attempt;
 * - `timeout`: no answer within the time allowed;
 * - `aborted`: the caller's `AbortSignal` fired;
 * - `budget_exceeded`: an experiment has used up its `maxCost`, `maxTokens` or `maxDurationMs`;
 * - `refused`: the model declined to judge;
 * - `invalid_judge_output`: the model's answer does not fit the schema, or is empty;
 * - `callback_failed`: your function threw, see `cause`;
 * - `tool_failed`: something outside of the package failed, such as a compiler, a sandbox, a worker, a disk, Redis or an MCP server;
 * - `cache_miss`: answers of a judge or results of tools are replayed, and this one was not recorded;
 * - `model_unavailable`: the model does not exist here, such as the browser's built-in model;
 * - `model_downloading`: the model has to be downloaded first;
 * - `load_failed`: the WebAssembly engine, or a file of this package that is loaded on first use, could not be loaded; the
 *   next call tries again;
 * - `engine_failed`: the engine failed in this call, or in another one at the same time, for example because memory
 *   ran out; the next call gets a new engine.
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

/** The details of a failure. */
export interface OpenEvalsErrorDetails {
  /** The underlying error. */
  cause?: unknown;
  /** The HTTP status that the endpoint answered with. */
  status?: number;
  /** The endpoint's own id for the request, to quote to its support. */
  requestId?: string;
  /** How many requests were sent. */
  attempts?: number;
  /** The model's answer, if it caused the failure. */
  raw?: string;
  /** The model and the tokens of the answers until the failure, as in the metadata of a judge's result. */
  metadata?: FailureMetadata;
  /** The messages of a simulation until it failed. */
  trajectory?: ChatCompletionMessage[];
  /** The finished part of an experiment that failed. */
  experiment?: Experiment;
  /** The finished part of a comparative experiment that failed. */
  comparative?: ComparativeExperiment;
  /** The finished comparisons of a tournament that failed. */
  comparisons?: PairwiseScore[];
}

/** Marks the instances of all copies of the class. */
const BRAND = Symbol.for("openevals-wasm.error");

/**
 * The error that this package throws. A failure is never a score: an evaluator that cannot score throws this.
 *
 * All entry points share the class. A process that both imports and requires the package, or has two versions of it,
 * has two copies of the class; `instanceof` and {@link OpenEvalsError.isInstance} recognise the errors of all copies.
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
   * Set explicitly, because bundlers shorten names, and logs show the name of the class.
   *
   * @internal
   */
  static override readonly name: string = "OpenEvalsError";
  override readonly name = "OpenEvalsError";
  /** The kind of failure. */
  readonly code: OpenEvalsErrorCode;
  /** The HTTP status that the endpoint answered with. */
  declare readonly status?: number;
  /** The endpoint's own id for the request, to quote to its support. */
  declare readonly requestId?: string;
  /** How many requests were sent. */
  declare readonly attempts?: number;
  /** The model's answer, if it caused the failure. */
  declare readonly raw?: string;
  /** The model and the tokens of the answers until the failure, as in the metadata of a judge's result. */
  declare readonly metadata?: FailureMetadata;
  /** The messages of a simulation until it failed. */
  declare readonly trajectory?: ChatCompletionMessage[];
  /** The finished part of an experiment that failed. */
  declare readonly experiment?: Experiment;
  /** The finished part of a comparative experiment that failed. */
  declare readonly comparative?: ComparativeExperiment;
  /** The finished comparisons of a tournament that failed. */
  declare readonly comparisons?: PairwiseScore[];

  constructor(code: OpenEvalsErrorCode, message: string, details: OpenEvalsErrorDetails = {}) {
    const { cause, ...rest } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    Object.assign(this, rest);
  }

  /** Whether a value is an error of this package, from any copy of it. */
  static isInstance(error: unknown): error is OpenEvalsError {
    return error instanceof Error && BRAND in error;
  }

  /**
   * Makes `instanceof` recognise errors of other copies. For a subclass, it works as usual.
   *
   * @internal
   */
  static override [Symbol.hasInstance](error: unknown): boolean {
    // Subclasses inherit this, but have their own instances.
    if (this === OpenEvalsError) return OpenEvalsError.isInstance(error);
    return Function.prototype[Symbol.hasInstance].call(this, error);
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** Adds the message, which `JSON.stringify` would omit. The `cause` is omitted, because it may be any value. */
  toJSON(): object {
    return { ...this, message: this.message };
  }
}

/** A copy of the error with another message. Several callers may have the original. */
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
  if (error instanceof Error || !Object(error).code) return error;
  const { code, message, ...details } = error as { code: OpenEvalsErrorCode; message: string };
  return new OpenEvalsError(code, message, { ...details, cause });
}

/**
 * The error of a model in the engine. If the model is a function that threw an error of this package, returns that
 * error.
 */
export function fromModel(error: unknown): unknown {
  const { cause, metadata } = error as OpenEvalsErrorDetails;
  if (!isOurs(cause)) return fromEngine(error, cause);
  return metadata ? reworded(cause, cause.message, { metadata }) : cause;
}

/** The error for a value that was thrown in a named place. */
export function inPlace(place: string, thrown: unknown, more?: OpenEvalsErrorDetails): OpenEvalsError {
  if (isOurs(thrown)) return reworded(thrown, `${place}: ${thrown.message}`, more);
  return callbackFailed(place, thrown, more);
}

/** The error for a value that the caller's function threw. */
export function callbackFailed(name: string, thrown: unknown, more?: OpenEvalsErrorDetails): OpenEvalsError {
  const message = `${name} failed: ${reasonOf(thrown)}`;
  return new OpenEvalsError("callback_failed", message, { cause: thrown, ...more });
}

/** Whether an error is of this package. The value may be anything, such as a proxy that throws. */
export function isOurs(thrown: unknown): thrown is OpenEvalsError {
  try {
    return thrown instanceof OpenEvalsError;
  } catch {
    return false;
  }
}

/** Whether a thrown value says that this signal has fired. */
export const isAborted = (thrown: unknown, signal: Signal | undefined): thrown is OpenEvalsError =>
  isOurs(thrown) && thrown.code === "aborted" && signal?.aborted === true;

/** The message of a thrown value, which may be anything. */
export function reasonOf(thrown: unknown): string {
  try {
    return String((thrown as Error | undefined)?.message ?? thrown);
  } catch {
    return "it cannot be shown";
  }
}

/** Converts any error to one of this package. Other errors come from reading the evaluator's arguments. */
export const typed = (evaluator: string, thrown: unknown): OpenEvalsError =>
  isOurs(thrown) ? thrown : unreadable(`The arguments of ${evaluator}`, thrown);

/** The error for what a getter, a `toJSON` or a proxy threw, or for a stack overflow. */
export const unreadable = (
  what: string,
  thrown: unknown,
  code: OpenEvalsErrorCode = "invalid_input",
): OpenEvalsError =>
  new OpenEvalsError(code, `${what} cannot be read: ${reasonOf(thrown)}`, { cause: thrown });

/** Whether a thrown value is an error. Guards `instanceof`, which throws for a revoked proxy. */
export function isError(thrown: unknown): boolean {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

/** The error of invalid options. The message gets a full stop if it has none. */
export const invalidConfig = (problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_config", withStop(problem));

/** The error of invalid data. The message gets a full stop if it has none. */
export const invalidInput = (problem: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", withStop(problem));

/** Reads the arguments of `caller`. If that throws, as a getter may, throws an {@link OpenEvalsError}. */
export function typedReading<T>(caller: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    throw typed(caller, thrown);
  }
}

/** The asynchronous form of {@link typedReading}. */
export async function typedWork<T>(caller: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw typed(caller, thrown);
  }
}
