/**
 * Conversations out of calls: each call repeats what was said before, in the same words or shortened, and agents of one
 * trace may talk with their models at the same time.
 */

import type { TraceMessage } from "./message.js";
import { structured } from "./span.js";

/** A message and when it was first seen. */
export interface SeenMessage {
  message: TraceMessage;
  time: number;
}

interface Thread {
  /** All that was said, in numbers that equal messages share, and where each was said last. */
  keys: number[];
  last: Map<number, number>;
  /** What is shown of it: a thread that begins like another one shows only what differs. */
  said: SeenMessage[];
  system: number | undefined;
}

/** Where a call goes on. */
interface CallPlace {
  thread?: Thread;
  /** How many of the call's messages the thread has. */
  at: number;
  /** Whether these are the last ones of the thread. */
  isEnd: boolean;
}

/** Of more threads than that with the same message, the latest are looked at. */
const MOST_CANDIDATES = 64;

/** Adds calls in the order of their beginnings. */
export class Threads {
  readonly #threads: Thread[] = [];
  readonly #numbers = new Map<string, number>();
  /** The numbers of messages that call tools. */
  readonly #callers = new Set<number>();
  /** How often a thread went on with other instructions: the first are shown. */
  changes = 0;
  /** The threads in which a message stands. */
  readonly #withKey = new Map<number, Thread[]>();

  /** What a model was sent, and what it answered. */
  add(input: readonly TraceMessage[], output: readonly TraceMessage[], start: number, end: number): void {
    const isSystem = ({ role }: TraceMessage) => role === "system" || role === "developer";
    const first = input.findIndex((message) => !isSystem(message));
    const instructions = first === -1 ? input : input.slice(0, first);
    const said = [
      ...input.slice(instructions.length).map((message) => ({ message, time: start })),
      ...output.map((message) => ({ message, time: end })),
    ];
    const keys = said.map(({ message }) => this.#number(message));
    const sent = input.length - instructions.length;
    if (said.some(({ message }) => isHole(message))) this.#fillHoles(said, keys, sent);
    const system = instructions.length ? this.#number(instructions[0] as TraceMessage) : undefined;

    const { thread, at, isEnd } = this.#placeOf(keys.slice(0, sent), system);
    if (thread && isEnd) {
      if (system !== undefined && thread.system !== undefined && thread.system !== system) this.changes++;
      for (let index = at; index < said.length; index++)
        this.#show(thread, said[index] as SeenMessage, keys[index] as number);
    } else if (thread && (thread.system === system || system === undefined)) {
      this.#addToMiddle(thread, said, keys);
    } else {
      const begun: Thread = { keys: [], last: new Map(), said: [], system };
      this.#threads.push(begun);
      for (const message of instructions) begun.said.push({ message, time: start });
      keys.forEach((key, index) => {
        if (index < at) this.#keep(begun, key);
        else this.#show(begun, said[index] as SeenMessage, key);
      });
    }
  }

  /** All threads that have something to show. */
  get all(): SeenMessage[][] {
    return this.#threads.map(({ said }) => said).filter(({ length }) => length);
  }

  /** The thread whose end the keys go on from, or else the one whose beginning they share; the latest of equals. */
  #placeOf(keys: readonly number[], system: number | undefined): CallPlace {
    let best: CallPlace = { at: 0, isEnd: false };
    let most = 0;
    const candidates = keys.length ? (this.#withKey.get(keys[0] as number) ?? []) : [];
    for (const thread of candidates.slice(-MOST_CANDIDATES)) {
      const overlap = overlapOf(thread.keys, keys);
      const shared = sharedBeginning(thread.keys, keys);
      // A question alone is no history: with other instructions, it was asked somebody else.
      const isHistory = overlap > 1 || system === undefined || thread.system === system;
      const isEnd = overlap > 0 && overlap >= shared && isHistory;
      const at = isEnd ? overlap : shared;
      // Of what fits equally, that with the same instructions.
      const score = at * 4 + (isEnd ? 2 : 0) + (thread.system === system ? 1 : 0);
      if (at && score >= most) {
        best = { thread, at, isEnd };
        most = score;
      }
    }
    return best;
  }

  /** What somebody has recorded without its calls is what a thread has in its place. */
  #fillHoles(said: readonly SeenMessage[], keys: number[], sent: number): void {
    const candidates = this.#withKey.get(keys[0] as number) ?? [];
    let most: { thread?: Thread; length: number } = { length: 0 };
    const fits = (thread: Thread, index: number) =>
      keys[index] === thread.keys[index] ||
      (isHole((said[index] as SeenMessage).message) && this.#callers.has(thread.keys[index] as number));
    for (const thread of candidates.slice(-MOST_CANDIDATES)) {
      let length = 0;
      while (length < sent && length < thread.keys.length && fits(thread, length)) length++;
      if (length >= most.length) most = { thread, length };
    }
    for (let index = 0; index < most.length; index++) keys[index] = most.thread?.keys[index] as number;
  }

  /** A call from the middle of a thread: asked again, or with a history that somebody has changed. */
  #addToMiddle(thread: Thread, said: readonly SeenMessage[], keys: readonly number[]): void {
    let from = 0;
    keys.forEach((key, index) => {
      if ((thread.last.get(key) ?? -1) >= from) from = thread.keys.indexOf(key, from) + 1;
      else {
        this.#show(thread, said[index] as SeenMessage, key);
        from = thread.keys.length;
      }
    });
  }

  #show(thread: Thread, said: SeenMessage, key: number): void {
    thread.said.push(said);
    this.#keep(thread, key);
  }

  #keep(thread: Thread, key: number): void {
    if (!thread.last.has(key)) {
      const threads = this.#withKey.get(key);
      if (threads) threads.push(thread);
      else this.#withKey.set(key, [thread]);
    }
    thread.last.set(key, thread.keys.length);
    thread.keys.push(key);
  }

  /** A number for all messages that say the same. */
  #number(message: TraceMessage): number {
    const key = keyOf(message);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    if (message.role === "assistant" && message.tool_calls?.length) this.#callers.add(number);
    return number;
  }
}

/** Whether a message says nothing: OpenLLMetry leaves the calls of earlier turns out. */
const isHole = ({ role, content, tool_calls }: TraceMessage): boolean =>
  role === "assistant" && !content.length && !tool_calls?.length;

/** Results are known by the call that they answer, calls by name and arguments: answers may not have their ids yet. */
function keyOf({ role, content, tool_calls: calls, tool_call_id }: TraceMessage): string {
  if (role === "tool" && tool_call_id) return JSON.stringify([role, tool_call_id]);
  const called = calls?.map((call) => [call.function.name, sortedJson(structured(call.function.arguments))]);
  return JSON.stringify([role, typeof content === "string" ? content.trim() : content, called ?? []]);
}

/** JSON with its keys in order. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

/** How many of the first keys are the last ones of `before`, in linear time (Knuth, Morris and Pratt). */
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
