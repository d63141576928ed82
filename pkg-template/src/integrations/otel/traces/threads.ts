/**
 * Rebuilds conversations from calls. Each call repeats the earlier messages, in full or shortened, and several agents of a trace
 * may have conversations at the same time.
 */

import { sortedJson } from "../../../core/input/json/sorted-json.js";
import type { TraceMessage, TraceToolCall } from "./message.js";
import { type Relation, relationOf, type SpanPlace } from "./places.js";
import { structured } from "./span.js";

/** A message, and when and where it was first seen. */
export interface SeenMessage {
  message: TraceMessage;
  time: number;
  place: SpanPlace;
}

interface Thread {
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

/** The number of a message, and the place where it was last seen. */
interface PlacedNumber {
  number: number;
  place: SpanPlace;
}

/** A request to a model, and its response. */
interface Exchange {
  input: readonly TraceMessage[];
  output: readonly TraceMessage[];
  start: number;
  end: number;
  place: SpanPlace;
  form: string;
}

/** The position in a thread that a call continues from. */
interface CallPosition {
  thread?: Thread;
  /** The number of the call's messages that the thread already has. */
  at: number;
  /** Whether these are the last messages of the thread. */
  isEnd: boolean;
}

/** A thread that a call may continue. */
interface ThreadMatch extends CallPosition {
  thread: Thread;
  /** Larger if the common place is smaller, and if fewer places are between. */
  nearness: number;
  hasSameSystem: boolean;
}

/** The most threads that a call is compared with; the latest ones are used. */
const MAX_CANDIDATES = 64;
/** The most threads that are searched for these. */
const MAX_THREADS = 256;

/** Collects calls into threads. Calls have to be added in the order of their start. */
export class Threads {
  readonly #threads: Thread[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of messages whose calls were once recorded without ids, by name and arguments. */
  readonly #withoutIds = new Map<string, PlacedNumber[]>();
  /** The number of the latest message with ids for its calls, by name and arguments. */
  readonly #withIds = new Map<string, PlacedNumber[]>();
  /** The numbers of messages with tool calls. */
  readonly #callers = new Set<number>();
  /** How often the instructions of a thread changed. The first ones are shown. */
  changes = 0;
  /** How many requests continue several threads equally well. */
  unclear = 0;
  /** The latest call with each id, because some models number the calls of each answer from 0. */
  readonly #calls = new Map<string, string>();
  /** The threads that contain a message, by its number. */
  readonly #withKey = new Map<number, Thread[]>();

  add(exchange: Exchange): void {
    const { input, output, start, end, place, form } = exchange;
    const isSystem = ({ role }: TraceMessage) => role === "system" || role === "developer";
    const first = input.findIndex((message) => !isSystem(message));
    const instructions = first === -1 ? input : input.slice(0, first);
    const seen = [
      ...input.slice(instructions.length).map((message) => ({ message, time: start, place })),
      ...output.map((message) => ({ message, time: end, place })),
    ];
    const keys = seen.map(({ message }) => this.#number(message, place));
    const sent = input.length - instructions.length;
    if (seen.some(({ message }) => isHole(message))) this.#fillHoles(seen, keys, sent, exchange);
    const system = instructions.length ? this.#number(instructions[0] as TraceMessage, place) : undefined;

    const position = this.#positionOf(keys.slice(0, sent), system, input[instructions.length], exchange);
    let { thread, at } = position;
    let rivals: object = {};
    if (thread && !position.isEnd) {
      if (form !== thread.form && start < thread.end && hasAnswered(thread, keys, at, sent)) return;
      const hasSameSystem = system === undefined || thread.system === system;
      const hasHistory = input.some(({ role }) => role === "assistant" || role === "tool");
      const isAtOnce = start < thread.end && hasSameSystem;
      const isAfter = start >= thread.end && hasSameSystem;
      const asksAgain = at === sent && (thread.place !== place || (isAfter && !hasHistory));
      if (asksAgain) thread.isOver = true;
      else if (isAtOnce) rivals = thread.rivals;
      if (asksAgain || isAtOnce) [thread, at] = [undefined, 0];
    }
    const isForked = thread && !position.isEnd && system !== undefined && thread.system !== system;
    if (thread && !isForked) Object.assign(thread, { place, form, end: Math.max(thread.end, end) });
    if (thread && position.isEnd) {
      if (system !== undefined && thread.system !== undefined && thread.system !== system) this.changes++;
      for (let index = at; index < seen.length; index++)
        this.#show(thread, seen[index] as SeenMessage, keys[index] as number);
    } else if (thread && !isForked) {
      this.#addToMiddle(thread, seen, keys);
    } else {
      const known = { keys: [], last: new Map(), shown: [], calls: [], isOver: false };
      const newThread: Thread = { ...known, system, place, form, end, rivals };
      this.#threads.push(newThread);
      for (const message of instructions) newThread.shown.push({ message, time: start, place });
      keys.forEach((key, index) => {
        if (index < at) this.#addKey(newThread, key);
        else this.#show(newThread, seen[index] as SeenMessage, key);
      });
    }
  }

  /** The messages of all threads that are not empty. */
  get all(): SeenMessage[][] {
    return this.#threads.map(({ shown }) => shown).filter(({ length }) => length);
  }

  /**
   * The thread whose end the keys continue, or else the one whose beginning they share; the nearest, and then the latest of equal
   * ones. Without one, the thread that waits for the first message.
   */
  #positionOf(
    keys: readonly number[],
    system: number | undefined,
    message: TraceMessage | undefined,
    exchange: Exchange,
  ): CallPosition {
    let best: ThreadMatch | undefined;
    let isUnclear = false;
    const threads = keys.length ? this.#withKey.get(keys[0] as number) : undefined;
    for (const { thread, nearness, isParallel } of candidatesIn(threads, exchange)) {
      const overlap = overlapOf(thread.keys, keys);
      const shared = sharedBeginning(thread.keys, keys);
      const hasSameSystem = thread.system === system;
      // A single shared message with other instructions belongs to another agent.
      const isHistory = overlap > 1 || system === undefined || hasSameSystem;
      const isEnd = overlap > 0 && (overlap >= shared || thread.isOver) && isHistory;
      const at = isEnd ? overlap : shared;
      // A thread that runs at the same time in the trace is continued only by requests that repeat its answer.
      const isKnown = isEnd && at > 1 && at < keys.length && thread.end <= exchange.start;
      if (!at || (isParallel && !isKnown && thread.form === exchange.form)) continue;
      const candidate = { thread, at, isEnd, nearness, hasSameSystem };
      const isRival = best?.thread.rivals === thread.rivals && best.nearness === nearness;
      if (isRival && best?.isEnd === isEnd && best.at === at) isUnclear ||= at > 1;
      else if (!best || isBetter(candidate, best)) isUnclear = false;
      if (!best || isBetter(candidate, best)) best = candidate;
    }
    if (isUnclear) this.unclear++;
    if (best) return best;
    const waiting = this.#waitingFor(message, system, exchange);
    return waiting ? { thread: waiting, at: 0, isEnd: true } : { at: 0, isEnd: false };
  }

  /** The thread whose calls a result answers: if the server keeps the conversation, requests have only new messages. */
  #waitingFor(
    message: TraceMessage | undefined,
    system: number | undefined,
    exchange: Exchange,
  ): Thread | undefined {
    const id = message?.role === "tool" ? message.tool_call_id : undefined;
    if (id === undefined) return undefined;
    const fits = (thread: Thread) =>
      system === undefined || thread.system === undefined || thread.system === system;
    const waiting = candidatesIn(this.#threads, exchange).filter(
      ({ thread }) => thread.calls.includes(id) && fits(thread),
    );
    // Some models number the calls of each answer from 0, so several agents may wait for the same id.
    const [nearest, next] = waiting.sort((a, b) => b.nearness - a.nearness);
    return nearest?.nearness === next?.nearness ? undefined : nearest?.thread;
  }

  /** Replaces messages that were recorded without their calls by those at the same position of a thread. */
  #fillHoles(seen: readonly SeenMessage[], keys: number[], sent: number, exchange: Exchange): void {
    let best: { thread?: Thread; length: number; nearness: number } = { length: 0, nearness: -Infinity };
    const fits = (thread: Thread, index: number) =>
      keys[index] === thread.keys[index] ||
      (isHole((seen[index] as SeenMessage).message) && this.#callers.has(thread.keys[index] as number));
    for (const { thread, nearness } of candidatesIn(this.#withKey.get(keys[0] as number), exchange)) {
      let length = 0;
      while (length < sent && length < thread.keys.length && fits(thread, length)) length++;
      if (length > best.length || (length === best.length && nearness >= best.nearness))
        best = { thread, length, nearness };
    }
    for (let index = 0; index < best.length; index++) keys[index] = best.thread?.keys[index] as number;
  }

  /** Adds a call that continues from the middle of a thread: a retry, or a call with a changed history. */
  #addToMiddle(thread: Thread, seen: readonly SeenMessage[], keys: readonly number[]): void {
    let from = 0;
    keys.forEach((key, index) => {
      if ((thread.last.get(key) ?? -1) >= from) from = thread.keys.indexOf(key, from) + 1;
      else {
        this.#show(thread, seen[index] as SeenMessage, key);
        from = thread.keys.length;
      }
    });
  }

  #show(thread: Thread, message: SeenMessage, key: number): void {
    thread.shown.push(message);
    const { role, tool_calls: calls = [] } = message.message;
    if (role !== "tool") thread.calls = calls.flatMap(({ id }) => id ?? []);
    this.#addKey(thread, key);
  }

  #addKey(thread: Thread, key: number): void {
    if (!thread.last.has(key)) {
      const threads = this.#withKey.get(key);
      if (threads) threads.push(thread);
      else this.#withKey.set(key, [thread]);
    }
    thread.last.set(key, thread.keys.length);
    thread.keys.push(key);
  }

  /** The number of a message. Equal messages have the same number. */
  #number(message: TraceMessage, place: SpanPlace): number {
    for (const call of message.tool_calls ?? [])
      if (call.id !== undefined) this.#calls.set(call.id, keyOfCall(call));
    const { role, tool_call_id: id } = message;
    if (role === "tool" && id) return this.#numberOf(JSON.stringify([role, id, this.#calls.get(id) ?? ""]));
    const key = keyOf(message);
    const ids = message.tool_calls?.map((call) => call.id) ?? [];
    if (!ids.length) return this.#numberOf(key);
    // A response may lack the ids that later requests have, or the other way round. Otherwise ids tell equal calls apart.
    const hasIds = ids.every((each) => each !== undefined);
    const known =
      numberIn(this.#withoutIds, key, place) ?? (hasIds ? undefined : numberIn(this.#withIds, key, place));
    const number = known ?? this.#numberOf(hasIds ? JSON.stringify([key, ids]) : key);
    const all = hasIds ? this.#withIds : this.#withoutIds;
    const others = (all.get(key) ?? []).filter((each) => each.place !== place).slice(1 - MAX_CANDIDATES);
    all.set(key, [...others, { number, place }]);
    if (role === "assistant") this.#callers.add(number);
    return number;
  }

  #numberOf(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** The latest number of a message, except where it was seen at the same time in another place. */
const numberIn = (
  numbers: ReadonlyMap<string, PlacedNumber[]>,
  key: string,
  place: SpanPlace,
): number | undefined =>
  numbers
    .get(key)
    ?.filter((each) => !relationOf(each.place, place).isParallel)
    .at(-1)?.number;

/** Whether a message is empty: OpenLLMetry omits the calls of earlier turns. */
const isHole = ({ role, content, tool_calls }: TraceMessage): boolean =>
  role === "assistant" && !content.length && !tool_calls?.length;

/**
 * The latest threads that a request may continue. What runs at the same time in another place of the trace is another agent,
 * unless a second instrumentation records the same.
 */
function candidatesIn(threads: readonly Thread[] = [], { place, form }: Exchange) {
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
function isBetter(candidate: ThreadMatch, other: ThreadMatch): boolean {
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

/** Whether a thread has the request and the answer of a call, which a second instrumentation recorded, too. */
const hasAnswered = (thread: Thread, keys: readonly number[], at: number, sent: number): boolean =>
  at === sent && keys.every((key, index) => thread.keys[index] === key);

/** Identifies a message by its text, and the names and arguments of its calls. */
function keyOf({ role, content, tool_calls: calls }: TraceMessage): string {
  const text = typeof content === "string" ? content.trim() : content;
  return JSON.stringify([role, text, calls?.map(keyOfCall) ?? []]);
}

const keyOfCall = (call: TraceToolCall): string =>
  JSON.stringify([call.function.name, sortedJson(structured(call.function.arguments))]);

/** The longest beginning of `keys` that ends `before`, in linear time (Knuth–Morris–Pratt). */
function overlapOf(before: readonly number[], keys: readonly number[]): number {
  const end = before.slice(-keys.length);
  const text = [...keys, -1, ...end];
  const borders = new Int32Array(text.length);
  for (let index = 1; index < text.length; index++) {
    let border = borders[index - 1] as number;
    while (border > 0 && text[border] !== text[index]) border = borders[border - 1] as number;
    borders[index] = text[border] === text[index] ? border + 1 : 0;
  }
  return keys.length && end.length ? (borders[text.length - 1] as number) : 0;
}

function sharedBeginning(before: readonly number[], keys: readonly number[]): number {
  let shared = 0;
  while (shared < keys.length && shared < before.length && keys[shared] === before[shared]) shared++;
  return shared;
}
