/** 64-bit fingerprints of texts. The chance that two of a million texts have the same is about 1 in 37 million. */

import { mixed } from "../../core/input/mixed.js";

/** A fingerprint in two halves. It is overwritten with the next one, since an object for each would be costly. */
export interface Fingerprint {
  high: number;
  low: number;
}

/** Writes the fingerprint of a text into `into`. */
export function fingerprint(text: string, into: Fingerprint): Fingerprint {
  let high = 0x9747b28c ^ text.length;
  let low = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(rotated(high ^ unit, 15), 0x85ebca6b);
    low = Math.imul(rotated(low ^ unit, 13), 0xc2b2ae35) + high;
  }
  into.high = mixed(high ^ low);
  into.low = mixed(low + into.high);
  return into;
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

/** The fingerprint of texts in their order. */
export class SequenceFingerprint {
  #high = 0;
  #low = 0;
  readonly #one: Fingerprint = { high: 0, low: 0 };

  add(text: string): void {
    const { high, low } = fingerprint(text, this.#one);
    this.#high = mixed(this.#high ^ high);
    this.#low = mixed(this.#low + low);
  }

  toString(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** A set of texts that only keeps their fingerprints: at least sixteen bytes for each, however long it is. */
export class Fingerprints {
  /** An open-addressing table of pairs of halves. (0, 0) is a free place. */
  #table = new Uint32Array(2 * 1024);
  #size = 0;
  readonly #one: Fingerprint = { high: 0, low: 0 };

  /** Adds a text; `false` if it is there already. */
  add(text: string): boolean {
    const { high, low } = fingerprint(text, this.#one);
    // (0, 0) would be a free place.
    const isFree = high === 0 && low === 0;
    if (!put(this.#table, isFree ? 1 : high, low)) return false;
    if (++this.#size * 4 > this.#table.length) this.#grow();
    return true;
  }

  #grow(): void {
    const grown = new Uint32Array(2 * this.#table.length);
    for (let index = 0; index < this.#table.length; index += 2) {
      const [high, low] = [this.#table[index]!, this.#table[index + 1]!];
      if (high || low) put(grown, high, low);
    }
    this.#table = grown;
  }
}

function put(table: Uint32Array, high: number, low: number): boolean {
  const mask = table.length - 1;
  for (let place = (low * 2) & mask; ; place = (place + 2) & mask) {
    if (!table[place] && !table[place + 1]) {
      table[place] = high;
      table[place + 1] = low;
      return true;
    }
    if (table[place] === high && table[place + 1] === low) return false;
  }
}
