/** Makes names unique by a number: `a`, `a 2`, `a 3`. */
export class Names {
  readonly #taken = new Set<string>();
  /** The last number that each name got. */
  readonly #numbers = new Map<string, number>();

  unique(name: string): string {
    let number = this.#numbers.get(name) ?? 1;
    let unique = name;
    while (this.#taken.has(unique)) unique = `${name} ${++number}`;
    this.#numbers.set(name, number);
    this.#taken.add(unique);
    return unique;
  }
}
