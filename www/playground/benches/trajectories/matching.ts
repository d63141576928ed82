/** What the package says of two trajectories, and which call was matched with which. */

import {
  createTrajectoryMatchEvaluator,
  exactMatch,
  type ToolArgsMatchMode,
  type ToolArgsMatchOverrides,
  type TrajectoryF1Metadata,
  type TrajectoryMatchMode,
} from "openevals-wasm";
import type { Call, Message } from "./reading.js";

export const MODES: readonly TrajectoryMatchMode[] = ["strict", "unordered", "subset", "superset"];

export interface Rules {
  toolArgsMatchMode: ToolArgsMatchMode;
  toolArgsMatchOverrides: ToolArgsMatchOverrides;
}

/** One mode's verdict. */
export interface Verdict {
  mode: TrajectoryMatchMode;
  score: boolean;
  comment: string | undefined;
  f1: number;
  metadata: TrajectoryF1Metadata;
}

export interface Sides {
  outputs: readonly object[];
  referenceOutputs: readonly object[];
}

/** All four modes. */
export const verdicts = (sides: Sides, rules: Rules): Promise<Verdict[]> =>
  Promise.all(
    MODES.map(async (mode) => {
      const options = { ...rules, trajectoryMatchMode: mode };
      const params = sides as never;
      const [{ score, comment }, f1] = await Promise.all([
        createTrajectoryMatchEvaluator(options)(params),
        createTrajectoryMatchEvaluator({ ...options, scoring: "f1" })(params),
      ]);
      return {
        mode,
        score: score as boolean,
        comment,
        f1: f1.score as number,
        metadata: f1.metadata as unknown as TrajectoryF1Metadata,
      };
    }),
  );

/** Two calls that were matched. */
export type Match = [output: Call, reference: Call];

/** Beyond so many pairs of calls no lines are drawn. */
const MAX_PAIRS = 10_000;

/**
 * Which calls belong together. The package says which ones have no partner, and, of any two, whether they match; so what
 * is left pairs up.
 */
export async function matches(
  { mode, metadata }: Verdict,
  output: readonly Message[],
  reference: readonly Message[],
  rules: Rules,
): Promise<Match[]> {
  const left = without(callsIn(output), metadata.unmatchedOutputs);
  const right = without(callsIn(reference), metadata.unmatchedReferenceOutputs);
  if (left.length * right.length > MAX_PAIRS) return [];
  const fits = await relation(left, right, rules);
  if (mode !== "strict") return paired(left, right, fits);
  // Messages are paired in their order, and only those with calls that match.
  const [leftGroups, rightGroups] = [byMessage(left), byMessage(right)];
  return leftGroups.flatMap((group, index) => paired(group, rightGroups[index] ?? [], fits));
}

export const callsIn = (messages: readonly Message[]): Call[] => messages.flatMap(({ calls }) => calls);

/** The calls but for some, which are told by where they stand and what they are. */
function without(calls: readonly Call[], others: TrajectoryF1Metadata["unmatchedOutputs"]): Call[] {
  const key = ({ message, name, args }: { message: number; name: unknown; args: unknown }) =>
    JSON.stringify([message, name, args]);
  const left = new Map<string, number>();
  for (const other of others) left.set(key(other), (left.get(key(other)) ?? 0) + 1);
  return calls.filter((call) => {
    const count = left.get(key(call)) ?? 0;
    left.set(key(call), count - 1);
    return count <= 0;
  });
}

type Relation = (output: Call, reference: Call) => boolean;

async function relation(left: readonly Call[], right: readonly Call[], rules: Rules): Promise<Relation> {
  const pairs = left.flatMap((output) =>
    right.filter(({ name }) => name === output.name).map((reference) => [output, reference] as const),
  );
  const evaluator = createTrajectoryMatchEvaluator({ ...rules, trajectoryMatchMode: "unordered" });
  const scores = await evaluator.batch(
    pairs.map(
      ([output, reference]) => ({ outputs: alone(output), referenceOutputs: alone(reference) }) as never,
    ),
  );
  const fitting = new Map<Call, Set<Call>>();
  pairs.forEach(([output, reference], index) => {
    if (!scores[index]?.score) return;
    fitting.set(output, (fitting.get(output) ?? new Set()).add(reference));
  });
  return (output, reference) => fitting.get(output)?.has(reference) ?? false;
}

const alone = ({ name, args }: Call): object[] => [
  {
    role: "assistant",
    content: "",
    tool_calls: [typeof args === "string" ? { function: { name, arguments: args } } : { name, args }],
  },
];

/** A maximum matching, by augmenting paths. */
function paired(left: readonly Call[], right: readonly Call[], fits: Relation): Match[] {
  const partner = new Map<Call, Call>();
  const place = (output: Call, seen: Set<Call>): boolean =>
    right.some((reference) => {
      if (seen.has(reference) || !fits(output, reference)) return false;
      seen.add(reference);
      const holder = partner.get(reference);
      if (holder && !place(holder, seen)) return false;
      partner.set(reference, output);
      return true;
    });
  for (const output of left) place(output, new Set());
  return Array.from(partner, ([reference, output]) => [output, reference] as Match);
}

function byMessage(calls: readonly Call[]): Call[][] {
  const groups = new Map<number, Call[]>();
  for (const call of calls) groups.set(call.message, [...(groups.get(call.message) ?? []), call]);
  return [...groups.values()];
}

/** Why calls have no partner, as far as it can be said of one alone. */
export async function reasons(
  output: readonly Message[],
  reference: readonly Message[],
  pairs: readonly Match[],
): Promise<Map<Call, string>> {
  const matched = new Set(pairs.flat());
  const [left, right] = [output, reference].map((side) =>
    callsIn(side).filter((call) => !matched.has(call)),
  ) as [Call[], Call[]];
  const found = new Map<Call, string>();
  const free = new Set(right);
  for (const call of left) {
    const candidate = right.find((other) => other.name === call.name && free.has(other));
    if (!candidate) {
      const others = callsIn(reference).filter(({ name }) => name === call.name);
      found.set(call, others.length ? "the reference has no more calls of it" : "not in the reference");
      continue;
    }
    free.delete(candidate);
    const { comment } = await exactMatch({
      outputs: argsOf(call.args),
      referenceOutputs: argsOf(candidate.args),
    });
    const why = comment?.replace(/^outputs\.?/, "") ?? "at another place";
    found.set(call, why);
    found.set(candidate, "its nearest call has other arguments");
    if (!comment) found.set(candidate, "at another place");
  }
  for (const call of free) found.set(call, "missing in the output");
  return found;
}

/** The arguments as a value, where they are JSON. */
export function argsOf(args: unknown): unknown {
  if (typeof args !== "string") return args ?? {};
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}
