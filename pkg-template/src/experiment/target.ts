/** The application that is evaluated. */

import { OpenEvalsError } from "../errors.js";
import type { ReadRow } from "./data/data.js";
import type { Answered } from "./evaluators/evaluators.js";
import { failureOf, toPlain } from "./plain.js";
import type { Run } from "./types.js";
import { uuid } from "./uuid.js";

/** What a target gets besides the inputs. */
export interface TargetConfig {
  /** The `signal` of the experiment. */
  signal?: AbortSignal;
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
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const startTime = Date.now();
  const started = performance.now();
  const { inputs, attachments } = given;
  let found: { outputs?: unknown };
  let plain: Pick<Run, "outputs" | "error">;
  try {
    const outputs = target ? await call(target, inputs, configOf(signal, attachments)) : recorded(before);
    found = { outputs };
    plain = outputs === undefined ? {} : { outputs: toPlain(outputs, "outputs") };
  } catch (error) {
    found = {};
    plain = { error: failureOf(error) };
  }
  const durationMs = target ? Math.round((performance.now() - started) * 1000) / 1000 : 0;
  const run = { id: uuid(), startTime, durationMs, repetition };
  return { example: given, run: { ...run, ...plain, ...found }, recorded: { ...run, ...plain } };
}

function call(target: Target, inputs: unknown, config: TargetConfig | undefined): unknown {
  const args = config ? [inputs, config] : [inputs];
  return typeof target === "function"
    ? target(...(args as [unknown]))
    : target.invoke(...(args as [unknown]));
}

function configOf(signal: AbortSignal | undefined, attachments: unknown): TargetConfig | undefined {
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
