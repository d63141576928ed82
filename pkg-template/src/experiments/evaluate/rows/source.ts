/** The rows of a plan. */

import { type OpenData, openData } from "../data/open-data.js";
import type { ParsedRow } from "../data/types.js";
import type { Plan } from "../options/plan.js";
import { ShardOfData } from "../shard.js";

/** Ends data that keeps the experiment waiting. */
export interface TimeLimit {
  inTime<Part>(parts: AsyncIterable<Part>): AsyncIterable<Part>;
  /** Set once the run has ended before its data. */
  readonly usedUp: unknown;
}

/** The data of a plan, or of its shard, up to the time limit. */
export class RowSource {
  readonly #plan: Pick<Plan, "data" | "map" | "target" | "shard">;
  readonly #limit: TimeLimit | undefined;
  #data: OpenData | undefined;
  #shard: ShardOfData | undefined;

  constructor(plan: Pick<Plan, "data" | "map" | "target" | "shard">, limit: TimeLimit | undefined) {
    this.#plan = plan;
    this.#limit = limit;
  }

  /** @returns The number of rows, if it is known. */
  async open(): Promise<number | undefined> {
    const { data, map, target, shard } = this.#plan;
    const hasTarget = target !== undefined;
    const all = await openData(data, hasTarget, map);
    this.#shard = shard && new ShardOfData(shard, hasTarget);
    this.#data = this.#shard?.of(all) ?? all;
    return this.#data.total;
  }

  /**
   * Calls `each` with one part of the rows after the other, until it returns `false`.
   *
   * @returns Whether the data has ended.
   */
  async read(each: (rows: Iterable<ParsedRow>) => Promise<boolean>): Promise<boolean> {
    const parts = this.#data?.rows ?? [];
    // `for await` over a list would slow down its rows.
    if (Symbol.iterator in parts) {
      for (const rows of parts) if (!(await each(rows))) return false;
    } else
      for await (const rows of this.#limit?.inTime(parts) ?? parts) if (!(await each(rows))) return false;
    return this.#limit?.usedUp === undefined;
  }

  /** Closes the data, also if a row keeps it waiting forever. */
  close(): void {
    // Data may hang, too, so this does not wait for it.
    (async () => (this.#data?.rows as Partial<AsyncGenerator>)?.return?.(0))().catch(() => {});
  }

  /** Unknown fields of the data, which were ignored. */
  ignoredFields(): string[] {
    return [...(this.#data?.ignoredFields ?? [])];
  }

  /** The fingerprint of the data of a shard, if all of it was read. */
  get fingerprint(): string | undefined {
    return this.#shard?.fingerprint;
  }
}
