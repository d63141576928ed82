/** Finds the steps in which two trajectories differ. Texts of messages are not compared, as in trajectory evaluators. */

import type { EvaluationResult } from "../../../core/records/types.js";
import { callOf, type ShownCall, type ShownStep } from "../../steps.js";
import { aligned } from "./align.js";

export interface StepMarks {
  /** Why a step as a whole differs. */
  steps: Map<ShownStep, string>;
  /** Why a call differs, and the call it corresponds to. */
  calls: Map<ShownCall, { why: string; other?: ShownCall }>;
}

/** A step without a counterpart. */
interface UnmatchedStep {
  side: 0 | 1;
  /** The number of common steps before it. */
  gap: number;
  step: ShownStep;
}

/** @param alone The reason that is shown for a step or a call without a counterpart. */
export function markedSteps(
  outputs: readonly ShownStep[],
  reference: readonly ShownStep[],
  alone: readonly [string, string] = ALONE,
): StepMarks {
  const marks: StepMarks = { steps: new Map(), calls: new Map() };
  const open = openSteps(outputs, reference);
  if (!open.length) return marks;
  if (open.reduce((sum, { step }) => sum + 1 + step.calls.length, 0) > MAX_OPEN) {
    markFirst(open, marks, "differs from here on");
    return marks;
  }
  const calls = open.flatMap(({ step, ...place }) => step.calls.map((call) => ({ ...place, call })));
  const left = new Set(calls);
  type Placed = (typeof calls)[number];
  const pair = (
    isPair: (one: Placed, other: Placed) => boolean,
    mark: (one: Placed, other: Placed) => void,
  ) => {
    for (const one of calls) {
      if (one.side === 1 || !left.has(one)) continue;
      const other = calls.find(
        (candidate) => candidate.side === 1 && left.has(candidate) && isPair(one, candidate),
      );
      if (!other) continue;
      left.delete(one);
      left.delete(other);
      mark(one, other);
    }
  };
  const gaps = new Set(open.map(({ gap }) => gap));
  for (const gap of gaps) {
    const [ours, theirs] = [0, 1].map((side) => calls.filter((one) => one.gap === gap && one.side === side));
    const identities = (list: Placed[] = []) => list.map(({ call }) => call.identity);
    for (const [i, j] of aligned(identities(ours), identities(theirs)))
      for (const one of [ours?.[i], theirs?.[j]]) if (one) left.delete(one);
  }
  pair(
    (one, other) => one.call.identity === other.call.identity,
    (one, other) => {
      for (const { call } of [one, other]) marks.calls.set(call, { why: "in another position" });
    },
  );
  const changed = (one: Placed, other: Placed) => {
    marks.calls.set(one.call, { why: "different arguments", other: other.call });
    marks.calls.set(other.call, { why: "different arguments", other: one.call });
  };
  const isSameTool = (one: Placed, other: Placed) => one.call.name === other.call.name;
  pair((one, other) => one.gap === other.gap && isSameTool(one, other), changed);
  pair(isSameTool, changed);
  for (const { side, call } of left) marks.calls.set(call, { why: alone[side] });
  markRoles(open, gaps, marks, alone);
  // The calls are equal, but have other roles, or are grouped into other messages.
  if (!marks.calls.size && !marks.steps.size) markFirst(open, marks, "arranged differently");
  return marks;
}

/** With more differing steps and calls, only the first is marked. */
const MAX_OPEN = 2000;

const ALONE = ["not in the reference", "missing from the outputs"] as const;

/** The steps that are not in the longest common subsequence. */
function openSteps(outputs: readonly ShownStep[], reference: readonly ShownStep[]): UnmatchedStep[] {
  const sides = [outputs, reference];
  const pairs = aligned(outputs.map(identityOf), reference.map(identityOf));
  const open: UnmatchedStep[] = [];
  let before = [0, 0];
  for (const [gap, pair] of [...pairs, [outputs.length, reference.length]].entries()) {
    for (const side of [0, 1] as const)
      for (const step of sides[side]?.slice(before[side], pair[side]) ?? []) open.push({ side, gap, step });
    before = pair.map((place) => place + 1);
  }
  return open;
}

const identityOf = ({ title, calls }: ShownStep): string =>
  JSON.stringify([title, ...calls.map(({ identity }) => identity).sort()]);

/** Marks messages without calls that one side lacks. Messages in another position are not marked: they follow their calls. */
function markRoles(
  open: readonly UnmatchedStep[],
  gaps: ReadonlySet<number>,
  { steps }: StepMarks,
  alone: readonly [string, string],
): void {
  const left: [ShownStep[], ShownStep[]] = [[], []];
  for (const gap of gaps) {
    const [ours = [], theirs = []] = [0, 1].map((side) =>
      open
        .filter((one) => one.gap === gap && one.side === side && !one.step.calls.length)
        .map(({ step }) => step),
    );
    const same = new Set<ShownStep | undefined>();
    for (const [i, j] of aligned(titlesOf(ours), titlesOf(theirs))) same.add(ours[i]).add(theirs[j]);
    left[0].push(...ours.filter((step) => !same.has(step)));
    left[1].push(...theirs.filter((step) => !same.has(step)));
  }
  for (const step of left[0]) {
    const other = left[1].findIndex(({ title }) => title === step.title);
    if (other < 0) steps.set(step, alone[0]);
    else left[1].splice(other, 1);
  }
  for (const step of left[1]) steps.set(step, alone[1]);
}

const titlesOf = (steps: readonly ShownStep[]) => steps.map(({ title }) => title);

function markFirst(open: readonly UnmatchedStep[], { steps }: StepMarks, why: string): void {
  for (const side of [0, 1]) {
    const first = open.find((one) => one.side === side);
    if (first) steps.set(first.step, why);
  }
}

/**
 * The marks by an evaluator that reports its unmatched calls (`scoring: "f1"`), since it knows its own rules for a match.
 * `undefined` if there is none, or if a match by other rules fails.
 */
export function reportedMarks(
  results: readonly EvaluationResult[],
  sides: readonly [readonly ShownStep[], readonly ShownStep[]],
  derived: StepMarks,
): StepMarks | undefined {
  if (results.some(({ key, score }) => score === false && MATCH.test(key))) return undefined;
  const reports = results
    .map(({ metadata }) => [metadata?.unmatchedOutputs, metadata?.unmatchedReferenceOutputs])
    .filter((lists): lists is any[][] => lists.every((list) => Array.isArray(list)));
  const report = reports.find((lists) => lists.some((list) => list.length)) ?? reports[0];
  if (!report) return undefined;
  const marks: StepMarks = { steps: new Map(), calls: new Map() };
  for (const [side, list] of report.entries())
    for (const one of list) {
      const { identity } = callOf(one);
      const calls = sides[side]?.[one?.message]?.calls ?? [];
      const call = calls.find((known) => known.identity === identity && !marks.calls.has(known));
      if (call) marks.calls.set(call, derived.calls.get(call) ?? { why: "no match" });
    }
  return marks;
}

/** The keys of matches that do not report what is unmatched. */
const MATCH = /trajectory_\w+_match/;
