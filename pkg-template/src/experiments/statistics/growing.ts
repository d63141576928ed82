/** Lists of numbers, of which there will be more. */

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

  upTo(count: number): List {
    return this.#list.subarray(0, count) as List;
  }
}

/** How many numbers stand together. */
const PAGE = 256;

/** Numbers by places that may be far apart: gaps take no memory, and little time. */
export class Scattered<List extends Numbers> {
  readonly #pages = new Map<number, List>();
  readonly #make: new (
    length: number,
  ) => List;

  constructor(make: new (length: number) => List) {
    this.#make = make;
  }

  set(index: number, number: number): void {
    const which = Math.floor(index / PAGE);
    let page = this.#pages.get(which);
    if (!page) {
      page = new this.#make(PAGE);
      this.#pages.set(which, page);
    }
    page[index % PAGE] = number;
  }

  /** The number there; 0 where none has been set. */
  at(index: number): number {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? 0;
  }
}
