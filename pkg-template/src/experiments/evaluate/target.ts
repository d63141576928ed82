/** The evaluated application. */

import { inPlace, invalidInput } from "../../core/errors.js";
import { ownCopy, readAtOnce } from "../../core/input/own-copy.js";
import { msSince } from "../../core/platform/elapsed.js";
import type { Signal } from "../../core/platform/globals.js";
import { uuid } from "../../core/platform/uuid.js";
import type { Example, Failure, Run } from "../../core/records/types.js";
import { failureOf, toPlain } from "../../evaluators/calls/plain.js";
import type { EvaluatedRow } from "../../evaluators/calls/row-evaluators.js";
import { ROW_HAS } from "../stored/no-outputs.js";
import type { ParsedRow } from "./data/types.js";
import { recordedFailure } from "./recorded-failure.js";

/** The second argument of a target. */
export interface TargetConfig {
  /** The `signal` of the experiment. */
  signal?: Signal;
  /** The `attachments` of the row. */
  attachments?: any;
  /** The values of the combination, by axis, if the experiment has a `matrix`. */
  matrix?: Readonly<Record<string, any>>;
}

/**
 * The application: a function of the inputs, or an object with `invoke`, such as a chain or a graph of LangChain. The second
 * argument is passed only if it is not empty.
 */
export type Target =
  | ((inputs: any, config?: any) => unknown)
  | { invoke(inputs: any, config?: any): unknown };

export const isTarget = (value: unknown): value is Target =>
  typeof value === "function" ||
  typeof (value as { invoke?: unknown } | null | undefined)?.invoke === "function";

/** A run with unchanged outputs for evaluators, and its record. */
export interface TargetRun extends EvaluatedRow {
  recorded: Run;
}

/** Calls the target for one row. Its error becomes the `error` of the run. */
export async function runTarget(
  target: Target,
  { given }: ParsedRow,
  repetition: number,
  signal: Signal | undefined,
): Promise<TargetRun> {
  const startTime = Date.now();
  const started = performance.now();
  const { inputs, attachments } = given;
  const id = uuid();
  try {
    const config = configOf(signal, ownCopy(attachments));
    const outputs = await readAtOnce(call(target, ownCopy(inputs), config), ownCopy);
    const plain = toPlain(outputs, "outputs");
    const run = { id, startTime, durationMs: msSince(started), repetition };
    return completedRun(given, run, outputs, plain);
  } catch (thrown) {
    const run = { id, startTime, durationMs: msSince(started), repetition };
    return failedRun(given, run, await recordedFailure(thrown));
  }
}

/** The run of a recorded answer, without a target. */
export function recordedAnswer({ given, outputs, unread }: ParsedRow, repetition: number): TargetRun {
  const run = { id: uuid(), startTime: Date.now(), durationMs: 0, repetition };
  if (outputs === undefined || outputs === null) {
    const names = unread?.[0] ? ` (${unread.join(", ")})` : "";
    return failedRun(
      given,
      run,
      failureOf(
        invalidInput(
          `${ROW_HAS}no outputs. Set a target, add outputs to the rows, or map another field${names} to outputs`,
        ),
      ),
    );
  }
  try {
    return completedRun(given, run, outputs, toPlain(outputs, "outputs"));
  } catch (thrown) {
    const problem = inPlace(`${ROW_HAS}outputs that JSON cannot represent`, thrown);
    return failedRun(given, run, failureOf(problem));
  }
}

// Written out, because spreading the run takes a fifth of the time of a row.
function completedRun(example: Example, run: Run, outputs: unknown, plain: unknown): TargetRun {
  const { id, startTime, durationMs, repetition } = run;
  const recorded = plain === undefined ? run : { id, startTime, durationMs, repetition, outputs: plain };
  return { example, run: { id, startTime, durationMs, repetition, outputs }, recorded };
}

function failedRun(example: Example, begun: Run, error: Failure): TargetRun {
  const run = { ...begun, error };
  return { example, run, recorded: run };
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
