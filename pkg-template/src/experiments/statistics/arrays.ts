/** Typed arrays whose length is not known in advance. */

export type Numbers = Uint8Array | Uint32Array | Float64Array;

/** A typed array that doubles when it is full. */
export class GrowableArray<List extends Numbers> {
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

/** The number of elements in a page. */
const PAGE = 256;

/** A sparse array in pages: indexes may be far apart, and gaps take no memory. */
export class SparseArray<List extends Numbers> {
  readonly #pages = new Map<number, List>();
  readonly #make: new (
    length: number,
  ) => List;

  constructor(make: new (length: number) => List) {
    this.#make = make;
  }

  set(index: number, number: number): void {
    const pageNumber = Math.floor(index / PAGE);
    let page = this.#pages.get(pageNumber);
    if (!page) {
      page = new this.#make(PAGE);
      this.#pages.set(pageNumber, page);
    }
    page[index % PAGE] = number;
  }

  /** The number at an index; 0 if none was set. */
  at(index: number): number {
    return this.#pages.get(Math.floor(index / PAGE))?.[index % PAGE] ?? 0;
  }
}
