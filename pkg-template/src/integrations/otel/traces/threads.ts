/**
 * Rebuilds conversations from calls. Each call repeats the earlier messages, in full or shortened, and several agents of a trace
 * may have conversations at the same time.
 */

import type { TraceMessage } from "./message.js";
import { MessageNumbers } from "./message-numbers.js";
import { overlapOf, sharedBeginning } from "./overlap.js";
import {
  type CallPosition,
  candidatesIn,
  type Exchange,
  isBetter,
  type SeenMessage,
  type Thread,
  type ThreadMatch,
} from "./thread-matches.js";

/** A call whose messages have numbers. */
interface NumberedCall {
  exchange: Exchange;
  /** Its first messages, and the number of the first of them. */
  instructions: readonly TraceMessage[];
  system: number | undefined;
  /** Its other messages: those that it sends, and the answer. */
  seen: readonly SeenMessage[];
  keys: readonly number[];
  /** The number of those that it sends. */
  sent: number;
}

/** Collects calls into threads. Calls have to be added in the order of their start. */
export class Threads {
  readonly #threads: Thread[] = [];
  readonly #numbers = new MessageNumbers();
  /** How often the instructions of a thread changed. The first ones are shown. */
  changes = 0;
  /** How many requests continue several threads equally well. */
  unclear = 0;
  /** The threads that contain a message, by its number. */
  readonly #withKey = new Map<number, Thread[]>();

  add(exchange: Exchange): void {
    const call = this.#numbered(exchange);
    const { thread, at, isEnd } = this.#positionOf(call);
    if (!thread) this.#begin(call, at, {});
    else if (isEnd) this.#addToEnd(thread, call, at);
    else this.#addToBeginning(thread, call, at);
  }

  /** Separates the instructions of a call, and numbers its other messages. */
  #numbered(exchange: Exchange): NumberedCall {
    const { input, output, start, end, place } = exchange;
    const isSystem = ({ role }: TraceMessage) => role === "system" || role === "developer";
    const first = input.findIndex((message) => !isSystem(message));
    const instructions = first === -1 ? input : input.slice(0, first);
    const seen = [
      ...input.slice(instructions.length).map((message) => ({ message, time: start, place })),
      ...output.map((message) => ({ message, time: end, place })),
    ];
    const keys = seen.map(({ message }) => this.#numbers.of(message, place));
    const sent = input.length - instructions.length;
    if (seen.some(({ message }) => isHole(message))) this.#fillHoles(seen, keys, sent, exchange);
    const [lead] = instructions;
    const system = lead && this.#numbers.of(lead, place);
    return { exchange, instructions, system, seen, keys, sent };
  }

  /** The messages of all threads that are not empty. */
  get all(): SeenMessage[][] {
    return this.#threads.map(({ shown }) => shown).filter(({ length }) => length);
  }

  /**
   * The thread whose end the keys continue, or else the one whose beginning they share; the nearest, and then the latest of equal
   * ones. Without one, the thread that waits for the first message.
   */
  #positionOf({ instructions, keys: all, sent, system, exchange }: NumberedCall): CallPosition {
    const keys = all.slice(0, sent);
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
    const waiting = this.#waitingFor(exchange.input[instructions.length], system, exchange);
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
      (isHole((seen[index] as SeenMessage).message) &&
        this.#numbers.makesCalls(thread.keys[index] as number));
    for (const { thread, nearness } of candidatesIn(this.#withKey.get(keys[0] as number), exchange)) {
      let length = 0;
      while (length < sent && length < thread.keys.length && fits(thread, length)) length++;
      if (length > best.length || (length === best.length && nearness >= best.nearness))
        best = { thread, length, nearness };
    }
    for (let index = 0; index < best.length; index++) keys[index] = best.thread?.keys[index] as number;
  }

  /** Begins a thread, which shows the messages of a call after the first `at`: another thread shows these. */
  #begin({ exchange, instructions, system, seen, keys }: NumberedCall, at: number, rivals: object): void {
    const { start, end, place, form } = exchange;
    const known = { keys: [], last: new Map(), shown: [], calls: [], isOver: false };
    const thread: Thread = { ...known, system, place, form, end, rivals };
    this.#threads.push(thread);
    for (const message of instructions) thread.shown.push({ message, time: start, place });
    keys.forEach((key, index) => {
      if (index < at) this.#addKey(thread, key);
      else this.#show(thread, seen[index] as SeenMessage, key);
    });
  }

  /** Adds a call that repeats the last messages of a thread, as many as `at`. */
  #addToEnd(thread: Thread, { exchange, system, seen, keys }: NumberedCall, at: number): void {
    continueBy(thread, exchange);
    if (system !== undefined && thread.system !== undefined && thread.system !== system) this.changes++;
    for (let index = at; index < seen.length; index++)
      this.#show(thread, seen[index] as SeenMessage, keys[index] as number);
  }

  /** Adds a call that shares only the first messages of a thread, as many as `at`. */
  #addToBeginning(thread: Thread, call: NumberedCall, at: number): void {
    const { exchange, keys, sent, system } = call;
    const isOtherForm = exchange.form !== thread.form;
    if (isOtherForm && exchange.start < thread.end && hasAnswered(thread, keys, at, sent)) return;
    const restart = restartOf(thread, call, at);
    if (restart === "again") thread.isOver = true;
    const isForked = system !== undefined && thread.system !== system;
    if (restart) this.#begin(call, 0, restart === "at once" ? thread.rivals : {});
    else if (isForked) this.#begin(call, at, {});
    else this.#addToMiddle(thread, call);
  }

  /** Adds a call that continues from the middle of a thread: a retry, or a call with a changed history. */
  #addToMiddle(thread: Thread, { exchange, seen, keys }: NumberedCall): void {
    continueBy(thread, exchange);
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
}

/** Whether a message is empty: OpenLLMetry omits the calls of earlier turns. */
const isHole = ({ role, content, tool_calls }: TraceMessage): boolean =>
  role === "assistant" && !content.length && !tool_calls?.length;

/**
 * Whether a call that shares only the beginning of a thread begins another thread: because it asks the same question `again`, or
 * because it begins before the thread has its answer (`at once`).
 */
function restartOf(
  thread: Thread,
  { exchange: { input, start, place }, system, sent }: NumberedCall,
  at: number,
): "again" | "at once" | undefined {
  const hasSameSystem = system === undefined || thread.system === system;
  const hasHistory = input.some(({ role }) => role === "assistant" || role === "tool");
  const isAtOnce = start < thread.end && hasSameSystem;
  const isAfter = start >= thread.end && hasSameSystem;
  if (at === sent && (thread.place !== place || (isAfter && !hasHistory))) return "again";
  return isAtOnce ? "at once" : undefined;
}

/** The thread is now where the call was made. */
const continueBy = (thread: Thread, { place, form, end }: Exchange): void => {
  Object.assign(thread, { place, form, end: Math.max(thread.end, end) });
};

/** Whether a thread has the request and the answer of a call, which a second instrumentation recorded, too. */
const hasAnswered = (thread: Thread, keys: readonly number[], at: number, sent: number): boolean =>
  at === sent && keys.every((key, index) => thread.keys[index] === key);
