/**
 * Numbers messages, so that threads compare numbers. Equal messages have the same number, although some spans record the ids of
 * tool calls and others do not.
 */

import { sortedJson } from "../../../core/input/json/sorted-json.js";
import type { TraceMessage, TraceToolCall } from "./message.js";
import { relationOf, type SpanPlace } from "./places.js";
import { structured } from "./span.js";

/** The number of a message, and the place where it was last seen. */
interface PlacedNumber {
  number: number;
  place: SpanPlace;
}

/** The most places of a message that are remembered; the latest ones. */
const MAX_PLACES = 64;

/** The numbers of messages. Messages have to be numbered in the order of their spans. */
export class MessageNumbers {
  readonly #numbers = new Map<string, number>();
  /** The numbers of messages whose calls were once recorded without ids, by name and arguments. */
  readonly #withoutIds = new Map<string, PlacedNumber[]>();
  /** The number of the latest message with ids for its calls, by name and arguments. */
  readonly #withIds = new Map<string, PlacedNumber[]>();
  /** The numbers of messages with tool calls. */
  readonly #callers = new Set<number>();
  /** The latest call with each id, because some models number the calls of each answer from 0. */
  readonly #calls = new Map<string, string>();

  /** The number of a message. Equal messages have the same number. */
  of(message: TraceMessage, place: SpanPlace): number {
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
    const others = (all.get(key) ?? []).filter((each) => each.place !== place).slice(1 - MAX_PLACES);
    all.set(key, [...others, { number, place }]);
    if (role === "assistant") this.#callers.add(number);
    return number;
  }

  /** Whether the message with this number calls tools. */
  makesCalls(number: number): boolean {
    return this.#callers.has(number);
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

/** Identifies a message by its text, and the names and arguments of its calls. */
function keyOf({ role, content, tool_calls: calls }: TraceMessage): string {
  const text = typeof content === "string" ? content.trim() : content;
  return JSON.stringify([role, text, calls?.map(keyOfCall) ?? []]);
}

const keyOfCall = (call: TraceToolCall): string =>
  JSON.stringify([call.function.name, sortedJson(structured(call.function.arguments))]);
