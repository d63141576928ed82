/** The results of trajectory evaluators with `scoring: "f1"`. */

import type { EvaluatorResult } from "../types.js";
import type { Step } from "./steps.js";

/** The `metadata` of a result with `scoring: "f1"`. A type and not an interface, so that it is also a `Record`. */
export type TrajectoryF1Metadata = {
  /** The share of the calls in the outputs that match; 1 if there are none. */
  precision: number;
  /** The share of the calls in the reference that match; 1 if there are none. */
  recall: number;
  /** The calls in the outputs that match none in the reference. */
  unmatchedOutputs: UnmatchedToolCall[];
  /** The calls in the reference that none in the outputs matches. */
  unmatchedReferenceOutputs: UnmatchedToolCall[];
};

/** A tool call that has no partner on the other side. */
export type UnmatchedToolCall = {
  /** The index of the message that it stands in. */
  message: number;
  /** The tool. */
  name: unknown;
  /** The arguments as they stand in the message: a value, or JSON text. */
  args: unknown;
};

/**
 * Reads what the engine says of rows, one behind the other: the score, precision and recall, how many calls have no
 * partner, and their places among the calls of both sides.
 *
 * @internal
 */
export function overlapResults(
  key: string,
  numbers: Float64Array,
  rows: readonly { outputs: readonly Step[]; referenceOutputs: readonly Step[] }[],
): EvaluatorResult[] {
  let at = 0;
  return rows.map(({ outputs, referenceOutputs }) => {
    const [score, precision, recall, count] = numbers.subarray(at) as unknown as [
      number,
      number,
      number,
      number,
    ];
    const places = numbers.slice(at + 4, at + 4 + count).sort();
    at += 4 + count;
    const called = callsOf(outputs);
    const calls = [...called, ...callsOf(referenceOutputs)];
    const unmatched = (isOutput: boolean) =>
      Array.from(places)
        .filter((place) => place < called.length === isOutput)
        .map((place) => calls[place] as UnmatchedToolCall);
    const metadata: TrajectoryF1Metadata = {
      precision,
      recall,
      unmatchedOutputs: unmatched(true),
      unmatchedReferenceOutputs: unmatched(false),
    };
    return { key, score, metadata };
  });
}

const callsOf = (steps: readonly Step[]): UnmatchedToolCall[] =>
  steps.flatMap(({ calls }, message) => calls.map(({ name, args }) => ({ message, name, args })));
