/** Extracts the steps of a LangGraph graph from its checkpoints. LangGraph itself is not imported. */

import { invalidInput, typedReading } from "../../core/errors.js";
import { isObject } from "../../core/input/objects.js";
import type { GraphTrajectory } from "../../core/types.js";
import { callUserFunction } from "../../core/user-function.js";
import { toOpenAIMessage } from "../../models/conversation/langchain.js";

/** The part of LangGraph's `StateSnapshot` that is used. */
export interface LangGraphSnapshot {
  /** The state of the graph. */
  values?: any;
  /** The nodes that run next; empty after the end of a run. */
  next?: readonly string[];
  /** The tasks that run next, with the interrupts that they wait for. */
  tasks?: readonly {
    name: string;
    interrupts?: readonly unknown[];
    result?: unknown;
    state?: any;
  }[];
  /** Identifies the subgraph, if it is one. */
  config?: any;
  /** The source of the checkpoint. */
  metadata?: any;
}

/** A compiled graph of LangGraph with a checkpointer. */
export interface LangGraphGraph {
  getStateHistory(config: any): AsyncIterable<LangGraphSnapshot> | AsyncIterableIterator<LangGraphSnapshot>;
}

/** The inputs and steps of a graph in each turn of a thread. */
export interface ExtractedLangGraphTrajectory {
  /** The input of each turn, by the node that received it; `"__resuming__"` after an interrupt. */
  inputs: (string | Record<string, unknown>)[];
  /** The steps and the result of each turn: the last message, or the state; `{}` if the turn was interrupted. */
  outputs: GraphTrajectory;
}

/**
 * Extracts the trajectory of a LangGraph graph, including its subgraphs, from the checkpoints of a thread. From
 * AgentEvals.
 *
 * @param graph The compiled graph, with the checkpointer of the thread.
 * @param config Identifies the thread: `{ configurable: { thread_id } }`.
 * @returns `{ inputs, outputs }` for the evaluators of graph trajectories, the oldest turn first.
 * @throws {@link OpenEvalsError} `invalid_input` if `graph` has no `getStateHistory()`, `callback_failed` with the
 * `cause` if that throws.
 *
 * @example
 * ```ts
 * import { extractLangGraphTrajectoryFromThread, graphTrajectoryStrictMatch, type LangGraphGraph } from "openevals-wasm";
 *
 * export async function tookTheStepsOf(reference: string[][], graph: LangGraphGraph) {
 *   const { outputs } = await extractLangGraphTrajectoryFromThread(graph, { configurable: { thread_id: "1" } });
 *   return graphTrajectoryStrictMatch({ outputs, referenceOutputs: { results: [], steps: reference } });
 * }
 * ```
 */
export async function extractLangGraphTrajectoryFromThread(
  graph: LangGraphGraph,
  config: object,
): Promise<ExtractedLangGraphTrajectory> {
  const kind = typedReading("extractLangGraphTrajectoryFromThread", () => typeof graph?.getStateHistory);
  if (kind !== "function") {
    throw invalidInput("graph has no getStateHistory(); pass a LangGraph graph as compile() returns it");
  }
  return extractLangGraphTrajectoryFromSnapshots(await historyOf(graph, config));
}

/** All snapshots, the newest first; those of a subgraph precede the snapshot of the node that ran it. */
export async function historyOf(graph: LangGraphGraph, config: object): Promise<LangGraphSnapshot[]> {
  return callUserFunction("getStateHistory", () => snapshotsOf(graph, config));
}

async function snapshotsOf(graph: LangGraphGraph, config: object): Promise<LangGraphSnapshot[]> {
  const history: LangGraphSnapshot[] = [];
  // Awaited, since a wrong kind of graph may return a promise that rejects.
  for await (const snapshot of await graph.getStateHistory(config)) {
    for (const { state } of snapshot.tasks ?? []) {
      if (state?.configurable?.checkpoint_ns) history.push(...(await snapshotsOf(graph, state)));
    }
    history.push(snapshot);
  }
  return history;
}

/**
 * Extracts the trajectory of a LangGraph graph from snapshots of its state. From AgentEvals.
 *
 * A run that has neither ended nor been interrupted is left out.
 *
 * @param snapshots The snapshots as `getStateHistory()` lists them: the newest first.
 * @returns `{ inputs, outputs }` for the evaluators of graph trajectories, the oldest turn first.
 * @throws {@link OpenEvalsError} `invalid_input` if it is not a list of snapshots.
 *
 * @example
 * ```ts
 * import { extractLangGraphTrajectoryFromSnapshots } from "openevals-wasm";
 *
 * const { outputs } = extractLangGraphTrajectoryFromSnapshots([
 *   { values: { answer: 2 }, next: [], tasks: [], metadata: { source: "loop" } },
 *   { values: {}, next: ["add"], tasks: [{ name: "add" }], metadata: { source: "loop" } },
 *   { values: {}, next: ["__start__"], tasks: [{ name: "__start__", result: {} }], metadata: { source: "input" } },
 * ]);
 * console.log(outputs); // { results: [{ answer: 2 }], steps: [["__start__", "add"]] }
 * ```
 */
export function extractLangGraphTrajectoryFromSnapshots(
  snapshots: readonly LangGraphSnapshot[],
): ExtractedLangGraphTrajectory {
  return typedReading("extractLangGraphTrajectoryFromSnapshots", () => readSnapshots(snapshots));
}

function readSnapshots(snapshots: readonly LangGraphSnapshot[]): ExtractedLangGraphTrajectory {
  const isList: boolean = Array.isArray(snapshots);
  if (!isList || !snapshots.every(isObject)) {
    throw invalidInput("snapshots has to be a list of snapshots, as getStateHistory() returns them");
  }
  const inputs: ExtractedLangGraphTrajectory["inputs"] = [];
  const results: GraphTrajectory["results"] = [];
  const steps: GraphTrajectory["steps"] = [];
  snapshots.forEach((snapshot, index) => {
    const { values, next, tasks = [], config, metadata } = snapshot;
    const paused = isInterrupted(snapshot);
    if (paused || !next?.length) {
      results.push(paused ? {} : resultOf(values));
      steps.push([]);
    }
    const turn = steps.at(-1);
    // Snapshots after the last completed turn belong to a run in progress.
    if (!turn) return;
    const [graph, id] = String(config?.configurable?.checkpoint_ns ?? "").split(":");
    for (const { name, interrupts } of tasks) {
      if (interrupts?.length) turn.push("__interrupt__");
      turn.push(id === undefined ? name : `${graph}:${name}`);
    }
    if (metadata?.source !== "input") {
      if (isInterrupted(snapshots[index + 1])) inputs.push("__resuming__");
    } else if (typeof metadata.writes === "object" && metadata.writes) {
      inputs.push(metadata.writes);
    } else {
      inputs.push(...tasks.map(({ name, result }) => ({ [name]: result })));
    }
  });
  const outputs = { results: results.reverse(), steps: steps.reverse().map((turn) => turn.reverse()) };
  return { inputs: inputs.reverse(), outputs };
}

const isInterrupted = (snapshot: LangGraphSnapshot | undefined): boolean =>
  snapshot?.tasks?.some(({ interrupts }) => interrupts?.length) ?? false;

/**
 * The result of a turn. Of a conversation, only the last message: a judge would otherwise read all of it for each turn.
 */
function resultOf(values: any): Record<string, unknown> {
  return Array.isArray(values?.messages) ? { messages: [toOpenAIMessage(values.messages.at(-1))] } : values;
}
