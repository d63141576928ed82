/** The results of trajectory evaluators with `scoring: "f1"`. */

import type { EvaluatorResult } from "../../core/types.js";
import type { TrajectoryOverlap } from "../../openevals.types.js";
import type { ComparedStep, ComparedSteps } from "./steps.js";

/** The `metadata` of a result with `scoring: "f1"`. A type alias, so that it is also a `Record`. */
export type TrajectoryF1Metadata = {
  /** The share of the calls in the outputs that match; 1 if there are none. */
  precision: number;
  /** The share of the calls in the reference that match; 1 if there are none. */
  recall: number;
  /** The calls in the outputs without a match in the reference. */
  unmatchedOutputs: UnmatchedToolCall[];
  /** The calls in the reference without a match in the outputs. */
  unmatchedReferenceOutputs: UnmatchedToolCall[];
};

/** A tool call without a match on the other side. */
export type UnmatchedToolCall = {
  /** The index of its message. */
  message: number;
  /** The name of the tool. */
  name: unknown;
  /** The arguments as in the message: a value, or JSON text. */
  args: unknown;
};

/**
 * Makes a result from the engine's comparison of a row.
 *
 * @internal
 */
export function overlapResult(
  key: string,
  { f1, precision, recall, unmatchedOutputs, unmatchedReferenceOutputs }: TrajectoryOverlap,
  { outputs, referenceOutputs }: ComparedSteps,
): EvaluatorResult {
  const metadata: TrajectoryF1Metadata = {
    precision,
    recall,
    unmatchedOutputs: callsAt(unmatchedOutputs, outputs),
    unmatchedReferenceOutputs: callsAt(unmatchedReferenceOutputs, referenceOutputs),
  };
  const comment = [missingText(metadata.unmatchedReferenceOutputs), extraText(metadata.unmatchedOutputs)];
  return { ...withComment({ key, score: f1 }, comment.filter(Boolean).join(" ")), metadata };
}

/**
 * The calls of the reference that no call of the outputs matches, by name; empty if there are none.
 *
 * @internal
 */
export const missingText = (calls: readonly UnmatchedToolCall[]): string => listOf("Missing", calls);

/**
 * The calls of the outputs that match none of the reference, by name; empty if there are none.
 *
 * @internal
 */
export const extraText = (calls: readonly UnmatchedToolCall[]): string => listOf("Not expected", calls);

/**
 * A result with a comment, unless that is empty.
 *
 * @internal
 */
export const withComment = (result: EvaluatorResult, comment: string): EvaluatorResult =>
  comment ? { ...result, comment } : result;

/** How many tools a comment names at most. */
const MAX_NAMED = 10;

function listOf(what: string, calls: readonly UnmatchedToolCall[]): string {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(String(name), (counts.get(String(name)) ?? 0) + 1);
  if (!counts.size) return "";
  const names = Array.from(counts).slice(0, MAX_NAMED);
  const listed = names.map(([name, count]) => (count > 1 ? `${shown(name)} (${count} times)` : shown(name)));
  const more = counts.size > MAX_NAMED ? ` and ${counts.size - MAX_NAMED} more tools` : "";
  return `${what}: ${listed.join(", ")}${more}.`;
}

const shown = (name: string): string => {
  const line = name.replace(/\s+/g, " ");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
};

/** Finds calls by their index among all calls of the steps. */
function callsAt(places: number[], steps: readonly ComparedStep[]): UnmatchedToolCall[] {
  if (!places.length) return [];
  const calls = steps.flatMap((step, message) =>
    step.calls.map(({ name, args }) => ({ message, name, args })),
  );
  return places.map((place) => calls[place] as UnmatchedToolCall);
}
