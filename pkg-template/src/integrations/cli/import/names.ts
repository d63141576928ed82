/** Gives names, each of them once: `a`, `a 2`, `a 3`. */
export class Names {
  readonly #taken = new Set<string>();
  /** The last number of each name. */
  readonly #numbers = new Map<string, number>();

  free(name: string): string {
    let number = this.#numbers.get(name) ?? 1;
    let free = name;
    while (this.#taken.has(free)) free = `${name} ${++number}`;
    this.#numbers.set(name, number);
    this.#taken.add(free);
    return free;
  }
}
