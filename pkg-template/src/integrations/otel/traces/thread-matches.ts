/** Finds the threads that a request may continue, and decides which of two fits it better. */

import type { TraceMessage } from "./message.js";
import { type Relation, relationOf, type SpanPlace } from "./places.js";

/** A message, and when and where it was first seen. */
export interface SeenMessage {
  message: TraceMessage;
  time: number;
  place: SpanPlace;
}

/** The messages of one conversation with a model, from several calls. */
export interface Thread {
  /** The number of each message, the same for equal messages. `last` has the last position of each number. */
  keys: number[];
  last: Map<number, number>;
  /** The messages to show. A thread that begins like another thread shows only the rest. */
  shown: SeenMessage[];
  system: number | undefined;
  /** The ids of the calls that its last message other than a result makes. */
  calls: string[];
  /** The place of its latest request. */
  place: SpanPlace;
  /** The end of its latest answer. */
  end: number;
  /** The convention of its latest request. */
  form: string;
  /** Whether a later thread begins again with its question, so that requests that continue the end of another one belong there. */
  isOver: boolean;
  /** The same for threads that began at the same time and place with the same messages. */
  rivals: object;
}

/** A request to a model, and its response. */
export interface Exchange {
  input: readonly TraceMessage[];
  output: readonly TraceMessage[];
  start: number;
  end: number;
  place: SpanPlace;
  form: string;
}

/** The position in a thread that a call continues from. */
export interface CallPosition {
  thread?: Thread;
  /** The number of the call's messages that the thread already has. */
  at: number;
  /** Whether these are the last messages of the thread. */
  isEnd: boolean;
}

/** A thread that a call may continue. */
export interface ThreadMatch extends CallPosition {
  thread: Thread;
  /** Larger if the common place is smaller, and if fewer places are between. */
  nearness: number;
  hasSameSystem: boolean;
}

/** The most threads that a call is compared with; the latest ones are used. */
const MAX_CANDIDATES = 64;
/** The most threads that are searched for these. */
const MAX_THREADS = 256;

/**
 * The latest threads that a request may continue. What runs at the same time in another place of the trace is another agent,
 * unless a second instrumentation records the same.
 */
export function candidatesIn(threads: readonly Thread[] = [], { place, form }: Exchange) {
  const found: { thread: Thread; nearness: number; isParallel: boolean }[] = [];
  const first = Math.max(0, threads.length - MAX_THREADS);
  for (let index = threads.length - 1; index >= first && found.length < MAX_CANDIDATES; index--) {
    const thread = threads[index] as Thread;
    const relation = relationOf(thread.place, place);
    if (isBeside(relation) && thread.form === form) continue;
    const { depth, distance, isParallel } = relation;
    found.push({ thread, nearness: depth < 0 ? depth : depth - distance / 1000, isParallel });
  }
  return found.reverse();
}

/** Whether a place belongs to another agent, which runs at the same time in the trace. */
const isBeside = ({ depth, isParallel }: Relation): boolean => isParallel && depth >= 0;

/** Whether a request fits a thread better than `other`: agents repeat each other's texts, so their places count first. */
export function isBetter(candidate: ThreadMatch, other: ThreadMatch): boolean {
  if (candidate.nearness > other.nearness) return candidate.isEnd || candidate.at >= other.at;
  if (candidate.nearness < other.nearness) return !other.isEnd && candidate.at > other.at;
  const [end, middle] = candidate.isEnd ? [candidate, other] : [other, candidate];
  const isEndBetter = middle.thread.isOver || middle.thread.rivals === end.thread.rivals;
  if (end.isEnd && !middle.isEnd && isEndBetter) return candidate === end;
  // The same instructions break ties.
  const scoreOf = ({ at, isEnd, hasSameSystem }: ThreadMatch) =>
    at * 4 + (isEnd ? 2 : 0) + (hasSameSystem ? 1 : 0);
  return scoreOf(candidate) >= scoreOf(other);
}
