export type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Numbers, of which there will be more. */
export class Growing<List extends Numbers> {
  #list: List;
  readonly #make: new (
    length: number,
  ) => List;

  constructor(make: new (length: number) => List) {
    this.#make = make;
    this.#list = new make(64);
  }

  set(index: number, number: number): void {
    if (index >= this.#list.length) {
      const grown = new this.#make(Math.max(2 * this.#list.length, index + 1));
      grown.set(this.#list);
      this.#list = grown;
    }
    this.#list[index] = number;
  }

  /** The number there; 0 where none has been set. */
  at(index: number): number {
    return this.#list[index] ?? 0;
  }

  upTo(count: number): List {
    return this.#list.subarray(0, count) as List;
  }
}
