/** Finds the call that each result belongs to. */

import type { FoundResult } from "./results.js";

/** The calls of one step that have the same id. */
interface CallsOfId {
  step: number;
  calls: number[];
  /** The position in `calls` of the first that may have no result. */
  next: number;
}

/** A result with an id that no call has. */
export interface StrayResult {
  id: unknown;
  /** The index of its message. */
  message: number;
  /** The calls of the step before it: from `start` to `end`, exclusive. */
  start: number;
  end: number;
}

/** Pairs results with calls while a trajectory is read. Calls are numbered in their order. */
export class ResultPairing {
  /** The result of each call. */
  readonly found: FoundResult[] = [];
  /** For each step, its first result with an id that no call has. */
  readonly stray: StrayResult[] = [];
  readonly #withoutId: CallsOfId = { step: 0, calls: [], next: 0 };
  readonly #byId = new Map<unknown, CallsOfId>();
  readonly #ignored = new Set<unknown>();
  #count = 0;
  #next = 0;
  #step = 0;
  #start = 0;
  #strayStep = 0;

  /** The number of calls before the last step. */
  get beforeLastStep(): number {
    return this.#start;
  }

  /** Begins a step. A model may reuse an id in a later one. */
  beginStep(): void {
    this.#step++;
    this.#start = this.#count;
  }

  addCall(id: unknown): void {
    const call = this.#count++;
    if (id == null) {
      this.#withoutId.calls.push(call);
      return;
    }
    const group = this.#byId.get(textOfId(id));
    if (group?.step === this.#step) group.calls.push(call);
    else this.#byId.set(textOfId(id), { step: this.#step, calls: [call], next: 0 });
  }

  /** Leaves out the results of a call that the agent has not made. */
  ignore(id: unknown): void {
    this.#ignored.add(textOfId(id));
  }

  /** Whether a result belongs to a call that is left out. */
  isIgnored(id: unknown): boolean {
    return id != null && this.#ignored.has(textOfId(id)) && !this.#byId.has(textOfId(id));
  }

  /** Returns the call that a result belongs to, if any. */
  take(result: FoundResult, message: number): number | undefined {
    const call = this.#callOf(result.id, message);
    if (call !== undefined) this.found[call] = result;
    return call;
  }

  /**
   * A result without an id belongs to the first call without a result. A result with an unknown id belongs to the first call that
   * has neither a result nor an id.
   */
  #callOf(id: unknown, message: number): number | undefined {
    if (id == null) {
      while (this.found[this.#next]) this.#next++;
      return this.#next < this.#count ? this.#next : undefined;
    }
    const group = this.#byId.get(textOfId(id));
    const call = this.#firstOpen(group ?? this.#withoutId);
    if (!group && call === undefined && this.#strayStep !== this.#step) {
      this.#strayStep = this.#step;
      this.stray.push({ id, message, start: this.#start, end: this.#count });
    }
    return call;
  }

  /** The first call of a group that has no result. */
  #firstOpen(group: CallsOfId): number | undefined {
    while (this.found[group.calls[group.next] as number]) group.next++;
    return group.calls[group.next];
  }
}

/** Some packages write numeric ids as texts. */
export const textOfId = (id: unknown): unknown => (typeof id === "number" ? String(id) : id);
