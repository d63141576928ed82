/** The findings of evaluators of agents at the steps of a trajectory: outcomes of calls, broken rules and loops. */

import { whole } from "../../../core/input/counts.js";
import { duration } from "../../../core/number-text.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { ShownCall, ShownStep } from "../../steps.js";
import { shown } from "../../value-text.js";

export interface CallEvents {
  /** The outcome of the call, if `stepStatus` judged it. */
  status?: string;
  /** The rules of a policy that it breaks. */
  broken: string[];
  /** The loops that begin with it. */
  loops: string[];
}

export interface StepEvent {
  /** The number of the turn that begins with it. */
  turn?: number;
  /** Since the first step. */
  time?: string;
  isInLoop?: boolean;
  calls: Map<ShownCall, CallEvents>;
  /** The findings for calls that the step has in another form. */
  own?: CallEvents;
}

export interface StepEvents {
  steps: Map<ShownStep, StepEvent>;
  /** Broken rules without a call, such as a required one that is missing. */
  missing: string[];
}

/** The fields of metadata. In files of other tools, they may be anything. */
interface StoredEvents {
  steps?: unknown;
  broken?: unknown;
  loops?: unknown;
}

/** The position of a call: the index of its message, and its index among the calls of that message. */
interface Place {
  message?: unknown;
  call?: unknown;
}

/** Finds the events of a trajectory in the results of its run. */
export function eventsOf(steps: readonly ShownStep[], results: readonly EvaluationResult[]): StepEvents {
  const events: StepEvents = {
    steps: new Map(steps.map((step) => [step, { calls: new Map() }])),
    missing: [],
  };
  const stepAt = (index: unknown) => {
    const step = steps[index as number];
    return step && { step, event: events.steps.get(step) as StepEvent };
  };
  const at = ({ message, call }: Place): CallEvents | undefined => {
    const found = stepAt(message);
    if (!found) return undefined;
    const { step, event } = found;
    const shownCall = step.calls[call as number];
    if (!shownCall) {
      event.own ??= { broken: [], loops: [] };
      return event.own;
    }
    const ofCall = event.calls.get(shownCall) ?? { broken: [], loops: [] };
    event.calls.set(shownCall, ofCall);
    return ofCall;
  };
  for (const { metadata } of results) {
    const { steps: outcomes, broken, loops } = Object(metadata) as StoredEvents;
    for (const one of placesIn(outcomes)) {
      const found = typeof one.status === "string" && at(one);
      if (found) found.status = shown(String(one.status));
    }
    for (const { rule, calls, comment } of objectsIn(broken)) {
      if (typeof rule !== "string" || typeof comment !== "string") continue;
      const places = placesIn(calls);
      if (!places.length) events.missing.push(`Breaks the rule “${shown(rule)}”: ${shown(comment)}`);
      places.forEach((place, index) => {
        at(place)?.broken.push(
          index
            ? `Breaks the rule “${shown(rule)}” again`
            : `Breaks the rule “${shown(rule)}”: ${shown(comment)}`,
        );
      });
    }
    for (const loop of objectsIn(loops)) {
      const [first, last] = [Object(loop.first) as Place, Object(loop.last) as Place];
      at(first)?.loops.push(loopText(loop));
      for (let index = Number(first.message); index <= Number(last.message); index++) {
        const found = stepAt(index);
        if (!found) break;
        found.event.isInLoop = true;
      }
    }
  }
  addTurns(steps, events);
  return events;
}

const objectsIn = (list: unknown): Record<string, unknown>[] =>
  (Array.isArray(list) ? list : []).filter((one) => typeof one === "object" && one !== null);

const placesIn = (list: unknown): (Place & Record<string, unknown>)[] =>
  objectsIn(list).filter(({ message, call }) => Number.isInteger(message) && Number.isInteger(call));

const KINDS: Record<string, string> = {
  call: "The same call",
  cycle: "A cycle",
  noProgress: "No progress",
};

function loopText({ kind, period, repeats }: Record<string, unknown>): string {
  const name = KINDS[String(kind)] ?? shown(String(kind));
  const rounds = typeof repeats === "number" ? `, ${whole(repeats)} times` : "";
  const calls = typeof period === "number" && period > 1 ? ` of ${whole(period)} calls` : "";
  return `Loop begins: ${name.toLowerCase()}${calls}${rounds}`;
}

/** Numbers the turns if there are several, and adds times if the messages have them. */
function addTurns(steps: readonly ShownStep[], { steps: events }: StepEvents): void {
  const users = steps.filter(({ title }) => title === "user");
  for (const [index, step] of users.length > 1 ? users.entries() : []) {
    const event = events.get(step);
    if (event) event.turn = index + 1;
  }
  const times = steps.map(({ rest }) => timeOf(rest));
  const first = times.find((time) => time !== undefined);
  times.forEach((time, index) => {
    const event = events.get(steps[index] as ShownStep);
    if (event && time !== undefined && first !== undefined && time > first)
      event.time = `+${duration(time - first)}`;
  });
}

/** The time of a message in milliseconds; numbers before the year 2001 are seconds. */
function timeOf({ timestamp, createdAt, created_at }: Record<string, unknown>): number | undefined {
  const stored = timestamp ?? createdAt ?? created_at;
  const time = typeof stored === "string" ? Date.parse(stored) : Number(stored);
  if (stored == null || !Number.isFinite(time)) return undefined;
  return typeof stored === "number" && stored < 1e12 ? stored * 1000 : time;
}
