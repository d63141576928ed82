/** Random numbers that are the same in every run. */
export class Random {
  #state = 2166136261;

  /** @param {string} seed */
  constructor(seed) {
    for (const character of seed) this.#state = Math.imul(this.#state ^ character.charCodeAt(0), 16777619);
  }

  /** Uniform between 0 and 1. */
  uniform() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Whether something with this probability happens. */
  happens(probability) {
    return this.uniform() < probability;
  }

  /** An integer from 0 up to, but not including, `count`. */
  below(count) {
    return Math.floor(this.uniform() * count);
  }

  /** Standard normal (Box and Muller). */
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Gamma with this shape and scale 1 (Marsaglia and Tsang, 2000). */
  gamma(shape) {
    if (shape < 1) return this.gamma(shape + 1) * (1 - this.uniform()) ** (1 / shape);
    const d = shape - 1 / 3;
    for (;;) {
      const x = this.normal();
      const v = (1 + x / Math.sqrt(9 * d)) ** 3;
      if (v > 0 && Math.log(1 - this.uniform()) < x ** 2 / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  }

  /** Beta. */
  beta(a, b) {
    const one = this.gamma(a);
    return one / (one + this.gamma(b));
  }
}
