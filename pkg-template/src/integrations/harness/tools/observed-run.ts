/**
 * What tools of the harness report to the agent run that calls them: their failures, since agents hand errors of tools to their
 * model and go on, and their calls, since an agent may return only a text.
 */

import type { OpenEvalsError } from "../../../core/errors.js";
import { asyncStorage } from "../../../core/platform/async-storage.js";

/** A call of a tool, with its result or error. */
export interface ObservedCall {
  name: string;
  args: unknown;
  outcome?: { result: unknown } | { error: unknown };
}

/** What a run collects. */
export interface ObservedRun {
  /** Failures of mocks and recordings. */
  problems: OpenEvalsError[];
  /** The calls in the order of their starts; `undefined` inside of a call, whose own calls are not the agent's. */
  calls?: ObservedCall[] | undefined;
}

/** A run in the storage. */
interface StoredRun extends ObservedRun {
  /** The outermost run, to which the state of tools belongs: a simulation has many runs of its agent. */
  outermost: object;
}

/** The property of `globalThis` with the storage: tools may belong to another copy of the package than the agent run. */
const RUNS = Symbol.for("openevals-wasm.observedRuns");

const globals = globalThis as { [RUNS]?: ReturnType<typeof asyncStorage<StoredRun>> | undefined };

/** Reports a failure to the agent run that the call belongs to, and returns it. */
export function reportProblem(problem: OpenEvalsError): OpenEvalsError {
  globals[RUNS]?.getStore()?.problems.push(problem);
  return problem;
}

/** Calls a tool, and reports the call to the agent run that it belongs to. */
export async function observed<Result>(
  name: string,
  args: unknown,
  call: () => PromiseLike<Result>,
): Promise<Result> {
  const storage = globals[RUNS];
  const run = storage?.getStore();
  if (!storage || !run?.calls) return call();
  const observed: ObservedCall = { name, args };
  run.calls.push(observed);
  try {
    const result = await storage.run({ ...run, calls: undefined }, call);
    observed.outcome = { result };
    return result;
  } catch (error) {
    observed.outcome = { error };
    throw error;
  }
}

/** Runs work, and collects what its tools report. Collects nothing without an `AsyncLocalStorage`. */
export function observeRun<Result>(run: ObservedRun, work: () => Result): Result {
  const storage = globals[RUNS] ?? asyncStorage<StoredRun>();
  globals[RUNS] = storage;
  return storage ? storage.run({ ...run, outermost: outermostRun() ?? run }, work) : work();
}

/** The run that the state of a tool belongs to; `undefined` outside of runs. */
const outermostRun = (): object | undefined => globals[RUNS]?.getStore()?.outermost;

/** The state of a tool in each run. Calls outside of runs share one. */
export function stateOfRun<State>(make: () => State): () => State {
  const states = new WeakMap<object, State>();
  const outside = {};
  return () => {
    const run = outermostRun() ?? outside;
    const state = states.get(run) ?? make();
    states.set(run, state);
    return state;
  };
}

/** Counts equal calls in each run. Returns the number of those before this one. */
export function callCounter(): (call: string) => number {
  const countsOfRun = stateOfRun(() => new Map<string, number>());
  return (call) => {
    const counts = countsOfRun();
    const earlier = counts.get(call) ?? 0;
    counts.set(call, earlier + 1);
    return earlier;
  };
}
