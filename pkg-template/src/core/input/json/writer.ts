/**
 * Writes values as the bytes of their JSON for the engine. `undefined`, `NaN` and infinities become `null`. Any other value that
 * JSON cannot represent is an error; none is dropped.
 *
 * `JSON.stringify` silently drops and changes values, so it would need a check before it, and its string would have to
 * be copied. One pass that checks and writes is faster for values of usual size, and about as fast for large ones. It
 * reads each member once, knows the place of a problem, and stops at the limit. In µs, on one machine, for an object of
 * 3 keys, for one of 10 with a list and an object in it, and for 1,000 objects of 3 keys:
 *
 * |         | walk, `JSON.stringify`, `encodeInto` | this writer       |
 * | ------- | ------------------------------------ | ----------------- |
 * | Node 20 | 0.35 / 1.1 / 210                     | 0.11 / 0.64 / 190 |
 * | Node 22 | 0.26 / 0.73 / 150                    | 0.13 / 0.63 / 180 |
 * | Node 24 | 0.28 / 0.80 / 150                    | 0.13 / 0.62 / 165 |
 */

import { TextEncoder } from "../../platform/text-coding.js";
import { whole } from "../counts.js";
import { cyclic, Flaw, flawed, isBoxed, type Key, MAX_DEPTH, opaque, tooDeep, unwritable } from "./flaw.js";
import { escaped } from "./verbatim.js";

/** Up to this depth, a loop over the ancestors finds cycles faster than a set. */
const SHALLOW = 16;

/** The limit for the JSON of one call, in bytes. Checked before anything is passed to the engine, and while writing. */
const MAX_BYTES = 200_000_000;

/** A larger buffer is not kept, so that its memory is freed. */
const MAX_KEPT_BYTES = 1 << 20;

/** Up to this length, a loop over the characters is as fast as native code, which has to be called twice. */
const SHORT = 64;

/** Longer texts are written in parts, to avoid a copy of a huge text. */
const PART = 1 << 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The free writer. A getter that is called during writing may need a second one. */
let idle: Writer | undefined;

/** Returns a writer. Its earlier bytes are lost. */
export function newJson(): Writer {
  const writer = idle ?? new Writer();
  idle = undefined;
  return writer;
}

/**
 * A JSON text that is being written. It belongs to the caller of {@link newJson} until the bytes are taken, so it can
 * wait for the engine to load.
 */
export class Writer {
  readonly #encoder = new TextEncoder();
  #bytes = new Uint8Array(1 << 14);
  #end = 0;
  /** The lists and objects around the place that is being written. */
  #ancestors: object[] = [];
  /** The deep ones among them. */
  readonly #deep = new Set<object>();
  /** After a failure, the path to its place, innermost first. */
  #keys: Key[] = [];

  /** The number of bytes written. */
  get length(): number {
    return this.#end;
  }

  /**
   * Writes a value; `undefined` counts as `null`, everywhere.
   *
   * @param path The name of the value in messages, such as `outputs`.
   */
  value(value: unknown, path: string): this {
    try {
      this.#end = this.#value(value, this.#end);
      if (this.#end > MAX_BYTES) throw tooLarge(this.#end);
    } catch (thrown) {
      throw flawed(thrown, path, this.#keys.reverse());
    }
    return this;
  }

  /**
   * Writes text that should be JSON already; the engine checks it.
   *
   * @param path Its name in messages.
   */
  verbatim(json: string, path: string): this {
    const { length } = json;
    if (length > MAX_BYTES - this.#end) throw flawed(tooLarge(this.#end + length), path, []);
    const kept = escaped(json);
    this.#reserve(3 * kept.length, this.#end);
    this.#end += this.#encoder.encodeInto(kept, this.#bytes.subarray(this.#end)).written;
    return this;
  }

  /** Writes the text around values. */
  punctuation(text: string): this {
    this.#end = this.#ascii(text, this.#end);
    return this;
  }

  /** The bytes. The next text overwrites them, so pass them to the engine at once. */
  take(): Uint8Array {
    const bytes = this.#bytes.subarray(0, this.#end);
    this.release();
    return bytes;
  }

  /** Releases the bytes. */
  release(): void {
    this.#end = 0;
    if (this.#bytes.length <= MAX_KEPT_BYTES) idle = this;
  }

  // The methods below take the position to write at, and return the end. There is always room for one byte after a
  // value, so commas and colons need no check.

  #value(value: unknown, end: number): number {
    switch (typeof value) {
      case "string":
        return this.#string(value, end);
      case "number":
        return this.#number(value, end);
      case "boolean":
        return this.#ascii(value ? "true" : "false", end);
      case "object":
        return value === null ? this.#ascii("null", end) : this.#object(value, end);
      case "undefined":
        return this.#ascii("null", end);
      default:
        throw unwritable(typeof value);
    }
  }

  #object(object: object, start: number): number {
    const ancestors = this.#ancestors;
    const depth = ancestors.length;
    let isInside = depth > SHALLOW && this.#deep.has(object);
    // A loop from the inside, because values are seldom deep, and `includes` is not faster.
    for (let level = Math.min(depth, SHALLOW) - 1; level >= 0; level--) {
      if (ancestors[level] === object) isInside = true;
    }
    if (isInside) throw cyclic();
    if (depth === MAX_DEPTH) throw tooDeep();
    ancestors.push(object);
    if (depth >= SHALLOW) this.#deep.add(object);
    let end: number;
    const numbers = isTypedArray(object) ? object : undefined;
    if (numbers) checkLength(numbers.length, start);
    const { toJSON } = object as { toJSON?: unknown };
    if (numbers && toJSON === undefined) end = this.#numbers(numbers, start);
    else if (typeof toJSON === "function") end = this.#value(toJSON.call(object), start);
    else if (Array.isArray(object)) end = this.#list(object, start);
    else if (isBoxed(object)) end = this.#value(object.valueOf(), start);
    else end = this.#members(object as Record<string, unknown>, start);
    ancestors.pop();
    if (depth >= SHALLOW) this.#deep.delete(object);
    return end;
  }

  #list(list: readonly unknown[], start: number): number {
    const { length } = list;
    checkLength(length, start);
    let end = this.#byte(OPEN_LIST, start);
    let index = 0;
    try {
      for (; index < length; index++) {
        if (index > 0) this.#bytes[end++] = COMMA;
        end = this.#value(list[index], end);
      }
    } catch (thrown) {
      this.#keys.push(index);
      throw thrown;
    }
    return this.#byte(CLOSE_LIST, end);
  }

  /** A typed array, which JSON takes for an object with indices as keys. */
  #numbers(array: TypedArray, start: number): number {
    let end = this.#byte(OPEN_OBJECT, start);
    for (let index = 0; index < array.length; index++) {
      if (index > 0) this.#bytes[end++] = COMMA;
      end = this.#byte(QUOTE, end);
      end = this.#byte(QUOTE, this.#number(index, end));
      this.#bytes[end++] = COLON;
      end = this.#value(array[index], end);
    }
    const flaw = array.length === 0 && opaque(array);
    if (flaw) throw flaw;
    return this.#byte(CLOSE_OBJECT, end);
  }

  #members(object: Record<string, unknown>, start: number): number {
    let end = this.#byte(OPEN_OBJECT, start);
    let isEmpty = true;
    let key: string | undefined;
    try {
      // By far the fastest way to read members, even though inherited ones have to be skipped.
      for (const name in object) {
        key = name;
        // biome-ignore lint/suspicious/noPrototypeBuiltins: engines know this spelling in such a loop; the other takes half as long again
        if (!Object.prototype.hasOwnProperty.call(object, name)) continue;
        if (!isEmpty) this.#bytes[end++] = COMMA;
        isEmpty = false;
        end = this.#string(name, end);
        this.#bytes[end++] = COLON;
        end = this.#value(object[name], end);
      }
    } catch (thrown) {
      if (key !== undefined) this.#keys.push(key);
      throw thrown;
    }
    const flaw = isEmpty && opaque(object);
    if (flaw) throw flaw;
    return this.#byte(CLOSE_OBJECT, end);
  }

  #number(number: number, start: number): number {
    if (number !== (number | 0) || number < 0) {
      return this.#ascii(Number.isFinite(number) ? String(number) : "null", start);
    }
    this.#reserve(10, start);
    const bytes = this.#bytes;
    let end = start + 1;
    for (let rest = number; rest > 9; rest = (rest / 10) | 0) end++;
    for (let rest = number, at = end; at > start; rest = (rest / 10) | 0) bytes[--at] = ZERO + (rest % 10);
    return end;
  }

  #string(text: string, start: number): number {
    const { length } = text;
    if (length > SHORT) return this.#long(text, start);
    this.#reserve(2 * length + 2, start);
    const bytes = this.#bytes;
    let end = start;
    bytes[end++] = QUOTE;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code < 0x20 || code > 0x7e) return this.#long(text, start);
      if (code === QUOTE || code === BACKSLASH) bytes[end++] = BACKSLASH;
      bytes[end++] = code;
    }
    bytes[end++] = QUOTE;
    return end;
  }

  /** Long texts, and texts with other than plain characters. */
  #long(text: string, start: number): number {
    const { length } = text;
    if (length > MAX_BYTES - start) throw tooLarge(start + length);
    let end = this.#byte(QUOTE, start);
    for (let from = 0, to: number; from < length; from = to) {
      to = Math.min(from + PART, length);
      // The halves of a pair stay together.
      if (to < length && (text.charCodeAt(to) & 0xfc00) === 0xdc00) to--;
      // U+10FFFF has a special meaning in the engine, but its escapes do not.
      const json = JSON.stringify(text.slice(from, to))
        .slice(1, -1)
        .replaceAll("\u{10FFFF}", "\\udbff\\udfff");
      this.#reserve(3 * json.length, end);
      end += this.#encoder.encodeInto(json, this.#bytes.subarray(end)).written;
    }
    return this.#byte(QUOTE, end);
  }

  /** A short text without characters to escape. */
  #ascii(text: string, start: number): number {
    this.#reserve(text.length, start);
    const bytes = this.#bytes;
    for (let index = 0; index < text.length; index++) bytes[start + index] = text.charCodeAt(index);
    return start + text.length;
  }

  #byte(byte: number, end: number): number {
    this.#reserve(1, end);
    this.#bytes[end] = byte;
    return end + 1;
  }

  /** Makes room for `more` bytes and one after them. */
  #reserve(more: number, end: number): void {
    if (this.#bytes.length - end <= more) this.#grow(more, end);
  }

  /** Doubles each time, so that all copies together are not longer than the text. */
  #grow(more: number, end: number): void {
    if (end > MAX_BYTES) throw tooLarge(end);
    const size = Math.max(Math.min(2 * this.#bytes.length, MAX_BYTES + 2), end + more + 1);
    let larger: Uint8Array<ArrayBuffer>;
    try {
      larger = new Uint8Array(size);
    } catch {
      throw tooLarge(end, "there is no memory for more");
    }
    larger.set(this.#bytes.subarray(0, end));
    this.#bytes = larger;
  }
}

type TypedArray = ArrayLike<number | bigint> & object;

const isTypedArray = (object: object): object is TypedArray =>
  ArrayBuffer.isView(object) && "length" in object;

const tooLarge = (bytes: number, limit = `the engine takes at most ${whole(MAX_BYTES)} at once`): Flaw =>
  new Flaw(
    (_, path) =>
      `With ${path}, there are more than ${whole(bytes - 1)} bytes of JSON, and ${limit}: compare smaller parts, ` +
      "or fewer rows at a time.",
  );

/** An element takes at least two bytes, and a list one more, so a list that is too long is rejected before it is written. */
function checkLength(length: number, start: number): void {
  if (2 * length >= MAX_BYTES - start) throw tooLarge(start + 2 * length);
}
