/** Texts told apart by 64 bits: of a million texts, two have the same in one of thirty million cases. */

import { mixed } from "../../core/input/hash.js";

/** The last fingerprint that was taken, in two halves: a pair would have to be allocated for each. */
export const taken = { high: 0, low: 0 };

/** Takes the fingerprint of a text. */
export function take(text: string): void {
  let high = 0x9747b28c ^ text.length;
  let low = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(rotated(high ^ unit, 15), 0x85ebca6b);
    low = Math.imul(rotated(low ^ unit, 13), 0xc2b2ae35) + high;
  }
  taken.high = mixed(high ^ low);
  taken.low = mixed(low + taken.high);
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

/** The fingerprint of texts in their order. */
export class SequenceFingerprint {
  #high = 0;
  #low = 0;

  add(text: string): void {
    take(text);
    this.#high = mixed(this.#high ^ taken.high);
    this.#low = mixed(this.#low + taken.low);
  }

  toString(): string {
    return [this.#high, this.#low].map((half) => half.toString(16).padStart(8, "0")).join("");
  }
}

/** A set of texts, of which it only has the fingerprints: sixteen bytes for each, however long they are. */
export class Fingerprints {
  /** Pairs of halves, each in the first free place from the one on that it would have; two zeros are free. */
  #table = new Uint32Array(2 * 1024);
  #size = 0;

  /** Adds a text; `false` if it is there already. */
  add(text: string): boolean {
    take(text);
    // Zeros stand for nothing.
    const { high, low } = taken.high || taken.low ? taken : { high: 1, low: 0 };
    if (!put(this.#table, high, low)) return false;
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
