/** The steps that a graph of LangGraph took, out of the checkpoints that it left. LangGraph itself is not needed. */

import { callbackFailed, OpenEvalsError, typedReading } from "../../core/errors.js";
import type { GraphTrajectory } from "../../core/types.js";
import { toOpenAIMessage } from "../../models/conversation/langchain.js";

/** A `StateSnapshot` of LangGraph, as much of it as is looked at. */
export interface LangGraphSnapshot {
  /** The state of the graph. */
  values?: any;
  /** The nodes that run next; none where a run has ended. */
  next?: readonly string[];
  /** What runs next, with the interrupts that it waits for. */
  tasks?: readonly {
    name: string;
    interrupts?: readonly unknown[];
    result?: unknown;
    state?: any;
  }[];
  /** Names the subgraph, if it is one. */
  config?: any;
  /** Says what the checkpoint was made for. */
  metadata?: any;
}

/** A compiled graph of LangGraph with a checkpointer. */
export interface LangGraphGraph {
  getStateHistory(config: any): AsyncIterable<LangGraphSnapshot> | AsyncIterableIterator<LangGraphSnapshot>;
}

/** What a graph was given in each turn of a thread, and what it did. */
export interface ExtractedLangGraphTrajectory {
  /** What each turn started from, by the node it went to; `"__resuming__"` where it went on after an interrupt. */
  inputs: (string | Record<string, unknown>)[];
  /** The steps of each turn and its result: the last message, or the state; `{}` where it was interrupted. */
  outputs: GraphTrajectory;
}

/**
 * Reads what a graph of LangGraph did in a thread out of its checkpoints, those of its subgraphs included. From AgentEvals.
 *
 * @param graph The compiled graph, with the checkpointer that the thread ran with.
 * @param config Names the thread: `{ configurable: { thread_id } }`.
 * @returns `{ inputs, outputs }`, as the evaluators of graph trajectories take them; the oldest turn comes first.
 * @throws {@link OpenEvalsError} `invalid_input` when `graph` has no `getStateHistory()`, `callback_failed` with the
 * `cause` when that throws.
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
    throw new OpenEvalsError(
      "invalid_input",
      "graph has no getStateHistory(); pass a graph of LangGraph as compile() returns it.",
    );
  }
  return extractLangGraphTrajectoryFromSnapshots(await historyOf(graph, config));
}

/** All snapshots, the newest first; those of a subgraph before the one of the node that ran it. */
export async function historyOf(graph: LangGraphGraph, config: object): Promise<LangGraphSnapshot[]> {
  try {
    return await snapshotsOf(graph, config);
  } catch (error) {
    throw callbackFailed("getStateHistory", error);
  }
}

async function snapshotsOf(graph: LangGraphGraph, config: object): Promise<LangGraphSnapshot[]> {
  const history: LangGraphSnapshot[] = [];
  // Waited for, since a mistaken graph may return a promise that rejects.
  for await (const snapshot of await graph.getStateHistory(config)) {
    for (const { state } of snapshot.tasks ?? []) {
      if (state?.configurable?.checkpoint_ns) history.push(...(await snapshotsOf(graph, state)));
    }
    history.push(snapshot);
  }
  return history;
}

/**
 * Reads what a graph of LangGraph did out of snapshots of its state. From AgentEvals.
 *
 * A run that has not ended or been interrupted yet is left out.
 *
 * @param snapshots As `getStateHistory()` lists them: the newest first.
 * @returns `{ inputs, outputs }`, as the evaluators of graph trajectories take them; the oldest turn comes first.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no list of snapshots.
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
  if (!isList || !snapshots.every((snapshot) => typeof snapshot === "object" && snapshot !== null)) {
    throw new OpenEvalsError(
      "invalid_input",
      "snapshots has to be a list of snapshots, as getStateHistory() gives them.",
    );
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
    // Newer than the end of the last turn: a run that goes on.
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

/** Of a conversation the last message alone: judges would read the whole of it again for each turn. */
function resultOf(values: any): Record<string, unknown> {
  return Array.isArray(values?.messages) ? { messages: [toOpenAIMessage(values.messages.at(-1))] } : values;
}
