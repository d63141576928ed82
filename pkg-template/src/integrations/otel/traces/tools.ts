/** Inserts the runs of tools, which have their own spans, into the messages of models. */

import { sortedJson } from "../../../core/input/json/sorted-json.js";
import type { ToolRun } from "./forms/form.js";
import { resultText, type TraceMessage, toolCall } from "./message.js";
import { relationOf, type SpanPlace, traceOf } from "./places.js";
import { groupedBy, type Span, structured } from "./span.js";
import type { SeenMessage } from "./thread-matches.js";

/** A run with its span, and the place around that. */
export interface RunOfTool {
  span: Span;
  place: SpanPlace;
  tool: ToolRun;
}

interface SpanToolCall {
  id: string | undefined;
  name: string;
  args: string;
  /** The message with the call, and its thread. */
  caller: SeenMessage;
  thread: SeenMessage[];
  result: SeenMessage | undefined;
  /** Its runs, in the order of their start. */
  runs: RunOfTool[];
  /** Whether one of them did not fail. */
  hasSucceeded: boolean;
}

/** The equal calls of one message, in the order in which they get runs: those with the fewest runs first. */
interface EqualCalls {
  queue: SpanToolCall[];
  /** The position of the first that may be free. */
  next: number;
}

/** The most threads in which a run without a call is looked for; the latest ones are used. */
const MAX_THREADS = 256;

/** The places of the messages of each thread. */
type PlacesOfThreads = Map<SeenMessage[], Set<SpanPlace>>;

/**
 * Adds results that are in no message, and calls that no model made, for example in a workflow.
 *
 * @returns The runs whose results were chosen from several different ones of the same call.
 */
export function addRuns(threads: SeenMessage[][], runs: readonly RunOfTool[]): RunOfTool[] {
  const calls = callsIn(threads);
  const byId = groupedBy(calls, ({ id }) => id);
  const byArgs = equalCalls(calls);
  const places: PlacesOfThreads = new Map(
    threads.map((thread) => [thread, new Set(thread.map(({ place }) => place))]),
  );
  const unrequested: RunOfTool[] = [];
  for (const run of runs) {
    const { id, name, args } = run.tool;
    const sameId = id === undefined ? undefined : nearestCall(run, byId.get(id), places);
    const call = sameId ?? freeCall(run, byArgs.get(keyOf(name, sortedJson(structured(args ?? {})))), places);
    if (call) {
      call.runs.push(run);
      call.hasSucceeded ||= !run.span.error;
    } else unrequested.push(run);
  }
  const answered = new Map<RunOfTool, SpanToolCall>();
  const chosen: RunOfTool[] = [];
  for (const call of calls) {
    const ended = call.runs.filter(({ span, tool }) => tool.result !== undefined || span.error);
    // A tool that failed is often called again with the same id.
    const last = ended.filter(({ span }) => !span.error).at(-1) ?? ended.at(-1);
    if (call.result || !last) continue;
    answered.set(last, call);
    const results = ended.map((run) => JSON.stringify(resultOf(run, undefined).message.content));
    if (new Set(results).size > 1) chosen.push(last);
  }
  const results = new Map<SeenMessage, SeenMessage[]>();
  for (const run of runs) {
    const call = answered.get(run);
    if (!call) continue;
    const known = results.get(call.caller) ?? [];
    known.push(resultOf(run, call.id));
    results.set(call.caller, known);
  }
  if (results.size) for (const thread of threads) insertResults(thread, results);
  const workflow: SeenMessage[] = [];
  for (const run of unrequested) insertRun(nearestThread(run, threads, places) ?? workflow, run);
  if (workflow.length) threads.push(workflow);
  return chosen;
}

const keyOf = (name: string, args: string): string => `${name}\0${args}`;

/** The calls by name and arguments, in a queue for each message, since their messages decide which of them are near to a run. */
function equalCalls(calls: readonly SpanToolCall[]): Map<string, EqualCalls[]> {
  const queues = new Map<string, EqualCalls[]>();
  for (const [key, equal] of groupedBy(calls, ({ name, args }) => keyOf(name, args))) {
    const made: EqualCalls[] = [];
    for (const call of equal) {
      const last = made.at(-1)?.queue;
      const [first] = last ?? [];
      const isSame =
        first?.caller === call.caller &&
        first.thread === call.thread &&
        (first.id === undefined) === (call.id === undefined);
      if (isSame) last?.push(call);
      else made.push({ queue: [call], next: 0 });
    }
    queues.set(key, made);
  }
  return queues;
}

/**
 * The nearest call with the arguments of a run that has no successful run. Different ids are different calls. Without ids, a run
 * after a failed one is another attempt.
 */
function freeCall(
  run: RunOfTool,
  all: readonly EqualCalls[] = [],
  places: PlacesOfThreads,
): SpanToolCall | undefined {
  const firsts = new Map<SpanToolCall, EqualCalls>();
  for (const equal of all) {
    while (equal.queue[equal.next]?.hasSucceeded) equal.next++;
    const first = equal.queue[equal.next];
    if (first && (first.id === undefined || run.tool.id === undefined)) firsts.set(first, equal);
  }
  const call = nearestCall(run, firsts.keys(), places);
  const equal = call && firsts.get(call);
  if (equal) {
    equal.next++;
    equal.queue.push(call);
  }
  return call;
}

/**
 * The latest call before a run in the smallest common place, since agents may use the same ids, and some models number the calls of
 * each answer from 0. A call of another trace is considered only if its conversation continues in the run's trace.
 */
function nearestCall(
  { span, place }: RunOfTool,
  calls: Iterable<SpanToolCall> = [],
  places: PlacesOfThreads,
): SpanToolCall | undefined {
  let best: { call: SpanToolCall; depth: number; isBefore: boolean } | undefined;
  const continues = (thread: SeenMessage[]) =>
    [...(places.get(thread) ?? [])].some((each) => traceOf(each) === traceOf(place));
  for (const call of calls) {
    const { time, place: other } = call.caller;
    const { depth, isParallel } = relationOf(other, place);
    if (depth < 0 ? !continues(call.thread) : isParallel) continue;
    const isBefore = time <= span.start;
    const later = best?.isBefore ? time - best.call.caller.time : 1;
    const isBetter = isBefore && (later || (best?.call.runs.length ?? 0) - call.runs.length) > 0;
    if (!best || depth > best.depth || (depth === best.depth && isBetter)) best = { call, depth, isBefore };
  }
  return best?.call;
}

/** All calls with their results, which are matched by id, or by position without ids. */
function callsIn(threads: SeenMessage[][]): SpanToolCall[] {
  return threads.flatMap((thread) => {
    const results = resultsById(thread);
    const answers = answersAfter(thread);
    return thread.flatMap((caller, index) =>
      (caller.message.tool_calls ?? []).map((call, callIndex): SpanToolCall => {
        const resultById = call.id === undefined ? undefined : results.get(caller)?.get(call.id);
        const result = resultById ?? resultWithoutId(thread, index + 1, callIndex, answers);
        if (result && !resultById && call.id !== undefined)
          result.message = { ...result.message, tool_call_id: call.id };
        const args = sortedJson(structured(call.function.arguments));
        return {
          id: call.id,
          name: call.function.name,
          args,
          caller,
          thread,
          result,
          runs: [],
          hasSucceeded: false,
        };
      }),
    );
  });
}

/** The results of the calls of each message: each result answers the latest call with its id. */
function resultsById(thread: readonly SeenMessage[]): Map<SeenMessage, Map<string, SeenMessage>> {
  const callers = new Map<string, Map<string, SeenMessage>>();
  const results = new Map<SeenMessage, Map<string, SeenMessage>>();
  for (const seen of thread) {
    const { tool_calls: calls = [], tool_call_id: id } = seen.message;
    if (id !== undefined) callers.get(id)?.set(id, seen);
    if (!calls.length) continue;
    const own = new Map<string, SeenMessage>();
    results.set(seen, own);
    for (const call of calls) if (call.id !== undefined) callers.set(call.id, own);
  }
  return results;
}

/** For each message, the number of tool results from it to the next other message. */
function answersAfter(thread: readonly SeenMessage[]): number[] {
  const counts: number[] = [];
  for (let index = thread.length - 1; index >= 0; index--) {
    const isAnswer = thread[index]?.message.role === "tool";
    counts[index] = isAnswer ? 1 + (counts[index + 1] ?? 0) : 0;
  }
  return counts;
}

/** The result of a call by its position among those that begin at `start`. */
function resultWithoutId(
  thread: readonly SeenMessage[],
  start: number,
  callIndex: number,
  answers: readonly number[],
): SeenMessage | undefined {
  const result = callIndex < (answers[start] ?? 0) ? thread[start + callIndex] : undefined;
  return result?.message.tool_call_id === undefined ? result : undefined;
}

function resultOf({ span, place, tool }: RunOfTool, id: string | undefined): SeenMessage {
  const content = tool.result === undefined ? (span.error ?? "") : resultText(tool.result);
  return { message: { role: "tool", content, ...(id && { tool_call_id: id }) }, time: span.end, place };
}

/** Inserts the results of the calls of each message after those that the thread has. */
function insertResults(
  thread: SeenMessage[],
  results: ReadonlyMap<SeenMessage, readonly SeenMessage[]>,
): void {
  const messages = thread.splice(0);
  let waiting: readonly SeenMessage[] = [];
  for (const seen of messages) {
    if (seen.message.role !== "tool") {
      thread.push(...waiting);
      waiting = results.get(seen) ?? [];
    }
    thread.push(seen);
  }
  thread.push(...waiting);
}

/** The last of the nearest threads that began before a run; `undefined` if all belong to agents beside it. */
function nearestThread(
  { span, place }: RunOfTool,
  threads: readonly SeenMessage[][],
  places: PlacesOfThreads,
): SeenMessage[] | undefined {
  const begun: SeenMessage[][] = [];
  for (let index = threads.length - 1; index >= 0 && begun.length < MAX_THREADS; index--) {
    const thread = threads[index] as SeenMessage[];
    if ((thread[0]?.time ?? 0) <= span.start) begun.push(thread);
  }
  let nearest: { thread: SeenMessage[]; depth: number } | undefined;
  for (const thread of begun.length ? begun : threads)
    for (const each of places.get(thread) ?? []) {
      const { depth, isParallel } = relationOf(each, place);
      if (!isParallel && (!nearest || depth > nearest.depth)) nearest = { thread, depth };
    }
  return nearest?.thread;
}

/** Inserts a run without a call by its time. */
function insertRun(thread: SeenMessage[], run: RunOfTool): void {
  const { span, place, tool } = run;
  const message: TraceMessage = {
    role: "assistant",
    content: "",
    tool_calls: [toolCall(tool.id, tool.name, tool.args)],
  };
  const inserted = [{ message, time: span.start, place }];
  if (tool.result !== undefined || span.error) inserted.push(resultOf(run, tool.id));
  // From the end, since most runs are later than all messages so far.
  let at = thread.length;
  while (at > 0 && (thread[at - 1] as SeenMessage).time > span.start) at--;
  while (thread[at]?.message.role === "tool") at++;
  thread.splice(at, 0, ...inserted);
}
