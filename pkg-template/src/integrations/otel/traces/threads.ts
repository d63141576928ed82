/**
 * Rebuilds conversations from calls. Each call repeats the earlier messages, in full or shortened, and several agents of a trace
 * may have conversations at the same time.
 */

import { sortedJson } from "../../../core/input/sorted-json.js";
import type { TraceMessage, TraceToolCall } from "./message.js";
import { structured } from "./span.js";

/** A message and when it was first seen. */
export interface SeenMessage {
  message: TraceMessage;
  time: number;
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
  /** The trace of its latest request. */
  traceId: string;
  /** Whether a later thread begins again with its question, so that only requests that continue its end belong to it. */
  isOver: boolean;
}

/** A request to a model, and its response. */
interface Exchange {
  input: readonly TraceMessage[];
  output: readonly TraceMessage[];
  start: number;
  end: number;
  traceId: string;
}

/** The position in a thread that a call continues from. */
interface CallPosition {
  thread?: Thread;
  /** The number of the call's messages that the thread already has. */
  at: number;
  /** Whether these are the last messages of the thread. */
  isEnd: boolean;
}

/** The most threads that a call is compared with; the latest ones are used. */
const MAX_CANDIDATES = 64;

/** Collects calls into threads. Calls have to be added in the order of their start. */
export class Threads {
  readonly #threads: Thread[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of messages whose calls were once recorded without ids, by name and arguments. */
  readonly #withoutIds = new Map<string, number>();
  /** The number of the latest message with ids for its calls, by name and arguments. */
  readonly #withIds = new Map<string, number>();
  /** The numbers of messages with tool calls. */
  readonly #callers = new Set<number>();
  /** How often the instructions of a thread changed. The first ones are shown. */
  changes = 0;
  /** The latest call with each id, because some models number the calls of each answer from 0. */
  readonly #calls = new Map<string, string>();
  /** The threads that contain a message, by its number. */
  readonly #withKey = new Map<number, Thread[]>();

  add({ input, output, start, end, traceId }: Exchange): void {
    const isSystem = ({ role }: TraceMessage) => role === "system" || role === "developer";
    const first = input.findIndex((message) => !isSystem(message));
    const instructions = first === -1 ? input : input.slice(0, first);
    const seen = [
      ...input.slice(instructions.length).map((message) => ({ message, time: start })),
      ...output.map((message) => ({ message, time: end })),
    ];
    const keys = seen.map(({ message }) => this.#number(message));
    const sent = input.length - instructions.length;
    if (seen.some(({ message }) => isHole(message))) this.#fillHoles(seen, keys, sent);
    const system = instructions.length ? this.#number(instructions[0] as TraceMessage) : undefined;

    let { thread, at, isEnd } = this.#positionOf(keys.slice(0, sent), system, input[instructions.length]);
    const hasHistory = input.some(({ role }) => role === "assistant" || role === "tool");
    if (thread && !isEnd && at === sent && !hasHistory && asksAgain(thread, start, traceId, system)) {
      thread.isOver = true;
      thread = undefined;
      at = 0;
    }
    if (thread) thread.traceId = traceId;
    if (thread && isEnd) {
      if (system !== undefined && thread.system !== undefined && thread.system !== system) this.changes++;
      for (let index = at; index < seen.length; index++)
        this.#show(thread, seen[index] as SeenMessage, keys[index] as number);
    } else if (thread && (thread.system === system || system === undefined)) {
      this.#addToMiddle(thread, seen, keys);
    } else {
      const known = { keys: [], last: new Map(), shown: [], calls: [] };
      const newThread: Thread = { ...known, system, traceId, isOver: false };
      this.#threads.push(newThread);
      for (const message of instructions) newThread.shown.push({ message, time: start });
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
   * The thread whose end the keys continue, or else the one whose beginning they share; the latest of equal ones. Without one,
   * the thread that waits for the first message.
   */
  #positionOf(
    keys: readonly number[],
    system: number | undefined,
    message: TraceMessage | undefined,
  ): CallPosition {
    let best: CallPosition = { at: 0, isEnd: false };
    let most = 0;
    const candidates = keys.length ? (this.#withKey.get(keys[0] as number) ?? []) : [];
    for (const thread of candidates.slice(-MAX_CANDIDATES)) {
      const overlap = overlapOf(thread.keys, keys);
      const shared = sharedBeginning(thread.keys, keys);
      // A single shared message with other instructions belongs to another agent.
      const isHistory = overlap > 1 || system === undefined || thread.system === system;
      const isEnd = overlap > 0 && (overlap >= shared || thread.isOver) && isHistory;
      if (thread.isOver && !isEnd) continue;
      const at = isEnd ? overlap : shared;
      // The same instructions break ties.
      const score = at * 4 + (isEnd ? 2 : 0) + (thread.system === system ? 1 : 0);
      if (at && score >= most) {
        best = { thread, at, isEnd };
        most = score;
      }
    }
    if (best.thread) return best;
    const waiting = this.#waitingFor(message, system);
    return waiting ? { thread: waiting, at: 0, isEnd: true } : best;
  }

  /** The thread whose calls a result answers: if the server keeps the conversation, requests have only new messages. */
  #waitingFor(message: TraceMessage | undefined, system: number | undefined): Thread | undefined {
    const id = message?.role === "tool" ? message.tool_call_id : undefined;
    if (id === undefined) return undefined;
    const fits = (thread: Thread) =>
      system === undefined || thread.system === undefined || thread.system === system;
    const waiting = this.#threads
      .slice(-MAX_CANDIDATES)
      .filter((thread) => thread.calls.includes(id) && fits(thread));
    // Some models number the calls of each answer from 0, so several agents may wait for the same id.
    return waiting.length === 1 ? waiting[0] : undefined;
  }

  /** Replaces messages that were recorded without their calls by those at the same position of a thread. */
  #fillHoles(seen: readonly SeenMessage[], keys: number[], sent: number): void {
    const candidates = this.#withKey.get(keys[0] as number) ?? [];
    let best: { thread?: Thread; length: number } = { length: 0 };
    const fits = (thread: Thread, index: number) =>
      keys[index] === thread.keys[index] ||
      (isHole((seen[index] as SeenMessage).message) && this.#callers.has(thread.keys[index] as number));
    for (const thread of candidates.slice(-MAX_CANDIDATES)) {
      let length = 0;
      while (length < sent && length < thread.keys.length && fits(thread, length)) length++;
      if (length >= best.length) best = { thread, length };
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
  #number(message: TraceMessage): number {
    for (const call of message.tool_calls ?? [])
      if (call.id !== undefined) this.#calls.set(call.id, keyOfCall(call));
    const { role, tool_call_id: id } = message;
    if (role === "tool" && id) return this.#numberOf(JSON.stringify([role, id, this.#calls.get(id) ?? ""]));
    const key = keyOf(message);
    const ids = message.tool_calls?.map((call) => call.id) ?? [];
    if (!ids.length) return this.#numberOf(key);
    // A response may lack the ids that later requests have, or the other way round. Otherwise ids tell equal calls apart.
    const hasIds = ids.every((each) => each !== undefined);
    const known = this.#withoutIds.get(key) ?? (hasIds ? undefined : this.#withIds.get(key));
    const number = known ?? this.#numberOf(hasIds ? JSON.stringify([key, ids]) : key);
    (hasIds ? this.#withIds : this.#withoutIds).set(key, number);
    if (role === "assistant") this.#callers.add(number);
    return number;
  }

  #numberOf(key: string): number {
    const number = this.#numbers.get(key) ?? this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Whether a message is empty: OpenLLMetry omits the calls of earlier turns. */
const isHole = ({ role, content, tool_calls }: TraceMessage): boolean =>
  role === "assistant" && !content.length && !tool_calls?.length;

/**
 * Whether a request without history, which begins like a thread, asks the same again. Requests at the same time take several
 * answers to one question, and a request with other instructions in the same trace gives the question to another agent.
 */
const asksAgain = (thread: Thread, start: number, traceId: string, system: number | undefined): boolean =>
  thread.traceId !== traceId ||
  (start >= (thread.shown.at(-1)?.time ?? 0) && (system === undefined || thread.system === system));

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
