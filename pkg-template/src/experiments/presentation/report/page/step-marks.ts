/** Which steps of two trajectories differ, and in what. What messages say is not compared: evaluators do not, either. */

import type { EvaluationResult } from "../../../../core/records/types.js";
import { aligned } from "./align.js";
import { callOf, type ShownCall, type ShownStep } from "./steps.js";

export interface Marks {
  /** Why steps differ as a whole. */
  steps: Map<ShownStep, string>;
  /** Why calls differ, and what they are nearest to. */
  calls: Map<ShownCall, { why: string; other?: ShownCall }>;
}

interface Open {
  side: 0 | 1;
  /** Between which common steps it stands. */
  gap: number;
  step: ShownStep;
}

/** The marks of both sides. */
export function markedSteps(outputs: readonly ShownStep[], reference: readonly ShownStep[]): Marks {
  const marks: Marks = { steps: new Map(), calls: new Map() };
  const open = openSteps(outputs, reference);
  if (!open.length) return marks;
  if (open.reduce((sum, { step }) => sum + 1 + step.calls.length, 0) > MOST_OPEN) {
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
      const other = calls.find((it) => it.side === 1 && left.has(it) && isPair(one, it));
      if (!other) continue;
      left.delete(one);
      left.delete(other);
      mark(one, other);
    }
  };
  const gaps = new Set(open.map(({ gap }) => gap));
  for (const gap of gaps) {
    const [ours, theirs] = [0, 1].map((side) => calls.filter((it) => it.gap === gap && it.side === side));
    const identities = (list: Placed[] = []) => list.map(({ call }) => call.identity);
    for (const [i, j] of aligned(identities(ours), identities(theirs)))
      for (const one of [ours?.[i], theirs?.[j]]) if (one) left.delete(one);
  }
  pair(
    (one, other) => one.call.identity === other.call.identity,
    (one, other) => {
      for (const { call } of [one, other]) marks.calls.set(call, { why: "in another place" });
    },
  );
  const changed = (one: Placed, other: Placed) => {
    marks.calls.set(one.call, { why: "other arguments", other: other.call });
    marks.calls.set(other.call, { why: "other arguments", other: one.call });
  };
  const isSameTool = (one: Placed, other: Placed) => one.call.name === other.call.name;
  pair((one, other) => one.gap === other.gap && isSameTool(one, other), changed);
  pair(isSameTool, changed);
  for (const { side, call } of left) marks.calls.set(call, { why: MISSING[side] });
  markRoles(open, gaps, marks);
  // All calls are the same, but not who makes them, or together with which others.
  if (!marks.calls.size && !marks.steps.size) markFirst(open, marks, "arranged in another way");
  return marks;
}

/** Where more steps and calls differ, only the first is of interest. */
const MOST_OPEN = 2000;

const MISSING = ["not in the reference", "missing in the outputs"] as const;

/** The steps that have no equal in the same order. */
function openSteps(outputs: readonly ShownStep[], reference: readonly ShownStep[]): Open[] {
  const sides = [outputs, reference];
  const pairs = aligned(outputs.map(identityOf), reference.map(identityOf));
  const open: Open[] = [];
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

/** Messages without calls, of which one side has more. Those in another place have followed their calls. */
function markRoles(open: readonly Open[], gaps: ReadonlySet<number>, { steps }: Marks): void {
  const left: [ShownStep[], ShownStep[]] = [[], []];
  for (const gap of gaps) {
    const [ours = [], theirs = []] = [0, 1].map((side) =>
      open
        .filter((it) => it.gap === gap && it.side === side && !it.step.calls.length)
        .map(({ step }) => step),
    );
    const same = new Set<ShownStep | undefined>();
    for (const [i, j] of aligned(titlesOf(ours), titlesOf(theirs))) same.add(ours[i]).add(theirs[j]);
    left[0].push(...ours.filter((step) => !same.has(step)));
    left[1].push(...theirs.filter((step) => !same.has(step)));
  }
  for (const step of left[0]) {
    const other = left[1].findIndex(({ title }) => title === step.title);
    if (other < 0) steps.set(step, MISSING[0]);
    else left[1].splice(other, 1);
  }
  for (const step of left[1]) steps.set(step, MISSING[1]);
}

const titlesOf = (steps: readonly ShownStep[]) => steps.map(({ title }) => title);

function markFirst(open: readonly Open[], { steps }: Marks, why: string): void {
  for (const side of [0, 1]) {
    const first = open.find((it) => it.side === side);
    if (first) steps.set(first.step, why);
  }
}

/** The marks that an evaluator itself has told, which knows its mode and its rules: `scoring: "f1"` does. */
export function toldMarks(
  results: readonly EvaluationResult[],
  sides: readonly [readonly ShownStep[], readonly ShownStep[]],
  derived: Marks,
): Marks | undefined {
  for (const { metadata } of results) {
    const told = [metadata?.unmatchedOutputs, metadata?.unmatchedReferenceOutputs];
    if (!told.every((list) => Array.isArray(list))) continue;
    const marks: Marks = { steps: new Map(), calls: new Map() };
    for (const [side, list] of (told as any[][]).entries())
      for (const one of list) {
        const { identity } = callOf(one);
        const calls = sides[side]?.[one?.message]?.calls ?? [];
        const call = calls.find((it) => it.identity === identity && !marks.calls.has(it));
        if (call) marks.calls.set(call, derived.calls.get(call) ?? { why: "matches none" });
      }
    return marks;
  }
  return undefined;
}
