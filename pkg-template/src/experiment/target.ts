/** The application that is evaluated. */

import { OpenEvalsError } from "../errors.js";
import type { Signal } from "../runtime/globals.js";
import type { ReadRow } from "./data/types.js";
import type { Answered } from "./evaluators/evaluators.js";
import { failureOf, toPlain } from "./plain.js";
import type { Failure, Run } from "./types.js";
import { uuid } from "./uuid.js";

/** What a target gets besides the inputs. */
export interface TargetConfig {
  /** The `signal` of the experiment. */
  signal?: Signal;
  /** The `attachments` of the row. */
  attachments?: any;
}

/**
 * The application: a function of the inputs, or anything with `invoke`, such as a chain or a graph of LangChain. The
 * second argument is only passed if there is something in it.
 */
export type Target =
  | ((inputs: any, config?: any) => unknown)
  | { invoke(inputs: any, config?: any): unknown };

/** A run: as evaluators get it, with the outputs as they were returned, and as it is recorded. */
export interface Answer extends Answered {
  recorded: Run;
}

/** Asks the target for the outputs of one row. What it throws becomes the `error` of the run. */
export async function answer(
  target: Target | undefined,
  { given, outputs: before }: ReadRow,
  repetition: number,
  signal: Signal | undefined,
): Promise<Answer> {
  const startTime = Date.now();
  const started = performance.now();
  const { inputs, attachments } = given;
  let outputs: unknown;
  let plain: unknown;
  let error: Failure | undefined;
  try {
    outputs = target ? await call(target, inputs, configOf(signal, attachments)) : recorded(before);
    plain = toPlain(outputs, "outputs");
  } catch (thrown) {
    error = failureOf(thrown);
  }
  const durationMs = target ? Math.round((performance.now() - started) * 1000) / 1000 : 0;
  const id = uuid();
  if (error) {
    const run = { id, startTime, durationMs, repetition, error };
    return { example: given, run, recorded: run };
  }
  return {
    example: given,
    run: { id, startTime, durationMs, repetition, outputs },
    recorded:
      plain === undefined
        ? { id, startTime, durationMs, repetition }
        : { id, startTime, durationMs, repetition, outputs: plain },
  };
}

function call(target: Target, inputs: unknown, config: TargetConfig | undefined): unknown {
  if (typeof target === "function") return config ? target(inputs, config) : target(inputs);
  return config ? target.invoke(inputs, config) : target.invoke(inputs);
}

function configOf(signal: Signal | undefined, attachments: unknown): TargetConfig | undefined {
  if (!signal && attachments === undefined) return undefined;
  return {
    ...(signal ? { signal } : undefined),
    ...(attachments === undefined ? undefined : { attachments }),
  };
}

function recorded(outputs: unknown): unknown {
  if (outputs !== undefined && outputs !== null) return outputs;
  throw new OpenEvalsError(
    "invalid_input",
    "The row has no outputs. Without a target, they are what was answered, and are compared with referenceOutputs.",
  );
}
