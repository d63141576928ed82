import { stoppedBy, unlessAborted } from "../../../core/abort.js";
import { invalidInput } from "../../../core/errors.js";
import { whole } from "../../../core/input/counts.js";
import { Ledger } from "../../stored/ledger.js";
import type { ParsedRow } from "../data/types.js";
import { EventLoopYielder } from "../event-loop.js";
import type { Plan } from "../options/plan.js";
import { RowSource } from "../rows/source.js";
import { BudgetWatch } from "./watch.js";

/** The rows that were read. */
export interface Seen {
  /** The number of rows. */
  examples: number;
  /** Whether the time limit ended the data, so that there may be more rows. */
  isCut: boolean;
}

/**
 * Calls `look` with each row of a plan, until `maxDurationMs` is over.
 *
 * @throws {@link OpenEvalsError} `aborted` if the signal of the plan fires first.
 */
export async function eachRow(
  plan: Plan,
  look: (row: ParsedRow, index: number, total: number | undefined) => Promise<void> | undefined,
): Promise<Seen> {
  const { signal } = plan;
  const { maxDurationMs } = plan.budget ?? {};
  const limits = maxDurationMs === undefined ? {} : { maxDurationMs };
  const watch = new BudgetWatch(limits, undefined, new Ledger(), performance.now());
  const source = new RowSource(plan, watch);
  const total = await source.open();
  const yielder = new EventLoopYielder();
  let examples = 0;
  const read = () =>
    source.read(async (rows) => {
      for (const row of rows) {
        if (signal?.aborted || watch.shouldStop()) return false;
        await look(row, examples++, total);
        if (yielder.isDue) await yielder.yieldToEvents();
      }
      return true;
    });
  try {
    await unlessAborted(signal, read);
  } catch (error) {
    throw signal?.aborted ? stoppedBy(signal, "The estimate") : error;
  } finally {
    source.close();
  }
  if (!examples && !total)
    throw invalidInput(
      watch.usedUp
        ? "The data returned no row within maxDurationMs, so there is nothing to estimate"
        : "The data has no rows, so there is nothing to estimate",
    );
  const isCut = watch.usedUp !== undefined && total === undefined;
  return { examples: watch.usedUp ? (total ?? examples) : examples, isCut };
}

/** The assumption for data that the time limit has ended. */
export const cutText = (examples: number): string =>
  `The data had not ended after maxDurationMs: only the ${whole(examples)} rows that had arrived are counted.`;
